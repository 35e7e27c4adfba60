// Interlace: channels between a host and a device of one process, which may fail
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>

#include "interlace/core/random.h"
#include "interlace/engine/device/channel.h"

namespace interlace {

/// One direction between two ends in this process, which loses, doubles, damages and delays.
class Pipe {
  public:
    explicit Pipe(std::uint64_t seed, std::uint32_t one_in) : random_(seed), one_in_(one_in) {}

    void send(std::span<const std::uint8_t> bytes) {
        const std::lock_guard lock(mutex_);
        if (closed_) throw ChannelClosed("closed");
        Bytes piece(bytes.begin(), bytes.end());
        const std::uint32_t fate = one_in_ == 0 ? one_in_ : random_.below(one_in_);
        if (one_in_ != 0 && fate == 0) return;  // lost
        if (fate == 1) pieces_.push_back(piece);
        if (fate == 2) piece[random_.below(static_cast<std::uint32_t>(piece.size()))] ^= 64;
        if (fate == 3)
            pieces_.push_front(piece);
        else
            pieces_.push_back(piece);
        came_.notify_one();
    }
    Bytes receive(std::chrono::milliseconds patience) {
        std::unique_lock lock(mutex_);
        came_.wait_for(lock, patience, [&] { return !pieces_.empty() || closed_; });
        if (pieces_.empty() && closed_) throw ChannelClosed("closed");
        if (pieces_.empty()) return {};
        Bytes piece = pieces_.front();
        pieces_.pop_front();
        return piece;
    }
    bool lossless() const { return one_in_ == 0; }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        came_.notify_one();
    }

  private:
    std::mutex mutex_;
    std::condition_variable came_;
    std::deque<Bytes> pieces_;
    bool closed_ = false;
    Draws random_;
    std::uint32_t one_in_;
};

class PipeChannel final : public Channel {
  public:
    PipeChannel(Pipe& out, Pipe& in) : out_(out), in_(in) {}
    ~PipeChannel() override {
        out_.close();
        in_.close();
    }
    bool lossless() const override { return out_.lossless() && in_.lossless(); }
    void send(std::span<const std::uint8_t> bytes) override { out_.send(bytes); }
    Bytes receive(std::chrono::milliseconds patience) override { return in_.receive(patience); }

  private:
    Pipe& out_;
    Pipe& in_;
};

}  // namespace interlace
