// Interlace: a thread pool that does one piece of work together, again and again
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <barrier>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace interlace {

/// The thread that calls run() and `threads` - 1 others.
class ThreadPool {
  public:
    using Work = std::function<void(std::size_t thread, std::size_t threads)>;

    explicit ThreadPool(std::size_t threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Calls work(t, threads) for every t at once, t = 0 on this thread, and returns when all have. What one
    /// of them throws is thrown here, the lowest t's first.
    void run(const Work& work);

  private:
    void serve(std::size_t thread);
    void work(std::size_t thread);

    std::size_t count_;
    std::barrier<> begin_, end_;
    const Work* work_ = nullptr;  // none: the threads end
    std::vector<std::exception_ptr> thrown_;
    std::vector<std::thread> threads_;
};

}  // namespace interlace
