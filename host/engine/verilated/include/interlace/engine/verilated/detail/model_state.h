// Interlace: the state of Verilated models in archives
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "interlace/core/archive.h"
#include "interlace/core/error.h"
#include "interlace/engine/verilated/detail/model_bytes.h"

namespace interlace::detail {

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
