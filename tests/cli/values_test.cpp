// Interlace: a flag, --set and a file that give the same value give the same experiment
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/run_command.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

using Json = nlohmann::json;

/// Every value of a configuration that is no mapping, by its path.
void collect(const Json& json, const std::string& path, std::vector<std::string>& paths) {
    for (const auto& [key, value] : json.items()) {
        const std::string at = path.empty() ? key : path + "." + key;
        if (value.is_object())
            collect(value, at, paths);
        else
            paths.push_back(at);
    }
}

/// The text as a number, a truth or a list where it is one.
Json value_of(const std::string& text) {
    const Json value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? Json(text) : value;
}

Json with(Json json, const std::string& path, const std::string& value) {
    std::string pointer = "/" + path;
    for (char& c : pointer)
        if (c == '.') c = '/';
    json[Json::json_pointer(pointer)] = value_of(value);
    return json;
}

/// What a command was about, or why it refused it, without the place, which differs.
std::string answer(const std::string& arguments) {
    const Outcome outcome = run(arguments + " --json");
    if (outcome.code == 0) return Json::parse(outcome.out)["experiment"].dump();
    return outcome.err.substr(outcome.err.rfind(": ") + 2);
}

/// The command with a flag, in place of the same flag with another value.
std::string with_flag(std::string command, const std::string& flag, const std::string& value) {
    const std::size_t at = command.find(" " + flag + " ");
    if (at != std::string::npos) command.erase(at, command.find(' ', at + flag.size() + 2) - at);
    return command + " " + flag + " '" + value + "'";
}

/// A kind of experiments: its command with the values of `base`, and of each path another value, with its
/// flag where it has one.
struct Kind {
    std::string command;
    Json base;
    struct Value {
        std::string value, flag = {};
        bool refused = false;
    };
    std::map<std::string, Value> values;
};

void expect_one_meaning(const Kind& kind) {
    const TemporaryFile file(kind.base.dump());
    std::vector<std::string> paths;
    const std::string unchanged = answer(kind.command);
    ASSERT_EQ(unchanged.front(), '{') << unchanged;
    EXPECT_EQ(answer("run " + file.path()), unchanged);
    collect(Json::parse(unchanged), "", paths);
    for (const std::string& path : paths)
        EXPECT_TRUE(kind.values.contains(path) || path == "schema" || path == "network")
            << path << " needs another value in this test";
    for (const auto& [path, other] : kind.values) {
        const TemporaryFile changed(with(kind.base, path, other.value).dump());
        const std::string right = answer("run " + changed.path());
        EXPECT_EQ(right.front() != '{', other.refused) << path << ": " << right;
        EXPECT_NE(right, unchanged) << path;
        const std::string set = " --set '" + path + "=" + other.value + "'";
        EXPECT_EQ(answer("run " + file.path() + set), right);
        EXPECT_EQ(answer(kind.command + set), right) << set;
        if (other.flag.empty()) continue;
        EXPECT_EQ(answer(with_flag(kind.command, other.flag, other.value)), right) << other.flag;
    }
}

/// Those of nodes of Blue Gene/L on links of a cycle a flit.
std::map<std::string, Kind::Value> node_values() {
    return {{"node.base", {"bgl_ten", "--node"}},
            {"node.flit_bytes", {"16"}},
            {"node.packet_flits", {"4"}},
            {"node.vcs", {"3"}},
            {"node.vc_depth", {"48"}},
            {"node.injection_queues", {"2"}},
            {"node.injection_depth", {"16"}},
            {"node.reception_queues", {"1"}},
            {"node.reception_depth", {"16"}},
            {"node.switching", {"store_and_forward"}},
            {"node.routing", {"dimension_order"}},
            {"node.pipeline", {"7"}},
            {"node.turn_back", {"false"}},
            {"node.fitted", {"true", "", true}},  // without RTL
            {"node.priority_channel", {"false"}},
            {"node.selection", {"round_robin"}},
            {"node.arbitration", {"round_robin"}},
            {"node.round_robin_every", {"4"}},
            {"links.base", {"bgl", "--links"}},
            {"links.cycles_per_flit", {"2"}},
            {"links.latency", {"3"}},
            {"links.latency_per_hop", {"1"}},
            {"links.bit_error_rate", {"0.00001"}},
            {"links.replay_flits", {"40"}},
            {"host.base", {"bgl", "--host"}},
            {"host.servers", {"1"}},
            {"host.polling", {"reception_first"}},
            {"host.send_cycles", {"5"}},
            {"host.receive_cycles", {"5"}},
            {"host.combine_cycles", {"5"}},
            {"host.copy_cycles", {"5"}},
            {"host.memory_packets", {"9"}},
            {"host.reserve_flits", {"4"}},
            {"host.start_skew_cycles", {"50"}},
            {"host.jitter_cycles", {"5"}},
            {"rtl_nodes", {"99", "--rtl-nodes", true}},
            {"systemc_nodes", {"99", "--systemc-nodes", true}},
            {"shadow", {"99", "--shadow", true}},
            {"lockstep", {"vhdl", "--lockstep", true}},
            {"devices", {"nowhere", "--device", true}},
            {"occupancy", {"false"}},
            {"regions", {"2", "--regions"}},
            {"threads", {"2", "--threads"}},
            {"seed", {"7", "--seed"}}};
}

TEST(Values, OfTrafficMeanTheSameEverywhere) {
    Kind kind{"traffic torus:4x4 --node bgl --cycles 60 --warmup 20",
              {{"schema", 1},
               {"network", "torus:4x4"},
               {"node", {{"base", "bgl"}}},
               {"traffic", {{"cycles", 60}, {"warmup", 20}}}},
              node_values()};
    kind.values.merge(std::map<std::string, Kind::Value>{{"traffic.pattern", {"tornado", "--pattern"}},
                                                         {"traffic.load", {"0.2", "--load"}},
                                                         {"traffic.warmup", {"40", "--warmup"}},
                                                         {"traffic.cycles", {"80", "--cycles"}},
                                                         {"traffic.burst_cycles", {"30", "--burst"}},
                                                         {"traffic.burst_load", {"2", "--burst-load"}},
                                                         {"traffic.packet_flits", {"4", "--packet-flits"}},
                                                         {"traffic.deterministic", {"0.5"}},
                                                         {"traffic.high_priority", {"0.5"}},
                                                         {"engine", {"fpga", "--engine", true}},
                                                         {"seeds", {"30", "--seeds"}}});
    kind.values["node.routing"].flag = "--routing";
    expect_one_meaning(kind);
}

TEST(Values, OfBroadcastsMeanTheSameEverywhere) {
    Kind kind{"broadcast torus:4x4 --node bgl --engine native --packets 4",
              {{"schema", 1},
               {"network", "torus:4x4"},
               {"engine", "native"},
               {"node", {{"base", "bgl"}}},
               {"broadcast", {{"packets", 4}}}},
              node_values()};
    kind.values.merge(
        std::map<std::string, Kind::Value>{{"broadcast.group", {"line", "--group"}},
                                           {"broadcast.axes", {"yx", "--axes", true}},
                                           {"broadcast.source", {"3", "--source"}},
                                           {"broadcast.packets", {"8", "--packets"}},
                                           {"broadcast.algorithm", {"optimal", "--algorithm"}},
                                           {"broadcast.pattern", {"3", "--pattern"}},
                                           {"broadcast.schedule", {"/nowhere.csv", "--schedule", true}},
                                           {"background.pattern", {"tornado"}},
                                           {"background.load", {"0.01", "--background"}},
                                           {"background.warmup", {"100"}},
                                           {"background.burst_cycles", {"30"}},
                                           {"background.burst_load", {"0.5"}},
                                           {"background.deterministic", {"0.5"}},
                                           {"background.high_priority", {"0.5"}},
                                           {"engine", {"fpga", "--engine", true}},
                                           {"forwarding", {"table", "--forwarding"}},
                                           {"pace", {"step", "--pace"}},
                                           {"seeds", {"30", "--seeds"}}});
    expect_one_meaning(kind);
}

/// Those of clusters: values below `event` are of the cluster's file.
std::map<std::string, Kind::Value> cluster_values() {
    return {{"tree", {"dfs", "--tree"}},
            {"root", {"1", "--root"}},
            {"routing", {"up_down"}},
            {"engine", {"fpga", "--engine", true}},
            {"lockstep", {"rtl", "--lockstep", true}},
            {"event.frame.mtu", {"1000"}},
            {"event.frame.overhead", {"58"}},
            {"event.frame.minimum", {"84"}},
            {"event.flow", {"credit"}},
            {"event.switch.forwarding", {"cut_through", "--switching"}},
            {"event.switch.stored_from", {"everywhere"}},
            {"event.switch.buffering", {"shared"}},
            {"event.switch.arbitration", {"round_robin"}},
            {"event.switch.capacity", {"64"}},
            {"event.switch.output_room", {"2"}},
            {"event.switch.pause_at", {"9"}},
            {"event.switch.resume_at", {"3"}},
            {"event.switch.header", {"20"}},
            {"event.switch.delay_us", {"2"}},
            {"event.other_switches", {R"([{"switches": [0], "capacity": 7}])"}},
            {"event.workstation.start_us", {"5"}},
            {"event.workstation.send_overhead_us", {"5"}},
            {"event.workstation.gap_us", {"5"}},
            {"event.workstation.receive_overhead_us", {"5"}},
            {"event.workstation.barrier_us", {"5"}},
            {"event.workstation.stall_probability", {"0.01"}},
            {"event.workstation.stall_us", {"5"}},
            {"event.workstation.start_skew_us", {"5"}},
            {"event.workstation.jitter_us", {"5"}},
            {"event.protocol.eager_limit", {"1000"}},
            {"event.protocol.copy_ns_per_byte", {"1"}},
            {"event.protocol.barrier", {"messages"}},
            {"event.reliability.timeout_us", {"5000"}},
            {"event.reliability.acknowledge_us", {"50"}},
            {"event.reliability.window", {"reno"}},
            {"event.reliability.initial_window", {"4"}},
            {"seed", {"7", "--seed"}},
            {"seeds", {"30", "--seeds"}}};
}

TEST(Values, OfCapacitiesMeanTheSameEverywhere) {
    Kind kind{
        "capacity torus:4x4 --node bgl",
        {{"schema", 1}, {"network", "torus:4x4"}, {"capacity", Json::object()}, {"node", {{"base", "bgl"}}}},
        {{"capacity.pattern", {"tornado", "--pattern"}}, {"capacity.paths", {"shortest", "--paths"}}}};
    for (const auto& [path, value] : node_values())
        if (path.starts_with("node.")) kind.values.emplace(path, value);
    kind.values["node.routing"].flag = "--routing";
    kind.values["node.fitted"].refused = false;
    expect_one_meaning(kind);
}

TEST(Values, OfAllGathersMeanTheSameEverywhere) {
    Kind kind{"allgather cluster:topology_d --message 4096",
              {{"schema", 1}, {"network", "cluster:topology_d"}, {"allgather", {{"message", 4096}}}},
              cluster_values()};
    kind.values.merge(std::map<std::string, Kind::Value>{{"allgather.algorithm", {"ring", "--algorithm"}},
                                                         {"allgather.message", {"8192", "--message"}},
                                                         {"allgather.barriers", {"true"}}});
    expect_one_meaning(kind);
}

TEST(Values, OfAllToAllsMeanTheSameEverywhere) {
    Kind kind{"alltoall cluster:topology_d --message 4096",
              {{"schema", 1}, {"network", "cluster:topology_d"}, {"alltoall", {{"message", 4096}}}},
              cluster_values()};
    kind.values.merge(std::map<std::string, Kind::Value>{{"alltoall.algorithm", {"pairwise", "--algorithm"}},
                                                         {"alltoall.sync", {"sender_partial", "--sync"}},
                                                         {"alltoall.message", {"8192", "--message"}}});
    expect_one_meaning(kind);
}

TEST(Values, OfPartialSynchronisationsMeanTheSameEverywhere) {
    Kind kind{"alltoall cluster:topology_d --message 4096 --sync sender_partial",
              {{"schema", 1},
               {"network", "cluster:topology_d"},
               {"alltoall", {{"message", 4096}, {"sync", "sender_partial"}}}},
              cluster_values()};
    kind.values.merge(std::map<std::string, Kind::Value>{{"alltoall.algorithm", {"fastest", "", true}},
                                                         {"alltoall.sync", {"none", "--sync"}},
                                                         {"alltoall.block", {"2", "--block"}},
                                                         {"alltoall.message", {"8192", "--message"}}});
    expect_one_meaning(kind);
}

TEST(Values, OfShufflesMeanTheSameEverywhere) {
    Kind kind{"alltoall cluster:topology_d --message 4096 --algorithm shuffle",
              {{"schema", 1},
               {"network", "cluster:topology_d"},
               {"alltoall", {{"message", 4096}, {"algorithm", "shuffle"}}}},
              cluster_values()};
    kind.values.merge(
        std::map<std::string, Kind::Value>{{"alltoall.algorithm", {"pairwise", "--algorithm"}},
                                           {"alltoall.permutation", {"edge_colour", "--permutation"}},
                                           {"alltoall.window", {"3", "--window"}},
                                           {"alltoall.reorder", {"true"}},
                                           {"alltoall.message", {"8192", "--message"}}});
    expect_one_meaning(kind);
}

TEST(Values, OfMulticastsMeanTheSameEverywhere) {
    Kind kind{"multicast cluster:topology_d --message 4096",
              {{"schema", 1}, {"network", "cluster:topology_d"}, {"multicast", {{"message", 4096}}}},
              cluster_values()};
    kind.values.merge(std::map<std::string, Kind::Value>{{"multicast.algorithm", {"binomial", "--algorithm"}},
                                                         {"multicast.sources", {"[2]"}},
                                                         {"multicast.destinations", {"[3, 5]"}},
                                                         {"multicast.message", {"8192", "--message"}}});
    kind.values["routing"].flag = "--routing";
    expect_one_meaning(kind);
}

TEST(Values, OfReplaysMeanTheSameEverywhere) {
    const auto goal = [](const std::string& bytes) {
        return TemporaryFile("num_ranks 2\nrank 0 {\nsend " + bytes + "b to 1\n}\nrank 1 {\nrecv " + bytes +
                             "b from 0\n}\n");
    };
    const TemporaryFile one = goal("8"), other = goal("9");
    Kind kind{"replay cluster:topology_d --goal " + one.path(),
              {{"schema", 1}, {"network", "cluster:topology_d"}, {"replay", {{"goal", one.path()}}}},
              cluster_values()};
    kind.values["replay.goal"] = {other.path(), "--goal"};
    kind.values["routing"].flag = "--routing";
    expect_one_meaning(kind);
}

}  // namespace
}  // namespace interlace
