// Interlace: what Verilated models have in common
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <mutex>
#include <optional>

namespace interlace::detail {

/// A VerilatedContext for models that are made, and unmade, on several threads at a time: Verilator keeps the
/// context that any thread has made or entered last in a variable of the process, without a lock.
class Context {
  public:
    Context() {
        const std::lock_guard lock(mutex());
        context_.emplace();
    }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    VerilatedContext* operator->() { return &*context_; }
    VerilatedContext* get() { return &*context_; }
    /// To be called before its models are unmade: they leave the context that their thread used last, which
    /// may be another's.
    void enter() {
        const std::lock_guard lock(mutex());
        Verilated::threadContextp(&*context_);
    }

  private:
    static std::mutex& mutex() {
        static std::mutex mutex;
        return mutex;
    }

    std::optional<VerilatedContext> context_;
};

}  // namespace interlace::detail
