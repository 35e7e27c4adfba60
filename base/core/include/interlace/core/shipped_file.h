// Interlace: a file that is part of the program
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace interlace {

/// Made by interlace_embed (cmake/InterlaceEmbed.cmake), so that an installed program has the files too.
struct ShippedFile {
    std::string folder, name, text;  ///< the folder it lies in, its name up to the first dot, its contents
};

}  // namespace interlace
