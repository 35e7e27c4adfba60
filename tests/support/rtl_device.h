// Interlace: Verilated nodes as a device to be served
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "interlace/engine/device/remote_device.h"
#include "interlace/engine/verilated/verilated.h"

namespace interlace::test {

/// As many as the host asks for.
inline std::unique_ptr<PinDevice> rtl_device(const DeviceRequest& request) {
    return verilated_device(request.needed.ports, request.needed.pipeline, request.nodes.size());
}

}  // namespace interlace::test
