// Interlace: that a host knows a device's secret (docs/hil-protocol.md, section 6)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "interlace/engine/device/frame.h"

namespace interlace {

inline constexpr std::size_t challenge_bytes = 32, proof_bytes = 32;

/// Drawn by the system.
Bytes random_bytes(std::size_t count);
/// HMAC-SHA256 of a challenge and of hello's payload.
Bytes proof_of(const std::string& secret, const Bytes& challenge, const Bytes& hello);
/// In a time that does not tell where they differ.
bool same_proof(const Bytes& a, const Bytes& b);

}  // namespace interlace
