// Interlace: a complete exchange's program: what is chosen by name, planned, proven and run
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "alltoall_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "interlace/broadcast/cluster/rings.h"
#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/value_error.h"
#include "interlace/program/check_messages.h"
#include "interlace/program/check_phases.h"

namespace interlace {
namespace {

void prove_plan(const SwitchTree& tree, const ExchangePlan& plan) {
    for (const std::string& fault :
         {contention_of(tree, plan.phases), fault_of_exchange(tree.machine_count(), plan.phases)})
        if (!fault.empty()) throw std::logic_error("the schedule is wrong: " + fault);
}

/// `packets`: blocks that each pair has.
void prove(const MessageProgram& program, std::uint32_t packets) {
    const std::uint32_t n = program.machines;
    std::vector<std::vector<std::uint32_t>> has(n), needs(n);
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j)
            for (std::uint32_t k = 0; k < packets && i != j; ++k) {
                has[i].push_back((i * n + j) * packets + k);
                needs[j].push_back((i * n + j) * packets + k);
            }
    const std::string fault = fault_of(program, has, needs);
    if (!fault.empty()) throw std::logic_error("the exchange is not one: " + fault);
}

/// Packets of a shuffle, which are operations and kept, at most.
constexpr double max_packets = 2e7;

double shuffle_packets(const AllToAllExperiment& e, const Cluster& cluster) {
    const double machines = cluster.tree.machine_count();
    return static_cast<double>(e.message) / cluster.parameters.frame.mtu * machines * machines;
}

/// d_1: machines of each switch that has any. Throws InputError where they are not as many everywhere.
std::uint32_t machines_per_switch(const SwitchTree& tree, const char* purpose) {
    const std::uint32_t count = machines_per_switch(tree);
    if (count == 0)
        throw InputError(std::string(purpose) + " where switches have unequal numbers of machines",
                         "the same number of machines on every switch that has any");
    return count;
}

std::uint32_t window_of(const AllToAllExperiment& e, const Cluster& cluster) {
    if (e.window == "off") return 0;
    if (e.window != "auto")
        return static_cast<std::uint32_t>(parse_integer(e.window, "--window (or auto, off)", 1, 1U << 30U));
    const SwitchParameters* smallest = smallest_switch(cluster);
    if (smallest == nullptr)
        throw InputError("cannot use --window auto with infinite switches", "a capacity, a number or off");
    const std::uint32_t machines = cluster.tree.machine_count();
    if (cluster.tree.size() > 1)
        return global_window(smallest->capacity, machines,
                             machines_per_switch(cluster.tree, "--window auto"));
    // On one switch no uplink is shared: an input's room is its machine's own, other room is for all.
    return smallest->buffering == Buffering::input ? smallest->capacity
                                                   : std::max(1U, smallest->capacity / machines);
}

void check_size(const AllToAllExperiment& e, const Cluster& cluster) {
    const double packets = shuffle_packets(e, cluster);
    if (packets > max_packets)
        throw InputError(
            "cannot run a shuffle of " + std::to_string(static_cast<std::uint64_t>(packets)) + " packets",
            "at most 20 million");
}

MessageProgram make_shuffle(const AllToAllExperiment& e, const Cluster& cluster, std::uint32_t window) {
    Shuffle shuffle{value_of(alltoall_permutation_names, e.permutation, "permutation"),
                    e.message,
                    cluster.parameters.frame.mtu,
                    window,
                    {}};
    if (e.reorder) {
        // Machines switch by switch, whatever their numbers.
        const Ring in_order = ring_lr1(cluster.tree);
        const auto places =
            reordered(cluster.tree.machine_count(), machines_per_switch(cluster.tree, "--reorder"));
        shuffle.logical.resize(places.size());
        for (std::size_t i = 0; i < places.size(); ++i) shuffle.logical[in_order[i]] = places[i];
    }
    return shuffle_exchange(cluster.tree.machine_count(), shuffle);
}

MessageProgram make_program(const AllToAllRun& run, const Cluster& cluster) {
    const AllToAllExperiment& e = run.ran;
    switch (value_of(alltoall_algorithm_names, e.algorithm, "algorithm")) {
        case AllToAllAlgorithm::shuffle:
            return make_shuffle(e, cluster, run.window);
        case AllToAllAlgorithm::pairwise:
            return pairwise_exchange(run.machines, e.message);
        case AllToAllAlgorithm::staggered:
            return staggered_exchange(run.machines, e.message);
        case AllToAllAlgorithm::post_all:
            return post_all_exchange(run.machines, e.message);
        default: {
            Synchronisation sync = value_of(alltoall_sync_names, e.sync, "sync");
            if (in_blocks(e.sync)) sync.block = e.block;
            return scheduled_exchange(cluster.tree, run.plan->phases, e.message, sync);
        }
    }
}

}  // namespace

bool in_blocks(const std::string& sync) {
    return sync.find("partial") != std::string::npos;
}

std::uint32_t machines_per_switch(const SwitchTree& tree) {
    std::size_t count = 0;
    for (std::uint32_t s = 0; s < tree.size(); ++s) {
        const std::size_t here = tree.machines(s).size();
        if (here > 0 && count > 0 && here != count) return 0;
        count = std::max(count, here);
    }
    return static_cast<std::uint32_t>(count);
}

const SwitchParameters* smallest_switch(const Cluster& cluster) {
    const SwitchParameters* least = nullptr;
    for (std::uint32_t number = 0; number < cluster.network.node_count() - cluster.network.endpoint_count();
         ++number) {
        const SwitchParameters& at = cluster.parameters.of_switch(number);
        if (at.capacity > 0 && (least == nullptr || at.capacity < least->capacity)) least = &at;
    }
    return least;
}

bool shuffle_fits(const AllToAllExperiment& e, const Cluster& cluster) {
    return shuffle_packets(e, cluster) <= max_packets;
}

void plan(AllToAllRun& run, const Cluster& cluster) {
    if (run.ran.algorithm == "scheduled" && !run.plan) {
        run.plan = schedule_exchange(cluster.tree);
        run.root = cluster.tree.id(run.plan->root);
        prove_plan(cluster.tree, *run.plan);
    }
    if (run.ran.algorithm == "shuffle") {
        run.window = about("alltoall.window", [&] { return window_of(run.ran, cluster); });
        check_size(run.ran, cluster);
    }
}

void carry_out(AllToAllRun& run, const Cluster& cluster, const RunListener& listener) {
    run.program = make_program(run, cluster);
    const std::uint64_t packets = run.ran.algorithm == "shuffle"
                                      ? Shuffle{{}, run.ran.message, cluster.parameters.frame.mtu}.packets()
                                      : 1;
    prove(run.program, static_cast<std::uint32_t>(packets));
    if (run.ran.until == Until::run) run.result = cluster.run(run.program, listener);
}

}  // namespace interlace
