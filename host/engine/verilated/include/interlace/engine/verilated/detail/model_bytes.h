// Interlace: the state of Verilated models as bytes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_save.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "interlace/core/error.h"

namespace interlace::detail {

/// A model that was Verilated with --savable.
template <class Model>
inline constexpr bool is_savable = requires(VerilatedSerialize& out, VerilatedDeserialize& in, Model& m) {
    out << m;
    in >> m;
};

/// Takes what models put into it.
class StateWriter final : public VerilatedSerialize {
  public:
    void flush() override {
        bytes_.insert(bytes_.end(), m_bufp, m_cp);
        m_cp = m_bufp;
    }
    std::vector<std::uint8_t> bytes() {
        flush();
        return std::move(bytes_);
    }

  private:
    std::vector<std::uint8_t> bytes_;
};

/// Gives it back. Models of another kind end the program, as Verilator has it.
class StateReader final : public VerilatedDeserialize {
  public:
    explicit StateReader(std::span<const std::uint8_t> bytes) : left_(bytes) { m_endp = m_bufp; }
    void fill() override {
        check();
        const auto kept = static_cast<std::size_t>(m_endp - m_cp);
        std::copy(m_cp, m_endp, m_bufp);
        const std::size_t taken = std::min(bufferSize() - kept, left_.size());
        std::copy_n(left_.begin(), taken, m_bufp + kept);
        left_ = left_.subspan(taken);
        m_cp = m_bufp;
        m_endp = m_bufp + kept + taken;
    }
    /// Throws FellShort unless exactly all was taken.
    void finish() const {
        check();
        if (m_cp != m_endp || !left_.empty()) throw FellShort("a snapshot of other nodes");
    }

  private:
    void check() const {
        if (m_cp > m_endp) throw FellShort("a truncated snapshot");
    }
    std::span<const std::uint8_t> left_;
};

}  // namespace interlace::detail
