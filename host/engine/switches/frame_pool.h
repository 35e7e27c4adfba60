// Interlace: frames that switches have
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/engine/workstations/frame.h"

namespace interlace {

/// Frames on their way, by numbers that are used again.
class FramePool {
  public:
    std::uint32_t keep(const MessageFrame& frame) {
        if (free_.empty()) {
            frames_.push_back(frame);
            return static_cast<std::uint32_t>(frames_.size() - 1);
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        frames_[number] = frame;
        return number;
    }
    MessageFrame take(std::uint32_t number) {
        free_.push_back(number);
        return frames_[number];
    }
    const MessageFrame& operator[](std::uint32_t number) const { return frames_[number]; }
    std::size_t size() const { return frames_.size(); }  ///< numbers given so far

  private:
    std::vector<MessageFrame> frames_;
    std::vector<std::uint32_t> free_;
};

}  // namespace interlace
