// Interlace: a flit on output pins
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "interlace/engine/region/tokens.h"

namespace interlace::native {

/// Its head and tail bits and then its `words` words, or zeros for none, as Fabric::pin_names() has them.
inline void put_flit(Pins& pins, std::uint32_t words, const std::optional<Flit>& flit) {
    pins.push_back(flit ? (flit->tail() ? 2U : 0U) | (flit->head() ? 1U : 0U) : 0U);
    for (std::uint32_t w = 0; w < words; ++w)
        pins.push_back(flit ? flit->packet.word(flit->index * words + w) : 0);
}
/// The same of a link, behind its valid bit and channel.
inline void put_link(Pins& pins, std::uint32_t words, const std::optional<Flit>& flit, std::uint32_t vc) {
    pins.push_back(flit ? 1 : 0);
    pins.push_back(flit ? vc : 0);
    put_flit(pins, words, flit);
}
/// And of a reception queue of so many flits, between its valid bit and their number.
inline void put_reception(Pins& pins, std::uint32_t words, const std::optional<Flit>& oldest,
                          std::uint32_t flits) {
    pins.push_back(oldest ? 1 : 0);
    put_flit(pins, words, oldest);
    pins.push_back(flits);
}

}  // namespace interlace::native
