// Interlace: collectives over the links of a direct network, in steps
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "interlace/experiment/experiment.h"
#include "interlace/experiment/kinds/capacity.h"
#include "interlace/experiment/nodes/cycles.h"
#include "interlace/network/network.h"
#include "interlace/program/check.h"
#include "interlace/program/check_time_cut.h"
#include "interlace/program/exchange_schedule.h"
#include "interlace/program/messages.h"
#include "interlace/program/symmetric_schedule.h"

namespace interlace {

enum class DirectCollective : std::uint8_t {
    allgather,
    reducescatter,
    allreduce,
    alltoall,
    reduce,
    scatter,
    gather,
    barrier
};

/// A reduce-scatter, and after it an all-gather of the sums.
struct AllReduceSchedule {
    SymmetricSchedule scatter, gather;
};

/// What messages cost beside their bytes (Hockney's alpha and beta).
struct MessageCosts {
    double start_us = 1;         ///< for a host to start the messages of a round, or of a step
    double hop_us = 0.4;         ///< a link and the node behind it
    double rate_mbps = 400'000;  ///< of a link
};

/// A collective on a network whose nodes have hosts, over all of its links: `chunks` packets a node, or a
/// pair of nodes, one packet a link and step. Of reductions these are sums, to which each node contributes.
struct CollectiveExperiment : Experiment {
    DirectCollective collective = DirectCollective::allgather;
    std::string network;
    std::string algorithm = "optimal";  ///< one of collective_algorithms()
    /// Packets of each node, or from each to each other. 0: as many as the algorithm has parts.
    std::uint32_t chunks = 0;
    /// Bytes of each node, from each to each other, or of the vector that is reduced. None: no time.
    std::optional<std::uint64_t> message;
    MessageCosts costs;
    std::string engine = "step";  ///< one of collective_engines()
    CycleOptions cycles;          ///< of the cycle engines; forwarding may be unicast, too
    /// Of unicast packets that a node has at once: schedule, as the schedule sends them, or random.
    std::string order = "schedule";
    std::uint32_t root = 0;  ///< of collectives that have one
    std::uint64_t seed = 1;  ///< of the scheduler's ties

    Json to_json() const override;
    std::uint32_t runs() const override;
    std::vector<Measure> measures() const override;
    std::vector<QueueToSize> queues() const override;
    CycleOptions* cycle_options() override { return &cycles; }
    Json run(const Preparation* prepared, const RunListener& listener) const override;
};

/// Whether the section of a configuration means one: a direct network and an algorithm that runs on its
/// links, or none and nothing that only messages of machines have.
bool is_collective(ConfigMap& config, DirectCollective collective);
/// Throws InputError.
std::unique_ptr<Experiment> read_collective(ConfigMap& config, DirectCollective collective);
/// The section of a kind that has no other algorithms.
template <DirectCollective collective>
std::unique_ptr<Experiment> read_on_links(ConfigMap& config) {
    return read_collective(config, collective);
}

Choices collective_engines();
Choices collective_names();
std::string collective_name(DirectCollective collective);
/// Whether packets are sums.
bool reduces(DirectCollective collective);
/// Whether packets start or end at a root.
bool has_root(DirectCollective collective);
/// Throws InputError.
DirectCollective collective_of(const std::string& name);
Choices collective_algorithms(DirectCollective collective);
/// Those of `collective` and of machines; what both have once.
Choices with_algorithms_of_machines(DirectCollective collective, const Choices& of_machines);

/// Steps that none can do without, and why.
struct CollectiveBound {
    std::uint32_t steps = 0;
    std::string kind;  ///< degree, diameter, distance, flow, lengths, links, sends, neighbourhood or tail
    std::string why;
    std::uint32_t link_steps = 0;  ///< that links take for their packets alone, wherever these come from
};

/// What time a collective takes: starts x start_us + hops x hop_us + packets over a link's rate. Of an
/// algorithm in rounds, sums over them of each round's worst node, longest path and fullest link, as its
/// paper has it; of a schedule in steps one of each a step.
struct CollectiveCost {
    std::uint64_t starts = 0, hops = 0, packets = 0;
};

/// An algorithm that was tried.
struct CollectiveChoice {
    std::string algorithm;
    std::string refused;  ///< why it does not run here, if it does not
    std::uint32_t chunks = 0;
    std::uint32_t steps = 0;  ///< 0: its schedule would be too large, and only its costs are known
    std::uint32_t rounds = 0;
    CollectiveCost cost;
    double start_seconds = 0;     ///< of a message without bytes
    double seconds_per_byte = 0;  ///< of the message
};

/// From so many bytes on, an algorithm is the fastest.
struct Crossover {
    std::uint64_t bytes;
    std::size_t choice;
};

/// A packet on its way from a node to another, over any number of links.
struct Transfer {
    std::uint32_t step;  ///< of the schedule, in which it leaves
    NodeId from, to;
    PacketId packet;
    std::uint32_t round;
    bool reduces;  ///< the node at the end adds it to what it has
};

/// What unicast packets took on the routers, of one run or of several seeds.
struct UnicastCycles {
    Sample cycles;        ///< to the end of the one in which a host took the last flit
    Sample latency_mean;  ///< cycles of a packet, from when its host has it
    Sample mean_hops;     ///< links that a packet crossed
    std::uint64_t packets = 0;
    /// The lower bound times a packet's cycles on a link, where links bound it; 0: where they do not.
    std::uint64_t bound_cycles = 0;
    Usage queues;          ///< of all runs together
    Json links = nullptr;  ///< of Records::details
    double share_of_bound() const { return static_cast<double>(bound_cycles) / cycles.mean; }
};

struct CollectiveRun {
    CollectiveExperiment experiment;  ///< with its chunks
    Network network;
    std::optional<CapacityRun> capacity = std::nullopt;  ///< of an all-to-all on another network than a torus
    std::variant<SymmetricSchedule, ExchangeSchedule, AllReduceSchedule, std::vector<TimedSend>,
                 std::vector<ReducingSend>, std::vector<MessageSend>>
        schedule = {};
    std::uint32_t rounds = 0;        ///< of an algorithm that has them
    std::uint64_t node_packets = 0;  ///< sent by the node that sends most, of an algorithm with rounds
    CollectiveCost cost = {};
    std::vector<CollectiveChoice> choices = {};                ///< of best
    std::optional<CollectiveExperiment> asked = std::nullopt;  ///< of best: what it was asked for
    CollectiveBound bound = {};
    CheckReport report = {};                              ///< of the independent checker: valid
    std::optional<CycleResult> cycles = std::nullopt;     ///< of a cycle engine
    std::vector<Transfer> transfers = {};                 ///< of an algorithm in rounds, as unicast packets
    std::optional<UnicastCycles> unicast = std::nullopt;  ///< of a cycle engine whose routers route

    std::uint32_t gap() const { return report.steps - bound.steps; }
    /// Packets over links in a step, on average, of those that they could carry.
    double link_utilisation() const;
    /// Of a message of so many bytes: a packet's.
    double packet_bytes(double bytes) const;
    /// For messages of so many bytes.
    double seconds(double bytes) const;
};

/// The fastest choice for each message from 8 bytes to 1 GiB.
std::vector<Crossover> crossovers(const std::vector<CollectiveChoice>& choices);

/// Schedules and proves. Throws InputError, and std::logic_error where the checker finds a fault.
CollectiveRun run_collective(const CollectiveExperiment& experiment, const RunListener& listener = {});
/// Every send, by step. Of its columns (step, from, to, packet, op, round, message) the first 4 say
/// something; of reductions 5, or where messages go over several links all 7.
struct CollectiveSends {
    std::vector<MessageSend> rows;
    std::uint32_t columns = 4;
};
/// Throws InputError for more than 250,000,000, or packets that have no number.
CollectiveSends sends_of(const CollectiveRun& run);
/// The same as CSV. Throws InputError.
void write_sends(const CollectiveRun& run, const std::string& file);
/// The proof of the bound, as JSON: a cut over time (TimeCut); of an all-reduce that, or the network in parts
/// (PartsCut); of an all-to-all whose bound is not the diameter the result of interlace capacity, which has
/// lengths of links. Throws InputError where the bound has another proof.
void write_certificate(const CollectiveRun& run, const std::string& file);

/// The schedule as messages between neighbours, a packet each; times are left to who runs it. Throws
/// InputError without the bytes of a message, and for more than 4,000,000 of them.
MessageProgram messages_of(const CollectiveRun& run);

/// The schedule as a program in the XML of MSCCL: a GPU a node, which sends to its neighbours alone, in the
/// order of the steps; times are left to who runs it. Throws InputError for collectives that MSCCL has no
/// name for, sums that go over several links, and more than 4,000,000 sends.
void write_msccl(const CollectiveRun& run, std::ostream& out);

Json to_json(const CollectiveRun& run);

/// Of a schedule in a CSV file.
struct CollectiveCheck {
    CollectiveExperiment experiment;
    CheckReport report;
    CollectiveBound bound;
};
CollectiveCheck check_collective(const CollectiveExperiment& experiment, const std::string& schedule_file);
Json to_json(const CollectiveCheck& check);

/// Of a certificate in a JSON file.
struct CertificateCheck {
    CollectiveExperiment experiment;  ///< its collective, chunks and root
    std::uint32_t nodes = 0;
    std::uint32_t lower_bound = 0;
    bool of_parts = false;  ///< PartsCut, or else TimeCut
    CheckedCut found;
    std::string problem;  ///< empty: it proves the bound
};
/// By the network and the file alone. Throws InputError with the place in the file.
CertificateCheck check_certificate(const std::string& network, const std::string& file);
Json to_json(const CertificateCheck& check);

}  // namespace interlace
