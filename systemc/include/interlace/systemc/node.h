// Interlace: the node of docs/node.md as a SystemC module
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "interlace/systemc/crossbar.h"
#include "interlace/systemc/delay.h"
#include "interlace/systemc/pins.h"

namespace interlace::systemc {

/// The node of docs/node.md, pin by pin: the ports of rtl/node/il_node.sv under their names and in the types
/// that Verilator's SystemC output gives them, so that either stands in for the other. One SC_METHOD on the
/// rising clock; everything it reads is from before the edge, everything it writes is seen after it.
template <std::uint32_t Ports, std::uint32_t Vcs = 4, std::uint32_t Injections = Ports + 2,
          std::uint32_t Receptions = 2 * (Ports + 1)>
class Node : public sc_core::sc_module {
    static_assert(Injections >= 1 && Injections <= Ports + 2,
                  "a node has 1 to two more injection queues than ports");
    static_assert(
        Receptions == 1 || Receptions == Ports || Receptions == Ports + 1 || Receptions == 2 * Ports ||
            Receptions == 2 * (Ports + 1),
        "a node has 1 reception queue, one or two a port, or those and one or two of high priority");

  public:
    static constexpr std::uint32_t ports = Ports;
    static constexpr std::uint32_t vcs = Vcs;
    static constexpr std::uint32_t amount_width = 7;
    static constexpr std::uint32_t vc_width = 2;
    static constexpr std::uint32_t count_width = 16;
    static constexpr std::uint32_t identification = 0x6c690001;  ///< of a node with this contract

    sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"}, clk_en_i{"clk_en_i"}, cfg_valid_i{"cfg_valid_i"},
        cfg_read_i{"cfg_read_i"};
    sc_core::sc_in<std::uint32_t> cfg_addr_i{"cfg_addr_i"}, cfg_data_i{"cfg_data_i"};
    sc_core::sc_out<std::uint32_t> cfg_data_o{"cfg_data_o"};
    sc_core::sc_in<PinType<Ports>> link_valid_i{"link_valid_i"};
    sc_core::sc_in<PinType<Ports * vc_width>> link_vc_i{"link_vc_i"};
    sc_core::sc_in<PinType<Ports * flit_width>> link_flit_i{"link_flit_i"};
    sc_core::sc_in<PinType<Ports * Vcs * amount_width>> credit_i{"credit_i"};
    sc_core::sc_out<PinType<Ports>> link_valid_o{"link_valid_o"};
    sc_core::sc_out<PinType<Ports * vc_width>> link_vc_o{"link_vc_o"};
    sc_core::sc_out<PinType<Ports * flit_width>> link_flit_o{"link_flit_o"};
    sc_core::sc_out<PinType<Ports * Vcs * amount_width>> credit_o{"credit_o"};
    sc_core::sc_in<PinType<Injections>> inj_valid_i{"inj_valid_i"};
    sc_core::sc_in<PinType<Injections * flit_width>> inj_flit_i{"inj_flit_i"};
    sc_core::sc_out<PinType<Injections * amount_width>> inj_credit_o{"inj_credit_o"};
    sc_core::sc_in<PinType<Receptions>> rx_ready_i{"rx_ready_i"};
    sc_core::sc_out<PinType<Receptions>> rx_valid_o{"rx_valid_o"};
    sc_core::sc_out<PinType<Receptions * flit_width>> rx_flit_o{"rx_flit_o"};
    sc_core::sc_out<PinType<Receptions * count_width>> rx_count_o{"rx_count_o"};
    sc_core::sc_out<PinType<Ports + Receptions>> stall_o{"stall_o"};
    sc_core::sc_out<std::uint32_t> status_o{"status_o"};

    SC_HAS_PROCESS(Node);
    /// Throws std::invalid_argument where no node can be built so.
    explicit Node(const sc_core::sc_module_name& name, const Built& built = {})
        : sc_module(name), registers_(built.checked()) {
        SC_METHOD(clock);
        dont_initialize();
        sensitive << clk_i.pos();
    }

    /// Every pin under its name.
    void trace(sc_core::sc_trace_file* file) const override {
        const auto add = [file](const auto&... pin) { (sc_core::sc_trace(file, pin, pin.name()), ...); };
        add(clk_i, rst_ni, clk_en_i, cfg_valid_i, cfg_read_i, cfg_addr_i, cfg_data_i, cfg_data_o);
        add(link_valid_i, link_vc_i, link_flit_i, credit_i, inj_valid_i, inj_flit_i, rx_ready_i);
        add(link_valid_o, link_vc_o, link_flit_o, credit_o, inj_credit_o, rx_valid_o, rx_flit_o, rx_count_o,
            stall_o, status_o);
    }

    /// All that it remembers between cycles but what the host has written to its registers, and not its pins:
    /// state(value, ...), of plain values and vectors of them, saves them or loads them, all in one order.
    template <class State>
    void state(State& state) {
        switch_.state(state);
        for (auto& queue : reception_) queue.state(state);
        state(shown_.link_valid, shown_.link_vc, shown_.rx_valid, shown_.stall, shown_.status,
              shown_.cfg_data, shown_.any_credit, shown_.any_inj_credit);
        bits_state(state, shown_.link_flit);
        bits_state(state, shown_.rx_flit);
        bits_state(state, shown_.rx_count);
        bits_state(state, shown_.credit);
        bits_state(state, shown_.inj_credit);
        moved_.state(state);
        arriving_.state(state);
        returned_.state(state);
        freed_.state(state);
        state(counted_, status_, still_, next_still_, at_rest_);
    }

  private:
    using Switch = Crossbar<Ports, Vcs, Injections, Receptions>;

    /// What output pins show. Between cycles data are 0 where nothing is valid.
    struct Shown {
        std::uint32_t link_valid = 0, link_vc = 0, rx_valid = 0, stall = 0, status = 0, cfg_data = 0;
        PinType<Ports * flit_width> link_flit{};
        PinType<Receptions * flit_width> rx_flit{};
        PinType<Receptions * count_width> rx_count{};
        PinType<Ports * Vcs * amount_width> credit{};
        PinType<Injections * amount_width> inj_credit{};
        bool any_credit = false, any_inj_credit = false;
    };

    // On their way between pins and core.
    struct Moved {
        std::uint32_t sink, channel;
        Flit flit;
    };
    struct Arriving {
        std::uint32_t source;
        Flit flit;
    };
    struct Returned {
        std::uint32_t sink, channel, flits, depth;
    };
    struct Freed {
        std::uint32_t source, flits;
    };
    static constexpr std::uint32_t no_source = UINT32_MAX;  // of a channel that there is not

    /// Something has come in, or moved: a pipelined node is not idle for as long as it may be between pins
    /// and core.
    void stir() {
        if (registers_.built.pipelined()) next_still_ = 3;
    }

    void clock() {
        if (!rst_ni.read()) {
            reset();
            return;
        }
        if (!clk_en_i.read() || (at_rest_ && quiet())) return;
        const std::uint32_t read = cfg_read_i.read() ? value_of(cfg_addr_i.read()) : 0;
        const bool clears = cfg_valid_i.read() && cfg_addr_i.read() == 12;
        if (clears) status_ &= ~cfg_data_i.read();
        if ((shown_.link_valid | shown_.stall) != 0) count();
        const std::uint32_t taken =
            shown_.rx_valid != 0 ? shown_.rx_valid & static_cast<std::uint32_t>(rx_ready_i.read()) : 0;
        move_flits();
        const std::uint32_t received = show_moved();
        see_credits(taken);
        see_flits();
        if (registers_.enable) {
            for (const Returned& credit : returned_.due())
                status_ |= switch_.give_credits(credit.sink, credit.channel, credit.flits, credit.depth);
            for (const Arriving& flit : arriving_.due())
                status_ |= flit.source < Switch::sources ? switch_.arrive(registers_, flit.source, flit.flit)
                                                         : Status::overflow;
        } else {
            if (!returned_.due().empty() || !arriving_.due().empty())
                status_ |= Status::config;  // and ignored
            switch_.fill_credits(registers_);
        }
        free_flits();
        show_freed();
        show_receptions(taken, received);
        show_stalls();
        if (cfg_valid_i.read()) status_ |= registers_.write(cfg_addr_i.read(), cfg_data_i.read());
        show_status();
        if (read != shown_.cfg_data) cfg_data_o.write(shown_.cfg_data = read);
        still_ = next_still_ != 0 ? std::exchange(next_still_, 0) : still_ - (still_ != 0 ? 1 : 0);
        moved_.advance();
        arriving_.advance();
        returned_.advance();
        freed_.advance();
        at_rest_ = registers_.enable && switch_.empty() && shown_.link_valid == 0 && shown_.rx_valid == 0 &&
                   !shown_.any_credit && !shown_.any_inj_credit && shown_.stall == 0 &&
                   shown_.cfg_data == 0 && switch_.links_free() && still_ == 0 && returned_.empty() &&
                   freed_.empty();
    }

    /// Nothing on the input pins.
    bool quiet() const { return !cfg_valid_i.read() && !cfg_read_i.read() && quiet_links(); }

    /// No flit and no credit.
    bool quiet_links() const {
        return link_valid_i.read() == 0 && inj_valid_i.read() == 0 && !any_bits(credit_i.read());
    }

    /// Flits of this cycle on their way to the links' pins and the reception queues.
    void move_flits() {
        const Stages& stages = registers_.stages();
        switch_.move_flits(registers_, [&](std::uint32_t k, std::uint32_t v, const Flit& flit) {
            moved_.push(k < Ports ? stages.flits_out : stages.received, {k, v, flit});
            stir();
        });
    }

    /// Those that are there; the mask of the reception queues that got some.
    std::uint32_t show_moved() {
        const std::uint32_t valid_before = shown_.link_valid;
        const std::uint32_t vc_before = shown_.link_vc;
        std::uint32_t received = 0;
        shown_.link_valid = shown_.link_vc = 0;
        for (const Moved& moved : moved_.due()) {
            if (moved.sink < Ports) {
                shown_.link_valid |= 1U << moved.sink;
                shown_.link_vc |= moved.channel << moved.sink * vc_width;
                set_flit(shown_.link_flit, moved.sink, moved.flit);
            } else {
                received |= 1U << (moved.sink - Ports);
                reception_[moved.sink - Ports].push(moved.flit);
            }
        }
        each_bit(valid_before & ~shown_.link_valid,
                 [&](std::uint32_t p) { set_flit(shown_.link_flit, p, {}); });
        if (shown_.link_valid != valid_before) write(link_valid_o, shown_.link_valid);
        if (shown_.link_vc != vc_before) write(link_vc_o, shown_.link_vc);
        if ((shown_.link_valid | valid_before) != 0) link_flit_o.write(shown_.link_flit);
        return received;
    }

    /// Credits on the pins, and of reception queues whose oldest flit leaves: `taken`.
    void see_credits(std::uint32_t taken) {
        const std::uint32_t stages = registers_.stages().credits_in;
        each_field(credit_i.read(), Ports * Vcs, amount_width, [&](std::uint32_t i, std::uint32_t flits) {
            returned_.push(stages, {i / Vcs, i % Vcs, flits, registers_.vc_depth});
        });
        each_bit(taken, [&](std::uint32_t r) {
            returned_.push(stages, {Ports + r, 0, 1, registers_.reception_depth});
        });
    }

    void see_flits() {
        const std::uint32_t stages = registers_.stages().flits_in;
        if (const auto valid = link_valid_i.read(); valid != 0) {
            const std::uint32_t vc = link_vc_i.read();
            const auto& flits = link_flit_i.read();
            each_bit(valid, [&](std::uint32_t p) {
                const auto v = static_cast<std::uint32_t>(get_bits(vc, p * vc_width, vc_width));
                arriving_.push(stages, {v < Vcs ? p * Vcs + v : no_source, get_flit(flits, p)});
            });
            stir();
        }
        if (const auto valid = inj_valid_i.read(); valid != 0) {
            const auto& flits = inj_flit_i.read();
            each_bit(valid, [&](std::uint32_t i) {
                arriving_.push(stages, {Switch::link_sources + i, get_flit(flits, i)});
            });
            stir();
        }
    }

    void free_flits() {
        switch_.free_flits(registers_, [&](std::uint32_t s, std::uint32_t flits) {
            freed_.push(registers_.stages().credits_out, {s, flits});
        });
    }

    void show_freed() {
        const bool links_before = shown_.any_credit;
        const bool injections_before = shown_.any_inj_credit;
        if (links_before) clear_bits(shown_.credit);
        if (injections_before) clear_bits(shown_.inj_credit);
        shown_.any_credit = shown_.any_inj_credit = false;
        for (const Freed& freed : freed_.due()) {
            if (freed.source < Switch::link_sources) {
                shown_.any_credit = true;
                set_bits(shown_.credit, freed.source * amount_width, amount_width, freed.flits);
            } else {
                shown_.any_inj_credit = true;
                set_bits(shown_.inj_credit, (freed.source - Switch::link_sources) * amount_width,
                         amount_width, freed.flits);
            }
        }
        if (links_before || shown_.any_credit) credit_o.write(shown_.credit);
        if (injections_before || shown_.any_inj_credit) inj_credit_o.write(shown_.inj_credit);
    }

    /// Pins of reception queues whose oldest flit was taken, or that had none and got one.
    void show_receptions(std::uint32_t taken, std::uint32_t received) {
        if ((taken | received) == 0) return;
        const std::uint32_t changed = taken | (received & ~shown_.rx_valid);
        const std::uint32_t before = shown_.rx_valid;
        each_bit(changed, [&](std::uint32_t r) {
            auto& queue = reception_[r];
            if ((taken >> r & 1U) != 0) queue.pop();
            const bool valid = !queue.empty();
            shown_.rx_valid = (shown_.rx_valid & ~(1U << r)) | (valid ? 1U << r : 0);
            set_flit(shown_.rx_flit, r, valid ? queue.front() : Flit{});
        });
        each_bit(taken | received, [&](std::uint32_t r) {
            set_bits(shown_.rx_count, r * count_width, count_width, reception_[r].size());
        });
        if (shown_.rx_valid != before) write(rx_valid_o, shown_.rx_valid);
        if (changed != 0) rx_flit_o.write(shown_.rx_flit);
        rx_count_o.write(shown_.rx_count);
    }

    void show_stalls() {
        if (switch_.stalled() == shown_.stall) return;
        shown_.stall = switch_.stalled();
        write(stall_o, shown_.stall);
    }

    void show_status() {
        if (status_ == shown_.status) return;
        shown_.status = status_;
        status_o.write(status_);
    }

    /// What a register says.
    std::uint32_t value_of(std::uint32_t address) const {
        const Built& built = registers_.built;
        const auto log2 = [](std::uint32_t power) {
            return static_cast<std::uint32_t>(__builtin_ctz(power));
        };
        if (address >= 0x40 && address < 0x40 + 4 * Ports && address % 4 < 3)
            return counted_[(address - 0x40) / 4][address % 4];
        switch (address) {
            case 12:
                return status_;
            case 14:
                return (switch_.idle() && shown_.rx_valid == 0 && shown_.link_valid == 0 && still_ == 0
                            ? 1U
                            : 0U) |
                       (switch_.has_all_credits(registers_.vc_depth) ? 2U : 0U);
            case 0x30:
                return identification;
            case 0x31:
                return Ports | Vcs << 4U | Injections << 8U | Receptions << 16U | 2U << 24U;
            case 0x32:
                return log2(built.depth) | log2(built.depth) << 4U | log2(built.depth) << 8U |
                       log2(built.slots) << 12U | built.pipeline << 28U;
            default:
                return registers_.read(address);
        }
    }

    /// What the pins of each link show: flits, heads, stalls.
    void count() {
        each_bit(shown_.link_valid, [&](std::uint32_t p) {
            ++counted_[p][0];
            counted_[p][1] += static_cast<std::uint32_t>(get_bits(shown_.link_flit, p * flit_width + 128, 1));
        });
        each_bit(shown_.stall & ones(Ports), [&](std::uint32_t p) { ++counted_[p][2]; });
    }

    void reset() {
        registers_.reset();
        switch_.clear();
        for (auto& queue : reception_) queue.clear();
        status_ = 0;
        at_rest_ = false;
        shown_ = {};
        moved_.clear();
        arriving_.clear();
        returned_.clear();
        freed_.clear();
        still_ = next_still_ = 0;
        write(link_valid_o, 0);
        write(link_vc_o, 0);
        link_flit_o.write(shown_.link_flit);
        credit_o.write(shown_.credit);
        inj_credit_o.write(shown_.inj_credit);
        write(rx_valid_o, 0);
        rx_flit_o.write(shown_.rx_flit);
        rx_count_o.write(shown_.rx_count);
        write(stall_o, 0);
        status_o.write(0);
        cfg_data_o.write(0);
        counted_ = {};
    }

    template <class Value>
    static void write(sc_core::sc_out<Value>& pin, std::uint32_t value) {
        pin.write(static_cast<Value>(value));
    }

    Registers<Ports, Vcs> registers_;
    std::array<std::array<std::uint32_t, 3>, Ports> counted_{};
    Switch switch_;
    std::array<Queue<Flit>, Receptions> reception_;
    std::uint32_t status_ = 0;
    Shown shown_;
    Delay<Moved> moved_;
    Delay<Arriving> arriving_;
    Delay<Returned> returned_;
    Delay<Freed> freed_;
    std::uint32_t still_ = 0, next_still_ = 0;  // cycles
    bool at_rest_ = false;  // enabled, empty and showing nothing: quiet input pins leave all as it is
};

}  // namespace interlace::systemc
