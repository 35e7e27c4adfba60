// Interlace: moving tokens to and from the pins of nodes that have pins: Verilated and SystemC ones
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/engine/checking/packet_check.h"
#include "interlace/engine/checking/scoreboard.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/fabric/registers.h"
#include "interlace/engine/pins/detail/model_device.h"
#include "interlace/engine/pins/detail/pins.h"
#include "interlace/engine/pins/pin_device.h"
#include "interlace/engine/region/counted_region.h"
#include "interlace/engine/region/delay_line.h"
#include "interlace/engine/region/detail/rest.h"
#include "interlace/engine/region/link_lines.h"
#include "interlace/engine/region/region.h"

namespace interlace::detail {

/// The packet that flits on a pin belong to, as those who watch need it.
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
/// of clock the derived class knows. `model_vcs`: its build parameter Vcs; 0: as many as the fabric has.
/// Setting and reading pins goes through set, get and clear.
template <class Model, std::uint32_t model_vcs = 4>
class PinRegion : public CountedRegion, public RegionCheckpoint, public RegisterAccess {
  public:
    PinRegion(const Fabric& fabric, const std::vector<NodeId>& nodes)
        : CountedRegion(fabric, nodes),
          rest_(nodes.size(), f_.links.cycles_per_flit, f_.parameters.pipelined()),
          stalled_(nodes.size(), 0),
          received_(nodes.size(), 0),
          flits_(f_.longest_delay),
          credits_(f_.longest_delay),
          on_link_(nodes.size() * f_.link_sources()),
          on_reception_(nodes.size() * f_.receptions),
          sources_(f_.sources()),
          held_(nodes.size() * sources_, 0) {
        fabric.check_built();
    }

    void supervise(Supervision level) override {
        if (level == Supervision::packets)
            packets_.emplace(f_, global_.list());
        else
            board_.emplace(f_, global_.list(), tables_, level == Supervision::service);
    }

    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override {
        if (!prepared_) prepare(inputs);
        prepared_ = false;
        for (const std::uint32_t n : awake_) take_receptions(n, outputs);
        clock(awake_);
        arrived_.swap(arriving_);
        arriving_.clear();
        for (const std::uint32_t n : awake_) show_outputs(n, outputs);
        for (const auto& [queue, flits] : arrived_) hold(queue, flits);
        add_stalls();
        if (board_) board_->end(cycle_ + 1);
        ++cycle_;
    }

    bool runs_alone() const override { return true; }
    /// Nodes at rest may still count what waits at them.
    std::uint64_t idle() const override {
        if (!arriving_.empty() || link_stalls_ + reception_stalls_ > 0 || (board_ && board_->waits()))
            return 0;
        for (std::uint32_t n = 0; n < model_.size(); ++n)
            if (!rest_.is_at_rest(n)) return 0;
        return std::min(flits_.idle(), credits_.idle());
    }
    void skip(std::uint64_t cycles) override {
        flits_.skip(cycles);
        credits_.skip(cycles);
        cycle_ += cycles;
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
                pins.push_back(get(m.credit_o, (p * model_channels() + v) * amount_bits, amount_bits));
        }
        for (std::uint32_t i = 0; i < f_.injections; ++i)
            pins.push_back(get(m.inj_credit_o, i * amount_bits, amount_bits));
        for (std::uint32_t r = 0; r < f_.receptions; ++r) {
            pins.push_back(get(m.rx_valid_o, r, 1));
            flit(get_flit(m.rx_flit_o, r));
            pins.push_back(get(m.rx_count_o, r * count_bits, count_bits));
        }
        pins.push_back(unused(m));
        pins.push_back(get(m.stall_o, 0, f_.sinks()));
        pins.push_back(get(m.status_o, 0, status_bits));
        return pins;
    }

    RegionCheckpoint* checkpoint() override { return has_model_state() ? this : nullptr; }
    void state(RegionState& state) override {
        counted_state(state);
        std::vector<std::vector<std::uint32_t>> arriving(model_.size());  // [node]: queue, flits, ...
        for (const auto& [queue, flits] : arriving_) {
            arriving[queue / sources_].push_back(queue % sources_);
            arriving[queue / sources_].push_back(flits);
        }
        for (std::uint32_t n = 0; n < model_.size(); ++n) {
            Archive archive = state.nodes.of(global_[n]);
            archive(arriving[n]);
            archive.expect(arriving[n].size() % 2 == 0);
            for (std::size_t i = 0; archive.loads() && i < arriving[n].size(); i += 2)
                archive.expect(arriving[n][i] < sources_ && arriving[n][i + 1] <= f_.parameters.packet_flits);
            for (std::size_t i = 0; archive.loads() && i < arriving[n].size(); i += 2)
                arriving_.emplace_back(n * sources_ + arriving[n][i], arriving[n][i + 1]);
            node_state(n, archive);
        }
    }
    void give_links(LinkLines& links) const override {
        flits_.each_coming([&](std::uint32_t delay, const Passing& p) {
            links.push(delay, RawLinkFlit{+global_[p.node], p.port, p.vc, p.flit});
        });
        credits_.each_coming([&](std::uint32_t delay, Credit credit) {
            credit.node = +global_[credit.node];
            links.push(delay, credit);
        });
    }
    void take_links(const LinkLines& links) override {
        links.raw_flits.each_coming([&](std::uint32_t delay, const RawLinkFlit& flit) {
            flits_.push(delay, {local_[flit.node], flit.port, flit.vc, flit.flit});
        });
        links.credits.each_coming([&](std::uint32_t delay, Credit credit) {
            credit.node = local_[credit.node];
            credits_.push(delay, credit);
        });
    }

    std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const override {
        return static_cast<std::uint32_t>(
            get(model_[local_[node]]->rx_count_o, queue * count_bits, count_bits));
    }
    std::uint64_t stalled(NodeId node) const override { return stalled_[local_[node]]; }

    RegisterAccess* register_access() override { return this; }
    std::uint32_t read_register(NodeId node, std::uint32_t address) override {
        const std::uint32_t n = local_[node];
        set(model_[n]->cfg_read_i, 0, 1, 1);
        set(model_[n]->cfg_addr_i, 0, 16, address);
        clock({n});
        set(model_[n]->cfg_read_i, 0, 1, 0);
        return static_cast<std::uint32_t>(get(model_[n]->cfg_data_o, 0, 32));
    }

    void clock_alone(NodeId node, PinImage& pins) override {
        const std::uint32_t n = local_[node];
        const NodeSizes sizes{.ports = f_.ports,
                              .vcs = model_channels(),
                              .injections = f_.injections,
                              .receptions = f_.receptions};
        show_inputs(pins, sizes, *model_[n]);
        clock({n});
        read_outputs(*model_[n], sizes, pins);
    }

  protected:
    /// Flits that a queue of each class can be given.
    using Depths = std::array<std::uint32_t, queue_classes>;

    /// A rising edge for the nodes of `awake`. The others are at rest (rest.h). Silences the input pins.
    virtual void clock(const std::vector<std::uint32_t>& awake) = 0;

    /// Whether a model has a state, its pins' included, that goes to an archive and comes from there.
    virtual bool has_model_state() const { return false; }
    virtual void model_state(std::uint32_t /*n*/, Archive& /*archive*/) {}

    /// Begins the tick(inputs) that follows: the input pins of all nodes show what they shall. The nodes that
    /// it is going to clock.
    const std::vector<std::uint32_t>& prepare(const RegionInputs& inputs) {
        set_inputs(inputs);
        awake_.clear();
        for (std::uint32_t n = 0; n < model_.size(); ++n)
            if (!rest_.is_at_rest(n)) awake_.push_back(n);
        prepared_ = true;
        return awake_;
    }

    /// Adds what comes to input pins (`node`: of this region) by links inside the region `ahead` cycles after
    /// the one that was prepared.
    void add_coming(std::uint32_t ahead, Arrivals& arrivals) const {
        for (const Passing& passing : flits_.due_in(ahead))
            arrivals.flits.push_back({passing.node, passing.port, passing.vc, passing.flit});
        const std::vector<Credit>& credits = credits_.due_in(ahead);
        arrivals.credits.insert(arrivals.credits.end(), credits.begin(), credits.end());
    }

    /// For nodes that take `cycles` more than the contract's to do what they do: they are clocked for longer.
    void slow(std::uint32_t cycles) { rest_.slow(cycles); }

    static void silence(Model& model) {
        clear(model.link_valid_i);
        clear(model.inj_valid_i);
        clear(model.credit_i);
    }

    /// Resets `models`, one a node, writes their registers and enables them. The models stay with the derived
    /// class.
    void configure(std::vector<Model*> models, const PortTables* tables, const Depths& built) {
        reset(std::move(models), tables, built);
        write_scalars();
        write_coordinates();
        if (tables != nullptr && !tables->empty()) write_tables(*tables);
        clock(awake_);  // the credit counters take their depths
        write_register(Register::enable, [](NodeId) { return 1U; });
    }
    void configure(std::vector<Model*> models, const PortTables* tables, std::uint32_t built) {
        configure(std::move(models), tables, Depths{built, built, built});
    }

    /// Resets `models` and writes no registers: of nodes that have none.
    void reset(std::vector<Model*> models, const PortTables* tables, const Depths& built) {
        check_depths(built);
        tables_ = tables;
        model_ = std::move(models);
        awake_.resize(model_.size());
        std::iota(awake_.begin(), awake_.end(), 0U);
        each([&](Model& model, NodeId) {
            set(model.clk_en_i, 0, 1, 1);
            set(model.rst_ni, 0, 1, 0);
            set(model.rx_ready_i, 0, f_.receptions, ones(f_.receptions));
        });
        clock(awake_);
        clock(awake_);
        each([](Model& model, NodeId) { set(model.rst_ni, 0, 1, 1); });
    }

  private:
    std::uint32_t model_channels() const {
        if constexpr (model_vcs == 0)
            return f_.vcs;
        else
            return model_vcs;
    }

    void complete(Usage& use) const override {
        if (board_) use.longest_wait = board_->longest_wait();
    }

    void node_state(std::uint32_t n, Archive& archive) {
        model_state(n, archive);
        rest_.node_state(n, archive);
        for (std::uint32_t s = n * sources_; s < (n + 1) * sources_; ++s)
            archive.below(held_[s], 2 * f_.parameters.depth(class_of(s)) + f_.parameters.packet_flits);
        for (std::uint32_t c = n * f_.link_sources(); c < (n + 1) * f_.link_sources(); ++c)
            archive(on_link_[c].packet, on_link_[c].index);
        for (std::uint32_t r = n * f_.receptions; r < (n + 1) * f_.receptions; ++r)
            archive(on_reception_[r].packet, on_reception_[r].index);
        archive(received_[n]);
        std::uint64_t stalled = stalled_[n];
        archive(stalled);
        note_stalls(n, stalled);
        if (board_) board_->state(n, archive);
        if (packets_) packets_->state(n, archive);
    }

    template <class Visit>
    void each(const Visit& visit) {
        for (std::size_t i = 0; i < model_.size(); ++i) visit(*model_[i], global_[i]);
    }

    void check_depths(const Depths& built) const {
        for (std::size_t c = 0; c < queue_classes; ++c) {
            const std::uint32_t depth = f_.parameters.depth(static_cast<QueueClass>(c));
            if (depth == infinite_depth)
                throw InputError(
                    std::string("cannot use infinite ") + queue_class_names[c] + " queues on nodes with pins",
                    "a depth, or the engine native");
            if (depth > built[c])
                throw InputError(
                    "cannot use " + std::string(queue_class_names[c]) + " queues of " +
                        std::to_string(depth) + " flits",
                    "at most " + std::to_string(built[c]) +
                        ", as these nodes are built (RTL by the option INTERLACE_QUEUE_DEPTH); or the engine "
                        "native");
        }
    }

    void write_scalars() {
        for (const auto& [address, value] : common_registers(f_))
            write_register(address, [value = value](NodeId) { return value; });
        write_register(Register::ports, [&](NodeId node) { return f_.port_mask(node); });
    }

    void write_coordinates() {
        for (std::uint32_t d = 0; d < f_.dimensions; ++d)
            write_register(Register::dimension + d, [&](NodeId node) {
                return f_.coordinate(node, d) | std::uint32_t{f_.sizes[d]} << 16U;
            });
        for (std::uint32_t port = 0; f_.dimensions > 0 && port < f_.ports; ++port)
            write_register(Register::port + port, [&](NodeId node) { return f_.hop(node, port).bits(); });
    }

    void write_tables(const PortTables& tables) {
        const std::size_t entries = tables[global_[0]].size();
        if (entries > built_slots)
            throw InputError("cannot use " + std::to_string(entries) + " slots in a forwarding table",
                             "at most " + std::to_string(built_slots) +
                                 " (the node's build parameter Slots), or the engine native");
        for (std::uint32_t slot = 0; slot < entries; ++slot)
            write_register(Register::table + slot,
                           [&](NodeId node) { return register_of_entry(tables[node][slot]); });
    }

    template <class Value>
    void write_register(std::uint32_t address, const Value& value) {
        each([&](Model& model, NodeId node) {
            set(model.cfg_valid_i, 0, 1, 1);
            set(model.cfg_addr_i, 0, 16, address);
            set(model.cfg_data_i, 0, 32, value(node));
        });
        clock(awake_);
        each([](Model& model, NodeId) { set(model.cfg_valid_i, 0, 1, 0); });
    }

    void set_inputs(const RegionInputs& inputs) {
        flits_.advance();
        credits_.advance();
        for (const Passing& passing : flits_.due())
            show(passing.node, passing.port, passing.vc, passing.flit);
        for (const Credit& credit : credits_.due()) give(credit.node, credit.port, credit.vc, credit.amount);
        for (const LinkFlit& flit : inputs.flits) show(local_[flit.node], flit.port, flit.vc, raw(flit.flit));
        for (const RawLinkFlit& flit : inputs.raw_flits)
            show(local_[flit.node], flit.port, flit.vc, flit.flit);
        for (const LinkFlit& flit : inputs.injections) {
            const std::uint32_t n = local_[flit.node];
            Model& model = stir(n);
            set(model.inj_valid_i, flit.port, 1, 1);
            set_flit(model.inj_flit_i, flit.port, raw(flit.flit));
            if (board_) board_->enters(n, f_.link_sources() + flit.port, raw(flit.flit));
            arriving_.emplace_back(n * sources_ + f_.link_sources() + flit.port, 1);
        }
        for (const Credit& credit : inputs.credits)
            give(local_[credit.node], credit.port, credit.vc, credit.amount);
        for (const Ready& change : inputs.ready) {
            set(model_[local_[change.node]]->rx_ready_i, change.queue, 1, change.ready ? 1 : 0);
            if (board_) board_->ready(local_[change.node], change.queue, change.ready);
        }
    }

    /// Node n, on whose input pins something is about to be shown.
    Model& stir(std::uint32_t n) {
        rest_.stir(n);
        return *model_[n];
    }

    void show(std::uint32_t n, std::uint32_t port, std::uint32_t vc, const RawFlit& flit) {
        Model& model = stir(n);
        set(model.link_valid_i, port, 1, 1);
        set(model.link_vc_i, port * vc_bits, vc_bits, vc);
        set_flit(model.link_flit_i, port, flit);
        if (board_) board_->enters(n, port * f_.vcs + vc, flit);
        if (packets_) packets_->enters(n, flit);
        const bool escape = f_.in_slots(vc);
        const bool head = (flit.ends & 1U) != 0;
        arriving_.emplace_back(n * sources_ + port * f_.vcs + vc, !escape ? 1
                                                                  : head  ? f_.parameters.packet_flits
                                                                          : 0);
    }

    void give(std::uint32_t n, std::uint32_t port, std::uint32_t vc, std::uint32_t amount) {
        set(stir(n).credit_i, (port * model_channels() + vc) * amount_bits, amount_bits, amount);
        if (board_) board_->credited(n, port, vc, amount);
    }

    void take_receptions(std::uint32_t n, RegionOutputs& outputs) {
        const Model& model = *model_[n];
        const std::uint64_t valid = get(model.rx_valid_o, 0, f_.receptions);
        rest_.clock(n, valid != 0);
        if (valid == 0) return;
        for (std::uint64_t taken = valid & get(model.rx_ready_i, 0, f_.receptions); taken != 0;
             taken &= taken - 1) {
            const auto r = static_cast<std::uint32_t>(__builtin_ctzll(taken));
            const RawFlit shown = get_flit(model.rx_flit_o, r);
            if (board_) board_->taken(n, r, shown, cycle_);
            if (packets_) packets_->taken(n, r, shown, cycle_);
            const Flit flit = on_reception_[n * f_.receptions + r].next(shown);
            if (flit.tail())
                outputs.receptions.push_back({global_[n], static_cast<std::uint8_t>(r), flit.packet});
        }
    }

    /// What the output pins show now is what the next cycle's input pins show, where links are short.
    void show_outputs(std::uint32_t n, RegionOutputs& outputs) {
        const Model& model = *model_[n];
        if (const std::uint64_t status = board_ ? get(model.status_o, 0, status_bits) : 0; status != 0)
            throw NodeFault(global_[n], cycle_ + 1, status_meaning(status));
        const std::uint64_t valid = get(model.link_valid_o, 0, f_.ports);
        const std::uint64_t receptions = get(model.rx_valid_o, 0, f_.receptions);
        if (valid != 0 || receptions != 0) rest_.show(n);
        for (std::uint64_t left = valid; left != 0; left &= left - 1)
            send(n, static_cast<std::uint32_t>(__builtin_ctzll(left)), outputs);
        // A queue that has been emptied in this cycle shows nothing any more.
        for (std::uint64_t left = receptions | received_[n]; left != 0; left &= left - 1) {
            const auto r = static_cast<std::uint32_t>(__builtin_ctzll(left));
            const auto flits = static_cast<std::uint32_t>(get(model.rx_count_o, r * count_bits, count_bits));
            if (board_) board_->holds(n, r, (receptions >> r & 1U) != 0, flits, cycle_ + 1);
            note(QueueClass::reception, flits);
            if (occupancy_) occupancy_->reception(n * f_.receptions + r, flits, cycle_);
        }
        received_[n] = receptions;
        each_amount(model.credit_o, f_.ports * model_channels(), [&](std::uint32_t i, std::uint8_t amount) {
            const std::uint32_t p = i / model_channels();
            const std::uint32_t v = i % model_channels();
            if (board_) board_->freed_link(n, p, v, amount, cycle_ + 1);
            if (v >= f_.vcs) return;  // as below
            release(n * sources_ + p * f_.vcs + v, amount);
            const FarPort far = f_.from(global_[n], p);
            if (!far.linked()) return;  // a node with a defect: there is no link
            const std::uint32_t delay = f_.credit_delay(global_[n], p);
            if (is_outside(far.node))
                outputs.credits.push_back(
                    {global_[n], static_cast<std::uint8_t>(p), static_cast<std::uint8_t>(v), amount});
            else if (delay == 0)
                give(local_[far.node], far.port, v, amount);
            else
                credits_.push(delay, {local_[far.node], far.port, static_cast<std::uint8_t>(v), amount});
        });
        each_amount(model.inj_credit_o, f_.injections, [&](std::uint32_t i, std::uint8_t amount) {
            if (board_) board_->freed_injection(n, i, amount, cycle_ + 1);
            release(n * sources_ + f_.link_sources() + i, amount);
            outputs.injection_credits.push_back({global_[n], static_cast<std::uint8_t>(i), 0, amount});
        });
        const std::uint64_t stalls = get(model.stall_o, 0, 32);
        if (board_ && stalls != 0) board_->stalls(n, stalls, cycle_ + 1);
        count_stalls(n, stalls & ones(f_.sinks()));
    }

    /// The flit that a port's pins show goes on its way.
    void send(std::uint32_t n, std::uint32_t port, RegionOutputs& outputs) {
        const Model& model = *model_[n];
        const auto vc = static_cast<std::uint8_t>(get(model.link_vc_o, port * vc_bits, vc_bits));
        const RawFlit flit = get_flit(model.link_flit_o, port);
        if (board_) board_->sent(n, port, vc, flit, cycle_ + 1);
        if (packets_) packets_->leaves(n, port, vc, flit, cycle_ + 1);
        const FarPort far = f_.to(global_[n], port);
        if (!far.linked() || vc >= f_.vcs) return;  // as with credits
        use_.hops += flit.ends & 1U;
        const std::uint32_t delay = f_.flit_delay(global_[n], port);
        const bool leaves = is_outside(far.node);
        const auto out = static_cast<std::uint8_t>(port);
        if (watches_links_)
            outputs.sent.push_back(
                {global_[n], out, vc, on_link_[(n * f_.ports + port) * f_.vcs + vc].next(flit)});
        if (leaves)
            outputs.raw_flits.push_back({global_[n], out, vc, flit});
        else if (delay == 0)
            show(local_[far.node], far.port, vc, flit);
        else
            flits_.push(delay, {local_[far.node], far.port, vc, flit});
    }

    /// Channels that credits are shown for, and reception queues that have flits, beyond those in use: masks.
    std::uint64_t unused(const Model& model) const {
        std::uint64_t channels = 0;
        for (std::uint32_t p = 0; p < f_.ports; ++p)
            for (std::uint32_t v = f_.vcs; v < model_channels(); ++v)
                if (get(model.credit_o, (p * model_channels() + v) * amount_bits, amount_bits) != 0)
                    channels |= std::uint64_t{1} << v;
        return channels << 32U | get(model.rx_valid_o, 0, 32) >> f_.receptions << f_.receptions;
    }

    /// Flits that were on the pins in this cycle are in their source now.
    void hold(std::uint32_t queue, std::uint32_t flits) {
        held_[queue] += flits;
        note(class_of(queue), held_[queue]);
        if (occupancy_) occupancy_->source(class_of(queue), queue, held_[queue], cycle_);
    }
    /// A node with a defect may free what it never had.
    void release(std::uint32_t queue, std::uint32_t flits) {
        held_[queue] -= std::min(held_[queue], flits);
        if (occupancy_) occupancy_->source(class_of(queue), queue, held_[queue], cycle_);
    }
    QueueClass class_of(std::uint32_t queue) const {
        return queue % sources_ < f_.link_sources() ? QueueClass::channel : QueueClass::injection;
    }

    void count_stalls(std::uint32_t n, std::uint64_t shown) {
        if (shown == stalled_[n]) return;
        note_stalls(n, shown);
        if (occupancy_) occupancy_->stalled(n, shown, cycle_);
    }
    void note_stalls(std::uint32_t n, std::uint64_t shown) {
        const auto count = [&](std::uint64_t sinks) {
            const std::uint64_t links = sinks & ones(f_.ports);
            return std::pair(__builtin_popcountll(links), __builtin_popcountll(sinks ^ links));
        };
        const auto before = count(stalled_[n]);
        const auto now = count(shown);
        link_stalls_ += static_cast<std::uint64_t>(now.first - before.first);
        reception_stalls_ += static_cast<std::uint64_t>(now.second - before.second);
        stalled_[n] = shown;
    }

    /// Nodes at rest still wait.
    void add_stalls() {
        use_.stall_cycles[static_cast<std::size_t>(QueueClass::channel)] += link_stalls_;
        use_.stall_cycles[static_cast<std::size_t>(QueueClass::reception)] += reception_stalls_;
    }

    /// A flit on its way to node `node` of this region.
    struct Passing {
        std::uint32_t node;
        std::uint8_t port, vc;
        RawFlit flit;
    };

    std::vector<Model*> model_;
    Rest rest_;
    std::vector<std::uint64_t> stalled_;   // what stall_o shows
    std::vector<std::uint64_t> received_;  // and rx_valid_o
    std::vector<std::uint32_t> awake_;
    bool prepared_ = false;
    DelayLine<Passing> flits_;  // on links that take longer than to the next cycle
    DelayLine<Credit> credits_;
    std::vector<Watched> on_link_, on_reception_;

    // Flits of each source, [node * sources + source]; those that come in this cycle, and in the next.
    std::uint32_t sources_;  // of a node
    std::vector<std::uint32_t> held_;

    std::vector<std::pair<std::uint32_t, std::uint32_t>> arrived_, arriving_;
    std::uint64_t link_stalls_ = 0, reception_stalls_ = 0;  // sinks that wait in this cycle

    const PortTables* tables_ = nullptr;
    std::optional<Scoreboard> board_;     // where supervised at the level links
    std::optional<PacketCheck> packets_;  // where supervised at the level packets
};

}  // namespace interlace::detail
