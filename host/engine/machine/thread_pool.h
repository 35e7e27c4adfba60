// Interlace: a thread pool that does one piece of work together, again and again
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace interlace {

/// Where a fixed number of threads meet. They meet every few microseconds: std::barrier puts who comes first
/// to sleep, which takes longer than that. This one looks for the others for a while first, where every
/// thread can have a core.
class Meeting {
  public:
    explicit Meeting(std::size_t threads);
    /// Returns when all threads have come.
    void arrive();

  private:
    std::uint32_t threads_, patience_;
    alignas(64) std::atomic<std::uint32_t> missing_;
    alignas(64) std::atomic<std::uint32_t> meetings_{0};
};

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
    /// Called by every thread in the middle of its work: all go on when all have come.
    void meet() { middle_.arrive(); }

  private:
    void serve(std::size_t thread);
    void work(std::size_t thread);

    std::size_t count_;
    Meeting begin_, middle_, end_;
    const Work* work_ = nullptr;  // none: the threads end
    std::vector<std::exception_ptr> thrown_;
    std::vector<std::thread> threads_;
};

}  // namespace interlace
