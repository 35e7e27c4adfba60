// Interlace: the pins of one node as plain numbers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace interlace {

/// What the pins of docs/node.md, section 3, show, of a node as large as any that is built (10 ports with 4
/// channels, 12 injection and 22 reception queues, flits of 128 bits): element i of a pin is where it is on
/// the node's own pin, whatever the node's size, but credits are always of 4 channels a port.
struct PinImage {
    static constexpr std::uint32_t ports = 10, vcs = 4, injections = 12, receptions = 22;
    template <std::uint32_t bits>
    using Wide = std::array<std::uint32_t, (bits + 31) / 32>;
    template <std::uint32_t count>
    using Flits = Wide<count * 130>;
    using Credits = Wide<ports * vcs * 7>;

    std::uint32_t rst_ni = 0, clk_en_i = 0, cfg_valid_i = 0, cfg_read_i = 0, cfg_addr_i = 0, cfg_data_i = 0;
    std::uint32_t link_valid_i = 0, link_vc_i = 0, inj_valid_i = 0, rx_ready_i = 0;
    Flits<ports> link_flit_i{};
    Credits credit_i{};
    Flits<injections> inj_flit_i{};

    std::uint32_t link_valid_o = 0, link_vc_o = 0, rx_valid_o = 0, stall_o = 0, status_o = 0, cfg_data_o = 0;
    Flits<ports> link_flit_o{};
    Credits credit_o{};
    Wide<injections * 7> inj_credit_o{};
    Flits<receptions> rx_flit_o{};
    Wide<receptions * 16> rx_count_o{};
};

}  // namespace interlace
