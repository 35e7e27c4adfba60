// Interlace: devices in other processes, as their users see them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "support/run_command.h"

namespace interlace {
namespace {

using testing::HasSubstr;

/// Waits until it holds, for a minute at most (a busy machine takes its time over two processes that wait for
/// each other): whether it did.
bool wait_until(const std::function<bool()>& holds) {
    for (int i = 0; i < 6'000; ++i) {
        if (holds()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

/// The command, or another, in a process of its own; what it says goes into a file.
class Background {
  public:
    Background(const std::string& arguments, const std::string& log,
               const std::string& command = INTERLACE_COMMAND " ")
        : log_(log), process_(::fork()) {
        if (process_ != 0) return;
        const std::string line = "exec " + command + arguments + " > " + log + " 2>&1";
        ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
        ::_exit(127);
    }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    ~Background() {
        kill();
        if (process_ > 0) ::waitpid(process_, nullptr, 0);
    }
    void kill() const {
        if (process_ > 0) ::kill(process_, SIGKILL);
    }
    /// Its exit code; -1 where it was killed, -2 where it does not end.
    int code() {
        int status = 0;
        if (!wait_until([&] { return ::waitpid(process_, &status, WNOHANG) == process_; })) return -2;
        process_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    std::string said() const {
        std::ostringstream text;
        text << std::ifstream(log_).rdbuf();
        return text.str();
    }
    /// Whether it comes to say this.
    bool says(const std::string& text) const {
        return wait_until([&] { return said().find(text) != std::string::npos; });
    }

  private:
    std::string log_;
    pid_t process_;
};

/// A faulty device, the check that looks for its fault, and the sentence that names it.
struct Faulty {
    const char *rogue, *check, *sentence;
};

class DeviceCommand : public testing::Test {
  protected:
    /// That the check fails with the sentence (a regular expression), or passes where that says so.
    void expect_named(const Faulty& faulty) const {
        const Background device("--listen " + address_, path("log"),
                                "env ROGUE=" + std::string(faulty.rogue) + " " ROGUE_DEVICE " ");
        ASSERT_TRUE(device.says("listens at ")) << device.said();
        const Outcome outcome = run("conform torus:4x4 --device 5=" + address_ + " --checks " + faulty.check +
                                    " --waveforms " + path("waves"));
        EXPECT_THAT(outcome.out, testing::ContainsRegex(faulty.sentence)) << faulty.rogue << outcome.err;
        EXPECT_EQ(outcome.code, std::string(faulty.sentence).find("passed") == std::string::npos ? 1 : 0);
        std::filesystem::remove(path("waves") + "-" + faulty.check + ".vcd");
    }
    void TearDown() override {
        for (const char* name : {"device", "log", "host", "state"}) std::remove(path(name).c_str());
    }
    /// Whether a host that keeps() runs some cycles from now on: what a device says when it makes its nodes
    /// is before the first of them.
    bool runs_on() const {
        std::remove(path("state").c_str());
        return wait_until([&] { return std::filesystem::exists(path("state")); });
    }
    std::string keeps() const { return " --checkpoint " + path("state") + " --every 500"; }
    std::string path(const std::string& name) const {
        return testing::TempDir() + "interlace_" + std::to_string(::getpid()) + "_" + name;
    }
    const std::string address_ = "unix:" + path("device");
};

const std::string broadcast = "broadcast torus:4x4 --algorithm optimal --engine native --packets 32";

TEST_F(DeviceCommand, GivesByteForByteWhatTheNodesInTheProcessGive) {
    for (const std::string engine : {"rtl", "systemc"}) {
        const Background device("device --engine " + engine + " --nodes 5,6 --listen " + address_,
                                path("log"));
        ASSERT_TRUE(device.says("listens at")) << device.said();
        for (const std::string options : {"", " --forwarding table", " --links bgl --host bgl",
                                          " --forwarding table --set links.latency=8"}) {
            const std::string experiment = broadcast + options;
            const Outcome in_process = run(fmt::format("{} --{}-nodes 5,6", experiment, engine));
            const Outcome outside = run(fmt::format("{} --device 5,6={}", experiment, address_));
            EXPECT_EQ(outside.code, 0) << outside.err;
            EXPECT_EQ(outside.out, in_process.out) << engine << options;
            EXPECT_THAT(outside.out, HasSubstr("cycles"));
        }
    }
}

// A process has one SystemC kernel, which is elaborated once.
TEST_F(DeviceCommand, OfSystemCServesNodesOfOneKind) {
    const Background device("device --engine systemc --listen " + address_, path("log"));
    ASSERT_TRUE(device.says("listens at"));
    const std::string here = " --device 5,6=" + address_;
    EXPECT_EQ(run(broadcast + here).code, 0);
    const Outcome another = run(broadcast + " --set node.pipeline=7" + here);
    EXPECT_EQ(another.code, 1);
    EXPECT_THAT(another.err, HasSubstr("expected a restarted device"));
    EXPECT_EQ(run(broadcast + here).code, 0);
}

TEST_F(DeviceCommand, IsPipelinedWhereItsHostIs) {
    const Background device("device --listen " + address_, path("log"));
    ASSERT_TRUE(device.says("listens at"));
    const std::string pipelined = broadcast + " --set node.pipeline=7";
    EXPECT_EQ(run(pipelined + " --device 5,6=" + address_).out, run(pipelined + " --rtl-nodes 5,6").out);
}

// tests/device/CMakeLists.txt: interlace_device() of CMake.
TEST_F(DeviceCommand, IsMadeOfAnyonesSystemVerilog) {
    const Background device("--listen " + address_, path("log"), MY_ROUTER " ");
    ASSERT_TRUE(device.says("a device listens at ")) << device.said();
    const std::string ring =
        "broadcast torus:8 --algorithm ring --engine native --packets 32 --node minimal --set node.vcs=2";
    const Outcome mine = run(ring + " --device 2,3,4=" + address_ + " --shadow 2,3,4");
    EXPECT_EQ(mine.code, 0) << mine.err << device.said();
    EXPECT_EQ(mine.out, run(ring + " --rtl-nodes 2,3,4").out);
    // Its queues have 32, 64 and 32 flits, its table 16 slots.
    EXPECT_THAT(run(ring + " --set node.vc_depth=64 --device 2=" + address_).err,
                HasSubstr("virtual_channel queues of 64 flits; expected at most 32"));
    EXPECT_EQ(run(ring + " --set node.injection_depth=64 --device 2=" + address_).code, 0);
    EXPECT_THAT(run("broadcast torus:4x4 --engine native --device 2=" + address_).err,
                HasSubstr("whose nodes have ports: 2; expected 4"));
}

/// The line of a text that begins with this.
std::string line_of(const std::string& text, const std::string& begin) {
    const std::size_t at = text.find(begin);
    return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

// tests/device/bare_router.sv.
// From cycle 0 on the source is known ahead.
TEST_F(DeviceCommand, WithoutRegistersWorksAheadToo) {
    const Background device(BARE_ROUTER " --listen " + address_, path("log"), "");
    ASSERT_TRUE(device.says("listens at")) << device.said();
    const std::string fits =
        "broadcast torus:8 --engine native --packets 32 --node minimal --set node.injection_queues=1 "
        "--set node.reception_queues=1 --set node.vc_depth=32 --set node.injection_depth=32 "
        "--set node.reception_depth=32 --set links.latency=8 --device ";
    for (const std::string nodes : {"0", "0,1", "0,1,2,3"}) {
        const Outcome outcome = run(fits + nodes + "=" + address_);
        EXPECT_EQ(outcome.code, 0) << nodes << outcome.err << device.said();
    }
}

TEST_F(DeviceCommand, NeedsNoRegisters) {
    const Background device("--listen " + address_, path("log"), BARE_ROUTER " ");
    ASSERT_TRUE(device.says("a device listens at ")) << device.said();
    const std::string ring =
        "broadcast torus:8 --algorithm ring --engine native --packets 32 --node minimal --set "
        "node.vc_depth=32 "
        "--set node.injection_depth=32 --set node.injection_queues=1 --set node.reception_queues=1 ";
    const std::string fits = ring + "--set node.reception_depth=32 ";
    const std::string there = "--device 2,3,4=" + address_;
    const Outcome bare = run(fits + there);
    EXPECT_EQ(bare.code, 0) << bare.err << device.said();
    EXPECT_EQ(line_of(bare.out, "cycles"), line_of(run(fits).out, "cycles"));
    const auto refused = [&](const std::string& arguments, const std::string& why) {
        EXPECT_THAT(run(arguments).err, HasSubstr(why));
    };
    refused(
        ring + there,
        "flits in a reception queue: 16 of nodes without registers; expected 32, which they are built for");
    refused(fits + "--forwarding table " + there,
            "packets of kind table for nodes without registers; expected explicit, which they are built for");
    refused(fits + "--set links.cycles_per_flit=2 " + there,
            "cycles a flit: 2 of nodes without registers; expected 1, which they are built for");
    refused(fits + "--host bgl " + there, "expected host: ideal");
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

TEST_F(DeviceCommand, ConformsAtEveryLevelWhereItIsTheProjectsOwn) {
    for (const std::string hardware : {"--rtl-nodes 5,6 --level pins", "--rtl-nodes 5,6 --level links",
                                       "--rtl-nodes 5,6 --level packets", "--systemc-nodes 5"}) {
        const Outcome outcome = run("conform torus:4x4 " + hardware);
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        EXPECT_THAT(outcome.out, HasSubstr("conforms: 28 checks passed, 0 failed, 0 not supported"));
    }
    const Background device("device --listen " + address_, path("log"));
    ASSERT_TRUE(device.says("listens at"));
    const std::string mesh = "conform mesh:3x3x3 --device 4,5=" + address_;
    EXPECT_THAT(run(mesh).out, HasSubstr("conforms: 28 checks passed"));
    EXPECT_THAT(run(mesh + " --checks forward,tight --level pins").out,
                HasSubstr("conforms: 2 checks passed"));
}

TEST_F(DeviceCommand, OfAnotherMicroarchitectureConformsToLinks) {
    const Background device("python3 " INTERLACE_ROUTER " " + address_, path("log"), "");
    const std::string conform = "conform torus:4x4 --device 5=" + address_;
    const std::string some = " --checks forward,replicate,tight,wormhole,crowded";
    EXPECT_THAT(run(conform + some).out, HasSubstr("conforms: 4 checks passed, 0 failed, 1 not supported"));
    const std::string waveforms = path("waves");
    const Outcome pins = run(conform + some + " --level pins --waveforms " + waveforms);
    EXPECT_EQ(pins.code, 1);
    EXPECT_THAT(pins.out, HasSubstr("DOES NOT CONFORM"));
    EXPECT_THAT(pins.out, HasSubstr("crowded: failed: cycle "));
    EXPECT_TRUE(std::filesystem::exists(waveforms + "-crowded.vcd"));
    for (const char* check : {"forward", "replicate", "tight", "wormhole", "crowded"})
        std::filesystem::remove(waveforms + "-" + check + ".vcd");
}

// examples/device: one memory with one port, by someone who had read the documents alone. 64 * 8 + 7 + 15 + 4
// cycles are the longest silence that its CMakeLists.txt allows for, 538.
TEST_F(DeviceCommand, OfTheExampleConformsAndTakesPartInABroadcastTo4096Nodes) {
    const Background device("--listen " + address_, path("log"), EXAMPLE_ROUTER " ");
    ASSERT_TRUE(device.says("listens at ")) << device.said();
    const std::string built =
        " --node minimal --set node.injection_queues=1 --set node.reception_queues=1 --set node.vc_depth=64 "
        "--set node.injection_depth=64 --set node.reception_depth=64 ";
    const Outcome conforms = run("conform torus:3x3x3 --device 5,6=" + address_ + built +
                                 "--checks forward,source,replicate,one_flit");
    EXPECT_THAT(conforms.out, HasSubstr("conforms: 4 checks passed")) << conforms.out;
    const Outcome large =
        run("broadcast torus:16x16x16 --engine native --packets 32 --device "
            "0,1,16,256,15,273,2048,4095=" +
            address_ + built);
    EXPECT_EQ(large.code, 0) << large.err;
}

// What is wrong is found at the level that speaks of it, and not below.
TEST_F(DeviceCommand, ThatDoesSomethingWrongDoesNotConform) {
    struct Wrong {
        const char *what, *links, *packets;
    };
    for (const Wrong& wrong :
         {Wrong{"bit", "node 5, cycle [0-9]+: link_flit_o", "node 5, cycle [0-9]+: link_flit_o"},
          Wrong{"tail", "node 5, cycle [0-9]+: ", "node [0-9]+, cycle [0-9]+: "},
          Wrong{"lost", "node 5, cycle [0-9]+: ", "nothing has moved|node [0-9]+, cycle|had not arrived"},
          Wrong{"taken", "node 5, cycle [0-9]+: rx_flit_o", "node 5, cycle [0-9]+: rx_flit_o"},
          Wrong{"credit", "node 5, cycle [0-9]+: ", ""}}) {
        const Background device("--listen " + address_, path("log"),
                                "env ROGUE=" + std::string(wrong.what) + " " ROGUE_DEVICE " ");
        ASSERT_TRUE(device.says("listens at ")) << device.said();
        const std::string conform = "conform torus:4x4 --device 5=" + address_ +
                                    " --checks stream,dimension_order --waveforms " + path("waves") +
                                    " --level ";
        const Outcome links = run(conform + "links");
        EXPECT_EQ(links.code, 1) << wrong.what << links.out;
        EXPECT_EQ(count_of(links.out, ": failed: "), 2U) << wrong.what << links.out;
        EXPECT_THAT(links.out, testing::ContainsRegex("stream: failed: .*" + std::string(wrong.links)))
            << wrong.what;
        EXPECT_TRUE(std::filesystem::remove(path("waves") + "-stream.vcd")) << wrong.what;
        const Outcome packets = run(conform + "packets");
        if (*wrong.packets != 0) {
            EXPECT_EQ(packets.code, 1) << wrong.what << packets.out;
            EXPECT_THAT(packets.out, testing::ContainsRegex(wrong.packets)) << wrong.what;
        }
        for (const char* check : {"stream", "dimension_order"})
            std::filesystem::remove(path("waves") + "-" + check + ".vcd");
    }
}

// And without the fault the check passes.
TEST_F(DeviceCommand, WithAFaultFailsTheCheckThatLooksForIt) {
    const std::string none = "1 checks passed, 0 failed";
    for (const Faulty& faulty :
         {Faulty{"", "alone", none.c_str()}, Faulty{"", "fair", none.c_str()},
          Faulty{"idle", "alone", "idle.* reports no packet, but one waits"},
          Faulty{"credits_home", "alone", "idle.* is 0x3 after a packet has left.*expected 0x1"},
          Faulty{"dead_identification", "alone", "identification.* is 0xdeadbeef.*expected 0x6c690001"},
          Faulty{"dead_sizes", "alone", "its registers sizes and depths report 15 ports"},
          Faulty{"clk_en", "alone", "clk_en_i 0"}, Faulty{"quiesce", "alone", "although `quiesce` is set"},
          Faulty{"overflow", "alone", "status_o is 0x0 after a flit for .* full, expected 0x1"},
          Faulty{"stall", "forward", "stall_o.[0-9]+. shows that something waits there"},
          Faulty{"stall_beyond", "forward", "breaks the protocol: .*stall_o 0x4000"},
          Faulty{"fixed_priority", "fair", "in a row before packet"}})
        expect_named(faulty);
}

// Links with a credit too many or too few, in routers without registers, whose depths no check can change. In
// a stream a credit too many is hidden by those that come back meanwhile; where links are long, none does.
TEST_F(DeviceCommand, WithoutRegistersIsNotWrongByACredit) {
    const std::string few =
        "failed: .*has shown nothing for 1000 cycles, although packet .* could leave there";
    const std::string many = "failed: .*for which it needs 1 credits and has 0";
    for (const Faulty& faulty :
         {Faulty{"bare", "whole_queue", "1 checks passed, 0 failed"},
          Faulty{"bare", "long_links", "1 checks passed, 0 failed"},
          Faulty{"bare_more", "long_links", many.c_str()}, Faulty{"bare_less", "whole_queue", few.c_str()},
          Faulty{"bare_less", "long_links", few.c_str()}})
        expect_named(faulty);
}

// A kit that finds nothing wrong with nothing would be none.
TEST_F(DeviceCommand, IsNeededToConform) {
    const Outcome none = run("conform torus:4x4");
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err,
                HasSubstr("nothing to check; expected nodes of hardware: --device, --rtl-nodes or"));
    const Outcome unknown = run("conform torus:4x4 --rtl-nodes 5 --checks forward,sideways");
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("check 'sideways'; expected forward, single, source, "));
    const Outcome nobody = run("conform torus:4x4 --device 5=unix:/nowhere/x --checks forward");
    EXPECT_EQ(nobody.code, 1);
    EXPECT_EQ(nobody.out, "");
    EXPECT_EQ(nobody.err, "interlace: no device listens at unix:/nowhere/x (No such file or directory)\n");
    EXPECT_EQ(run("conform torus:4x4 --rtl-nodes 5 --level perhaps").err,
              "interlace: --level: cannot use shadow_level 'perhaps'; expected pins, links or packets\n");
    EXPECT_EQ(run("conform torus:0x4 --rtl-nodes 5").code, 2);
}

// tests/device/router.py: written from docs/hil-protocol.md and docs/node.md by someone who saw no code.
TEST_F(DeviceCommand, CanBeARouterOfAnotherMicroarchitectureInAnotherLanguage) {
    for (const std::string options :
         {"", " --forwarding table", " --forwarding deposit", " --links bgl --host bgl --seeds 1",
          " --set node.switching=store_and_forward --forwarding table"}) {
        Background device("python3 " INTERLACE_ROUTER " " + address_ + " --once", path("log"), "");
        const Outcome outcome = run(broadcast + options + " --device 0,5,6=" + address_);
        EXPECT_EQ(outcome.code, 0) << outcome.err << device.said();
        EXPECT_EQ(device.code(), 0) << device.said();
    }
    // Many cycles in a question, as both can where links are long, change nothing.
    std::vector<Outcome> ahead;
    for (const std::string option : {"", " --one-cycle"}) {
        Background device("python3 " INTERLACE_ROUTER " " + address_ + " --once" + option, path("log"), "");
        ahead.push_back(
            run(broadcast + " --forwarding table --set links.latency=8 --device 0,5,6=" + address_));
        EXPECT_EQ(ahead.back().code, 0) << ahead.back().err << device.said();
        EXPECT_EQ(device.code(), 0) << device.said();
    }
    EXPECT_EQ(ahead[0].out, ahead[1].out);
    // Under load, where packets meet at every turn, it also depends on the order in which flits come to it.
    std::vector<std::string> loaded;
    for (const std::string option : {"", " --one-cycle"}) {
        Background device("python3 " INTERLACE_ROUTER " " + address_ + " --once" + option, path("log"), "");
        const Outcome outcome =
            run("traffic torus:4x4 --engine native --node bgl --routing dimension_order --load 0.6 "
                "--packet-flits 8 --warmup 10 --cycles 3000 --links bgl --device 5,6=" +
                address_);
        EXPECT_EQ(outcome.code, 0) << outcome.err << device.said();
        loaded.push_back(outcome.out.substr(0, outcome.out.find("\nspeed")));
        EXPECT_EQ(device.code(), 0) << device.said();
    }
    EXPECT_EQ(loaded[0], loaded[1]);
    const Background device("python3 " INTERLACE_ROUTER " " + address_, path("log"), "");
    const Outcome shadowed = run(broadcast + " --device 0,5,6=" + address_ + " --shadow 0,5,6");
    EXPECT_EQ(shadowed.code, 1);
    EXPECT_THAT(shadowed.err, HasSubstr(": hardware 0x"));
    std::remove("interlace-lockstep.vcd");
}

TEST_F(DeviceCommand, WithoutSnapshotsHasNoCheckpoints) {
    const Background device("python3 " INTERLACE_ROUTER " " + address_ + " --once", path("log"), "");
    const Outcome outcome =
        run("traffic torus:4x4 --node bgl --routing dimension_order --packet-flits 8 "
            "--device 5,6=" +
            address_ + " --checkpoint " + path("host") + " --every 100");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("cannot use checkpoints of a device that has no snapshot"));
}

TEST_F(DeviceCommand, HasAShadow) {
    const Background device("device --listen " + address_, path("log"));
    ASSERT_TRUE(device.says("listens at"));
    for (const std::string options : {"", " --forwarding table --set links.latency=8"}) {
        const Outcome shadowed = run(broadcast + options + " --shadow 5,6 --device 5,6=" + address_);
        EXPECT_EQ(shadowed.code, 0) << shadowed.err;
        EXPECT_EQ(shadowed.out, run(broadcast + options + " --rtl-nodes 5,6").out);
    }
    const Outcome half = run(broadcast + " --shadow 6 --device 5,6=" + address_);
    EXPECT_EQ(half.code, 2);
    EXPECT_THAT(half.err, HasSubstr("node 6 without node 5, which is of the same region or device"));
}

// Long runs through nodes 0 to 3.
const std::string without_end =
    "broadcast torus:4x4 --algorithm ring --group line --axes x --engine native --packets 200000";

TEST_F(DeviceCommand, EndsWithItsHost) {
    Background device("device --listen " + address_, path("log"));
    ASSERT_TRUE(device.says("listens at"));
    {
        const Background host(without_end + keeps() + " --device 1,2=" + address_, path("host"));
        ASSERT_TRUE(device.says("a host has nodes 1,2"));
        ASSERT_TRUE(runs_on());
    }
    EXPECT_EQ(device.code(), 1);
    EXPECT_THAT(device.said(), HasSubstr("interlace: the host disconnected after "));
}

TEST_F(DeviceCommand, ThatComesBackGoesOnWhereItWas) {
    const std::string experiment =
        "broadcast torus:4x4 --algorithm ring --group line --axes x --engine native --packets 2000";
    const std::string direct = run(experiment + " --rtl-nodes 1,2").out;
    auto device = std::make_unique<Background>("device --listen " + address_, path("log"));
    ASSERT_TRUE(device->says("listens at"));
    Background host(experiment + keeps() + " --device-return 20 --device 1,2=" + address_, path("host"));
    for (int death = 0; death < 3; ++death) {
        ASSERT_TRUE(device->says("a host has nodes 1,2"));
        ASSERT_TRUE(runs_on());
        device->kill();
        device = std::make_unique<Background>("device --listen " + address_, path("log"));
    }
    EXPECT_EQ(host.code(), 0) << host.said();
    EXPECT_EQ(host.said(), direct);
}

TEST_F(DeviceCommand, ThatIsKilledEndsItsHost) {
    const Background device("device --listen " + address_, path("log"));
    ASSERT_TRUE(device.says("listens at"));
    Background host(without_end + keeps() + " --device 1,2=" + address_, path("host"));
    ASSERT_TRUE(device.says("a host has nodes 1,2"));
    ASSERT_TRUE(runs_on());
    device.kill();
    EXPECT_EQ(host.code(), 1);
    EXPECT_THAT(host.said(), HasSubstr("interlace: the device at " + address_ + " is gone: "));
    // What it left behind is not in the way of the next one.
    const Background next("device --listen " + address_, path("log"));
    EXPECT_TRUE(next.says("listens at")) << next.said();
}

TEST_F(DeviceCommand, IsTheSameOverSharedMemoryAndTcp) {
    const std::string in_process = run(broadcast + " --rtl-nodes 5,6").out;
    for (const std::string& address :
         {"shm:" + path("device"), "tcp:" + std::to_string(20'000 + ::getpid() % 20'000)}) {
        const Background device("device --once --listen " + address, path("log"));
        ASSERT_TRUE(device.says("listens at")) << device.said();
        const Outcome outside = run(fmt::format("{} --device 5,6={}", broadcast, address));
        EXPECT_EQ(outside.out, in_process) << outside.err;
    }
}

TEST_F(DeviceCommand, WithASecretLetsInWhoKnowsIt) {
    const Background device("--listen tcp:0.0.0.0:" + std::to_string(20'000 + ::getpid() % 20'000),
                            path("log"), "env INTERLACE_SECRET=sesame " MY_ROUTER " ");
    ASSERT_TRUE(device.says("a device listens at ")) << device.said();
    const std::string there =
        "broadcast torus:8 --algorithm ring --engine native --packets 32 --node minimal "
        "--set node.vcs=2 --device 2=tcp:" +
        std::to_string(20'000 + ::getpid() % 20'000);
    EXPECT_THAT(run(there).err, HasSubstr("requires a secret: set INTERLACE_SECRET"));
    ::setenv("INTERLACE_SECRET", "sesame", 1);
    EXPECT_EQ(run(there).code, 0);
    ::unsetenv("INTERLACE_SECRET");
}

// A second device finds the address taken by connecting to it.
TEST_F(DeviceCommand, ThatServesOnceIsNotEndedBySomebodyWhoOnlyLooks) {
    Background device("device --once --listen " + address_, path("log"));
    ASSERT_TRUE(device.says("listens at"));
    const Outcome second = run("device --once --listen " + address_);
    EXPECT_EQ(second.code, 2);
    EXPECT_EQ(run(broadcast + " --device 5,6=" + address_).code, 0) << device.said();
    EXPECT_EQ(device.code(), 0) << device.said();
}

// A host that waits for its turn and gives up is no reason to end.
TEST_F(DeviceCommand, SurvivesHostsThatWaitInVain) {
    Background device("device --listen " + address_, path("log"));
    ASSERT_TRUE(device.says("listens at"));
    {
        const Background busy(
            "broadcast torus:4x4 --algorithm ring --group line --axes x --engine native "
            "--packets 4000 --device 1,2=" +
                address_,
            path("host"));
        ASSERT_TRUE(device.says("a host has nodes 1,2"));
        const Background waits(broadcast + " --device 5,6=" + address_, path("log2"));
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        waits.kill();
        EXPECT_TRUE(device.says("cycles "));
    }
    EXPECT_EQ(run(broadcast + " --device 5,6=" + address_).code, 0) << device.said();
    std::remove(path("log2").c_str());
}

TEST_F(DeviceCommand, WrongInputIsOneLine) {
    const auto refused = [&](const std::string& arguments, int code, const std::string& line) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, code) << arguments;
        EXPECT_EQ(outcome.err, "interlace: " + line + "\n") << arguments;
    };
    refused(broadcast + " --device 5", 2,
            "cannot use device '5'; expected NODES=ADDRESS, as in 5,6=unix:/tmp/dut");
    refused(broadcast + " --device 16=unix:/tmp/x", 2,
            "cannot use node '16'; expected a whole number from 0 to 15");
    refused(broadcast + " --device 5=here", 2,
            "cannot use address \'here'; expected unix:PATH, tcp:PORT, tcp:HOST:PORT, shm:PATH or "
            "serial:PATH, as in "
            "unix:/tmp/device");
    refused(broadcast + " --device 5=unix:/a --device 6=unix:/a", 2,
            "there are two devices at unix:/a; expected one, with all of its nodes in one list");
    refused(broadcast + " --device 5=unix:/a --device 5=unix:/b", 2,
            "device '5=unix:/a', whose nodes all belong to other devices; expected nodes of its own");
    refused("device --engine native --listen " + address_, 2,
            "cannot use engine \'native' of a device; expected rtl or systemc, as far as they are built");
    refused("device --listen unix:/nowhere/x", 2,
            "cannot use address \'unix:/nowhere/x' (No such file or directory); expected a path that can be "
            "written");
    const Background device("device --nodes 5 --listen " + address_, path("log"));
    ASSERT_TRUE(device.says("listens at"));
    refused("device --listen " + address_, 2,
            "cannot use address \'" + address_ + "'; expected an address without a listener");
    refused(broadcast + " --device 6=" + address_, 1,
            "the device at " + address_ + ": cannot use node 6; expected one of 5");
}

// docs/links.md: every pin of both ends of every link, C++ and RTL, in every cycle; and the same run without
// RTL.
TEST(Command, LinksThatFailAreTheSameInRtl) {
    const std::string failing =
        "broadcast torus:4x4 --packets 64 --seeds 1 --set links.bit_error_rate=1e-3 --engine ";
    const Outcome both = run(failing + "native --lockstep rtl");
    EXPECT_EQ(both.code, 0) << both.err;
    EXPECT_THAT(both.out, HasSubstr("link layer             7680 flits in "));
    const Outcome native = run(failing + "native");
    EXPECT_EQ(line_of(both.out, "link layer"), line_of(native.out, "link layer"));
    EXPECT_EQ(line_of(both.out, "cycles"), line_of(native.out, "cycles"));
    EXPECT_THAT(run("broadcast torus:4x4 --engine native --set links.bit_error_rate=0.7").err,
                HasSubstr("bit_error_rate 0.7; expected 0 or more, below 0.5"));
    EXPECT_THAT(
        run("broadcast torus:4x4 --engine native --set links.latency=9000 --set links.replay_flits=4").err,
        HasSubstr("links that take up to 8999 cycles with replay; expected at most 7999"));
}

}  // namespace
}  // namespace interlace
