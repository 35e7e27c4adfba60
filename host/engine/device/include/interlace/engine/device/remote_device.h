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
#include "interlace/engine/pin_device.h"

namespace interlace {

/// How long a host waits for an answer.
struct Patience {
    std::chrono::milliseconds again{500};   ///< before it asks again; then twice as long, and so on
    std::chrono::milliseconds end{10'000};  ///< before it gives up
};

/// The device behind `channel`, as `nodes`, which have to be built at least as `needed` says. `name` is what
/// errors call it. Throws FellShort where it refuses, is gone, does not answer or breaks the protocol, now
/// and from clock().
std::unique_ptr<PinDevice> remote_device(std::unique_ptr<Channel> channel, const std::string& name,
                                         const NodeSizes& needed, const std::vector<NodeId>& nodes,
                                         Patience patience = {});

/// What a host asks for: nodes by their numbers in its network, built at least so.
struct DeviceRequest {
    NodeSizes needed;
    std::vector<std::uint32_t> nodes;
};

/// The device that a host asks for. An InputError refuses it.
using MakeDevice = std::function<std::unique_ptr<PinDevice>(const DeviceRequest&)>;

/// Answers one host until it says goodbye, is refused, or goes without a word: the cycles that it asked for.
/// Throws FellShort where the host is gone before that, or breaks the protocol. What the device throws is
/// told to the host first.
std::uint64_t serve(Channel& channel, const MakeDevice& make);

/// Serves hosts at `address`, one after the other, or, with `once`, the first; says so on stderr, and the
/// cycles of each on stdout. Throws as listen_at() and serve() do.
void serve_hosts(const std::string& address, bool once, const MakeDevice& make);

/// All that a program whose nodes are a device does: reads --listen ADDRESS and --once and serves hosts. Its
/// exit code is that of the command `interlace`.
int device_main(int argc, char** argv, const MakeDevice& make);

}  // namespace interlace
