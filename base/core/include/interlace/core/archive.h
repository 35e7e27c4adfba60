// Interlace: a state that goes to bytes, or comes from them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "interlace/core/bytes.h"

namespace interlace {

/// Takes values in turn, or gives them back in the same order: so one function that names the parts of a
/// state serves to save it and to load it, and to check it: what is loaded may be anybody's. Throws
/// BrokenBytes where there is less than is asked for. Keeps a reference.
class Archive {
  public:
    explicit Archive(ByteWriter& to) : to_(&to) {}
    explicit Archive(ByteReader& from) : from_(&from) {}
    bool loads() const { return from_ != nullptr; }

    template <class... Values>
    void operator()(Values&... values) {
        (pass(values), ...);
    }
    /// The same of one that is below `limit`: throws BrokenBytes where what is loaded is not.
    template <class T>
    void below(T& value, std::uint64_t limit) {
        pass(value);
        expect(static_cast<std::uint64_t>(value) < limit);
    }
    /// Throws BrokenBytes where what has been loaded does not hold together as a saved state does.
    void expect(bool holds) const {
        if (loads() && !holds) throw BrokenBytes();
    }
    /// Of a vector of any type: state(*this, item) for each of its items, which are made as they are loaded.
    template <class T, class State>
    void each(std::vector<T>& items, const State& state) {
        std::uint64_t count = items.size();
        pass(count);
        if (loads()) items.clear();
        for (std::uint64_t i = 0; i < count; ++i) state(*this, loads() ? items.emplace_back() : items[i]);
    }

  private:
    template <class T>
    void pass(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (loads())
            from_->get(value);
        else
            to_->put(value);
    }
    void pass(bool& value) {
        std::uint8_t byte = value ? 1 : 0;
        below(byte, 2);
        value = byte != 0;
    }
    template <class T>
    void pass(std::vector<T>& values) {
        if (loads()) {
            values.clear();
            from_->append_to(values);
        } else {
            to_->put(values);
        }
    }

    ByteWriter* to_ = nullptr;
    ByteReader* from_ = nullptr;
};

/// What state(archive) saves.
template <class State>
Bytes saved_by(const State& state) {
    ByteWriter bytes;
    Archive archive(bytes);
    state(archive);
    return bytes.take();
}
/// Lets state(archive) load it. False: there was more than it took.
template <class State>
bool load_by(const State& state, std::span<const std::uint8_t> saved) {
    const Bytes bytes(saved.begin(), saved.end());
    ByteReader left(bytes);
    Archive archive(left);
    state(archive);
    return left.at_end();
}

}  // namespace interlace
