// Interlace: what Python may do while C++ runs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "watch.h"

namespace py = pybind11;

namespace interlace::python {
namespace {

using namespace std::chrono_literals;

/// Between two looks at Python, of which each costs microseconds.
constexpr auto interval = 50ms;

}  // namespace

template <class Action>
void Watch::in_python(const Action& action) {
    const py::gil_scoped_acquire held;
    try {
        action();
    } catch (...) {
        raised_ = std::current_exception();
        throw Raised{};
    }
}

void Watch::check() {
    in_python([] {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    });
}

void Watch::tell(const char* stage, double share) {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_ && share < 1) return;
    next_ = now + interval;
    check();
    if (!progress_.is_none()) in_python([&] { progress_(stage, share); });
}

void Watch::warn(const std::string& text) {
    in_python([&] {
        // Of the caller of the function of the package that has called this.
        if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 2) != 0) throw py::error_already_set();
    });
}

RunListener Watch::listener() {
    return {[this](const char* stage, double share) { tell(stage, share); },
            [this](const std::string& text) { warn(text); }};
}

Watch::Turn Watch::wait_for_turn() {
    static std::recursive_timed_mutex one;
    Turn turn(one, std::defer_lock);
    while (!turn.try_lock_for(100ms)) check();
    return turn;
}

}  // namespace interlace::python
