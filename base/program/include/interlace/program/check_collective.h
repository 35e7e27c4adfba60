// Interlace: the independent checker of collectives over all links
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/network/network.h"
#include "interlace/program/check.h"
#include "interlace/program/exchange_schedule.h"
#include "interlace/program/symmetric_schedule.h"

namespace interlace {

/// Proves an all-gather, whoever wrote it, of packets origin * chunks + chunk: every node ends with every
/// packet, no node sends what it does not hold at the end of the step before, no link carries two packets in
/// one step, only links of the network are used. The sends may come in any order. `lines`: of the file that
/// each send stands in.
CheckReport check_allgather(const Network& network, std::uint32_t chunks,
                            const std::vector<TimedSend>& schedule,
                            const std::vector<std::uint32_t>& lines = {});

/// The same without writing out the sends of all origins, in time and memory of one origin a class: proves
/// first that translations map outputs onto outputs of the same port, and that they keep classes; then that
/// each class of links carries at most one packet in a step, and that the packets of the first origin of each
/// class reach all nodes. Shares no code with Translations.
CheckReport check_allgather(const Network& network, const SymmetricSchedule& schedule);

/// Proves an all-to-all likewise, of packets (origin * N + destination) * chunks + chunk, each of which ends
/// at its destination. N * N * chunks is below 2^32.
CheckReport check_alltoall(const Network& network, std::uint32_t chunks,
                           const std::vector<TimedSend>& schedule,
                           const std::vector<std::uint32_t>& lines = {});

/// The same, each packet at one node at a time, as check_allgather() does it.
CheckReport check_alltoall(const Network& network, const SymmetricSchedule& schedule);

/// The same for the packets of one node of each class alone, after the proof that translations map outputs
/// onto outputs of the same port: each port of nodes of a class sends one packet a step, no packet goes by
/// two links in a step.
CheckReport check_alltoall(const Network& network, const ExchangeSchedule& schedule);

/// Proves a reduce-scatter, or an all-reduce where `to_all`, whoever wrote it: every node has a contribution
/// to each packet, owner * chunks + chunk, and the owner, or every node, ends with each contribution once.
/// What a node sends in a step is what it had at the end of the step before. A sum in which a contribution
/// would be twice, and two values that come to a node in one step of which one replaces what it has, are
/// refused.
CheckReport check_reduction(const Network& network, std::uint32_t chunks, bool to_all,
                            const std::vector<ReducingSend>& schedule,
                            const std::vector<std::uint32_t>& lines = {});

/// Proves a reduce likewise, of packets 0 to chunks - 1, of which the root ends with each contribution once.
CheckReport check_reduce(const Network& network, NodeId root, std::uint32_t chunks,
                         const std::vector<ReducingSend>& schedule,
                         const std::vector<std::uint32_t>& lines = {});

/// The same where messages go over several links: of each message and packet the rows are a path, its first
/// one after everything of that packet has come to the sender that earlier rounds bring; the last node of the
/// path adds or takes it. What nodes pass on is no part of what they have.
CheckReport check_reduction(const Network& network, std::uint32_t chunks, bool to_all,
                            const std::vector<MessageSend>& schedule,
                            const std::vector<std::uint32_t>& lines = {});
CheckReport check_reduce(const Network& network, NodeId root, std::uint32_t chunks,
                         const std::vector<MessageSend>& schedule,
                         const std::vector<std::uint32_t>& lines = {});

/// Proves a scatter of packets destination * chunks + chunk, which start at the root.
CheckReport check_scatter(const Network& network, NodeId root, std::uint32_t chunks,
                          const std::vector<TimedSend>& schedule,
                          const std::vector<std::uint32_t>& lines = {});

/// Proves a gather of packets origin * chunks + chunk, which all end at the root.
CheckReport check_gather(const Network& network, NodeId root, std::uint32_t chunks,
                         const std::vector<TimedSend>& schedule,
                         const std::vector<std::uint32_t>& lines = {});

/// Proves a barrier: a send of packet 0 tells of all nodes that its sender had heard of by the end of the
/// step before, and every node ends having heard of every other.
CheckReport check_barrier(const Network& network, const std::vector<TimedSend>& schedule,
                          const std::vector<std::uint32_t>& lines = {});

/// A reduce-scatter, after the proof of the symmetry, for the packets of the first node of each class: every
/// other node sends once, after all that it gets has come.
CheckReport check_reducescatter(const Network& network, const SymmetricSchedule& schedule);

}  // namespace interlace
