// Interlace: streams of bytes between a host and a device: Unix sockets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/device/channel.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

namespace interlace {
namespace {

using std::chrono::milliseconds;

std::string reason() {
    return std::generic_category().message(errno);
}

/// A file descriptor of this process, closed with it.
class Descriptor {
  public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    int number() const { return number_; }

  private:
    int number_;
};

class SocketChannel final : public Channel {
  public:
    explicit SocketChannel(Descriptor socket) : socket_(std::move(socket)) {}

    void send(std::span<const std::uint8_t> bytes) override {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) continue;
            if (sent < 0) throw ChannelClosed(reason());
            bytes = bytes.subspan(static_cast<std::size_t>(sent));
        }
    }

    Bytes receive(milliseconds patience) override {
        // An answer mostly comes sooner than a process is woken up again.
        constexpr std::chrono::microseconds awake(50);
        const auto until = std::chrono::steady_clock::now() + awake;
        do {
            if (Bytes bytes = what_came(); !bytes.empty()) return bytes;
            std::this_thread::yield();
        } while (std::chrono::steady_clock::now() < until);
        pollfd waiting{.fd = socket_.number(), .events = POLLIN, .revents = 0};
        ::poll(&waiting, 1, static_cast<int>(patience.count()));
        return what_came();
    }

  private:
    Bytes what_came() {
        const ssize_t came = ::recv(socket_.number(), buffer_.data(), buffer_.size(), MSG_DONTWAIT);
        if (came < 0 && (errno == EINTR || errno == EAGAIN)) return {};
        if (came < 0) throw ChannelClosed(reason());
        if (came == 0) throw ChannelClosed("the other side closed the connection");
        return {buffer_.begin(), buffer_.begin() + came};
    }

    Bytes buffer_ = Bytes(std::size_t{1} << 16U);
    Descriptor socket_;
};

/// A socket and its address.
struct UnixSocket {
    explicit UnixSocket(const std::string& address) {
        constexpr std::string_view prefix = "unix:";
        path = address.starts_with(prefix) ? address.substr(prefix.size()) : "";
        if (path.empty()) throw InputError("address '" + address + "'", "unix:PATH, as in unix:/tmp/device");
        if (path.size() >= sizeof(name.sun_path))
            throw InputError("address '" + address + "'",
                             fmt::format("a path of at most {} bytes", sizeof(name.sun_path) - 1));
        name.sun_family = AF_UNIX;
        std::memcpy(name.sun_path, path.c_str(), path.size() + 1);
        renew();
    }
    void renew() { socket = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }
    bool connects() { return ::connect(socket.number(), generic(), sizeof(name)) == 0; }
    const sockaddr* generic() const { return reinterpret_cast<const sockaddr*>(&name); }

    std::string path;
    sockaddr_un name{};
    Descriptor socket;
};

class UnixListener final : public Listener {
  public:
    explicit UnixListener(const std::string& address) : at_(address) {
        // What a device that was killed left behind is in the way of the next one.
        if (UnixSocket other(address); other.connects())
            throw InputError("address '" + address + "'", "one at which nobody listens yet");
        else if (errno == ECONNREFUSED)
            ::unlink(at_.path.c_str());
        if (::bind(at_.socket.number(), at_.generic(), sizeof(at_.name)) != 0 ||
            ::listen(at_.socket.number(), 1) != 0)
            throw InputError("address '" + address + "' (" + reason() + ")", "a path that can be written");
    }
    ~UnixListener() override { ::unlink(at_.path.c_str()); }

    std::unique_ptr<Channel> accept() override {
        while (true) {
            Descriptor host(::accept4(at_.socket.number(), nullptr, nullptr, SOCK_CLOEXEC));
            if (host.number() >= 0) return std::make_unique<SocketChannel>(std::move(host));
            if (errno != EINTR && errno != ECONNABORTED) throw FellShort("accept: " + reason());
        }
    }

  private:
    UnixSocket at_;
};

}  // namespace

std::unique_ptr<Listener> listen_at(const std::string& address) {
    return std::make_unique<UnixListener>(address);
}

std::unique_ptr<Channel> connect_to(const std::string& address, milliseconds patience) {
    constexpr milliseconds between(20);
    UnixSocket to(address);
    const auto until = std::chrono::steady_clock::now() + patience;
    while (!to.connects()) {
        if (std::chrono::steady_clock::now() >= until)
            throw FellShort(fmt::format("no device listens at {} ({})", address, reason()));
        std::this_thread::sleep_for(between);
        to.renew();
    }
    return std::make_unique<SocketChannel>(std::move(to.socket));
}

}  // namespace interlace
