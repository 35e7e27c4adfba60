// Interlace: a node that does what docs/node.md forbids: a real one whose pins are tampered with
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interlace/engine/pins/detail/pin_region.h"

namespace interlace::rogue {

inline constexpr std::uint32_t ports = 2, built_vcs = 4, injections = 4, receptions = 6;

/// The pins of an il_node of two ports.
struct Pins {
    std::uint64_t rst_ni = 0, clk_en_i = 0, cfg_valid_i = 0, cfg_addr_i = 0, cfg_data_i = 0, cfg_read_i = 0;
    std::uint64_t link_valid_i = 0, link_vc_i = 0, credit_i = 0, inj_valid_i = 0, rx_ready_i = 0;
    std::uint64_t link_valid_o = 0, link_vc_o = 0, credit_o = 0, inj_credit_o = 0, rx_valid_o = 0,
                  stall_o = 0, status_o = 0, cfg_data_o = 0;
    std::array<std::uint32_t, 9> link_flit_i{}, link_flit_o{};
    std::array<std::uint32_t, 17> inj_flit_i{};
    std::array<std::uint32_t, 25> rx_flit_o{};
    std::array<std::uint32_t, 3> rx_count_o{};
};

/// What is done to the pins: to the inputs before the node sees them, to the outputs before anyone else does.
/// Told the number of the cycle since the node was enabled.
struct Tampering {
    using Step = std::function<void(Pins&, std::uint64_t cycle)>;
    Step inputs = [](Pins&, std::uint64_t) {};
    Step outputs = [](Pins&, std::uint64_t) {};
    Step registers = [](Pins&, std::uint64_t) {};  // as they are written
};

template <class From, class To>
void copy_pin(const From& from, To& to, std::uint32_t width) {
    using detail::get, detail::set;  // SystemC's pins have their own
    for (std::uint32_t low = 0; low < width; low += detail::max_bits) {
        const std::uint32_t bits = std::min(detail::max_bits, width - low);
        set(to, low, bits, get(from, low, bits));
    }
}

/// A region of one node. `Real`: pins(), with the members of il_node, and clock().
template <class Real>
class RogueRegion final : public detail::PinRegion<Pins> {
  public:
    RogueRegion(const Fabric& fabric, NodeId node, const PortTables* tables, Tampering tampering)
        : PinRegion(fabric, {node}), tampering_(std::move(tampering)) {
        slow(1);  // by as much as a misbehaviour may be late
        configure({&pins_}, tables, 512);
    }

  private:
    void clock(const std::vector<std::uint32_t>& awake) override {
        if (awake.empty()) return;
        if (enabled_) tampering_.inputs(pins_, cycle_);
        if (pins_.cfg_valid_i != 0) tampering_.registers(pins_, 0);
        auto& node = real_.pins();
        copy_pin(pins_.rst_ni, node.rst_ni, 1);
        copy_pin(pins_.clk_en_i, node.clk_en_i, 1);
        copy_pin(pins_.cfg_valid_i, node.cfg_valid_i, 1);
        copy_pin(pins_.cfg_addr_i, node.cfg_addr_i, 16);
        copy_pin(pins_.cfg_data_i, node.cfg_data_i, 32);
        copy_pin(pins_.link_valid_i, node.link_valid_i, ports);
        copy_pin(pins_.link_vc_i, node.link_vc_i, ports * detail::vc_bits);
        copy_pin(pins_.link_flit_i, node.link_flit_i, ports * detail::flit_bits);
        copy_pin(pins_.credit_i, node.credit_i, ports * built_vcs * detail::amount_bits);
        copy_pin(pins_.inj_valid_i, node.inj_valid_i, injections);
        copy_pin(pins_.inj_flit_i, node.inj_flit_i, injections * detail::flit_bits);
        copy_pin(pins_.rx_ready_i, node.rx_ready_i, receptions);
        if (pins_.cfg_valid_i != 0 && pins_.cfg_addr_i == 0) enabled_ = true;
        real_.clock();
        copy_pin(node.link_valid_o, pins_.link_valid_o, ports);
        copy_pin(node.link_vc_o, pins_.link_vc_o, ports * detail::vc_bits);
        copy_pin(node.link_flit_o, pins_.link_flit_o, ports * detail::flit_bits);
        copy_pin(node.credit_o, pins_.credit_o, ports * built_vcs * detail::amount_bits);
        copy_pin(node.inj_credit_o, pins_.inj_credit_o, injections * detail::amount_bits);
        copy_pin(node.rx_valid_o, pins_.rx_valid_o, receptions);
        copy_pin(node.rx_flit_o, pins_.rx_flit_o, receptions * detail::flit_bits);
        copy_pin(node.rx_count_o, pins_.rx_count_o, receptions * detail::count_bits);
        copy_pin(node.stall_o, pins_.stall_o, ports + receptions);
        copy_pin(node.status_o, pins_.status_o, detail::status_bits);
        if (enabled_) tampering_.outputs(pins_, cycle_++);
        silence(pins_);
    }

    Tampering tampering_;
    Pins pins_;
    Real real_;
    bool enabled_ = false;
    std::uint64_t cycle_ = 0;
};

}  // namespace interlace::rogue
