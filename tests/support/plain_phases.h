// Interlace: the phases of an all-to-all personalized communication, judged message by message
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "support/plain_cluster.h"

namespace interlace::test {

/// The messages of one phase, which are under way at the same time.
using PlainPhase = std::vector<PlainMessage>;

/// A node as the paper writes it: n0, n1, ... are the machines and s0, s1, ... the switches.
inline std::string node_text(const PlainCluster& cluster, unsigned node) {
    const unsigned machines = machine_count(cluster);
    std::string text(1,
                     node < machines ? 'n' : 's');  // not "n" + ...: GCC 12 warns of its own string (105651)
    return text.append(std::to_string(node < machines ? node : node - machines));
}

/// A message in words, with the bare numbers of its machines, which may be out of range.
inline std::string message_text(const PlainMessage& message) {
    return "message " + std::to_string(message.first) + " -> " + std::to_string(message.second);
}

/// The first two messages of a phase that have contention, and their edge, in words; empty when there are
/// none. All machines must exist.
inline std::string contention_in(const PlainCluster& cluster, const PlainPhase& phase) {
    std::map<PlainEdge, PlainMessage> user;
    for (const PlainMessage& message : phase)
        for (const PlainEdge& edge : path(cluster, message.first, message.second)) {
            const auto [earlier, first_use] = user.emplace(edge, message);
            if (!first_use)
                return message_text(message) + " uses edge (" + node_text(cluster, edge.first) + ", " +
                       node_text(cluster, edge.second) + "), as does " + message_text(earlier->second);
        }
    return "";
}

/// What keeps `phases` from being an all-to-all personalized communication in contention free phases (Faraj,
/// Yuan, Patarasuk, "A Message Scheduling Scheme for All-to-all Personalized Communication on Ethernet
/// Switched Clusters", section 3): a sentence on the first fault, or empty when in every phase no directed
/// edge is used twice, and every ordered pair of different machines occurs exactly once over all phases, and
/// nothing else occurs. How many phases there are, and whether one of them is empty, is not judged.
inline std::string fault_of(const PlainCluster& cluster, const std::vector<PlainPhase>& phases) {
    const unsigned machines = machine_count(cluster);
    std::map<PlainMessage, std::size_t> phase_of;
    for (std::size_t p = 0; p < phases.size(); ++p) {
        const std::string where = "phase " + std::to_string(p) + ": ";
        for (const PlainMessage& message : phases[p]) {
            if (std::max(message.first, message.second) >= machines)
                return where + message_text(message) + " names no machine";
            if (message.first == message.second)
                return where + message_text(message) + " is from a machine to itself";
            const auto [earlier, first_time] = phase_of.emplace(message, p);
            if (!first_time)
                return where + message_text(message) + " has been in phase " +
                       std::to_string(earlier->second) + " already";
        }
        std::string contention = contention_in(cluster, phases[p]);
        if (!contention.empty()) return where + contention;
    }
    for (unsigned from = 0; from < machines; ++from)
        for (unsigned to = 0; to < machines; ++to)
            if (from != to && !phase_of.contains({from, to}))
                return message_text({from, to}) + " is in no phase";
    return "";
}

/// The load of the AAPC pattern (section 3): the most messages over any directed edge when every machine
/// sends one message to every other machine, counted along all paths. 0 when there are fewer than two
/// machines.
inline unsigned load(const PlainCluster& cluster) {
    std::map<PlainEdge, unsigned> messages_over;
    unsigned result = 0;
    for (unsigned from = 0; from < machine_count(cluster); ++from)
        for (unsigned to = 0; to < machine_count(cluster); ++to)
            for (const PlainEdge& edge : path(cluster, from, to))
                result = std::max(result, ++messages_over[edge]);
    return result;
}

}  // namespace interlace::test
