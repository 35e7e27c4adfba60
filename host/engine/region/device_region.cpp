// Interlace: a region whose nodes are a device's
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/device_region.h"

#include <fmt/format.h>

#include "interlace/engine/detail/pin_region.h"

namespace interlace {
namespace {

class DeviceRegion final : public detail::PinRegion<PinImage> {
  public:
    DeviceRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables,
                 std::unique_ptr<PinDevice> device)
        : PinRegion(fabric, nodes), device_(std::move(device)), pins_(nodes.size()) {
        std::vector<PinImage*> models;
        for (PinImage& pins : pins_) models.push_back(&pins);
        const DeviceTraits traits = device_->traits();
        slow(traits.silent_cycles);
        counts_ = traits.registers;
        const NodeSizes built = device_->sizes();
        const Depths depths{built.injection_depth, built.reception_depth, built.vc_depth};
        if (traits.registers)
            configure(std::move(models), tables, depths);
        else
            reset(std::move(models), tables, depths);
    }

  private:
    void clock(const std::vector<std::uint32_t>& awake) override {
        device_->clock(awake, pins_);
        for (const std::uint32_t n : awake) {
            silence(pins_[n]);
            if (!counts_) count(pins_[n]);
        }
    }

    /// What a reception queue without rx_count_o holds is one flit as far as anybody can see.
    void count(PinImage& pins) const {
        pins.rx_count_o = {};
        for (std::uint32_t left = pins.rx_valid_o; left != 0; left &= left - 1)
            detail::set(pins.rx_count_o, static_cast<std::uint32_t>(__builtin_ctz(left)) * detail::count_bits,
                        detail::count_bits, 1);
    }

    std::unique_ptr<PinDevice> device_;
    bool counts_ = true;  // its nodes have rx_count_o
    std::vector<PinImage> pins_;
};

/// Throws InputError where nodes of `built` cannot be what is needed; `whose` names them in it.
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

}  // namespace

NodeSizes needed_sizes(const Fabric& fabric, const PortTables* tables) {
    const std::size_t slots = tables == nullptr || tables->empty() ? 0 : tables->front().size();
    const auto depth = [&](QueueClass queue) {
        const std::uint32_t flits = fabric.parameters.depth(queue);
        return flits == endless ? 0 : flits;
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
    return std::make_unique<DeviceRegion>(fabric, nodes, tables, std::move(device));
}

}  // namespace interlace
