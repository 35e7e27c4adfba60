// Interlace: runs that go on from a state that somebody has changed, under a fingerprint that is right
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "interlace/broadcast/torus/spanning_trees.h"
#include "interlace/checkpoint/checkpoint.h"
#include "interlace/core/archive.h"
#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/engine/native/native.h"
#include "interlace/harness/programs/program_run.h"
#include "lockstep/native_engines.h"
#include "lockstep/random_traffic.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

/// States of each run that are changed: for the long haul as many as the environment says.
int forgeries() {
    const char* wanted = std::getenv("FORGERIES");
    return wanted == nullptr ? 40 : std::atoi(wanted);
}

/// What a checkpoint's file has: lines that say of what it is, and a state.
class CheckpointFile {
  public:
    explicit CheckpointFile(const std::string& text) {
        std::size_t at = 0;
        for (std::string* line : {&first_, &program_, &fingerprint_, &experiment_}) {
            *line = text.substr(at, text.find('\n', at) + 1 - at);
            at += line->size();
        }
        std::uint64_t size = 0;
        std::memcpy(&size, text.data() + at, sizeof(size));
        state_.resize(size);
        uLongf whole = size;
        const std::string packed = text.substr(at + sizeof(size));
        EXPECT_EQ(uncompress(state_.data(), &whole, bytes(packed.data()), packed.size()), Z_OK);
    }
    const Bytes& state() const { return state_; }
    /// The same of another state.
    std::string with(const Bytes& state) const {
        const std::uint64_t size = state.size();
        uLongf packed = compressBound(size);
        std::string text(sizeof(size) + packed, '\0');
        std::memcpy(text.data(), &size, sizeof(size));
        compress2(reinterpret_cast<Bytef*>(text.data() + sizeof(size)),
                  &packed,  // NOLINT(*-reinterpret-cast)
                  state.data(), state.size(), Z_BEST_SPEED);
        text.resize(sizeof(size) + packed);
        const std::string about = experiment_ + text;
        return first_ + program_ + fingerprint(about) + "\n" + about;
    }

  private:
    static const Bytef* bytes(const char* text) {
        return reinterpret_cast<const Bytef*>(text);  // NOLINT(*-reinterpret-cast)
    }
    std::string first_, program_, fingerprint_, experiment_;
    Bytes state_;
};

/// A value of 1, 4 or 8 bytes somewhere becomes another: any, none, all ones, one bit or one off, large.
Bytes forged(Bytes state, std::uint64_t seed) {
    const auto draw = [&](std::uint64_t index) { return random_bits(seed, 90, index); };
    const std::size_t size = std::array{1, 4, 8}[draw(0) % 3];
    const std::size_t at = draw(1) % (state.size() - size);
    std::uint64_t value = 0;
    std::memcpy(&value, &state[at], size);
    const std::array values = {draw(3),
                               std::uint64_t{0},
                               UINT64_MAX,
                               value ^ std::uint64_t{1} << draw(4) % (8 * size),
                               value + 1,
                               value - 1,
                               std::uint64_t{1} << draw(5) % 64};
    value = values[draw(2) % values.size()];
    std::memcpy(&state[at], &value, size);
    return state;
}

/// A small run. Its checkpoint is of a cycle in the middle.
struct SmallRun {
    std::string name;
    std::uint64_t every;
    std::function<void(Checkpoint&)> go;
};

/// Exit codes that nothing else has.
enum Ending : int { over = 40, fell_short, refused, other };

/// In a process of its own, that may have a minute, and memory for a thousand such runs.
Ending ending_of(const std::function<void()>& work) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        const rlimit bytes = {std::uint64_t{4} << 30U, std::uint64_t{4} << 30U};
        setrlimit(RLIMIT_AS, &bytes);
#endif
        try {
            work();
            _exit(over);
        } catch (const FellShort&) {
            _exit(fell_short);
        } catch (const InputError&) {
            _exit(refused);
        } catch (...) {
            _exit(other);
        }
    }
    int status = 0;
    waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : other;
    return code >= over && code < other ? static_cast<Ending>(code) : other;
}

class Forged : public testing::Test {
  protected:
    /// Goes on from many states of the run, each of which has one wrong value.
    void expect_to_end(const SmallRun& run) {
        SCOPED_TRACE(run.name);
        const Json experiment = {{"run", run.name}};
        const TemporaryFile saved;
        Checkpoint saving(
            {.file = saved.path(), .every = run.every, .resumed_from = {}, .warm = {}, .warn = {}},
            experiment, no_other_ranks());
        run.go(saving);
        const CheckpointFile file(saved.text());
        const TemporaryFile changed;
        const auto go_on_from = [&](const Bytes& state) {
            std::ofstream(changed.path()) << file.with(state);
            return ending_of([&] {
                Checkpoint resumed(
                    {.file = {}, .every = 0, .resumed_from = changed.path(), .warm = {}, .warn = {}},
                    experiment, no_other_ranks());
                run.go(resumed);
            });
        };
        EXPECT_EQ(go_on_from(file.state()), over);
        for (int seed = 0; seed < forgeries(); ++seed) {
            const Ending ending = go_on_from(forged(file.state(), static_cast<std::uint64_t>(seed)));
            EXPECT_NE(ending, other) << "seed " << seed;
            ++endings_[ending];
        }
    }
    std::map<Ending, int> endings_;
};

struct TrafficSetting {
    std::string name;
    NodeParameters node = {};
    LinkParameters links = {};
    double load = 0.3;
    HostParameters host = {};
    std::uint32_t regions = 1;
};

SmallRun traffic(const TrafficSetting& s, const EngineUnderTest& engine) {
    const auto go = [=](Checkpoint& checkpoint) {
        const Configuration c{make_network("torus:3x3"), s.node, s.links, {}, s.name};
        TrafficOptions options;
        options.packet_flits = s.node.packet_flits;
        options.load = s.load;
        options.warmup = 100;
        options.cycles = 200;
        options.mix.high_priority = 0.2;
        TrafficHostOptions hosts;
        hosts.host = s.host;
        hosts.checkpoint = &checkpoint;
        run_traffic(c, options, hosts, engine, s.regions);
    };
    return {s.name, 260, go};
}

/// Each packet of a trace goes on to the next node when it has come, 20 times.
SmallRun relays(const std::string& name, const NodeParameters& node, const HostParameters& host) {
    const auto go = [=](Checkpoint& checkpoint) {
        const Network torus = make_network("torus:3x3");
        const Fabric fabric(torus, node);
        std::vector<TracePacket> trace;
        std::vector<TraceDependences::Pair> pairs;
        for (std::uint32_t i = 0; i < 180; ++i) {
            trace.push_back({0, i % 9, (i + 1) % 9, node.packet_flits});
            if (i >= 9) pairs.push_back({i % 9 == 0 ? i - 1 : i - 10, i});
        }
        std::vector<Machine::Part> parts(1);
        parts[0].nodes = all_nodes(fabric);
        parts[0].region = native_region(fabric, parts[0].nodes, nullptr);
        Machine machine(fabric, std::move(parts), 1);
        TrafficHostOptions hosts;
        hosts.host = host;
        hosts.checkpoint = &checkpoint;
        run_trace(fabric, machine, trace, hosts, TraceDependences(trace, pairs));
    };
    return {name, 90, go};
}

NodeParameters node_with(Switching switching) {
    NodeParameters node;
    node.switching = switching;
    node.packet_flits = 4;
    node.vcs = 3;
    node.vc_depth = node.injection_depth = node.reception_depth = 16;
    return node;
}

NodeParameters adaptive() {
    NodeParameters node = node_with(Switching::virtual_cut_through);
    node.routing = Routing::adaptive_bubble;
    node.priority_channel = true;
    return node;
}

NodeParameters pipelined(NodeParameters node) {
    node.pipeline = 7;
    return node;
}

constexpr HostParameters slow_hosts = {
    .servers = 2, .send_cycles = 5, .receive_cycles = 7, .jitter_cycles = 3};

// A value at its limit, a byte that is no bool, and parts that do not fit are refused when they are loaded;
// what is saved is not looked at.
TEST(Archive, ChecksWhatItLoads) {
    std::uint8_t value = 0;
    bool flag = false;
    const auto state = [&](Archive& archive) {
        archive.below(value, 7);
        archive(flag);
        archive.expect(!flag || value == 3);
    };
    const auto loads = [&](const Bytes& bytes) { return load_by(state, bytes); };
    EXPECT_TRUE(loads({6, 0}));
    EXPECT_TRUE(loads({3, 1}));
    EXPECT_EQ(saved_by(state), Bytes({3, 1}));
    EXPECT_THROW(loads({7, 0}), BrokenBytes);
    EXPECT_THROW(loads({3, 2}), BrokenBytes);
    EXPECT_THROW(loads({4, 1}), BrokenBytes);
    EXPECT_THROW(loads({3}), BrokenBytes);
    value = 9;
    EXPECT_EQ(saved_by(state), Bytes({9, 1}));
}

// Whatever the value, it is refused, or the run ends.
TEST_F(Forged, TrafficOfFlitsEnds) {
    const NodeParameters worms = node_with(Switching::wormhole);
    expect_to_end(traffic({"worms", worms}, flits));
    expect_to_end(traffic({"worms between regions", worms, {2, 3, 0}, 0.3, {}, 3}, flits));
    expect_to_end(traffic({"worms and slow hosts", worms, {}, 0.3, slow_hosts}, flits));
    expect_to_end(traffic({"worms on links that fail", worms, {.bit_error_rate = 1e-4}, 0.2}, flits));
    expect_to_end(traffic({"pipelined nodes", pipelined(node_with(Switching::virtual_cut_through))}, flits));
    expect_to_end(traffic({"pipelined adaptive nodes", pipelined(adaptive()), {}, 0.6}, flits));
    EXPECT_GT(endings_[over], 0);
    EXPECT_GT(endings_[refused], 0);
}

TEST_F(Forged, TrafficOfPacketsEnds) {
    const NodeParameters cut_through = node_with(Switching::virtual_cut_through);
    expect_to_end(traffic({"packets", cut_through}, packets));
    expect_to_end(traffic({"packets between regions", cut_through, {2, 3, 0}, 0.3, {}, 3}, packets));
    expect_to_end(traffic({"packets and slow hosts", cut_through, {}, 0.3, slow_hosts}, packets));
    expect_to_end(traffic({"packets that are stored", node_with(Switching::store_and_forward)}, packets));
    expect_to_end(traffic({"adaptive packets", adaptive(), {}, 0.6}, packets));
    expect_to_end(relays("packets that wait for others", adaptive(), {}));
    expect_to_end(relays("packets that wait for slow hosts", adaptive(), slow_hosts));
    EXPECT_GT(endings_[over], 0);
    EXPECT_GT(endings_[refused], 0);
}

SmallRun broadcast(const std::string& name, Forwarding forwarding, const HostParameters& host) {
    const auto go = [=](Checkpoint& checkpoint) {
        const Network torus = make_network("torus:3x3");
        const NodeParameters node = node_with(Switching::virtual_cut_through);
        const Fabric fabric(torus, node);
        const Program program(torus, NodeId{0}, 64, spanning_tree_broadcast(torus, NodeId{0}, {0, 1}, 64));
        const InjectionPlan plan(torus, fabric, program, forwarding);
        std::vector<Machine::Part> parts(1);
        parts[0].nodes = all_nodes(fabric);
        parts[0].region = native_region(fabric, parts[0].nodes, &plan.tables());
        Machine machine(fabric, std::move(parts), 1);
        machine.watch({.occupancy = true, .each_queue = true});
        ProgramRunOptions options;
        options.packet_flits = node.packet_flits;
        options.host = host;
        options.checkpoint = &checkpoint;
        run_program(fabric, machine, plan, options);
    };
    return {name, 70, go};
}

TEST_F(Forged, BroadcastsEnd) {
    expect_to_end(broadcast("by hosts", Forwarding::host, {}));
    expect_to_end(broadcast("by slow hosts", Forwarding::host, slow_hosts));
    expect_to_end(broadcast("by tables", Forwarding::table, {}));
    EXPECT_GT(endings_[over], 0);
    EXPECT_GT(endings_[refused], 0);
}

}  // namespace
}  // namespace interlace
