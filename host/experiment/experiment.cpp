// Interlace: an experiment of any kind: what a configuration file holds and every flag is sugar for
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/experiment.h"

#include <utility>

#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/experiment/kinds/allgather.h"
#include "interlace/experiment/kinds/alltoall.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "interlace/experiment/kinds/capacity.h"
#include "interlace/experiment/kinds/collective.h"
#include "interlace/experiment/kinds/multicast.h"
#include "interlace/experiment/kinds/replay.h"
#include "interlace/experiment/kinds/traffic.h"

namespace interlace {

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {
        {"broadcast", "a pipelined broadcast of packets over links", read_broadcast},
        {"traffic", "unicast packets between all nodes, at random or from a trace", read_traffic},
        {"capacity", "what a network can carry at most, whatever its routing", read_capacity},
        {"allgather", "an all-gather: over all links of a direct network, or of messages on a cluster",
         read_allgather},
        {"reducescatter", "a reduce-scatter over all links of a direct network",
         read_on_links<DirectCollective::reducescatter>},
        {"allreduce", "an all-reduce over all links of a direct network",
         read_on_links<DirectCollective::allreduce>},
        {"alltoall",
         "a complete exchange: over all links of a network without switches, or of messages on a cluster",
         read_alltoall},
        {"reduce", "a reduce over all links of a direct network", read_on_links<DirectCollective::reduce>},
        {"scatter", "a scatter over all links of a direct network", read_on_links<DirectCollective::scatter>},
        {"gather", "a gather over all links of a direct network", read_on_links<DirectCollective::gather>},
        {"barrier", "a barrier over all links of a direct network", read_on_links<DirectCollective::barrier>},
        {"multicast", "broadcast and multicast trees of messages on a cluster", read_multicast},
        {"replay", "a program of messages from a GOAL file on a cluster", read_replay}};
    return all;
}

std::unique_ptr<Experiment> read_experiment(ConfigMap config) {
    config.check_schema(1);
    std::vector<std::string> names;
    for (const Kind& kind : kinds()) {
        names.push_back(kind.name);
        if (!config.has(kind.name)) continue;
        std::unique_ptr<Experiment> experiment = kind.read(config);
        config.finish();
        return experiment;
    }
    for (const std::string& key : config.keys())
        if (const std::string hint = did_you_mean(key, names); !hint.empty())
            throw InputError("this is an unknown key" + hint, "a section " + or_list(choices_of(kinds())))
                .at(config.place(key));
    throw InputError("there is no experiment", "a section " + or_list(choices_of(kinds())))
        .at(config.place());
}

}  // namespace interlace
