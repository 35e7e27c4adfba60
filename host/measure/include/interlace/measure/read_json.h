// Interlace: JSON that comes back
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "interlace/measure/json_result.h"

namespace interlace {

/// Deeper than any result nests its lists and objects.
constexpr int max_json_depth = 100;

/// The JSON that `text` is. Throws InputError, at `place` and with what was `expected`, for text that is
/// none, or that nests deeper than max_json_depth.
Json read_json(const std::string& text, const std::string& place, const std::string& expected);

/// Throws InputError, at `place`, where `json` is not of this shape:
///
/// "number", "text", "truth" or "any", several with a bar ("number|null"); {"key": shape, ...}, all of which
/// have to be there but for "key?", more may be; {"*": shape}, an object of any keys; [shape], a list. Errors
/// name the member, as in "alone.injection.depth".
void check_shape(const Json& json, const Json& shape, const std::string& place);

/// Whether all of `text` is UTF-8, as texts in JSON have to be.
bool is_utf8(const std::string& text);

}  // namespace interlace
