// Interlace: a thread pool that does one piece of work together, again and again
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "thread_pool.h"

#include <utility>

namespace interlace {

ThreadPool::ThreadPool(std::size_t threads)
    : count_(threads),
      begin_(static_cast<std::ptrdiff_t>(threads)),
      end_(static_cast<std::ptrdiff_t>(threads)),
      thrown_(threads) {
    for (std::size_t t = 1; t < threads; ++t) threads_.emplace_back([this, t] { serve(t); });
}

ThreadPool::~ThreadPool() {
    work_ = nullptr;
    begin_.arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(const Work& job) {
    work_ = &job;
    begin_.arrive_and_wait();
    work(0);
    end_.arrive_and_wait();
    for (std::exception_ptr& thrown : thrown_)
        if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
}

void ThreadPool::serve(std::size_t thread) {
    for (;;) {
        begin_.arrive_and_wait();
        if (work_ == nullptr) return;
        work(thread);
        end_.arrive_and_wait();
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
