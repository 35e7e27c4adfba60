// Interlace: devices, hosts and files that are not what they should be, at the addresses where hosts and
// devices meet Copyright (c) 2026 the interlace authors SPDX-License-Identifier: Apache-2.0
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
#include "transports.h"

namespace interlace {
namespace {

using testing::HasSubstr;

std::string what_goes_wrong(const std::function<void()>& action) {
    try {
        action();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "nothing";
}

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
            {"link to the socket of a device that is gone", [](const std::string& path) {
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
            EXPECT_EQ(what_goes_wrong([&] { listen_at(scheme + path); }),
                      "cannot use address '" + scheme + path +
                          "', where another file is; expected a path at which there is nothing, or the "
                          "socket of a device that is gone")
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
    return what_goes_wrong([&] {
        const auto channel = shared_channel_of_host(std::move(host), std::chrono::seconds(5));
        channel->send(Bytes(100'000, 7));  // SIGBUS or SIGPIPE would end this process
    });
}

int event_counter() {
    return ::eventfd(0, EFD_CLOEXEC);
}

TEST(SharedMemory, OfADeviceCannotEndItsHost) {
    EXPECT_EQ(host_of(memory_of(two_rings, F_SEAL_SHRINK), event_counter()), "nothing");
    EXPECT_EQ(host_of(memory_of(two_rings + 4096, F_SEAL_SHRINK | F_SEAL_GROW), event_counter()), "nothing");
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

}  // namespace
}  // namespace interlace
