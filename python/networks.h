// Interlace: networks and schedules as numpy arrays
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace interlace::python {

/// Network, schedule() and check().
void add_networks(pybind11::module_& module);

}  // namespace interlace::python
