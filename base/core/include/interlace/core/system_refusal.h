// Interlace: what the operating system refuses
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <system_error>

#include "interlace/core/error.h"

namespace interlace {

/// What helps where a system call fails with `error` (an errno) for want of a resource: a limit, a full disk,
/// a medium that fails. Completes the phrase "expected ..."; empty for every other errno.
std::string remedy_of(int error);
/// Of an error of another category, empty.
std::string remedy_of(std::error_code error);

/// "PROBLEM: REASON; expected REMEDY", for a system call that failed with `error`; `expected` where
/// remedy_of() has nothing, and no reason where `error` is 0.
InputError system_refusal(const std::string& problem, int error, const std::string& expected);

}  // namespace interlace
