// Interlace: ranks that are threads of one process
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "interlace/ranks/communicator.h"

namespace interlace {

/// What ranks in one process share: messages under way, and a table that all write into and then read.
class RankThreads {
  public:
    explicit RankThreads(std::uint32_t count) : mail_(std::size_t{count} * count), table_(count) {}
    std::uint32_t count() const { return static_cast<std::uint32_t>(table_.size()); }

    void send(std::uint32_t from, std::uint32_t to, Bytes message) {
        const std::lock_guard lock(mutex_);
        mail_[from * count() + to].push_back(std::move(message));
        changed_.notify_all();
    }
    Bytes receive(std::uint32_t from, std::uint32_t to) {
        std::unique_lock lock(mutex_);
        std::deque<Bytes>& box = mail_[from * count() + to];
        changed_.wait(lock, [&] { return !box.empty(); });
        Bytes message = std::move(box.front());
        box.pop_front();
        return message;
    }
    std::vector<Bytes> gather(std::uint32_t rank, const Bytes& own) {
        std::unique_lock lock(mutex_);
        table_[rank] = own;
        meet(lock);
        std::vector<Bytes> all = table_;
        meet(lock);  // before somebody writes again
        return all;
    }

  private:
    void meet(std::unique_lock<std::mutex>& lock) {
        const std::uint64_t meeting = meetings_;
        if (++here_ == count()) {
            here_ = 0;
            ++meetings_;
            changed_.notify_all();
        }
        changed_.wait(lock, [&] { return meetings_ != meeting; });
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::deque<Bytes>> mail_;  // [from * count + to]
    std::vector<Bytes> table_;             // [rank]
    std::uint32_t here_ = 0;
    std::uint64_t meetings_ = 0;
};

class ThreadRank final : public Communicator {
  public:
    ThreadRank(RankThreads& all, std::uint32_t rank) : all_(all), rank_(rank) {}
    std::uint32_t rank() const override { return rank_; }
    std::uint32_t size() const override { return all_.count(); }
    void send(std::uint32_t to, Bytes message) override { all_.send(rank_, to, std::move(message)); }
    Bytes receive(std::uint32_t from) override { return all_.receive(from, rank_); }
    std::vector<Bytes> gather(const Bytes& own) override { return all_.gather(rank_, own); }
    void reduce(std::span<std::uint64_t> values, Reduction reduction) override {
        ByteWriter own;
        own.put(std::vector<std::uint64_t>(values.begin(), values.end()));
        std::uint32_t rank = 0;
        for (const Bytes& told : gather(own.take())) {
            std::vector<std::uint64_t> theirs;
            ByteReader(told).append_to(theirs);
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = rank == 0                       ? theirs[i]
                            : reduction == Reduction::sum   ? values[i] + theirs[i]
                            : reduction == Reduction::least ? std::min(values[i], theirs[i])
                                                            : std::max(values[i], theirs[i]);
            ++rank;
        }
    }

  private:
    RankThreads& all_;
    std::uint32_t rank_;
};

/// Calls run(communicator) for each of `count` ranks at once, and returns when all have returned.
inline void run_on_ranks(std::uint32_t count, const std::function<void(Communicator&)>& run) {
    RankThreads all(count);
    std::vector<std::thread> threads;
    for (std::uint32_t rank = 0; rank < count; ++rank)
        threads.emplace_back([&, rank] {
            ThreadRank own(all, rank);
            run(own);
        });
    for (std::thread& thread : threads) thread.join();
}

}  // namespace interlace
