// Interlace: the state of Verilated models as bytes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_save.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "interlace/core/archive.h"
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

/// Saves the model's state, its pins' included, or loads it. Throws FellShort where it is of another model.
template <class Model>
void model_state(Model& model, Archive& archive) {
    StateWriter own;
    own << model;
    Bytes bytes = own.bytes();
    const std::size_t size = bytes.size();
    archive(bytes);
    if (!archive.loads()) return;
    if (bytes.size() != size) throw FellShort("a snapshot of other nodes");
    StateReader in(bytes);
    in >> model;
    in.finish();
}

}  // namespace interlace::detail
