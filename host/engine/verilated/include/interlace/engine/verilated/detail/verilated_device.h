// Interlace: Verilated nodes as a device
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "interlace/engine/pins/detail/model_device.h"
#include "interlace/engine/verilated/detail/model_bytes.h"
#include "interlace/engine/verilated/detail/verilated_nodes.h"

namespace interlace::detail {

/// `sizes`: what they are built with.
template <class Model>
class VerilatedDevice final : public PinDevice {
  public:
    VerilatedDevice(const NodeSizes& sizes, std::size_t count, std::uint32_t silent_cycles = 0)
        : sizes_(sizes), silent_cycles_(silent_cycles), model_(count) {}
    NodeSizes sizes() const override { return sizes_; }
    DeviceTraits traits() const override {
        return {.silent_cycles = silent_cycles_,
                .registers = has_registers<Model>,
                .snapshots = is_savable<Model>};
    }
    std::vector<std::uint8_t> snapshot() override {
        StateWriter out;
        if constexpr (is_savable<Model>)
            for (std::size_t n = 0; n < model_.size(); ++n) out << model_[n];
        return out.bytes();
    }
    void restore(std::span<const std::uint8_t> snapshot) override {
        // A model's state begins with a number that is its module's; Verilator ends the program at another.
        constexpr std::size_t number = 8;
        const std::vector<std::uint8_t> own = this->snapshot();
        if (snapshot.size() != own.size() || !std::equal(own.begin(), own.begin() + number, snapshot.begin()))
            throw FellShort("a snapshot of other nodes");
        StateReader in(snapshot);
        if constexpr (is_savable<Model>)
            for (std::size_t n = 0; n < model_.size(); ++n) in >> model_[n];
        in.finish();
    }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        for (const std::uint32_t n : awake) {
            show_inputs(pins[n], sizes_, model_[n]);
            model_.clock(n);
            read_outputs(model_[n], sizes_, pins[n]);
        }
    }

    /// What its nodes say that they are. Throws FellShort where that is none of docs/node.md, or no device of
    /// this protocol can be it.
    static NodeSizes sizes_of_registers() {
        VerilatedNodes<Model> nodes(1);
        return read_sizes([&](const PinImage& pins) {
            set(nodes[0].rst_ni, 0, 1, pins.rst_ni);
            set(nodes[0].clk_en_i, 0, 1, pins.clk_en_i);
            set(nodes[0].cfg_read_i, 0, 1, pins.cfg_read_i);
            set(nodes[0].cfg_addr_i, 0, 16, pins.cfg_addr_i);
            nodes.clock(0);
            return static_cast<std::uint32_t>(get(nodes[0].cfg_data_o, 0, 32));
        });
    }

  private:
    NodeSizes sizes_;
    std::uint32_t silent_cycles_;
    VerilatedNodes<Model> model_;
};

}  // namespace interlace::detail
