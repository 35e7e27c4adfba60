// Interlace: a thread pool that does one piece of work together, again and again
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "thread_pool.h"

#include <utility>

namespace interlace {
namespace {

/// Tells the core that this is a loop that waits.
void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

Meeting::Meeting(std::size_t threads)
    : threads_(static_cast<std::uint32_t>(threads)),
      patience_(threads <= std::thread::hardware_concurrency() ? 4'000 : 0),
      missing_(threads_) {}

void Meeting::arrive() {
    const std::uint32_t meeting = meetings_.load(std::memory_order_acquire);
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        missing_.store(threads_, std::memory_order_relaxed);
        meetings_.store(meeting + 1, std::memory_order_release);
        meetings_.notify_all();
        return;
    }
    for (std::uint32_t i = 0; i < patience_; ++i) {
        if (meetings_.load(std::memory_order_acquire) != meeting) return;
        pause();
    }
    meetings_.wait(meeting, std::memory_order_acquire);
}

ThreadPool::ThreadPool(std::size_t threads)
    : count_(threads), begin_(threads), middle_(threads), end_(threads), thrown_(threads) {
    for (std::size_t t = 1; t < threads; ++t) threads_.emplace_back([this, t] { serve(t); });
}

ThreadPool::~ThreadPool() {
    work_ = nullptr;
    begin_.arrive();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(const Work& job) {
    work_ = &job;
    begin_.arrive();
    work(0);
    end_.arrive();
    for (std::exception_ptr& thrown : thrown_)
        if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
}

void ThreadPool::serve(std::size_t thread) {
    for (;;) {
        begin_.arrive();
        if (work_ == nullptr) return;
        work(thread);
        end_.arrive();
    }
}

void ThreadPool::work(std::size_t thread) {
    try {
        (*work_)(thread, count_);
    } catch (...) {
        thrown_[thread] = std::current_exception();
    }
}

}  // namespace interlace
