// Interlace: what nodes say that they are built with
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/pins/pin_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>

#include "interlace/core/error.h"
#include "interlace/engine/fabric/registers.h"
#include "interlace/engine/pins/detail/pins.h"

namespace interlace {
namespace {

/// `which` nodes may be built with, as in "1 to 10".
std::string wrong(const char* what, std::uint32_t has, bool right, const std::string& which) {
    return right ? "" : fmt::format("{} {}, expected {}", has, what, which);
}

std::string not_in(const char* what, std::uint32_t has, std::uint32_t least, std::uint32_t most) {
    return wrong(what, has, has >= least && has <= most,
                 least == most ? std::to_string(most) : fmt::format("{} to {}", least, most));
}

std::string no_power(const char* what, std::uint32_t has, std::uint32_t most) {
    return wrong(what, has, std::has_single_bit(has) && has >= 2 && has <= most,
                 fmt::format("a power of two from 2 to {}", most));
}

}  // namespace

std::string wrong_size(const NodeSizes& built, bool registers) {
    constexpr std::uint32_t most_flits = 32768, most_slots = 4096;
    const std::uint32_t p = built.ports;
    const std::array<std::uint32_t, 5> queues = {1, p, p + 1, 2 * p, 2 * (p + 1)};
    const bool has_queues = std::find(queues.begin(), queues.end(), built.receptions) != queues.end();
    std::vector<std::string> all = {
        not_in("ports", p, 1, PinImage::ports), not_in("channels", built.vcs, 1, PinImage::vcs),
        not_in("injection queues", built.injections, 1, p + 2),
        wrong("reception queues", built.receptions, has_queues, fmt::format("{}", fmt::join(queues, ", "))),
        not_in("bits in a flit", built.flit_bits, detail::flit_bits - 2, detail::flit_bits - 2)};
    for (const auto& [what, depth] : {std::pair("flits in a channel", built.vc_depth),
                                      {"flits in an injection queue", built.injection_depth},
                                      {"flits in a reception queue", built.reception_depth}})
        all.push_back(registers ? no_power(what, depth, most_flits) : not_in(what, depth, 1, most_flits));
    if (registers) all.push_back(no_power("slots in a table", built.slots, most_slots));
    for (const std::string& one : all)
        if (!one.empty()) return one;
    return "";
}

NodeSizes built_sizes(std::uint32_t ports, std::uint32_t pipeline, std::uint32_t depth) {
    return {.ports = ports,
            .vcs = PinImage::vcs,
            .injections = ports + 2,
            .receptions = 2 * (ports + 1),
            .flit_bits = detail::flit_bits - 2,
            .vc_depth = depth,
            .injection_depth = depth,
            .reception_depth = depth,
            .slots = built_slots,
            .pipeline = pipeline};
}

NodeSizes decode_sizes(std::uint32_t sizes, std::uint32_t depths) {
    const auto field = [](std::uint32_t word, std::uint32_t low, std::uint32_t bits) {
        return word >> low & ((1U << bits) - 1);
    };
    const auto power = [&](std::uint32_t low) { return 1U << field(depths, low, 4); };
    return {.ports = field(sizes, 0, 4),
            .vcs = field(sizes, 4, 4),
            .injections = field(sizes, 8, 8),
            .receptions = field(sizes, 16, 8),
            .flit_bits = field(sizes, 24, 8) * 64,
            .vc_depth = power(0),
            .injection_depth = power(4),
            .reception_depth = power(8),
            .slots = power(12),
            .pipeline = field(depths, 28, 4)};
}

NodeSizes read_sizes(const std::function<std::uint32_t(const PinImage&)>& clock) {
    PinImage pins;
    pins.clk_en_i = 1;
    clock(pins);
    clock(pins);
    pins.rst_ni = 1;
    const auto read = [&](std::uint32_t address) {
        pins.cfg_read_i = 1;
        pins.cfg_addr_i = address;
        return clock(pins);
    };
    if (const std::uint32_t said = read(Register::identification); said != node_contract)
        throw FellShort(fmt::format("register {:#x} (identification) of the node is {:#x}, expected {:#x}",
                                    +Register::identification, said, node_contract));
    const std::uint32_t sizes = read(Register::sizes);
    const std::uint32_t depths = read(Register::depths);
    const NodeSizes built = decode_sizes(sizes, depths);
    if (const std::string wrong = wrong_size(built); !wrong.empty())
        throw FellShort("the node reports that it has " + wrong);
    return built;
}

}  // namespace interlace
