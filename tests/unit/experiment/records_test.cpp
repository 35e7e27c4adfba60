// Interlace: what runs leave behind beside their results
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "interlace/core/text.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "interlace/experiment/kinds/traffic.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

/// What a file of the use of queues says of a class.
struct ClassUse {
    std::map<std::size_t, std::uint64_t> histogram;
    std::uint64_t stall_cycles = 0, high_water = 0;
};

std::map<std::string, ClassUse> read_queue_use(const std::string& path) {
    std::map<std::string, ClassUse> classes;
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(line, "node,queue,port,channel,mean,high_water,stall_cycles,histogram");
    while (std::getline(file, line)) {
        const std::vector<std::string> row = split(line, ',');
        ClassUse& of = classes[row.at(1)];
        std::istringstream counts(row.at(7));
        std::uint64_t count = 0;
        for (std::size_t flits = 0; counts >> count; ++flits)
            if (count > 0) of.histogram[flits] += count;
        of.high_water = std::max<std::uint64_t>(of.high_water, std::stoull(row.at(5)));
        std::uint64_t cycles = 0;
        std::istringstream all(row.at(7));
        while (all >> count) cycles += count;
        EXPECT_LE(std::stoull(row.at(6)), cycles) << line;  // nobody waits more than all the time
        // The channels of a link have its cycles of waiting in common.
        if (row.at(3) == "0") of.stall_cycles += std::stoull(row.at(6));
    }
    return classes;
}

void expect_as_in_result(const std::string& path, const Json& queues) {
    const auto classes = read_queue_use(path);
    EXPECT_EQ(classes.size(), 3U);
    for (const auto& [name, use] : classes) {
        std::map<std::size_t, std::uint64_t> histogram;
        for (std::size_t flits = 0; flits < queues[name]["histogram"].size(); ++flits)
            if (queues[name]["histogram"][flits] != 0)
                histogram[flits] = queues[name]["histogram"][flits].get<std::uint64_t>();
        EXPECT_EQ(use.histogram, histogram) << name;
        EXPECT_EQ(use.high_water, queues[name]["high_water"]) << name;
        EXPECT_EQ(use.stall_cycles, queues[name]["stall_cycles"]) << name;
    }
    EXPECT_GT(classes.at("injection").stall_cycles, 0U);
}

// Queue by queue the file counts what the result counts class by class.
TEST(QueueUse, OfABroadcastSumsUpToItsResult) {
    const TemporaryFile file("");
    BroadcastExperiment e;
    e.network = "ibt:8x8:b=4";
    e.packets = 64;
    e.cycles.node.injection_depth = 8;
    e.cycles.links.cycles_per_flit = 2;
    e.engine = "native";
    e.cycles.records.queue_use = file.path();
    const Json json = to_json(run_broadcast(e));
    expect_as_in_result(file.path(), json["queues"]);
}

TEST(QueueUse, OfTrafficSumsUpToItsResult) {
    const TemporaryFile file("");
    TrafficExperiment e;
    e.network = "torus:4x4";
    e.traffic.load = 1.5;
    e.traffic.cycles = 500;
    e.nodes.node = node_parameters("wide");
    for (const char* host : {"ideal", "bgl"}) {
        e.nodes.host = host_parameters(host);
        e.nodes.records.queue_use = file.path();
        const Json json = to_json(run_traffic(e));
        expect_as_in_result(file.path(), json["queues"]);
    }
}

// Slow links, small queues and hosts that look for work many times a cycle: what waits, waits once a cycle.
TEST(QueueUse, CountsWaitingOnceACycle) {
    const TemporaryFile file("");
    TrafficExperiment e;
    e.network = "torus:4x4";
    e.traffic = {.load = 1, .packet_flits = 2, .warmup = 0, .cycles = 2'000};
    e.nodes.links.cycles_per_flit = 4;
    e.nodes.node.injection_depth = 2;
    e.nodes.host.send_cycles = 1;
    e.nodes.host.polling = Polling::injection_first;
    e.nodes.records.queue_use = file.path();
    const Json json = to_json(run_traffic(e));
    expect_as_in_result(file.path(), json["queues"]);
}

}  // namespace
}  // namespace interlace
