// Interlace: what nodes say that they are built with
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/region/pin_device.h"

#include <fmt/format.h>

#include "interlace/core/error.h"
#include "interlace/engine/region/detail/pins.h"
#include "interlace/engine/region/registers.h"

namespace interlace {
namespace {

constexpr std::uint32_t contract = 0x6c690001;  // what identification says

void check(const char* what, std::uint64_t value, std::uint64_t least, std::uint64_t most) {
    if (value < least || value > most)
        throw FellShort(
            fmt::format("the node says that it has {} {}, expected {}", value, what,
                        least == most ? std::to_string(most) : fmt::format("{} to {}", least, most)));
}

}  // namespace

NodeSizes built_sizes(std::uint32_t ports, std::uint32_t pipeline, std::uint32_t depth) {
    return {.ports = ports,
            .vcs = PinImage::vcs,
            .injections = ports + 2,
            .receptions = 2 * (ports + 1),
            .flit_bits = detail::flit_bits - 2,
            .vc_depth = depth,
            .injection_depth = depth,
            .reception_depth = depth,
            .slots = detail::slots,
            .pipeline = pipeline};
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
    if (const std::uint32_t said = read(Register::identification); said != contract)
        throw FellShort(fmt::format("register {:#x} (identification) of the node says {:#x}, expected {:#x}",
                                    +Register::identification, said, contract));
    const std::uint32_t sizes = read(Register::sizes);
    const std::uint32_t depths = read(Register::depths);
    const auto field = [](std::uint32_t word, std::uint32_t low, std::uint32_t bits) {
        return word >> low & ((1U << bits) - 1);
    };
    const auto power = [&](std::uint32_t low) { return 1U << field(depths, low, 4); };
    const NodeSizes built{.ports = field(sizes, 0, 4),
                          .vcs = field(sizes, 4, 4),
                          .injections = field(sizes, 8, 8),
                          .receptions = field(sizes, 16, 8),
                          .flit_bits = field(sizes, 24, 8) * 64,
                          .vc_depth = power(0),
                          .injection_depth = power(4),
                          .reception_depth = power(8),
                          .slots = power(12),
                          .pipeline = field(depths, 28, 4)};
    check("ports", built.ports, 1, PinImage::ports);
    check("channels", built.vcs, 1, PinImage::vcs);
    check("injection queues", built.injections, 1, PinImage::injections);
    check("reception queues", built.receptions, 1, PinImage::receptions);
    check("bits in a flit", built.flit_bits, detail::flit_bits - 2, detail::flit_bits - 2);
    return built;
}

}  // namespace interlace
