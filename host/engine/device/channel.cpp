// Interlace: streams of bytes between a host and a device, by their addresses
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/device/channel.h"

#include <fmt/format.h>

#include "transports.h"

namespace interlace {
namespace {

using std::chrono::milliseconds;

constexpr const char* schemes =
    "unix:PATH, tcp:PORT, tcp:HOST:PORT, shm:PATH or serial:PATH, as in unix:/tmp/device";

struct Address {
    explicit Address(const std::string& written)
        : text(written), scheme(written.substr(0, written.find(':'))) {
        if (scheme.size() + 1 < text.size()) place = text.substr(scheme.size() + 1);
        if (place.empty()) throw none();
    }
    InputError none() const { return InputError("cannot use address '" + text + "'", schemes); }
    std::string text, scheme, place;
};

using MakeChannel = std::unique_ptr<Channel> (*)(Descriptor);

class SocketListener final : public Listener {
  public:
    SocketListener(const SocketAddress& address, MakeChannel make) : socket_(address), make_(make) {}
    std::unique_ptr<Channel> accept() override { return make_(socket_.accept()); }
    std::unique_ptr<Channel> accept_now() override {
        return socket_.has_come() ? make_(socket_.accept()) : nullptr;
    }

  private:
    ListeningSocket socket_;
    MakeChannel make_;
};

class SerialListener final : public Listener {
  public:
    explicit SerialListener(const Address& address) : address_(address), line_(open()) {}
    std::unique_ptr<Channel> accept() override { return line_ ? std::move(line_) : open(); }
    std::unique_ptr<Channel> accept_now() override { return nullptr; }

  private:
    std::unique_ptr<Channel> open() const { return serial_channel(address_.text, address_.place); }
    Address address_;
    std::unique_ptr<Channel> line_;  // opened at once, so that a wrong address is told of at once
};

std::unique_ptr<Listener> listen_tcp(const Address& address, bool has_secret) {
    const SocketAddress place = tcp_address(address.text, address.place);
    if (!place.loopback && !has_secret)
        throw InputError(
            "cannot use address '" + address.text + "', which other machines reach, without a secret",
            "one in INTERLACE_SECRET, or a loopback address as tcp:5000 is");
    return std::make_unique<SocketListener>(place, socket_channel);
}

}  // namespace

std::unique_ptr<Listener> listen_at(const std::string& text, bool has_secret) {
    const Address address(text);
    if (address.scheme == "unix")
        return std::make_unique<SocketListener>(unix_address(text, address.place), socket_channel);
    if (address.scheme == "shm")
        return std::make_unique<SocketListener>(unix_address(text, address.place), shared_channel_of_device);
    if (address.scheme == "tcp") return listen_tcp(address, has_secret);
    if (address.scheme == "serial") return std::make_unique<SerialListener>(address);
    throw address.none();
}

std::unique_ptr<Channel> connect_to(const std::string& text, milliseconds patience) {
    const Address address(text);
    if (address.scheme == "unix")
        return socket_channel(connected(unix_address(text, address.place), patience));
    if (address.scheme == "shm")
        return shared_channel_of_host(connected(unix_address(text, address.place), patience), patience);
    if (address.scheme == "tcp") return socket_channel(connected(tcp_address(text, address.place), patience));
    if (address.scheme == "serial") return serial_channel(text, address.place);
    throw address.none();
}

}  // namespace interlace
