// Interlace: devices, hosts and files that are not what an address should have
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "interlace/core/whole_file.h"
#include "interlace/engine/device/remote_device.h"
#include "interlace/engine/verilated/verilated.h"
#include "session.h"
#include "support/error_of.h"
#include "support/pipes.h"
#include "support/rtl_device.h"
#include "transports.h"
#include "wire.h"

namespace interlace {
namespace {

using testing::HasSubstr;

std::string a_path() {
    static int number = 0;
    return fmt::format("{}/stranger_{}_{}", testing::TempDir(), ::getpid(), ++number);
}

void write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
}

/// Files of a user, at the path of a device: how each is made.
struct File {
    const char* kind;
    void (*make)(const std::string& path);
};

std::vector<File> users_files() {
    return {{"regular", [](const std::string& path) { write(path, "a thesis"); }},
            {"fifo", [](const std::string& path) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }},
            {"directory", [](const std::string& path) { std::filesystem::create_directory(path); }},
            {"link to a file",
             [](const std::string& path) {
                 write(path + ".file", "a thesis");
                 std::filesystem::create_symlink(path + ".file", path);
             }},
            {"link to nothing",
             [](const std::string& path) { std::filesystem::create_symlink(path + ".none", path); }},
            {"link to the socket of a device that has exited", [](const std::string& path) {
                 const SocketAddress address = unix_address(path, path + ".socket");
                 ASSERT_EQ(::bind(address.socket().number(), address.generic(), address.length), 0);
                 std::filesystem::create_symlink(path + ".socket", path);
             }}};
}

TEST(Listener, RemovesNoFileButASocket) {
    for (const std::string scheme : {"unix:", "shm:"})
        for (const File& file : users_files()) {
            const std::string path = a_path();
            file.make(path);
            const auto before = std::filesystem::symlink_status(path).type();
            EXPECT_EQ(error_of([&] { listen_at(scheme + path); }),
                      "cannot use address '" + scheme + path +
                          "', which is an existing file; expected a path that does not exist, or the "
                          "socket of a device that has exited")
                << file.kind;
            EXPECT_EQ(std::filesystem::symlink_status(path).type(), before) << file.kind;
            if (before == std::filesystem::file_type::regular) {
                EXPECT_EQ(read_whole_file(path, "a file"), "a thesis");
            }
            for (const char* end : {"", ".file", ".socket"}) std::filesystem::remove(path + end);
        }
}

TEST(Listener, TakesThePlaceOfADeviceThatIsGone) {
    const std::string path = a_path();
    const SocketAddress address = unix_address(path, path);
    {
        const Descriptor socket = address.socket();
        ASSERT_EQ(::bind(socket.number(), address.generic(), address.length), 0);
    }
    ASSERT_TRUE(std::filesystem::is_socket(path));
    listen_at("unix:" + path);
    EXPECT_FALSE(std::filesystem::exists(std::filesystem::symlink_status(path)));  // and cleans up
}

TEST(Listener, LeavesAFileThatHasTakenItsPlace) {
    const std::string path = a_path();
    auto listener = listen_at("unix:" + path);
    std::filesystem::remove(path);
    write(path, "a thesis");
    listener.reset();
    EXPECT_EQ(read_whole_file(path, "a file"), "a thesis");
    std::filesystem::remove(path);
    // Another device's socket is as little its own.
    listener = listen_at("unix:" + path);
    std::filesystem::remove(path);
    const auto other = listen_at("unix:" + path);
    listener.reset();
    EXPECT_TRUE(std::filesystem::is_socket(path));
}

/// docs/hil-protocol.md, section 7.
constexpr std::size_t two_rings = 2 * (4096 + (std::size_t{1} << 22U));

int memory_of(std::size_t bytes, int seals) {
    const int memory = ::memfd_create("device", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    EXPECT_EQ(::ftruncate(memory, static_cast<off_t>(bytes)), 0);
    EXPECT_EQ(::fcntl(memory, F_ADD_SEALS, seals), 0);
    return memory;
}

int regular_file_of(std::size_t bytes) {
    const std::string path = a_path();
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(::ftruncate(file, static_cast<off_t>(bytes)), 0);
    std::filesystem::remove(path);
    return file;
}

int end_of_a_pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    ::close(ends[0]);
    return ends[1];
}

/// What a host says of a device that passes these over a socket of its own.
std::string host_of(int memory, int event) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    Descriptor host(ends[0]);
    const Descriptor device(ends[1]);
    std::uint8_t layout = 2;
    iovec piece{.iov_base = &layout, .iov_len = 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(3 * sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &piece;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(3 * sizeof(int));
    const std::array<int, 3> numbers = {memory, event, event};
    std::memcpy(CMSG_DATA(rights), numbers.data(), sizeof(numbers));
    EXPECT_EQ(::sendmsg(device.number(), &header, MSG_NOSIGNAL), 1);
    ::close(memory);
    ::close(event);
    return error_of([&] {
        const auto channel = shared_channel_of_host(std::move(host), std::chrono::seconds(5));
        channel->send(Bytes(100'000, 7));  // SIGBUS or SIGPIPE would end this process
    });
}

int event_counter() {
    return ::eventfd(0, EFD_CLOEXEC);
}

TEST(SharedMemory, OfADeviceCannotEndItsHost) {
    EXPECT_EQ(host_of(memory_of(two_rings, F_SEAL_SHRINK), event_counter()), "no error");
    EXPECT_EQ(host_of(memory_of(two_rings + 4096, F_SEAL_SHRINK | F_SEAL_GROW), event_counter()), "no error");
    EXPECT_EQ(host_of(memory_of(two_rings - 1, F_SEAL_SHRINK), event_counter()),
              "the device's shared memory has 8396799 bytes; expected 8396800 or more");
    EXPECT_EQ(host_of(memory_of(0, F_SEAL_SHRINK), event_counter()),
              "the device's shared memory has 0 bytes; expected 8396800 or more");
    const std::string shrinks = "the device's shared memory can shrink; expected a memfd with F_SEAL_SHRINK";
    EXPECT_EQ(host_of(memory_of(two_rings, F_SEAL_GROW), event_counter()), shrinks);
    EXPECT_EQ(host_of(regular_file_of(two_rings), event_counter()), shrinks);
    EXPECT_EQ(host_of(memory_of(two_rings, F_SEAL_SHRINK), end_of_a_pipe()),
              "the device's event counter is another kind of file; expected an eventfd");
}

/// Frame within frame, each with a right header, whose checks of the payload fail.
Bytes nested(std::size_t frames) {
    Bytes inner;
    for (std::size_t i = 0; i < frames; ++i) {
        Bytes outer = encode({FrameType::hello, 1, inner});
        outer.back() ^= 1;
        inner = outer;
    }
    return inner;
}

// docs/hil-protocol.md, section 2: in a stream that loses nothing there is nothing but frames.
TEST(Frame, OfALosslessStreamIsNotLookedForInAnother) {
    const auto read = [](bool lossless, const Bytes& bytes, std::uint32_t longest) {
        FrameReader reader(lossless);
        reader.push(bytes);
        return error_of([&] {
            while (reader.next(longest)) {
            }
        });
    };
    const Bytes good = encode({FrameType::hello, 1, {1, 2, 3}});
    Bytes of_another_version = good;
    of_another_version[4] = 3;
    const std::uint32_t check = crc(std::span(of_another_version).first(16));
    std::memcpy(of_another_version.data() + 16, &check, 4);
    Bytes damaged = good;
    damaged[9] ^= 1;
    struct Case {
        Bytes bytes;
        std::string why;
    };
    for (const Case& c :
         {Case{good, "no error"}, Case{nested(100), "a payload that fails its check"},
          Case{damaged, "a header that fails its check"},
          Case{of_another_version, "version 3 of the protocol, expected 2"},
          Case{{'G', 'E', 'T', ' ', '/'}, "bytes that do not begin a frame"},
          Case{{'i', 'l', 'H', 'J'}, "bytes that do not begin a frame"}, Case{{'i', 'l'}, "no error"},
          Case{encode({FrameType::hello, 1, Bytes(1001)}), "a frame of 1001 bytes, expected at most 1000"}}) {
        const std::uint32_t longest = c.bytes.size() == 1025 ? 1000 : max_payload;
        EXPECT_EQ(read(true, c.bytes, longest), c.why);
        EXPECT_EQ(read(false, c.bytes, longest), "no error") << c.why;
        // However it is cut, the first that is wrong is named, and a piece alone is no reason.
        FrameReader slow(true);
        std::string found = "no error";
        for (const std::uint8_t byte : c.bytes) {
            slow.push({&byte, 1});
            found = error_of([&] { slow.next(longest); });
            if (found != "no error") break;
        }
        EXPECT_EQ(found, c.why);
    }
}

const std::string secret = "open sesame";

DeviceRequest some_nodes() {
    return {.needed = {.ports = 4,
                       .vcs = 1,
                       .injections = 1,
                       .receptions = 1,
                       .flit_bits = 128,
                       .vc_depth = 16,
                       .injection_depth = 16,
                       .reception_depth = 16,
                       .slots = 0,
                       .pipeline = 1},
            .nodes = {5, 6}};
}

/// A session of a device with a secret, and the host's end of it.
struct Met {
    Pipe there{1, 0}, back{2, 0};
    PipeChannel host{there, back};
    std::unique_ptr<Session> session =
        open_session(std::make_unique<PipeChannel>(back, there), test::rtl_device, secret);
    /// What a look at the host gives: in, out, or why it has to go.
    std::string look() {
        bool in = false;
        const std::string wrong = error_of([&] { in = session->is_let_in(std::chrono::milliseconds(0)); });
        return wrong != "no error" ? wrong : in ? "in" : "out";
    }
};

Bytes hello() {
    return encode(Hello{.session = 7, .request = some_nodes()});
}

TEST(Session, HasOneTimeFromTheArrivalToTheWelcome) {
    Met met;
    const Bytes bytes = encode({FrameType::hello, 1, hello()});
    std::size_t at = 0;
    const auto say_a_byte = [&] { met.host.send({&bytes[at++], 1}); };
    say_a_byte();
    EXPECT_EQ(met.look(), "out");
    // A byte now and then gives it no more time.
    met.session->postpone(-max_greeting_time);
    say_a_byte();
    EXPECT_EQ(met.look(), "no welcome within the time for hello and proof");
    Met later;
    later.session->postpone(-max_greeting_time);
    later.session->postpone(max_greeting_time);  // the device was busy for as long
    EXPECT_EQ(later.look(), "out");
}

TEST(Session, TakesSmallFramesBeforeTheProof) {
    Met met;
    Bytes header = encode({FrameType::hello, 1, Bytes(max_greeting + 1)});
    header.resize(20);
    met.host.send(header);
    EXPECT_EQ(met.look(), "a frame of 524289 bytes, expected at most 524288");
    // What hello can be at most: 65536 nodes, and the registers that it may name.
    DeviceRequest large = some_nodes();
    large.nodes.resize(65536);
    for (std::uint32_t address = 1; address <= 11; ++address) large.settings.emplace_back(address, 1);
    EXPECT_LE(encode(Hello{.session = 7, .request = large}).size(), max_greeting);
}

TEST(Session, LetsInWhoKnowsTheSecret) {
    Met met;
    met.host.send(encode({FrameType::hello, 1, hello()}));
    EXPECT_EQ(met.look(), "out");
    FrameReader reader(true);
    reader.push(met.host.receive(std::chrono::seconds(5)));
    const std::optional<Frame> challenge = reader.next();
    ASSERT_TRUE(challenge);
    ASSERT_EQ(challenge->type, FrameType::challenge);
    met.host.send(encode({FrameType::proof, 2, Bytes(32)}));
    EXPECT_THAT(met.look(), HasSubstr("a host has another secret"));
}

/// What a host says of a device whose welcome names these sizes; of nodes without registers.
std::string welcome_of(const NodeSizes& sizes, bool registers) {
    Pipe there(1, 0), back(2, 0);
    const auto host = [&] {
        remote_device(std::make_unique<PipeChannel>(there, back), "it", some_nodes(),
                      {.end = std::chrono::seconds(30)});
    };
    std::thread device([&] {
        PipeChannel channel(back, there);
        FrameReader reader(true);
        std::optional<Frame> asked;
        while (!(asked = reader.next())) reader.push(channel.receive(std::chrono::seconds(5)));
        channel.send(encode({FrameType::welcome, 1,
                             encode(Welcome{.hello_crc = crc(asked->payload),
                                            .sizes = sizes,
                                            .features = registers ? 0U : +no_registers})}));
        error_of([&] { channel.receive(std::chrono::seconds(5)); });  // goodbye, or gone
    });
    const std::string wrong = error_of(host);
    device.join();
    return wrong;
}

// docs/node.md, section 1.
TEST(Welcome, IsOfNodesThatCanBeBuilt) {
    const NodeSizes good{.ports = 4,
                         .vcs = 2,
                         .injections = 6,
                         .receptions = 5,
                         .flit_bits = 128,
                         .vc_depth = 32,
                         .injection_depth = 2,
                         .reception_depth = 32768,
                         .slots = 4096,
                         .pipeline = 1};
    const auto with = [&](std::uint32_t NodeSizes::*size, std::uint32_t value, bool registers = true) {
        NodeSizes sizes = good;
        sizes.*size = value;
        return welcome_of(sizes, registers);
    };
    const std::string it = "it reports that its nodes have ";
    EXPECT_EQ(welcome_of(good, true), "no error");
    EXPECT_EQ(with(&NodeSizes::vc_depth, 37),
              it + "37 flits in a channel, expected a power of two from 2 to 32768");
    EXPECT_EQ(with(&NodeSizes::vc_depth, 37, false), "no error");
    EXPECT_EQ(with(&NodeSizes::vc_depth, 0, false), it + "0 flits in a channel, expected 1 to 32768");
    EXPECT_EQ(with(&NodeSizes::reception_depth, 65536),
              it + "65536 flits in a reception queue, expected a power of two from 2 to 32768");
    EXPECT_EQ(with(&NodeSizes::slots, UINT32_MAX),
              it + "4294967295 slots in a table, expected a power of two from 2 to 4096");
    EXPECT_EQ(with(&NodeSizes::slots, UINT32_MAX, false), "no error");
    EXPECT_EQ(with(&NodeSizes::receptions, 19), it + "19 reception queues, expected 1, 4, 5, 8, 10");
    EXPECT_EQ(with(&NodeSizes::injections, 7), it + "7 injection queues, expected 1 to 6");
    EXPECT_EQ(with(&NodeSizes::ports, 11), it + "11 ports, expected 1 to 10");
    EXPECT_EQ(with(&NodeSizes::vcs, 0), it + "0 channels, expected 1 to 4");
}

// However many say nothing, or something wrong, or go on without end.
TEST(ServeHosts, LetsNobodyHoldTheDevice) {
    const std::string address = fmt::format("tcp:{}", 20'000 + ::getpid() % 20'000);
    ::setenv("INTERLACE_SECRET", secret.c_str(), 1);
    std::thread device([&] { serve_hosts(address, true, test::rtl_device); });
    std::vector<std::unique_ptr<Channel>> strangers;
    const auto stranger = [&](const Bytes& says) {
        strangers.push_back(connect_to(address, std::chrono::seconds(30)));
        // One that was sent away may be gone already.
        error_of([&] { strangers.back()->send(says); });
    };
    for (int i = 0; i < 130; ++i) stranger({'i'});
    stranger(nested(2'000));
    stranger({'G', 'E', 'T', ' ', '/', '\n'});
    stranger(encode({FrameType::hello, 1, hello()}));  // and no proof
    const auto host = [&] {
        remote_device(connect_to(address, std::chrono::seconds(30)), "the device", some_nodes(), {}, secret);
    };
    EXPECT_EQ(error_of(host), "no error");
    device.join();
    ::unsetenv("INTERLACE_SECRET");
}

}  // namespace
}  // namespace interlace
