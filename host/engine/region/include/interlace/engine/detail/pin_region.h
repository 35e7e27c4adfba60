// Interlace: moving tokens to and from the pins of nodes that have pins: Verilated and SystemC ones
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/engine/fabric.h"
#include "interlace/engine/region.h"

namespace interlace::detail {

// What the nodes are built with.
inline constexpr std::uint32_t flit_bits = 130;  // tail, head, two words
inline constexpr std::uint32_t amount_bits = 7;
inline constexpr std::uint32_t vc_bits = 2;
inline constexpr std::uint32_t slots = 1024;

/// Addresses: docs/node.md, section 1.
namespace Register {
enum : std::uint32_t {
    enable = 0,
    switching = 1,
    vcs = 2,
    vc_depth = 3,
    reception_depth = 4,
    ports = 5,
    receptions = 6,
    injection_depth = 7,
    routing = 8,
    classes = 9,
    dimension = 0x10,  // + dimension
    port = 0x20,       // + port
    table = 0x1000     // + slot
};
}  // namespace Register

constexpr std::uint64_t ones(std::uint32_t width) {
    return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// `width` <= 64 bits of a pin from bit `low` on, whatever type Verilator gave the pin. SystemC pins have
/// their own.
template <class Pin>
std::uint64_t get(const Pin& pin, std::uint32_t low, std::uint32_t width) {
    if constexpr (std::is_integral_v<Pin>) {
        return static_cast<std::uint64_t>(pin) >> low & ones(width);
    } else {
        std::uint64_t value = 0;
        for (std::uint32_t got = 0; got < width;) {
            const std::uint32_t bit = low + got;
            value |= (std::uint64_t{pin[bit / 32]} >> bit % 32) << got;
            got += 32 - bit % 32;
        }
        return value & ones(width);
    }
}

template <class Pin>
void set(Pin& pin, std::uint32_t low, std::uint32_t width, std::uint64_t value) {
    if constexpr (std::is_integral_v<Pin>) {
        const std::uint64_t kept = static_cast<std::uint64_t>(pin) & ~(ones(width) << low);
        pin = static_cast<Pin>(kept | (value & ones(width)) << low);
    } else {
        for (std::uint32_t done = 0; done < width;) {
            const std::uint32_t bit = low + done;
            const std::uint32_t count = std::min(32 - bit % 32, width - done);
            const auto mask = static_cast<std::uint32_t>(ones(count) << bit % 32);
            const auto piece = static_cast<std::uint32_t>(value >> done << bit % 32);
            pin[bit / 32] = (pin[bit / 32] & ~mask) | (piece & mask);
            done += count;
        }
    }
}

template <class Pin>
void clear(Pin& pin) {
    if constexpr (std::is_integral_v<Pin>)
        pin = 0;
    else
        for (std::size_t word = 0; word < sizeof(pin) / sizeof(pin[0]); ++word) pin[word] = 0;
}

/// A flit as it is on a pin.
struct RawFlit {
    std::uint64_t word[2];
    std::uint64_t ends;  // bit 0 head, bit 1 tail
};

template <class Pin>
RawFlit get_flit(const Pin& pin, std::uint32_t i) {
    return {{get(pin, i * flit_bits, 64), get(pin, i * flit_bits + 64, 64)},
            get(pin, i * flit_bits + 128, 2)};
}

template <class Pin>
void set_flit(Pin& pin, std::uint32_t i, const RawFlit& flit) {
    set(pin, i * flit_bits, 64, flit.word[0]);
    set(pin, i * flit_bits + 64, 64, flit.word[1]);
    set(pin, i * flit_bits + 128, 2, flit.ends);
}

/// Calls visit(i, amount) for every amount that is not 0 of a pin that has `count` of them.
template <class Pin, class Visit>
void each_amount(const Pin& pin, std::uint32_t count, const Visit& visit) {
    constexpr std::uint32_t at_once = 64 / amount_bits;
    for (std::uint32_t first = 0; first < count; first += at_once) {
        const std::uint32_t amounts = std::min(at_once, count - first);
        for (std::uint64_t rest = get(pin, first * amount_bits, amounts * amount_bits); rest != 0;) {
            const std::uint32_t i = static_cast<std::uint32_t>(__builtin_ctzll(rest)) / amount_bits;
            visit(first + i, static_cast<std::uint8_t>(rest >> i * amount_bits & ones(amount_bits)));
            rest &= ~(ones(amount_bits) << i * amount_bits);
        }
    }
}

inline RawFlit raw(const Flit& flit) {
    return {{flit.packet.word(flit.index * 2U), flit.packet.word(flit.index * 2U + 1)},
            (flit.head() ? 1U : 0U) | (flit.tail() ? 2U : 0U)};
}

/// The packet that flits on a pin belong to, as a token needs it.
struct Watched {
    Packet packet;
    std::uint8_t index = 0;
    Flit next(const RawFlit& flit) {
        if ((flit.ends & 1U) != 0) {
            packet = {flit.word[0], flit.word[1]};
            index = 0;
        }
        return {packet, index++};
    }
};

/// A region of nodes with the pins of il_node (docs/node.md, section 3) as members of a `Model`, whose kind
/// of clock the derived class knows. `built_vcs`: its build parameter Vcs. Setting and reading pins goes
/// through set, get and clear.
template <class Model, std::uint32_t built_vcs = 4>
class PinRegion : public Region {
  public:
    PinRegion(const Fabric& fabric, const std::vector<NodeId>& nodes)
        : f_(fabric),
          global_(nodes),
          local_(fabric.nodes, UINT32_MAX),
          on_link_(nodes.size() * f_.ports * f_.vcs),
          on_reception_(nodes.size() * f_.receptions) {
        for (std::uint32_t i = 0; i < nodes.size(); ++i) local_[nodes[i]] = i;
    }

    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override {
        set_inputs(inputs);
        for (const std::uint32_t n : awake_) take_receptions(n, outputs);
        clock();
        for (const std::uint32_t n : awake_) {
            Model& model = *model_[n];
            clear(model.link_valid_i);
            clear(model.inj_valid_i);
            clear(model.credit_i);
        }
        for (const std::uint32_t n : awake_) show_outputs(n, outputs);
    }

    Pins pins(NodeId node) const override {
        const Model& m = *model_[local_[node]];
        Pins pins;
        const auto flit = [&](const RawFlit& shown) {
            pins.insert(pins.end(), {shown.ends, shown.word[0], shown.word[1]});
        };
        for (std::uint32_t p = 0; p < f_.ports; ++p) {
            pins.push_back(get(m.link_valid_o, p, 1));
            pins.push_back(get(m.link_vc_o, p * vc_bits, vc_bits));
            flit(get_flit(m.link_flit_o, p));
            for (std::uint32_t v = 0; v < f_.vcs; ++v)
                pins.push_back(get(m.credit_o, (p * built_vcs + v) * amount_bits, amount_bits));
        }
        for (std::uint32_t i = 0; i < f_.injections; ++i)
            pins.push_back(get(m.inj_credit_o, i * amount_bits, amount_bits));
        for (std::uint32_t r = 0; r < f_.receptions; ++r) {
            pins.push_back(get(m.rx_valid_o, r, 1));
            flit(get_flit(m.rx_flit_o, r));
        }
        pins.push_back(get(m.status_o, 0, 4));
        return pins;
    }

    std::uint32_t reception_flits(NodeId /*node*/, std::uint32_t /*queue*/) const override { return 0; }
    Usage usage() const override { return {}; }

  protected:
    /// A rising edge for every node. A derived class may leave out nodes that it would not change; then it
    /// says in `awake_` which it has reached.
    virtual void clock() = 0;

    /// Resets `models`, one a node, writes their registers and enables them. The models stay with the derived
    /// class.
    void configure(std::vector<Model*> models, const PortTables* tables) {
        model_ = std::move(models);
        awake_.resize(model_.size());
        std::iota(awake_.begin(), awake_.end(), 0U);
        each([](Model& model, NodeId) { set(model.rst_ni, 0, 1, 0); });
        clock();
        clock();
        each([](Model& model, NodeId) { set(model.rst_ni, 0, 1, 1); });
        const NodeParameters& p = f_.parameters;
        write_register(Register::switching, [&](NodeId) { return static_cast<std::uint32_t>(p.switching); });
        write_register(Register::vcs, [&](NodeId) { return static_cast<std::uint32_t>(ones(f_.vcs)); });
        write_register(Register::vc_depth, [&](NodeId) { return p.vc_depth; });
        write_register(Register::reception_depth, [&](NodeId) { return p.reception_depth; });
        write_register(Register::ports, [&](NodeId node) { return f_.port_mask(node); });
        write_register(Register::receptions, [&](NodeId) { return f_.layout; });
        write_register(Register::injection_depth, [&](NodeId) { return p.injection_depth; });
        write_register(Register::routing,
                       [&](NodeId) { return f_.dimensions == 0 ? 0U : 1U | (f_.wraps ? 2U : 0U); });
        write_register(Register::classes, [&](NodeId) { return f_.classes(); });
        for (std::uint32_t d = 0; d < f_.dimensions; ++d)
            write_register(Register::dimension + d, [&](NodeId node) {
                return f_.here[std::size_t{node} * f_.dimensions + d] | std::uint32_t{f_.sizes[d]} << 16U;
            });
        if (f_.dimensions > 0)
            for (std::uint32_t port = 0; port < f_.ports; ++port)
                write_register(Register::port + port, [&](NodeId node) {
                    return f_.hops[std::size_t{node} * f_.ports + port].bits();
                });
        const std::size_t entries = tables == nullptr || tables->empty() ? 0 : tables->front().size();
        if (entries > slots)
            throw InputError(std::to_string(entries) + " slots in a forwarding table",
                             "at most " + std::to_string(slots) + " (the node's build parameter Slots)");
        for (std::uint32_t slot = 0; slot < entries; ++slot)
            write_register(Register::table + slot, [&](NodeId node) { return (*tables)[node][slot]; });
        clock();  // the credit counters take their depths
        write_register(Register::enable, [](NodeId) { return 1U; });
        each([&](Model& model, NodeId) { set(model.rx_ready_i, 0, f_.receptions, ones(f_.receptions)); });
    }

    std::vector<std::uint32_t> awake_;  ///< nodes that the last edge has reached; the others show nothing

  private:
    template <class Visit>
    void each(const Visit& visit) {
        for (std::size_t i = 0; i < model_.size(); ++i) visit(*model_[i], global_[i]);
    }

    template <class Value>
    void write_register(std::uint32_t address, const Value& value) {
        each([&](Model& model, NodeId node) {
            set(model.cfg_valid_i, 0, 1, 1);
            set(model.cfg_addr_i, 0, 16, address);
            set(model.cfg_data_i, 0, 32, value(node));
        });
        clock();
        each([](Model& model, NodeId) { set(model.cfg_valid_i, 0, 1, 0); });
    }

    void set_inputs(const RegionInputs& inputs) {
        for (const LinkFlit& flit : inputs.flits)
            show(*model_[local_[flit.node]], flit.port, flit.vc, raw(flit.flit));
        for (const LinkFlit& flit : inputs.injections) {
            Model& model = *model_[local_[flit.node]];
            set(model.inj_valid_i, flit.port, 1, 1);
            set_flit(model.inj_flit_i, flit.port, raw(flit.flit));
        }
        for (const Credit& credit : inputs.credits)
            give(*model_[local_[credit.node]], credit.port, credit.vc, credit.amount);
        for (const Ready& change : inputs.ready)
            set(model_[local_[change.node]]->rx_ready_i, change.queue, 1, change.ready ? 1 : 0);
    }

    static void show(Model& model, std::uint32_t port, std::uint32_t vc, const RawFlit& flit) {
        set(model.link_valid_i, port, 1, 1);
        set(model.link_vc_i, port * vc_bits, vc_bits, vc);
        set_flit(model.link_flit_i, port, flit);
    }

    static void give(Model& model, std::uint32_t port, std::uint32_t vc, std::uint32_t amount) {
        set(model.credit_i, (port * built_vcs + vc) * amount_bits, amount_bits, amount);
    }

    void take_receptions(std::uint32_t n, RegionOutputs& outputs) {
        const Model& model = *model_[n];
        for (std::uint64_t taken =
                 get(model.rx_valid_o, 0, f_.receptions) & get(model.rx_ready_i, 0, f_.receptions);
             taken != 0; taken &= taken - 1) {
            const auto r = static_cast<std::uint32_t>(__builtin_ctzll(taken));
            const Flit flit = on_reception_[n * f_.receptions + r].next(get_flit(model.rx_flit_o, r));
            if (flit.tail())
                outputs.receptions.push_back({global_[n], static_cast<std::uint8_t>(r), flit.packet});
        }
    }

    /// What the output pins show now is what the next cycle's input pins show.
    void show_outputs(std::uint32_t n, RegionOutputs& outputs) {
        const Model& model = *model_[n];
        for (std::uint64_t valid = get(model.link_valid_o, 0, f_.ports); valid != 0; valid &= valid - 1) {
            const auto port = static_cast<std::uint32_t>(__builtin_ctzll(valid));
            const auto vc = static_cast<std::uint32_t>(get(model.link_vc_o, port * vc_bits, vc_bits));
            const RawFlit flit = get_flit(model.link_flit_o, port);
            const FarPort far = f_.to[std::size_t{global_[n]} * f_.ports + port];
            if (local_[far.node] != UINT32_MAX)
                show(*model_[local_[far.node]], far.port, vc, flit);
            else
                outputs.flits.push_back({global_[n], static_cast<std::uint8_t>(port),
                                         static_cast<std::uint8_t>(vc),
                                         on_link_[(n * f_.ports + port) * f_.vcs + vc].next(flit)});
        }
        each_amount(model.credit_o, f_.ports * built_vcs, [&](std::uint32_t i, std::uint8_t amount) {
            const std::uint32_t p = i / built_vcs;
            const std::uint32_t v = i % built_vcs;
            const FarPort far = f_.from[std::size_t{global_[n]} * f_.ports + p];
            if (local_[far.node] != UINT32_MAX)
                give(*model_[local_[far.node]], far.port, v, amount);
            else
                outputs.credits.push_back(
                    {global_[n], static_cast<std::uint8_t>(p), static_cast<std::uint8_t>(v), amount});
        });
        each_amount(model.inj_credit_o, f_.injections, [&](std::uint32_t i, std::uint8_t amount) {
            outputs.injection_credits.push_back({global_[n], static_cast<std::uint8_t>(i), 0, amount});
        });
    }

    const Fabric& f_;
    std::vector<NodeId> global_;
    std::vector<std::uint32_t> local_;
    std::vector<Model*> model_;
    std::vector<Watched> on_link_, on_reception_;
};

}  // namespace interlace::detail
