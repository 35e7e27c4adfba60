// Interlace: streams of bytes between a host and a device
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>

#include "interlace/core/error.h"
#include "interlace/engine/device/frame.h"

namespace interlace {

/// The other side is gone.
class ChannelClosed : public FellShort {
  public:
    using FellShort::FellShort;
};

/// At an address there is nobody, or nobody who lets this host in: so it will be with every other run.
class NoDevice : public FellShort {
  public:
    using FellShort::FellShort;
};

class Channel {
  public:
    Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    virtual ~Channel() = default;

    /// Nothing is lost on it: what is not answered need not be asked again.
    virtual bool lossless() const { return true; }
    /// Throws ChannelClosed, also where the other side takes nothing for ten seconds.
    virtual void send(std::span<const std::uint8_t> bytes) = 0;
    /// What comes within `patience`, as soon as anything does: nothing if nothing does. Throws ChannelClosed.
    virtual Bytes receive(std::chrono::milliseconds patience) = 0;
};

/// Where devices listen, an address as in unix:/tmp/dut.
class Listener {
  public:
    virtual ~Listener() = default;
    /// The next host, as soon as one comes.
    virtual std::unique_ptr<Channel> accept() = 0;
    /// A host that has come already; nullptr: none has.
    virtual std::unique_ptr<Channel> accept_now() = 0;
};

/// Addresses: docs/hil-protocol.md, section 1. Throws InputError for one that is none, that cannot be had, or
/// that other machines reach while the device has no secret.
std::unique_ptr<Listener> listen_at(const std::string& address, bool has_secret = false);
/// Waits for as long as `patience` for somebody to listen. Throws InputError for an address that is none,
/// NoDevice where nobody listens.
std::unique_ptr<Channel> connect_to(const std::string& address, std::chrono::milliseconds patience);

}  // namespace interlace
