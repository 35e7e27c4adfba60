// Interlace: models with pins as a device
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "interlace/engine/pins/detail/pins.h"
#include "interlace/engine/pins/pin_device.h"

namespace interlace::detail {

/// A model has the pins of docs/node.md that nodes without registers have not.
template <class Model>
inline constexpr bool has_registers = requires(Model& m) {
    m.cfg_valid_i;
    m.cfg_data_o;
    m.status_o;
    m.stall_o;
    m.rx_count_o;
};

/// Shows a model's input pins what `image` says. Of a model with fewer ports, queues or channels the rest of
/// the image is quiet.
template <class Model>
void show_inputs(const PinImage& image, const NodeSizes& built, Model& model) {
    set(model.rst_ni, 0, 1, image.rst_ni);
    if constexpr (has_registers<Model>) {
        set(model.clk_en_i, 0, 1, image.clk_en_i);
        set(model.cfg_valid_i, 0, 1, image.cfg_valid_i);
        set(model.cfg_read_i, 0, 1, image.cfg_read_i);
        set(model.cfg_addr_i, 0, 16, image.cfg_addr_i);
        set(model.cfg_data_i, 0, 32, image.cfg_data_i);
    }
    set(model.rx_ready_i, 0, built.receptions, image.rx_ready_i);
    set(model.link_valid_i, 0, built.ports, image.link_valid_i);
    set(model.inj_valid_i, 0, built.injections, image.inj_valid_i);
    for (std::uint32_t left = image.link_valid_i; left != 0; left &= left - 1) {
        const auto p = static_cast<std::uint32_t>(__builtin_ctz(left));
        set(model.link_vc_i, p * vc_bits, vc_bits, get(image.link_vc_i, p * vc_bits, vc_bits));
        set_flit(model.link_flit_i, p, get_flit(image.link_flit_i, p));
    }
    for (std::uint32_t left = image.inj_valid_i; left != 0; left &= left - 1) {
        const auto i = static_cast<std::uint32_t>(__builtin_ctz(left));
        set_flit(model.inj_flit_i, i, get_flit(image.inj_flit_i, i));
    }
    clear(model.credit_i);
    each_amount(image.credit_i, PinImage::ports * PinImage::vcs, [&](std::uint32_t i, std::uint8_t amount) {
        const std::uint32_t channel = i / PinImage::vcs * built.vcs + i % PinImage::vcs;
        set(model.credit_i, channel * amount_bits, amount_bits, amount);
    });
}

/// Bits of a model's pin, to where they are on the image's.
template <class From, class To>
void copy_bits(const From& from, std::uint32_t bits, To& to) {
    for (std::uint32_t low = 0; low < bits; low += max_bits) {
        const std::uint32_t width = std::min(max_bits, bits - low);
        set(to, low, width, get(from, low, width));
    }
}

/// What flits show where they are not valid is left out.
template <class From, class To>
void copy_flits(const From& from, std::uint32_t valid, To& to) {
    to = {};
    for (; valid != 0; valid &= valid - 1) {
        const auto i = static_cast<std::uint32_t>(__builtin_ctz(valid));
        set_flit(to, i, get_flit(from, i));
    }
}

template <class Model>
void read_outputs(const Model& model, const NodeSizes& built, PinImage& image) {
    if constexpr (has_registers<Model>) {
        image.status_o = static_cast<std::uint32_t>(get(model.status_o, 0, status_bits));
        image.cfg_data_o = static_cast<std::uint32_t>(get(model.cfg_data_o, 0, 32));
        image.stall_o = static_cast<std::uint32_t>(get(model.stall_o, 0, built.ports + built.receptions));
        copy_bits(model.rx_count_o, built.receptions * count_bits, image.rx_count_o);
    }
    image.link_valid_o = static_cast<std::uint32_t>(get(model.link_valid_o, 0, built.ports));
    image.rx_valid_o = static_cast<std::uint32_t>(get(model.rx_valid_o, 0, built.receptions));
    image.link_vc_o = static_cast<std::uint32_t>(get(model.link_vc_o, 0, built.ports * vc_bits));
    copy_flits(model.link_flit_o, image.link_valid_o, image.link_flit_o);
    for (std::uint32_t p = 0; p < built.ports; ++p)
        set(image.credit_o, p * PinImage::vcs * amount_bits, built.vcs * amount_bits,
            get(model.credit_o, p * built.vcs * amount_bits, built.vcs * amount_bits));
    copy_bits(model.inj_credit_o, built.injections * amount_bits, image.inj_credit_o);
    copy_flits(model.rx_flit_o, image.rx_valid_o, image.rx_flit_o);
}

}  // namespace interlace::detail
