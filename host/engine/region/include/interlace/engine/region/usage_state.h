// Interlace: what regions have counted, in a state
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/core/archive.h"
#include "interlace/engine/region/usage.h"

namespace interlace {

/// Saves it, or what was saved instead of it.
inline Usage usage_state(const Usage& usage, Archive& archive) {
    ByteWriter writer;
    usage.write(writer);
    Bytes bytes = writer.take();
    archive(bytes);
    ByteReader reader(bytes);
    return Usage::read(reader);
}

}  // namespace interlace
