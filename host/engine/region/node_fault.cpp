// Interlace: errors of nodes that do not do what docs/node.md requires
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/region/node_fault.h"

#include <fmt/format.h>

namespace interlace {
namespace {

/// docs/node.md, section 8.
constexpr const char* errors[] = {
    "overflow: a flit for a queue that is full, or for a channel that does not exist",
    "malformed: a header with a wrong checksum, or heads and tails where the lengths do not put them",
    "misrouted: a packet without a route, or with one that the node cannot follow",
    "credit: more flits freed behind a link than were sent",
    "too long: a packet longer than the room that it needs at once can ever be",
    "config: a register written while the node was enabled, or a flit or a credit before"};

}  // namespace

NodeFault::NodeFault(NodeId node, std::uint64_t cycle, const std::string& what)
    : FellShort(fmt::format("node {}, cycle {}: {}", +node, cycle, what)), node_(node) {}

std::string status_meaning(std::uint64_t status) {
    std::string meaning;
    for (std::size_t bit = 0; bit < std::size(errors); ++bit)
        if ((status >> bit & 1U) != 0)
            meaning += fmt::format("{}status_o bit {}, {}", meaning.empty() ? "" : "; ", bit, errors[bit]);
    return meaning;
}

}  // namespace interlace
