// Interlace: sweeps and their files, for Python
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace interlace::python {

/// sweep() and load().
void add_sweeps(pybind11::module_& module);

}  // namespace interlace::python
