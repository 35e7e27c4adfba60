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

}  // namespace
}  // namespace interlace
