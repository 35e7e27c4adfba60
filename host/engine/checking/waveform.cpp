// Interlace: pins over time, as a file for waveform viewers
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/checking/waveform.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

namespace interlace {
namespace {

constexpr std::uint64_t period = 10;  // nanoseconds

/// The short name of a variable: printable characters, as the format has it. 0 is the clock.
std::string code(std::size_t variable) {
    constexpr std::size_t first = '!';
    constexpr std::size_t count = '~' - '!' + 1;
    std::string text;
    do {
        text += static_cast<char>(first + variable % count);
        variable /= count;
    } while (variable != 0);
    return text;
}

/// A viewer takes brackets for a choice of bits and dots for scopes.
std::string plain(std::string name) {
    std::erase(name, ']');
    for (char& c : name)
        if (c == '[' || c == '.') c = '_';
    return name;
}

}  // namespace

Waveform::Waveform(std::ostream& out, const std::vector<PinName>& pins,
                   const std::vector<std::string>& scopes)
    : out_(out), pins_(pins), shown_(scopes.size()) {
    fmt::print(out, "$timescale 1ns $end\n$var wire 1 {} clk_i $end\n", code(0));
    std::size_t variable = 1;
    for (const std::string& scope : scopes) {
        fmt::print(out, "$scope module {} $end\n", scope);
        for (const PinName& pin : pins)
            fmt::print(out, "$var wire {} {} {} $end\n", pin.width, code(variable++), plain(pin.name));
        fmt::print(out, "$upscope $end\n");
    }
    fmt::print(out, "$enddefinitions $end\n");
}

Waveform::~Waveform() {
    if (cycle_ != UINT64_MAX) advance(cycle_ + 1);
}

void Waveform::show(std::uint64_t cycle, std::size_t i, const Pins& pins) {
    if (cycle != cycle_) advance(cycle);
    Pins& before = shown_[i];
    const bool first = before.empty();
    for (std::size_t p = 0; p < pins.size(); ++p)
        if (first || pins[p] != before[p]) change(1 + i * pins_.size() + p, pins_[p].width, pins[p]);
    before = pins;
}

void Waveform::state(Archive& archive) {
    for (Pins& pins : shown_) {
        archive(pins);
        archive.expect(pins.empty() || pins.size() == pins_.size());
    }
    archive(cycle_);
}

/// The clock falls in the middle of the last cycle and rises at the beginning of this.
void Waveform::advance(std::uint64_t cycle) {
    if (cycle_ != UINT64_MAX) fmt::print(out_, "#{}\n0{}\n", cycle_ * period + period / 2, code(0));
    fmt::print(out_, "#{}\n1{}\n", cycle * period, code(0));
    cycle_ = cycle;
}

void Waveform::change(std::size_t variable, std::uint32_t width, std::uint64_t value) {
    if (width == 1)
        fmt::print(out_, "{}{}\n", value, code(variable));
    else
        fmt::print(out_, "b{:b} {}\n", value, code(variable));
}

}  // namespace interlace
