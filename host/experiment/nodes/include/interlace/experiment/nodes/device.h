// Interlace: nodes of an engine as a device for hosts in other processes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "interlace/engine/device/remote_device.h"

namespace interlace {

/// A device that does not fit a run, as it says itself before the run begins: its sentence.
class NotBuiltForIt : public FellShort {
  public:
    using FellShort::FellShort;
};

/// Nodes of `engine` (rtl or systemc) as a host asks for them. Throws InputError for an engine that is none
/// or was not built, and for nodes that none is built as.
std::unique_ptr<PinDevice> make_device(const std::string& engine, const DeviceRequest& request);

}  // namespace interlace
