// Interlace: a sweep on many machines: the processes that mpirun has started
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "interlace/study/task_outcome.h"

namespace interlace {

/// The MPI ranks of this run; one where mpirun did not start it, or the build has no MPI (INTERLACE_MPI).
/// Rank 0 deals and writes, the others compute. One object a process, for as long as ranks are needed: its
/// end lets the others go.
class Ranks {
  public:
    /// Throws InputError where mpirun started several and the build has no MPI.
    Ranks();
    ~Ranks();  // NOLINT(performance-trivially-destructible): trivial only in builds without MPI
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    std::uint32_t count() const { return count_; }
    bool first() const { return rank_ == 0; }

    /// On ranks but the first: turns each text that it is dealt into another, in a process of its own for
    /// each, until the first rank has ended.
    void serve(const std::function<std::string(const std::string& text)>& compute) const;
    /// On the first: deals `text(task)` of each of `tasks` to the ranks that are free. `finished` is called
    /// here, as each ends, `waiting` at least once a second.
    void deal(std::size_t tasks, const std::function<std::string(std::size_t task)>& text,
              const std::function<void(std::size_t task, const TaskOutcome&)>& finished,
              const std::function<void()>& waiting) const;

  private:
    std::uint32_t rank_ = 0, count_ = 1;
};

}  // namespace interlace
