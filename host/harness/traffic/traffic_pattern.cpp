// Interlace: where unicast packets go
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/traffic/traffic_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <string_view>

#include "interlace/core/csv.h"
#include "interlace/core/error.h"
#include "interlace/core/random.h"
#include "interlace/core/text.h"

namespace interlace {
namespace {

/// Of all nodes, of which those in `own` are kept. Switches send nothing.
template <class Destination>
TrafficPattern fixed_pattern(const Network& network, NodeRange own, const Destination& destination) {
    TrafficPattern pattern{.first = own.first, .silent = true};
    pattern.fixed.reserve(own.count);
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        const std::uint32_t to = v < network.endpoint_count() ? destination(v) : v;
        pattern.silent = pattern.silent && to == v;
        if (own.contains(v)) pattern.fixed.push_back(to);
    }
    return pattern;
}

/// From the bits of the source's number, b of them.
template <class Bits>
TrafficPattern by_bits(const std::string& name, const Network& network, NodeRange own,
                       const Bits& destination) {
    const std::uint32_t nodes = network.endpoint_count();
    if (!std::has_single_bit(nodes))
        throw InputError(fmt::format("cannot use {} among {} nodes", name, nodes), "a power of two");
    const auto bits = static_cast<std::uint32_t>(std::countr_zero(nodes));
    return fixed_pattern(network, own, [&](std::uint32_t v) { return destination(v, bits) & (nodes - 1); });
}

std::uint32_t reversed(std::uint32_t value, std::uint32_t bits) {
    std::uint32_t result = 0;
    for (std::uint32_t i = 0; i < bits; ++i) result |= (value >> i & 1U) << (bits - 1 - i);
    return result;
}

/// From the source's coordinates, which `change` replaces by the destination's.
template <class Change>
TrafficPattern by_coordinates(const std::string& name, const Network& network, NodeRange own,
                              const Change& change) {
    const Lattice& lattice = network.lattice_for(name);
    std::vector<std::uint32_t> coordinates(lattice.dimensions());
    return fixed_pattern(network, own, [&](std::uint32_t v) {
        for (std::uint32_t d = 0; d < lattice.dimensions(); ++d)
            coordinates[d] = lattice.coordinate(NodeId{v}, d);
        change(coordinates);
        return lattice.node(coordinates);
    });
}

/// Each coordinate `distance(k)` on, modulo its size k.
template <class Distance>
TrafficPattern shifted(const std::string& name, const Network& network, NodeRange own,
                       const Distance& distance) {
    const auto& sizes = network.lattice_for(name).sizes();
    return by_coordinates(name, network, own, [&](std::vector<std::uint32_t>& x) {
        for (std::size_t d = 0; d < x.size(); ++d) x[d] = (x[d] + distance(sizes[d])) % sizes[d];
    });
}

TrafficPattern transpose(const std::string&, const Network& network, NodeRange own) {
    const auto& sizes = network.lattice_for("transpose").sizes();
    if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) != sizes.end())
        throw InputError("cannot use transpose of a lattice of unequal sizes",
                         "the same size in every dimension");
    return by_coordinates("transpose", network, own,
                          [](std::vector<std::uint32_t>& x) { std::reverse(x.begin(), x.end()); });
}

TrafficPattern hotspot(const std::string& name, const Network& network, NodeRange) {
    const auto fields = split(name, ':');
    TrafficPattern pattern;
    if (fields.size() != 3)
        throw InputError("cannot use pattern '" + name + "'", "hotspot:0.1:5,7 (a share, and nodes)");
    pattern.hotspot_share = parse_number(fields[1], "share of the hot spots");
    if (!(pattern.hotspot_share >= 0 && pattern.hotspot_share <= 1))
        throw InputError("cannot use share of the hot spots '" + fields[1] + "'", "a number from 0 to 1");
    for (const std::string& text : split(fields[2], ',')) {
        const auto node =
            static_cast<std::uint32_t>(parse_integer(text, "hot spot", 0, network.endpoint_count() - 1));
        if (std::find(pattern.hotspots.begin(), pattern.hotspots.end(), node) != pattern.hotspots.end())
            throw InputError(fmt::format("cannot use hot spot {} twice", node), "each node once");
        pattern.hotspots.push_back(node);
    }
    return pattern;
}

TrafficPattern permutation(const std::string& name, const Network& network, NodeRange own) {
    const std::string path = name.substr(name.find(':') + 1);
    std::vector<std::uint32_t> destinations(network.endpoint_count());
    std::iota(destinations.begin(), destinations.end(), 0U);
    std::vector<bool> sends(network.endpoint_count()), receives(network.endpoint_count());
    read_csv(path, "from,to", [&](const CsvRow& row) {
        const auto from = static_cast<std::uint32_t>(row.number(0, 0, network.endpoint_count() - 1));
        const auto to = static_cast<std::uint32_t>(row.number(1, 0, network.endpoint_count() - 1));
        if (sends[from]) throw InputError(fmt::format("{} sends twice", from), "each node once");
        if (receives[to]) throw InputError(fmt::format("{} receives twice", to), "each node once");
        sends[from] = receives[to] = true;
        destinations[from] = to;
    });
    return fixed_pattern(network, own, [&](std::uint32_t v) { return destinations[v]; });
}

TrafficPattern uniform(const std::string&, const Network&, NodeRange) {
    return {};
}

TrafficPattern bit_complement(const std::string& name, const Network& network, NodeRange own) {
    return by_bits(name, network, own, [](std::uint32_t v, std::uint32_t) { return ~v; });
}

TrafficPattern bit_reverse(const std::string& name, const Network& network, NodeRange own) {
    return by_bits(name, network, own, reversed);
}

TrafficPattern shuffle(const std::string& name, const Network& network, NodeRange own) {
    return by_bits(name, network, own,
                   [](std::uint32_t v, std::uint32_t b) { return v << 1U | v >> (b - 1); });
}

TrafficPattern tornado(const std::string& name, const Network& network, NodeRange own) {
    return shifted(name, network, own, [](std::uint32_t k) { return (k + 1) / 2 - 1; });
}

TrafficPattern neighbour(const std::string& name, const Network& network, NodeRange own) {
    return shifted(name, network, own, [](std::uint32_t) { return 1U; });
}

struct NamedPattern {
    const char* name;  ///< up to a colon, behind which its parameters are
    const char* text;
    TrafficPattern (*make)(const std::string& name, const Network& network, NodeRange own);
};

/// All of them: who adds one adds it here.
constexpr auto patterns = std::to_array<NamedPattern>(
    {{"uniform", "any other node with equal probability", uniform},
     {"bit_complement", "of a node's number all bits inverted", bit_complement},
     {"bit_reverse", "the bits in reverse order", bit_reverse},
     {"shuffle", "the bits rotated left by one", shuffle},
     {"transpose", "the coordinates in reverse order", transpose},
     {"tornado", "nearly half way round each dimension", tornado},
     {"neighbour", "one on in each dimension", neighbour},
     {"hotspot:SHARE:NODES", "a share of the packets to some nodes, as in hotspot:0.1:5,7", hotspot},
     {"permutation:FILE.csv", "pairs from a file: from,to", permutation}});

/// A number below `count`, of stream `stream` of a node.
std::uint32_t choice(std::uint64_t seed, std::uint64_t stream, std::uint64_t cycle, std::size_t count) {
    return static_cast<std::uint32_t>(random_bits(seed, stream, cycle) % count);
}

}  // namespace

std::uint32_t TrafficPattern::destination(std::uint32_t hosts, std::uint32_t source, std::uint64_t cycle,
                                          std::uint64_t seed) const {
    if (!fixed.empty()) return fixed[source - first];
    const auto stream = [&](std::uint64_t number) { return number * hosts + source; };
    if (hotspot_share > 0 &&
        static_cast<double>(random_bits(seed, stream(2), cycle)) < std::ldexp(hotspot_share, 64)) {
        const std::uint32_t spot = hotspots[choice(seed, stream(3), cycle, hotspots.size())];
        if (spot != source) return spot;
    }
    const std::uint32_t other = choice(seed, stream(1), cycle, hosts - 1);
    return other < source ? other : other + 1;
}

Choices traffic_patterns() {
    return choices_of(patterns);
}

TrafficPattern traffic_pattern(const std::string& name, const Network& network, std::optional<NodeRange> own,
                               const Choices& known) {
    for (const NamedPattern& pattern : patterns)
        if (before_colon(name) == before_colon(pattern.name) &&
            (name.find(':') == std::string::npos) ==
                (std::string_view(pattern.name).find(':') == std::string::npos))
            return pattern.make(name, network, own.value_or(NodeRange{0, network.node_count()}));
    throw unknown_name("pattern", name, known);
}

}  // namespace interlace
