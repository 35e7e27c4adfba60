// Interlace: what every result says of itself
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace interlace {

/// Keys keep the order in which they were written.
using Json = nlohmann::ordered_json;

/// The head of every JSON result: schema "interlace.<kind>/1", version, seed.
Json json_result(const std::string& kind, std::uint64_t seed);

/// The project's version, "0.1.0".
std::string version();

/// The git commit that the program was built from, with a "+" if files had changed since; "unknown" outside
/// of a repository.
std::string commit();

}  // namespace interlace
