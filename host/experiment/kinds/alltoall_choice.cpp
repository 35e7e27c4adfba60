// Interlace: the choice among all ways of a complete exchange: tuned and best
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "alltoall_choice.h"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <utility>

#include "alltoall_program.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

/// All ways to keep the phases of a schedule apart.
std::vector<AllToAllExperiment> schedules(AllToAllExperiment e) {
    e.algorithm = "scheduled";
    std::vector<AllToAllExperiment> all;
    for (const auto& [name, sync, text] : alltoall_sync_names)
        for (const std::uint32_t block : {2U, 4U, 8U, 16U}) {
            if (!in_blocks(name) && block > 2) continue;
            e.sync = name;
            e.block = block;
            all.push_back(e);
        }
    return all;
}

/// Every shuffle that this cluster can run: not each has a power of two of machines, as many on every switch,
/// or room that ends.
std::vector<AllToAllExperiment> shuffles(AllToAllExperiment e, const Cluster& cluster) {
    e.algorithm = "shuffle";
    std::vector<AllToAllExperiment> all;
    if (!shuffle_fits(e, cluster)) return all;
    const bool one_switch = cluster.tree.size() == 1;
    const bool even = machines_per_switch(cluster.tree) > 0;
    const bool has_window = smallest_switch(cluster) != nullptr && (even || one_switch);
    const bool has_xor = std::has_single_bit(cluster.tree.machine_count());
    for (const auto& [permutation, value, text] : alltoall_permutation_names)
        for (const bool window : {false, true})
            for (const bool reorder : {false, true}) {
                if (value == Permutation::exclusive_or && !has_xor) continue;
                if ((window && !has_window) || (reorder && (!even || one_switch))) continue;
                e.permutation = permutation;
                e.window = window ? "auto" : "off";
                e.reorder = reorder;
                all.push_back(e);
            }
    return all;
}

/// All that are no schedules, the simplest first.
std::vector<AllToAllExperiment> others(AllToAllExperiment e, const Cluster& cluster) {
    std::vector<AllToAllExperiment> all;
    for (const char* algorithm : {"pairwise", "staggered", "post_all"}) {
        e.algorithm = algorithm;
        all.push_back(e);
    }
    const std::vector<AllToAllExperiment> packet_by_packet = shuffles(e, cluster);
    all.insert(all.end(), packet_by_packet.begin(), packet_by_packet.end());
    return all;
}

/// The fastest of `choices` to run what `base` asks for; those that fall short (switches may drop the same
/// frames for ever) are none. Without a result where all do.
AllToAllRun fastest(const AllToAllRun& base, const std::vector<AllToAllExperiment>& choices,
                    const Cluster& cluster, const RunListener& listener) {
    AllToAllRun best = base;
    std::vector<std::pair<AllToAllExperiment, double>> tried;
    for (const AllToAllExperiment& choice : choices) {
        AllToAllRun run = base;
        run.ran = choice;
        run.ran.until = Until::run;
        plan(run, cluster);
        try {
            carry_out(run, cluster, {});
        } catch (const FellShort&) {
            continue;
        }
        tried.emplace_back(choice, run.result->seconds().mean);
        if (!best.result || tried.back().second < best.result->seconds().mean) best = std::move(run);
        if (listener.progress)
            listener.progress("variants",
                              static_cast<double>(tried.size()) / static_cast<double>(choices.size()));
    }
    best.ran.until = base.experiment.until;
    best.tried = std::move(tried);
    return best;
}

double seconds_of(const AllToAllRun& run) {
    return run.result ? run.result->seconds().mean : std::numeric_limits<double>::infinity();
}

}  // namespace

AllToAllRun run_choice(const AllToAllRun& base, bool best, const Cluster& cluster,
                       const RunListener& listener) {
    AllToAllRun scheduled = base;
    scheduled.ran.algorithm = "scheduled";
    plan(scheduled, cluster);
    AllToAllRun tuned = fastest(scheduled, schedules(base.experiment), cluster, listener);
    AllToAllRun other = base;
    if (best || listener.warn) other = fastest(base, others(base.experiment, cluster), cluster, listener);
    const double seconds = seconds_of(other);
    const double tuned_seconds = seconds_of(tuned);
    if (!tuned.result && (!best || !other.result))
        throw FellShort("no algorithm that was tried completes: switches drop the same frames each time");
    if (best) {
        std::vector<std::pair<AllToAllExperiment, double>> tried = tuned.tried;
        tried.insert(tried.end(), other.tried.begin(), other.tried.end());
        AllToAllRun chosen = std::move(seconds < tuned_seconds ? other : tuned);
        chosen.tried = std::move(tried);
        return chosen;
    }
    if (seconds < tuned_seconds)
        listener.warn(
            fmt::format("{} takes {:.4g} ms, the fastest schedule {:.4g} ms: --algorithm best tries every "
                        "algorithm",
                        name_of(other.ran), seconds * 1e3, tuned_seconds * 1e3));
    return tuned;
}

}  // namespace interlace
