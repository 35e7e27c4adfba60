// Interlace: what Python may do while C++ runs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "watch.h"

#include <cxxabi.h>
#include <pthread.h>
#include <unistd.h>

#include <new>

namespace py = pybind11;

namespace interlace::python {
namespace {

using namespace std::chrono_literals;

/// Between two looks at Python, of which each costs microseconds.
constexpr auto interval = 50ms;

/// Whose turn it is. A child of fork() begins with a new one: the thread that has it is not there.
std::recursive_timed_mutex turns;
[[maybe_unused]] const int new_in_children =
    ::pthread_atfork(nullptr, nullptr, [] { new (&turns) std::recursive_timed_mutex; });

bool interpreter_ends() {
#if PY_VERSION_HEX >= 0x030d0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
}

[[noreturn]] void wait_for_the_end() {
    for (;;) ::pause();
}

/// An action that takes the interpreter's lock. At the interpreter's end Python unwinds each thread that
/// asks for it (pthread_exit), through frames that may neither throw nor be left: it goes no further than
/// here.
template <class Action>
void to_the_end(const Action& action) {
    try {
        action();
    } catch (const abi::__forced_unwind&) {
        wait_for_the_end();
    }
}

}  // namespace

Released::~Released() {
    to_the_end([&] { PyEval_RestoreThread(state_); });
}

template <class Action>
void Watch::in_python(const Action& action) {
    if (interpreter_ends()) wait_for_the_end();
    std::optional<py::gil_scoped_acquire> held;
    to_the_end([&] { held.emplace(); });
    try {
        to_the_end(action);
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
    if (progress_.is_none()) return;
    in_python([&] {  // as C calls it: nothing here is to be destroyed without the lock
        PyObject* const told = PyObject_CallFunction(progress_.ptr(), "sd", stage, share);
        if (told == nullptr) throw py::error_already_set();
        Py_DECREF(told);
    });
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
    Turn turn(turns, std::defer_lock);
    while (!turn.try_lock_for(100ms)) check();
    return turn;
}

}  // namespace interlace::python
