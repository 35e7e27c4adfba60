// Interlace: a region whose nodes are a device's
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/pins/device_region.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "interlace/engine/pins/detail/pin_region.h"
#include "interlace/engine/region/lookahead.h"

namespace interlace {
namespace {

class DeviceRegion final : public detail::PinRegion<PinImage> {
  public:
    DeviceRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables,
                 std::unique_ptr<PinDevice> device, std::string name)
        : PinRegion(fabric, nodes),
          device_(std::move(device)),
          name_(std::move(name)),
          traits_(device_->traits()),
          pins_(nodes.size()),
          taken_(nodes.size(), 0) {
        std::vector<PinImage*> models;
        for (PinImage& pins : pins_) models.push_back(&pins);
        slow(traits_.silent_cycles);
        const NodeSizes built = device_->sizes();
        const Depths depths{built.injection_depth, built.reception_depth, built.vc_depth};
        if (traits_.registers)
            configure(std::move(models), tables, depths);
        else
            reset(std::move(models), tables, depths);
    }

    bool runs_alone() const override { return false; }  // it begins before others tick, and looks ahead
    /// Half of what links take: the device works on one half while the host is in the other.
    void look_ahead(const Lookahead& known) override {
        const std::uint32_t cycles = std::min(shortest_link() / 2, traits_.cycles_at_once);
        if (cycles == 0) return;
        std::unique_ptr<HostLookahead> hosts = known.hosts();
        const auto knows = [&](NodeId node) { return hosts->knows(node); };
        const std::vector<NodeId> nodes = global_.list();
        if (!std::all_of(nodes.begin(), nodes.end(), knows)) return;
        known_ = &known;
        hosts_ = std::move(hosts);
        at_once_ = cycles;
        queues_.resize(global_.size() * f_.injections);
    }

    RegisterAccess* register_access() override {
        return traits_.registers && !works_ahead() ? this : nullptr;
    }

    bool keeps_nodes() const override { return true; }  // whose state the device says as a whole
    void state(RegionState& state) override {
        PinRegion::state(state);
        Archive archive = state.nodes.of(global_[0]);
        archive(next_, answered_, asked_);
        archive.expect(next_ <= answered_ && answered_ <= asked_ &&
                       asked_ <= cycle_ + 2 * std::uint64_t{at_once_});
        for (Queue& queue : queues_) queue.state(asked_, archive);
        archive.each(waiting_, [&](Archive& a, std::uint32_t& queue) { a.below(queue, queues_.size()); });
        if (archive.loads() && works_ahead()) hosts_->coming(asked_, [](const ComingPacket&) {});
    }

    void begin(const RegionInputs& inputs) override {
        const std::vector<std::uint32_t>& awake = prepare(inputs);
        if (works_ahead())
            keep_ahead();
        else
            device_->begin(awake, pins_);
    }

  private:
    bool works_ahead() const { return at_once_ > 0; }

    bool has_model_state() const override { return traits_.snapshots && !device_->snapshot().empty(); }
    void model_state(std::uint32_t n, Archive& archive) override {
        archive(pins_[n]);
        if (n != 0) return;
        Bytes of_all = archive.loads() ? Bytes() : device_->snapshot();
        archive(of_all);
        if (of_all.empty()) throw FellShort(name_ + " no longer has a snapshot");
        if (archive.loads()) device_->restore(of_all);
    }

    void clock(const std::vector<std::uint32_t>& awake) override {
        if (works_ahead())
            replay(awake);
        else
            device_->clock(awake, pins_);
        for (const std::uint32_t n : awake) {
            silence(pins_[n]);
            if (traits_.registers) continue;
            expect_no_registers(n);
            count(pins_[n]);
        }
    }

    void expect_no_registers(std::uint32_t n) const {
        const PinImage& pins = pins_[n];
        if ((pins.status_o | pins.stall_o | pins.cfg_data_o) == 0) return;
        throw FellShort(
            fmt::format("cycle {}, node {}: {} shows status_o {:#x}, stall_o {:#x} and cfg_data_o {:#x} of a "
                        "node without "
                        "registers; expected 0",
                        cycle_ + 1, +global_[n], name_, pins.status_o, pins.stall_o, pins.cfg_data_o));
    }

    /// What a reception queue without rx_count_o holds is one flit as far as anybody can see.
    void count(PinImage& pins) const {
        pins.rx_count_o = {};
        for (std::uint32_t left = pins.rx_valid_o; left != 0; left &= left - 1)
            detail::set(pins.rx_count_o, static_cast<std::uint32_t>(__builtin_ctz(left)) * detail::count_bits,
                        detail::count_bits, 1);
    }

    /// Cycles after which what leaves a node can be at one of the device's.
    std::uint32_t shortest_link() const {
        std::uint32_t shortest = UINT32_MAX;
        for (const NodeId node : global_.list())
            for (std::uint32_t p = 0; p < f_.ports; ++p) {
                if (const FarPort from = f_.from(node, p); from.linked())
                    shortest = std::min(shortest, f_.flit_delay(from.node, from.port) + 1);
                if (const FarPort to = f_.to(node, p); to.linked())
                    shortest = std::min(shortest, f_.credit_delay(to.node, to.port) + 1);
            }
        return shortest;
    }

    /// At the beginning of a cycle: the device is through with it, and works on cycles behind it.
    void keep_ahead() {
        while (next_ < cycle_ && next_ < asked_) skip_one();
        if (next_ == asked_) {
            next_ = answered_ = asked_ = cycle_;
            ask();
        }
        if (next_ == answered_) await();
        if (answered_ == asked_) ask();
    }

    /// A cycle that the host has left out, everybody being at rest.
    void skip_one() {
        if (next_ == answered_) await();
        device_->next(pins_, taken_);
        for (std::uint32_t n = 0; n < pins_.size(); ++n) expect_rest(n, next_);
        ++next_;
    }

    void await() {
        device_->await();
        answered_ = asked_;
    }

    void ask() {
        std::vector<Arrivals> cycles(at_once_);
        RegionInputs others;
        for (std::uint32_t i = 0; i < at_once_; ++i) {
            const auto ahead = static_cast<std::uint32_t>(asked_ - cycle_) + i;
            add_coming(ahead, cycles[i]);
            others.clear();
            known_->links(ahead, others);
            add(others, cycles[i]);
        }
        offer(cycles);
        device_->begin_cycles(cycles);
        asked_ += at_once_;
    }

    /// Of what has come to injection queues no more than can be written until the end of the question, a flit
    /// a cycle, so that little is on offer at any time.
    void offer(std::vector<Arrivals>& cycles) {
        const std::uint64_t end = asked_ + at_once_;
        hosts_->coming(end, [&](const ComingPacket& packet) {
            if (is_outside(packet.node)) return;
            const std::uint32_t queue = local_[packet.node] * f_.injections + packet.queue;
            if (queues_[queue].coming.empty()) waiting_.push_back(queue);
            queues_[queue].coming.push_back(packet);
        });
        std::erase_if(waiting_, [&](std::uint32_t index) {
            Queue& queue = queues_[index];
            while (!queue.coming.empty() && queue.on_offer < end - next_) {
                const ComingPacket& packet = queue.coming.front();
                Offer offer{index / f_.injections, static_cast<std::uint8_t>(index % f_.injections), {}};
                for (; queue.next_flit < packet.packet.length() && queue.on_offer < end - next_;
                     ++queue.on_offer)
                    offer.flits.push_back(raw({packet.packet, queue.next_flit++}));
                cycles[std::max(packet.cycle, asked_) - asked_].offers.push_back(std::move(offer));
                if (queue.next_flit < packet.packet.length()) break;
                queue.next_flit = 0;
                queue.coming.pop_front();
            }
            return queue.coming.empty();
        });
    }

    /// Those of `inputs` that are for this region.
    void add(const RegionInputs& inputs, Arrivals& arrivals) const {
        for (const LinkFlit& flit : inputs.flits)
            if (!is_outside(flit.node))
                arrivals.flits.push_back({local_[flit.node], flit.port, flit.vc, raw(flit.flit)});
        for (const RawLinkFlit& flit : inputs.raw_flits)
            if (!is_outside(flit.node))
                arrivals.flits.push_back({local_[flit.node], flit.port, flit.vc, flit.flit});
        for (const Credit& credit : inputs.credits)
            if (!is_outside(credit.node))
                arrivals.credits.push_back({local_[credit.node], credit.port, credit.vc, credit.amount});
    }

    /// The cycle as the device has run it, which is the one that the host is in.
    void replay(const std::vector<std::uint32_t>& awake) {
        device_->next(pins_, taken_);
        ++next_;
        auto clocked = awake.begin();
        for (std::uint32_t n = 0; n < pins_.size(); ++n) {
            if (clocked == awake.end() || *clocked != n)
                expect_rest(n, cycle_);
            else
                take_offered(*clocked++);
        }
    }

    /// Nobody looks at the pins of a node at rest.
    void expect_rest(std::uint32_t n, std::uint64_t cycle) const {
        const PinImage& pins = pins_[n];
        if ((pins.link_valid_o | pins.rx_valid_o | taken_[n]) == 0 && pins.credit_o == PinImage::Credits{})
            return;
        throw FellShort(
            fmt::format("cycle {}, node {}: {} shows flits or credits of a node that was at rest; expected "
                        "SILENT_CYCLES, the longest silence of a node with work to do",
                        cycle + 1, +global_[n], name_));
    }

    void take_offered(std::uint32_t n) {
        if (taken_[n] != pins_[n].inj_valid_i)
            throw FellShort(fmt::format(
                "cycle {}, node {}: {} reports flits into injection queues {:#x} (bits), but by the "
                "credits that it returned they went to {:#x}",
                cycle_, +global_[n], name_, taken_[n], pins_[n].inj_valid_i));
        for (std::uint32_t left = taken_[n]; left != 0; left &= left - 1)
            --queues_[n * f_.injections + static_cast<std::uint32_t>(__builtin_ctz(left))].on_offer;
    }

    std::unique_ptr<PinDevice> device_;
    std::string name_;
    DeviceTraits traits_;
    std::vector<PinImage> pins_;

    // Of a device that works ahead: what is known, and the cycles of a question.
    const Lookahead* known_ = nullptr;
    std::unique_ptr<HostLookahead> hosts_;
    std::uint32_t at_once_ = 0;
    std::uint64_t next_ = 0, answered_ = 0, asked_ = 0;  // cycles that were replayed, answered, asked for
    std::vector<std::uint32_t> taken_;                   // [node]: injection queues
    struct Queue {
        std::deque<ComingPacket> coming;  // and not offered, or not all of the first
        std::uint8_t next_flit = 0;       // of the first
        std::uint32_t on_offer = 0;       // flits that were offered and, by replayed cycles, not taken

        /// Packets came before cycle `asked`.
        void state(std::uint64_t asked, Archive& archive) {
            std::vector<ComingPacket> packets(coming.begin(), coming.end());
            archive.each(packets, [&](Archive& a, ComingPacket& p) {
                a.below(p.cycle, asked);
                a(p.node, p.queue, p.packet);
            });
            coming.assign(packets.begin(), packets.end());
            archive(next_flit, on_offer);
            archive.expect(next_flit == 0 || (!coming.empty() && next_flit < coming.front().packet.length()));
        }
    };
    std::vector<Queue> queues_;           // [node * injections + queue]
    std::vector<std::uint32_t> waiting_;  // of which something is coming
};

}  // namespace

void check_sizes(const NodeSizes& built, const NodeSizes& needed, const std::string& whose) {
    const auto check = [&](const char* what, std::uint32_t has, std::uint32_t needs, bool exactly) {
        if (exactly ? has == needs : has >= needs) return;
        throw InputError(fmt::format("{}, whose nodes have {} {}", whose, what, has),
                         fmt::format("{}{}", needs, exactly ? "" : " or more"));
    };
    check("ports:", built.ports, needed.ports, true);
    check("channels:", built.vcs, needed.vcs, false);
    check("injection queues:", built.injections, needed.injections, false);
    check("reception queues:", built.receptions, needed.receptions, false);
    check("bits in a flit:", built.flit_bits, needed.flit_bits, true);
    check("slots in a table:", built.slots, needed.slots, false);
    check("pipeline:", built.pipeline, needed.pipeline, true);
}

NodeSizes needed_sizes(const Fabric& fabric, const PortTables* tables) {
    const std::size_t slots = tables == nullptr || tables->empty() ? 0 : (*tables)[fabric.own.first].size();
    const auto depth = [&](QueueClass queue) {
        const std::uint32_t flits = fabric.parameters.depth(queue);
        return flits == infinite_depth ? 0 : flits;
    };
    return {.ports = fabric.ports,
            .vcs = fabric.vcs,
            .injections = fabric.injections,
            .receptions = fabric.receptions,
            .flit_bits = detail::flit_bits - 2,
            .vc_depth = depth(QueueClass::channel),
            .injection_depth = depth(QueueClass::injection),
            .reception_depth = depth(QueueClass::reception),
            .slots = static_cast<std::uint32_t>(slots),
            .pipeline = fabric.parameters.pipeline};
}

std::unique_ptr<Region> device_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables, std::unique_ptr<PinDevice> device,
                                      const std::string& name) {
    check_sizes(device->sizes(), needed_sizes(fabric, tables), name);
    return std::make_unique<DeviceRegion>(fabric, nodes, tables, std::move(device), name);
}

}  // namespace interlace
