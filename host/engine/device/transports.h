// Interlace: what channels are made of, by the scheme of an address
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "interlace/engine/device/channel.h"

namespace interlace {

/// What errno says.
std::string system_reason();

/// For how long a side may take nothing.
inline constexpr std::chrono::seconds max_silence(10);

/// A file descriptor of this process, closed with it.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor();
    int number() const { return number_; }

  private:
    int number_;
};

/// Where a socket is bound or connects to. `text` is the address as it was written, for errors.
struct SocketAddress {
    std::string text;
    sockaddr_storage name{};
    socklen_t length = 0;
    bool loopback = true;  ///< nobody on another machine reaches it

    const sockaddr* generic() const { return reinterpret_cast<const sockaddr*>(&name); }
    Descriptor socket() const;
};

/// Throw InputError for what is none.
SocketAddress unix_address(const std::string& text, const std::string& path);
SocketAddress tcp_address(const std::string& text, const std::string& place);

/// A connected socket; waits for as long as `patience` for somebody to listen. Throws NoDevice.
Descriptor connected(const SocketAddress& address, std::chrono::milliseconds patience);

/// A file by its device and inode.
using FileId = std::pair<dev_t, ino_t>;

/// A socket that listens. Throws InputError where it cannot. At a path it replaces the socket of a device
/// that is gone and no other file, and in the end removes its own socket only.
class ListeningSocket {
  public:
    explicit ListeningSocket(const SocketAddress& address);
    ListeningSocket(const ListeningSocket&) = delete;
    ListeningSocket& operator=(const ListeningSocket&) = delete;
    ~ListeningSocket();
    Descriptor accept() const;
    /// Whether accept() need not wait.
    bool has_come() const;

  private:
    SocketAddress address_;
    Descriptor socket_;
    std::optional<FileId> bound_;  ///< the socket at a path
};

std::unique_ptr<Channel> socket_channel(Descriptor socket);
/// Over a connected Unix socket: shared memory, made by the device.
std::unique_ptr<Channel> shared_channel_of_device(Descriptor socket);
std::unique_ptr<Channel> shared_channel_of_host(Descriptor socket, std::chrono::milliseconds patience);
/// `place`: PATH or PATH,BAUD. Throws InputError.
std::unique_ptr<Channel> serial_channel(const std::string& text, const std::string& place);

}  // namespace interlace
