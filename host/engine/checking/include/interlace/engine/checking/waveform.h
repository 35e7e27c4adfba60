// Interlace: pins over time, as a file for waveform viewers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/engine/fabric/fabric.h"
#include "interlace/engine/region/tokens.h"

namespace interlace {

/// Writes the output pins of some nodes cycle by cycle in the Value Change Dump format (IEEE 1364, section
/// 18), which every waveform viewer reads: a clock, and a scope for each node. A cycle takes 10 ns.
class Waveform {
  public:
    /// `scopes`: what each node is called in the file. `out` is kept by reference.
    Waveform(std::ostream& out, const std::vector<PinName>& pins, const std::vector<std::string>& scopes);
    ~Waveform();
    Waveform(const Waveform&) = delete;
    Waveform& operator=(const Waveform&) = delete;

    /// The pins of the i-th node in `cycle`; cycles ascend.
    void show(std::uint64_t cycle, std::size_t i, const Pins& pins);
    /// What decides what is written from here on, saved or loaded: not what has been written.
    void state(Archive& archive);

  private:
    void advance(std::uint64_t cycle);
    void change(std::size_t variable, std::uint32_t width, std::uint64_t value);

    std::ostream& out_;
    std::vector<PinName> pins_;
    std::vector<Pins> shown_;
    std::uint64_t cycle_ = UINT64_MAX;
};

}  // namespace interlace
