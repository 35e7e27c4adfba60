// Interlace: values as bytes, for another process of the same program
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace interlace {

using Bytes = std::vector<std::uint8_t>;

/// What cannot be read as what was expected.
class BrokenBytes : public std::exception {
  public:
    const char* what() const noexcept override { return "bytes that are not what they should be"; }
};

/// Writes values one behind the other, as this machine keeps them in memory.
class ByteWriter {
  public:
    template <class T>
    void put(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        put(&value, 1);
    }
    /// Their number first.
    template <class T>
    void put(const std::vector<T>& values) {
        put(std::uint64_t{values.size()});
        put(values.data(), values.size());
    }
    void put(const std::string& text) {
        put(std::uint64_t{text.size()});
        put(text.data(), text.size());
    }
    Bytes take() { return std::move(bytes_); }

  private:
    template <class T>
    void put(const T* values, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        const std::size_t before = bytes_.size();
        bytes_.resize(before + count * sizeof(T));
        if (count != 0) std::memcpy(bytes_.data() + before, values, count * sizeof(T));
    }
    Bytes bytes_;
};

/// Reads what a ByteWriter wrote, in the same order. Throws BrokenBytes where there is less of it. Keeps a
/// reference.
class ByteReader {
  public:
    explicit ByteReader(const Bytes& bytes) : bytes_(bytes) {}
    bool at_end() const { return read_ == bytes_.size(); }

    template <class T>
    void get(T& value) {
        get(&value, 1);
    }
    /// Behind what `values` has.
    template <class T>
    void append_to(std::vector<T>& values) {
        const std::size_t before = values.size();
        values.resize(before + count(sizeof(T)));
        get(values.data() + before, values.size() - before);
    }
    std::string get_text() {
        std::string text(count(1), '\0');
        get(text.data(), text.size());
        return text;
    }

  private:
    std::size_t count(std::size_t size) {
        std::uint64_t count = 0;
        get(count);
        if (count > (bytes_.size() - read_) / size) throw BrokenBytes();
        return count;
    }
    template <class T>
    void get(T* values, std::size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (count > (bytes_.size() - read_) / sizeof(T)) throw BrokenBytes();
        if (count != 0) std::memcpy(values, bytes_.data() + read_, count * sizeof(T));
        read_ += count * sizeof(T);
    }
    const Bytes& bytes_;
    std::size_t read_ = 0;
};

}  // namespace interlace
