// Interlace: what a region connects to the pins of its SystemC nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "interlace/systemc/pins.h"

namespace interlace::detail {

/// Carries a value between a pin and the region. What is written is there at once, and nobody is told: that
/// is enough where one end is a process and the other is the region, which comes and goes between the
/// kernel's cycles, and saves the requests, comparisons and copies of sc_signal.
template <class Value>
class WireOf : public sc_core::sc_signal_inout_if<Value> {
  public:
    Value value{};

    const Value& read() const override { return value; }
    const Value& get_data_ref() const override { return value; }
    void write(const Value& next) override { systemc::copy_bits(value, next); }
    bool event() const override { return false; }
    const sc_core::sc_event& value_changed_event() const override { return this->default_event(); }
};

template <class Value>
class Wire final : public WireOf<Value> {};

template <>
class Wire<bool> : public WireOf<bool> {
  public:
    bool posedge() const override { return false; }
    bool negedge() const override { return false; }
    const sc_core::sc_event& posedge_event() const override { return default_event(); }
    const sc_core::sc_event& negedge_event() const override { return default_event(); }
};

/// A clock that rises when it is told to: in the first delta cycle of the coming sc_start. Nobody is told
/// that it falls.
class Clock final : public Wire<bool> {
  public:
    const sc_core::sc_event& posedge_event() const override { return rising_; }
    void rise() {
        value = true;
        rising_.notify(sc_core::SC_ZERO_TIME);
    }

  private:
    sc_core::sc_event rising_;
};

}  // namespace interlace::detail
