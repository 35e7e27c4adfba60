// Interlace: a device in another process, and how one is served there (docs/hil-protocol.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "interlace/core/ids.h"
#include "interlace/engine/device/channel.h"
#include "interlace/engine/pins/pin_device.h"

namespace interlace {

/// How long a host waits for an answer.
struct Patience {
    std::chrono::milliseconds again{500};   ///< before it asks again; then twice as long, and so on
    std::chrono::milliseconds end{10'000};  ///< before it gives up
    /// Where the device is gone: joins one that has come back, and goes on where it was; throws FellShort
    /// where none does. Empty: the run ends. Questions are kept, some 50 bytes a cycle and node: all of them,
    /// or, of a device with snapshots, those since the last.
    std::function<std::unique_ptr<Channel>()> reconnect = {};
    /// Bytes of questions and answers, and at least those of a snapshot, after which the next is asked for.
    std::size_t keep = std::size_t{1} << 20U;
};

/// What a host asks for.
struct DeviceRequest {
    NodeSizes needed;                  ///< what nodes have to be built with at least
    std::vector<std::uint32_t> nodes;  ///< by their numbers in its network
    /// (address, value) of the registers that all nodes alike will have, as common_registers() (registers.h).
    std::vector<std::pair<std::uint32_t, std::uint32_t>> settings = {};
    std::uint8_t kinds = 0;  ///< of packets that will come: bit k of kind k (docs/node.md, section 2)

    /// The value at `address` in the settings, or `otherwise`.
    std::uint32_t setting(std::uint32_t address, std::uint32_t otherwise) const {
        for (const auto& [at, value] : settings)
            if (at == address) return value;
        return otherwise;
    }
};

/// The secret that hosts and devices of this process share, of the environment variable INTERLACE_SECRET; an
/// empty one is none.
std::string shared_secret();

/// A device does not do what it is asked for: its sentence.
class DeviceRefusal : public FellShort {
  public:
    using FellShort::FellShort;
};

/// The device behind `channel`. `name` is what errors call it. Throws DeviceRefusal where it refuses,
/// FellShort where it is gone, does not answer or breaks the protocol, now and from clock().
std::unique_ptr<PinDevice> remote_device(std::unique_ptr<Channel> channel, const std::string& name,
                                         const DeviceRequest& request, const Patience& patience = {},
                                         const std::string& secret = {});

/// The device that a host asks for. An InputError refuses it.
using MakeDevice = std::function<std::unique_ptr<PinDevice>(const DeviceRequest&)>;

/// Answers one host until it says goodbye, is refused, or goes without a word: the cycles that it asked for.
/// Throws FellShort where the host is gone before that, or breaks the protocol. What the device throws is
/// told to the host first. A host has to know `secret`, where it is not empty.
std::uint64_t serve(Channel& channel, const MakeDevice& make, const std::string& secret = {});

/// Serves hosts at `address`, one after the other, or, with `once`, the first that asks for nodes; says so on
/// stderr, and the cycles of each on stdout. Throws as listen_at() and serve() do.
void serve_hosts(const std::string& address, bool once, const MakeDevice& make);

/// All that a program whose nodes are a device does: reads --listen ADDRESS and --once and serves hosts. Its
/// exit code is that of the command `interlace`.
int device_main(int argc, char** argv, const MakeDevice& make);

}  // namespace interlace
