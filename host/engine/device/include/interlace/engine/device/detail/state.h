// Interlace: the state of objects as bytes, and back: for snapshots, which only their own program reads
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "interlace/core/error.h"

namespace interlace::detail {

// Objects with state have `template <class State> void state(State& state)`, which calls `state(member)` for
// each member that is a number, a plain structure, or a container of these or of such objects, and
// `state.fixed(member)` for a container that always has so many.

class SaveState {
  public:
    static constexpr bool loads = false;
    template <class Value>
    void operator()(Value& value) {
        if constexpr (std::is_trivially_copyable_v<Value>) {
            const auto* from = reinterpret_cast<const std::uint8_t*>(&value);
            bytes.insert(bytes.end(), from, from + sizeof(value));
        } else if constexpr (requires { value.state(*this); }) {
            value.state(*this);
        } else {
            std::uint64_t size = value.size();
            (*this)(size);
            for (auto& item : value) (*this)(item);
        }
    }
    template <class Container>
    void fixed(Container& container) {
        (*this)(container);
    }
    std::vector<std::uint8_t> bytes;
};

class LoadState {
  public:
    static constexpr bool loads = true;
    explicit LoadState(std::span<const std::uint8_t> bytes) : left_(bytes) {}
    /// Throws FellShort where there is not so much.
    template <class Value>
    void operator()(Value& value) {
        if constexpr (std::is_trivially_copyable_v<Value>) {
            if (left_.size() < sizeof(value)) throw FellShort("a truncated snapshot");
            std::copy_n(left_.begin(), sizeof(value), reinterpret_cast<std::uint8_t*>(&value));
            left_ = left_.subspan(sizeof(value));
        } else if constexpr (requires { value.state(*this); }) {
            value.state(*this);
        } else {
            std::uint64_t size = 0;
            (*this)(size);
            if (size > left_.size()) throw FellShort("a truncated snapshot");
            value.clear();
            for (; size > 0; --size) (*this)(value.emplace_back());
        }
    }
    /// Throws FellShort where there were more or fewer.
    template <class Container>
    void fixed(Container& container) {
        std::uint64_t size = 0;
        (*this)(size);
        if (container.size() != size) throw FellShort("a snapshot of other nodes");
        for (auto& item : container) (*this)(item);
    }
    std::span<const std::uint8_t> left() const { return left_; }

  private:
    std::span<const std::uint8_t> left_;
};

}  // namespace interlace::detail
