// Interlace: a queue that grows to what it once had to hold
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

namespace interlace::systemc {

/// First in, first out. An entry keeps its position from push to pop, so that several branches of a packet
/// can read it at their own pace (docs/node.md, section 4).
template <class Entry>
class Queue {
  public:
    bool empty() const { return read_ == write_; }
    std::uint32_t size() const { return write_ - read_; }
    /// The positions of the oldest entry and of the next to come; they wrap at 2^32.
    std::uint32_t begin() const { return read_; }
    std::uint32_t end() const { return write_; }
    const Entry& at(std::uint32_t position) const { return ring_[position & mask_]; }
    const Entry& front() const { return at(read_); }

    void push(const Entry& entry) {
        if (size() > mask_) grow();
        ring_[write_++ & mask_] = entry;
    }
    void pop(std::uint32_t count = 1) { read_ += count; }
    void clear() { read_ = write_ = 0; }

    /// state(value), of plain values, saves them or loads them.
    template <class State>
    void state(State& state) {
        std::uint32_t end = write_;
        state(read_, end);
        write_ = read_;
        while (write_ != end) {
            Entry entry = at(write_);
            state(entry);
            push(entry);
        }
    }

  private:
    void grow() {
        const std::uint32_t mask = 2 * mask_ + 1;
        auto larger = std::make_unique<Entry[]>(std::size_t{mask} + 1);
        for (std::uint32_t i = read_; i != write_; ++i) larger[i & mask] = at(i);
        ring_ = std::move(larger);
        mask_ = mask;
    }

    static constexpr std::uint32_t at_first = 8;  // a power of two, as every size

    std::uint32_t mask_ = at_first - 1;  // one less than the ring's size
    std::uint32_t read_ = 0, write_ = 0;
    std::unique_ptr<Entry[]> ring_ = std::make_unique<Entry[]>(at_first);
};

}  // namespace interlace::systemc
