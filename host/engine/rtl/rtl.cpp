// Interlace: rtl/ as text, and what its node is built with for a fabric
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/rtl/rtl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "interlace/core/error.h"
#include "interlace/core/shipped_file.h"
#include "interlace/engine/fabric/registers.h"

namespace interlace {

const std::vector<ShippedFile>& shipped_rtl();  // rtl/include/*.svh, rtl/pkg/il_pkg.sv, rtl/{prim,node}/*.sv

namespace {

constexpr std::uint32_t deepest = 32'768;  // that il_node can be built with

/// A queue's RAM: a power of two.
std::uint32_t built_depth(const NodeParameters& node, QueueClass queue) {
    const std::uint32_t depth = node.depth(queue);
    const std::string name = queue_class_names[static_cast<std::size_t>(queue)];
    if (depth == infinite_depth) throw InputError("hardware has no infinite " + name + " queues", "a depth");
    if (depth > deepest)
        throw InputError(fmt::format("cannot build {} queues of {} flits", name, depth),
                         fmt::format("at most {}", deepest));
    return std::max(2U, std::bit_ceil(depth));
}

/// Fields of `width` bits, the first one lowest, as SystemVerilog writes them.
template <class Field, class Bits>
std::string bits_text(const std::vector<Field>& fields, std::uint32_t width, const Bits& bits) {
    std::string text;
    for (auto field = fields.rbegin(); field != fields.rend(); ++field)
        text += fmt::format("{:0{}b}", bits(*field), width);
    return fmt::format("{}'b{}", text.size(), text);
}

RtlParameters sizes(const Fabric& fabric, std::uint32_t flit_bits, std::uint32_t slots) {
    const NodeParameters& node = fabric.parameters;
    if (flit_bits % 64 != 0)
        throw InputError(fmt::format("cannot build flits of {} bytes", flit_bits / 8),
                         "a multiple of 8 for hardware");
    if (slots < 2 || slots > 4096 || !std::has_single_bit(slots))
        throw InputError(fmt::format("cannot build {} slots", slots), "a power of two from 2 to 4096");
    RtlParameters all;
    for (const auto& [name, value] : {std::pair{"Ports", fabric.ports},
                                      {"Vcs", fabric.vcs},
                                      {"Injections", fabric.injections},
                                      {"Receptions", fabric.receptions},
                                      {"FlitBits", flit_bits},
                                      {"VcDepth", built_depth(node, QueueClass::channel)},
                                      {"InjectionDepth", built_depth(node, QueueClass::injection)},
                                      {"ReceptionDepth", built_depth(node, QueueClass::reception)},
                                      {"Slots", slots},
                                      {"Pipeline", node.pipeline}})
        all.emplace_back(name, std::to_string(value));
    return all;
}

RtlParameters constants(const Fabric& fabric) {
    constexpr std::array<std::pair<std::uint32_t, const char*>, 10> names = {
        {{Register::switching, "FixedSwitching"},
         {Register::vcs, "FixedVcs"},
         {Register::vc_depth, "FixedVcDepth"},
         {Register::injection_depth, "FixedInjectionDepth"},
         {Register::reception_depth, "FixedReceptionDepth"},
         {Register::receptions, "FixedReceptions"},
         {Register::routing, "FixedRouting"},
         {Register::classes, "FixedClasses"},
         {Register::cycles_per_flit, "FixedCyclesPerFlit"},
         {Register::adaptive, "FixedAdaptive"}}};
    std::uint32_t ports = 0;  // of any node
    bool alike = fabric.dimensions > 0;
    const auto& hops = fabric.kind(NodeId{fabric.own.first}).hops;
    for (std::uint32_t i = 0; i < fabric.own.count; ++i) {
        const NodeId node{fabric.own.first + i};
        ports |= fabric.port_mask(node);
        alike = alike && fabric.kind(node).hops == hops;
    }
    RtlParameters all = {{"FixedConfig", "1"}, {"FixedPorts", std::to_string(ports)}};
    for (const auto& [address, value] : common_registers(fabric))
        for (const auto& [known, name] : names)
            if (known == address) all.emplace_back(name, std::to_string(value));
    if (alike) {
        all.emplace_back("FixedCoordinates", "1");
        all.emplace_back("FixedSizes", bits_text(fabric.sizes, 16, [](std::uint32_t size) { return size; }));
        all.emplace_back("FixedHops",
                         bits_text(std::vector<PortHop>(hops.begin(), hops.begin() + fabric.ports), 20,
                                   [](const PortHop& hop) { return hop.bits(); }));
    }
    return all;
}

}  // namespace

RtlParameters rtl_parameters(const Fabric& fabric, std::uint32_t flit_bits, std::uint32_t slots,
                             bool registers) {
    RtlParameters all = sizes(fabric, flit_bits, slots);
    if (registers) return all;
    const RtlParameters fixed = constants(fabric);
    all.insert(all.end(), fixed.begin(), fixed.end());
    return all;
}

std::vector<RtlFile> rtl_files() {
    std::vector<RtlFile> files;
    for (const ShippedFile& file : shipped_rtl()) {
        const bool header = file.folder == "include";
        files.push_back({file.name + (header ? ".svh" : ".sv"), file.text, header});
    }
    std::stable_partition(files.begin(), files.end(), [](const RtlFile& f) { return f.name == "il_pkg.sv"; });
    return files;
}

}  // namespace interlace
