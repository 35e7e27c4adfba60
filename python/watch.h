// Interlace: what Python may do while C++ runs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <string>

#include "interlace/core/run_listener.h"

namespace interlace::python {

/// Without the interpreter's lock as long as it lives, which begins with the lock. Where the interpreter ends
/// meanwhile, the lock never comes back: the thread waits for the end of the process, as nobody may unwind
/// it.
class Released {
  public:
    Released() : state_(PyEval_SaveThread()) {}
    ~Released();
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;

  private:
    PyThreadState* state_;
};

/// Runs C++ without the interpreter's lock, and takes it back now and then: for signals (Ctrl-C), and for a
/// callable that hears of progress. What either raises ends the run. Runs of several threads take turns: no
/// engine has to be safe from another one. In a child of os.fork() nobody has the turn.
class Watch {
  public:
    /// `progress(stage, share)`, or None.
    explicit Watch(pybind11::object progress) : progress_(std::move(progress)) {}

    /// With the interpreter's lock. Throws what `action` throws, or what Python raised.
    template <class Action>
    auto run(const Action& action) {
        try {
            const Released released;
            const auto turn = wait_for_turn();
            return action();
        } catch (const Raised&) {
            std::rethrow_exception(raised_);
        }
    }

    /// As C++ calls it back, without the interpreter's lock.
    RunListener listener();
    void tell(const char* stage, double share);
    void warn(const std::string& text);
    /// Looks for signals.
    void check();

  private:
    /// Python has raised. No std::exception, so that nothing on the way up takes it for its own.
    struct Raised {};
    using Turn = std::unique_lock<std::recursive_timed_mutex>;
    Turn wait_for_turn();
    /// `action`, with the interpreter's lock.
    template <class Action>
    void in_python(const Action& action);

    pybind11::object progress_;
    std::exception_ptr raised_;
    std::chrono::steady_clock::time_point next_{};
};

}  // namespace interlace::python
