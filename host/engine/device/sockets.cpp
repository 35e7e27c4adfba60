// Interlace: channels that are sockets
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>

#include "interlace/core/text.h"
#include "transports.h"

namespace interlace {
namespace {

using std::chrono::milliseconds;

class SocketChannel final : public Channel {
  public:
    explicit SocketChannel(Descriptor socket) : socket_(std::move(socket)) {
        const timeval longest{.tv_sec = max_silence.count(), .tv_usec = 0};
        ::setsockopt(socket_.number(), SOL_SOCKET, SO_SNDTIMEO, &longest, sizeof(longest));
        const int keeps = 1;  // a host of TCP that has lost its power
        ::setsockopt(socket_.number(), SOL_SOCKET, SO_KEEPALIVE, &keeps, sizeof(keeps));
    }

    void send(std::span<const std::uint8_t> bytes) override {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) continue;
            if (sent < 0 && errno == EAGAIN) throw ChannelClosed("the other side accepts no more bytes");
            if (sent < 0) throw ChannelClosed(system_reason());
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
        if (came < 0) throw ChannelClosed(system_reason());
        if (came == 0) throw ChannelClosed("the other side closed the connection");
        return {buffer_.begin(), buffer_.begin() + came};
    }

    Bytes buffer_ = Bytes(std::size_t{1} << 16U);
    Descriptor socket_;
};

bool is_loopback(const sockaddr_storage& name) {
    if (name.ss_family == AF_INET)
        return ntohl(reinterpret_cast<const sockaddr_in&>(name).sin_addr.s_addr) >> 24U == 127;
    return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(name).sin6_addr) != 0;
}

/// One attempt, which ends by then; errno says why it has failed.
bool connects(const Descriptor& socket, const SocketAddress& address,
              std::chrono::steady_clock::time_point until) {
    const int flags = ::fcntl(socket.number(), F_GETFL);
    ::fcntl(socket.number(), F_SETFL, flags | O_NONBLOCK);
    if (::connect(socket.number(), address.generic(), address.length) != 0) {
        if (errno != EINPROGRESS) return false;
        const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
        pollfd waiting{.fd = socket.number(), .events = POLLOUT, .revents = 0};
        int error = ETIMEDOUT;
        socklen_t length = sizeof(error);
        if (::poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0))) > 0)
            ::getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &length);
        errno = error;
        if (error != 0) return false;
    }
    ::fcntl(socket.number(), F_SETFL, flags);
    return true;
}

const char* path_of(const SocketAddress& address) {
    return reinterpret_cast<const sockaddr_un&>(address.name).sun_path;
}

/// Something is at `path` that is no socket. A link is one of these, whatever it leads to.
bool is_another_file(const char* path) {
    struct stat found {};
    return ::lstat(path, &found) == 0 && !S_ISSOCK(found.st_mode);
}

/// The device and inode of the socket at `path`, if there is one.
std::optional<FileId> socket_file(const char* path) {
    struct stat found {};
    if (::lstat(path, &found) != 0 || !S_ISSOCK(found.st_mode)) return std::nullopt;
    return FileId{found.st_dev, found.st_ino};
}

}  // namespace

std::string system_reason() {
    return std::generic_category().message(errno);
}

Descriptor::~Descriptor() {
    if (number_ >= 0) ::close(number_);
}

Descriptor SocketAddress::socket() const {
    return Descriptor(::socket(name.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

SocketAddress unix_address(const std::string& text, const std::string& path) {
    sockaddr_un name{};
    if (path.size() >= sizeof(name.sun_path))
        throw InputError("cannot use address '" + text + "'",
                         fmt::format("a path of at most {} bytes", sizeof(name.sun_path) - 1));
    name.sun_family = AF_UNIX;
    std::memcpy(name.sun_path, path.c_str(), path.size() + 1);
    SocketAddress address{.text = text, .length = sizeof(name)};
    std::memcpy(&address.name, &name, sizeof(name));
    return address;
}

SocketAddress tcp_address(const std::string& text, const std::string& place) {
    const std::size_t colon = place.rfind(':');
    std::string host = colon == std::string::npos ? "127.0.0.1" : place.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);  // IPv6
    const std::string port = place.substr(colon + 1);
    try {
        parse_integer(port, "port", 0, 65'535);
    } catch (const InputError&) {
        throw InputError("cannot use address '" + text + "'",
                         "tcp:PORT or tcp:HOST:PORT with a port up to 65535, as in tcp:5000");
    }
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
        error != 0 || found == nullptr)
        throw InputError(fmt::format("cannot use address '{}' ({})", text, ::gai_strerror(error)),
                         "tcp:PORT or tcp:HOST:PORT, as in tcp:5000");
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> kept(found, ::freeaddrinfo);
    // Of localhost and the like that of IPv4, which tcp:PORT is, too.
    for (addrinfo* other = found; other != nullptr; other = other->ai_next)
        if (other->ai_family == AF_INET) {
            found = other;
            break;
        }
    SocketAddress address{.text = text, .length = found->ai_addrlen};
    std::memcpy(&address.name, found->ai_addr, found->ai_addrlen);
    address.loopback = is_loopback(address.name);
    return address;
}

Descriptor connected(const SocketAddress& address, milliseconds patience) {
    constexpr milliseconds between(20);
    const auto until = std::chrono::steady_clock::now() + patience;
    while (true) {
        Descriptor socket = address.socket();
        if (connects(socket, address, until)) {
            const int at_once = 1;  // an answer to a small frame is waited for; not of Unix sockets
            ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
            return socket;
        }
        if (std::chrono::steady_clock::now() >= until)
            throw NoDevice(fmt::format("no device listens at {} ({})", address.text, system_reason()));
        std::this_thread::sleep_for(between);
    }
}

ListeningSocket::ListeningSocket(const SocketAddress& address)
    : address_(address), socket_(address.socket()) {
    const bool file = address.name.ss_family == AF_UNIX;
    if (file && is_another_file(path_of(address)))
        throw InputError("cannot use address '" + address.text + "', which is an existing file",
                         "a path that does not exist, or the socket of a device that has exited");
    if (const Descriptor other = address.socket();
        ::connect(other.number(), address.generic(), address.length) == 0)
        throw InputError("cannot use address '" + address.text + "'", "an address without a listener");
    else if (file && errno == ECONNREFUSED)  // of a device that was killed
        ::unlink(path_of(address));
    const int again = 1;
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_REUSEADDR, &again, sizeof(again));
    if (::bind(socket_.number(), address.generic(), address.length) != 0 ||
        ::listen(socket_.number(), 128) != 0)
        throw InputError("cannot use address '" + address.text + "' (" + system_reason() + ")",
                         file ? "a path that can be written" : "an address of this machine");
    if (file) bound_ = socket_file(path_of(address));
}

ListeningSocket::~ListeningSocket() {
    if (bound_ && socket_file(path_of(address_)) == bound_) ::unlink(path_of(address_));
}

Descriptor ListeningSocket::accept() const {
    while (true) {
        Descriptor host(::accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC));
        if (host.number() < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
        if (host.number() < 0) throw FellShort("accept: " + system_reason());
        const int at_once = 1;
        ::setsockopt(host.number(), IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
        return host;
    }
}

bool ListeningSocket::has_come() const {
    pollfd waiting{.fd = socket_.number(), .events = POLLIN, .revents = 0};
    return ::poll(&waiting, 1, 0) > 0;
}

std::unique_ptr<Channel> socket_channel(Descriptor socket) {
    return std::make_unique<SocketChannel>(std::move(socket));
}

}  // namespace interlace
