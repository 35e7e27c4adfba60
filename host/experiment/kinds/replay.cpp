// Interlace: anyone's program of messages on a cluster
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/kinds/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/nodes/same_on_ranks.h"
#include "interlace/program/goal.h"

namespace interlace {
namespace {

Json configuration_json(const ReplayExperiment& e, const EventParameters& parameters) {
    Json json = to_json(e.cluster, parameters);
    json["replay"] = {{"goal", e.goal}};
    return json;
}

}  // namespace

std::unique_ptr<Experiment> read_replay(ConfigMap& config) {
    auto e = std::make_unique<ReplayExperiment>();
    e->cluster = read_cluster_options(config);
    ConfigMap map = config.map("replay");
    e->goal = map.text("goal");
    map.finish();
    return e;
}

Json ReplayExperiment::to_json() const {
    return configuration_json(*this, parameters());
}

Json ReplayExperiment::run(const Preparation*, const RunListener& listener) const {
    return interlace::to_json(run_replay(*this, listener));
}

ReplayRun run_replay(const ReplayExperiment& e, const RunListener& listener) {
    require_same_experiment(*e.cluster.ranks, e.to_json());
    const Cluster cluster(e.cluster, listener);
    ReplayRun run{e, cluster.parameters, 0, read_goal(read_whole_file(e.goal, "a GOAL file"), e.goal), {},
                  {}};
    run.ranks = run.program.machines;
    const std::uint32_t machines = cluster.tree.machine_count();
    if (run.ranks > machines)
        throw InputError(fmt::format("cannot run {} ranks on the {} machines of {}", run.ranks, machines,
                                     e.cluster.network),
                         "at most as many ranks as machines")
            .at(e.goal);
    run.program.machines = machines;
    run.rank_seconds.assign(run.ranks, 0);
    run.result = cluster.run(run.program, listener, [&](const MessageRun& one) {
        std::vector<std::uint64_t> last(run.ranks, 0);
        for (std::size_t o = 0; o < run.program.operations.size(); ++o) {
            std::uint64_t& rank = last[run.program.operations[o].machine];
            rank = std::max(rank, one.complete[o]);
        }
        for (std::uint32_t r = 0; r < run.ranks; ++r)
            run.rank_seconds[r] += static_cast<double>(last[r]);  // picoseconds, of which sums are exact
    });
    for (double& seconds : run.rank_seconds) seconds /= 1e12 * static_cast<double>(run.result.runs.size());
    return run;
}

Json to_json(const ReplayRun& run) {
    const ReplayExperiment& e = run.experiment;
    Json json = json_result("replay", e.cluster.seed);
    json["experiment"] = configuration_json(e, run.parameters);
    json["ranks"] = run.ranks;
    json["operations"] = run.program.operations.size();
    json["messages"] = run.program.messages.size();
    add_result(json, run.result);
    json["rank_seconds"] = run.rank_seconds;
    return json;
}

}  // namespace interlace
