// Interlace: what a shared library of fitted nodes and the program have in common
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace interlace::fitted {

/// A pin: a number of 1, 2, 4 or 8 bytes, or words of 4 bytes, the lowest first.
struct Pin {
    unsigned char* bytes;
    std::uint32_t size;  ///< in bytes
};

/// Those of il_node (docs/node.md, section 3) but its clock.
struct Pins {
    Pin rst_ni, clk_en_i, cfg_valid_i, cfg_read_i, cfg_addr_i, cfg_data_i, cfg_data_o;
    Pin link_valid_i, link_vc_i, link_flit_i, credit_i, link_valid_o, link_vc_o, link_flit_o, credit_o;
    Pin inj_valid_i, inj_flit_i, inj_credit_o, rx_ready_i, rx_valid_o, rx_flit_o, rx_count_o, stall_o,
        status_o;
};

/// What the library can do. Nothing here throws.
struct Library {
    void* (*make)(std::size_t count);  ///< nodes
    void (*unmake)(void* nodes);
    void (*pins)(void* nodes, std::size_t node, Pins* pins);  ///< stay where they are
    /// A rising edge for `count` nodes, after which nothing is on their input pins but rst_ni, cfg_* and
    /// rx_ready_i.
    void (*clock)(void* nodes, const std::uint32_t* which, std::size_t count);
    /// Gives a node's state to take(to, bytes, size), once.
    void (*save)(void* nodes, std::size_t node,
                 void (*take)(void* to, const unsigned char* bytes, std::size_t size), void* to);
    /// Puts it back; false where it is not that of such a node, whose state is then any.
    bool (*load)(void* nodes, std::size_t node, const unsigned char* bytes, std::size_t size);
};

/// The library's only symbol.
inline constexpr const char* library_symbol = "interlace_fitted_nodes";

}  // namespace interlace::fitted

extern "C" const interlace::fitted::Library* interlace_fitted_nodes();
