// Interlace: the registers of a node (docs/node.md, section 1)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "interlace/systemc/pins.h"

namespace interlace::systemc {

/// Bits of `status_o` (docs/node.md, section 8).
struct Status {
    static constexpr std::uint32_t overflow = 1, malformed = 2, misrouted = 4, credit = 8, too_long = 16,
                                   config = 32;
};

constexpr std::uint32_t ones_below(std::uint32_t bit) {
    return static_cast<std::uint32_t>(ones(bit));
}

/// What a node has been built with, in any power of two: flits that each queue can be given (to 32768),
/// entries of its table (to 4096); its pipeline, 1 or 7 (docs/node.md, section 14).
struct Built {
    std::uint32_t depth = 32768, slots = 1024, pipeline = 1;
    bool pipelined() const { return pipeline != 1; }

    /// Itself. Throws std::invalid_argument for anything else.
    const Built& checked() const {
        const auto expect = [](const char* name, std::uint32_t value, bool holds, const char* expected) {
            if (!holds)
                throw std::invalid_argument(std::string("a node's ") + name + " is " + std::to_string(value) +
                                            ", expected " + expected);
        };
        expect("depth", depth, std::has_single_bit(depth) && depth >= 2 && depth <= 32768,
               "a power of two, 2 to 32768");
        expect("slots", slots, std::has_single_bit(slots) && slots >= 2 && slots <= 4096,
               "a power of two, 2 to 4096");
        expect("pipeline", pipeline, pipeline == 1 || pipeline == 7, "1 or 7");
        return *this;
    }
};

/// Cycles between pins and core of a pipelined node.
struct Stages {
    std::uint32_t flits_in = 0, credits_in = 0, flits_out = 0, credits_out = 0, received = 0;
};
inline constexpr Stages no_stages{};
inline constexpr Stages pipelined_stages{2, 1, 2, 1, 3};

/// What the host writes, under the names of the table.
template <std::uint32_t Ports, std::uint32_t Vcs>
struct Registers {
    static_assert(Ports >= 1 && Ports <= 10, "a node has 1 to 10 link ports");
    static_assert(Vcs >= 1 && Vcs <= 4, "a link has 1 to 4 virtual channels");
    static constexpr std::uint32_t dimensions = std::max(1U, Ports / 2);

    enum Switching : std::uint32_t { store_and_forward = 0, virtual_cut_through = 1, wormhole = 2 };
    /// What a port does to its dimension's coordinate.
    struct Hop {
        std::uint32_t length = 0, dimension = 0;
        bool minus = false;
    };

    explicit Registers(const Built& sizes) : built(sizes), table(sizes.slots) {}

    Built built;
    bool enable = false;
    std::uint32_t switching = 0, vcs = 0, vc_depth = 0, reception_depth = 0, ports = 0, receptions = 0,
                  injection_depth = 0, routing = 0, classes = 0, cycles_per_flit = 0, quiesce = 0;
    /// `adaptive`: channels free of rules, the one to escape by, that of high priority to escape by, flits
    /// that a packet counts for in those.
    std::uint32_t dynamic_channels = 0, escape_channel = 0, priority_channel = 0, slot = 0;
    /// ... and how sinks choose channels, adaptive packets ports, and sinks sources.
    bool by_credits = false, by_fullness = false, by_distance = false;
    std::uint32_t round_robin_every = 0;
    std::array<std::uint16_t, dimensions> here{}, size{};
    std::array<Hop, Ports> hop{};
    std::vector<std::uint32_t> table;

    bool coordinates() const { return (routing & 1U) != 0; }
    bool wraps() const { return (routing & 2U) != 0; }
    /// A worm is never adaptive, nor is it chosen by what only adaptive nodes look at.
    bool adaptive() const { return (routing & 4U) != 0 && !is_wormhole(); }
    /// A pipelined node has none: it takes that for cut-through.
    bool is_wormhole() const { return switching == wormhole && !built.pipelined(); }
    const Stages& stages() const { return built.pipelined() ? pipelined_stages : no_stages; }

    bool chooses_by_credits() const { return by_credits && !is_wormhole(); }
    /// By fullness or by distance.
    bool serves_by_level() const { return by_distance || (by_fullness && !is_wormhole()); }

    /// Of the table, for a slot whose upper bits are not looked at.
    std::uint32_t entry(std::uint32_t low_slot) const { return table[low_slot & (built.slots - 1)]; }

    /// No packet leaves by the link that it came by.
    bool onward() const { return (routing & 16U) != 0; }
    /// Adaptive packets choose by coordinates and their hint bits, not by the table.
    bool by_coordinates() const { return adaptive() && (routing & 8U) != 0; }
    bool has_own_channel(bool high) const { return high && priority_channel != 0; }
    /// The channel that an adaptive packet escapes by.
    std::uint32_t escape_of(bool high) const {
        return has_own_channel(high) ? priority_channel : escape_channel;
    }

    /// All but the table is 0 again.
    void reset() {
        std::vector<std::uint32_t> kept;
        kept.swap(table);
        *this = Registers({built.depth, 0, built.pipeline});
        built.slots = static_cast<std::uint32_t>(kept.size());
        table.swap(kept);
    }

    /// Returns errors.
    std::uint32_t write(std::uint32_t address, std::uint32_t data) {
        if (address == 13) quiesce = data & ones_below(Ports);
        if (address == 12 || address == 13) return 0;
        if (enable) return address == 0 && (data & 1U) != 0 ? 0 : Status::config;
        if (address == 0) enable = (data & 1U) != 0;
        if (address >= 0x1000 && address < 0x1000 + built.slots)
            table[address - 0x1000] = data & (ones_below(Ports + 1) | ones_below(Vcs) << 16U);
        if (address < 0x10) write_scalar(address, data);
        if (address >= 0x10 && address < 0x10 + dimensions) {
            here[address - 0x10] = static_cast<std::uint16_t>(data & 0xffffU);
            size[address - 0x10] = static_cast<std::uint16_t>(data >> 16U);
        }
        if (address >= 0x20 && address < 0x20 + Ports)
            hop[address - 0x20] = {data & 0xffffU, data >> 16U & 7U, (data >> 19U & 1U) != 0};
        return 0;
    }

    std::uint32_t read(std::uint32_t address) const {
        if (address >= 0x1000 && address < 0x1000 + built.slots) return table[address - 0x1000];
        if (address >= 0x10 && address < 0x10 + dimensions)
            return here[address - 0x10] | std::uint32_t{size[address - 0x10]} << 16U;
        if (address >= 0x20 && address < 0x20 + Ports) {
            const Hop& way = hop[address - 0x20];
            return way.length | way.dimension << 16U | (way.minus ? 1U << 19U : 0);
        }
        return address <= 13 ? read_scalar(address) : 0;
    }

  private:
    std::uint32_t read_scalar(std::uint32_t address) const {
        const std::uint32_t values[] = {enable ? 1U : 0U,
                                        switching,
                                        vcs,
                                        vc_depth,
                                        reception_depth,
                                        ports,
                                        receptions,
                                        injection_depth,
                                        routing,
                                        classes,
                                        cycles_per_flit,
                                        dynamic_channels | escape_channel << 4U | slot << 8U |
                                            priority_channel << 16U | (by_credits ? 1U << 20U : 0) |
                                            (by_fullness ? 1U << 21U : 0) | (by_distance ? 1U << 22U : 0) |
                                            round_robin_every << 24U,
                                        0,  // `status` is the node's
                                        quiesce};
        return values[address];
    }

    void write_scalar(std::uint32_t address, std::uint32_t data) {
        switch (address) {
            case 1:
                switching = data & 3U;
                break;
            case 2:
                vcs = data & ones_below(Vcs);
                break;
            case 3:
                vc_depth = std::min(data & 0xffffU, built.depth);
                break;
            case 4:
                reception_depth = std::min(data & 0xffffU, built.depth);
                break;
            case 5:
                ports = data & ones_below(Ports);
                break;
            case 6:
                receptions = data & 7U;
                break;
            case 7:
                injection_depth = std::min(data & 0xffffU, built.depth);
                break;
            case 8:
                routing = data & 31U;
                break;
            case 9:
                classes = data & (ones_below(Vcs) | ones_below(Vcs) << 4U);
                break;
            case 10:
                cycles_per_flit = data & 255U;
                break;
            case 11:
                dynamic_channels = data & ones_below(Vcs);
                escape_channel = data >> 4U & ones_below(Vcs);
                slot = data >> 8U & 127U;
                priority_channel = data >> 16U & ones_below(Vcs);
                by_credits = (data >> 20U & 1U) != 0;
                by_fullness = (data >> 21U & 1U) != 0;
                by_distance = (data >> 22U & 1U) != 0;
                round_robin_every = data >> 24U;
                break;
            default:
                break;
        }
    }
};

}  // namespace interlace::systemc
