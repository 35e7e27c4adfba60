// Interlace: an open shop with unit operations: an edge colouring of a bipartite multigraph
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace interlace {

/// Jobs have unit operations on a few machines, in any order, each machine and each job one in a step. As
/// long as no machine gets more operations than there are steps, and no job, every operation finds its step
/// (Koenig, 1916): where the machine and the job are never free together, an alternating path of operations
/// changes places, which passes each machine at most once.
class OpenShop {
  public:
    static constexpr std::uint32_t none = UINT32_MAX;

    OpenShop(std::uint32_t machines, std::uint32_t steps)
        : machines_(machines),
          steps_(steps),
          job_(std::size_t{steps} * machines, none),
          looked_(machines, 0),
          left_(machines) {}

    /// Another operation of the job.
    void add(std::uint32_t job, std::uint32_t machine) {
        if (!fill(job, machine)) exchange(job, machine);
    }

    /// [step * machines + machine]: the job, or none.
    std::vector<std::uint32_t> take() { return std::move(job_); }

  private:
    std::uint32_t& at(std::uint32_t step, std::uint32_t machine) {
        return job_[std::size_t{step} * machines_ + machine];
    }
    /// The machine of the job's operation in a step, other than `except`; none: it has none.
    std::uint32_t machine_of(std::uint32_t job, std::uint32_t step, std::uint32_t except = none) {
        for (std::uint32_t m = 0; m < machines_; ++m)
            if (m != except && at(step, m) == job) return m;
        return none;
    }
    /// Machines begin far from one another, so that they seldom want a job in one step.
    std::uint32_t step_of(std::uint32_t machine, std::uint32_t place) const {
        return static_cast<std::uint32_t>((place + std::uint64_t{steps_} * machine / machines_) % steps_);
    }

    /// In the first step in which both are free.
    bool fill(std::uint32_t job, std::uint32_t machine) {
        std::vector<std::uint32_t>& left = left_[machine];
        for (std::size_t i = 0; i < left.size(); ++i) {
            const std::uint32_t step = left[i];
            const bool taken = at(step, machine) != none;
            if (!taken && machine_of(job, step) != none) continue;
            if (!taken) at(step, machine) = job;
            left[i--] = left.back();
            left.pop_back();
            if (!taken) return true;
        }
        while (looked_[machine] < steps_) {
            const std::uint32_t step = step_of(machine, looked_[machine]++);
            if (at(step, machine) != none) continue;
            if (machine_of(job, step) != none) {
                left.push_back(step);
                continue;
            }
            at(step, machine) = job;
            return true;
        }
        return false;
    }

    /// The machine is free in step b alone, when the job is not, the job in step a: it takes a, and whoever
    /// had that moves to b, and so on.
    void exchange(std::uint32_t job, std::uint32_t machine) {
        const std::uint32_t b = left_[machine].back();
        left_[machine].pop_back();
        std::uint32_t a = 0;
        while (machine_of(job, a) != none) ++a;
        std::uint32_t moved = at(a, machine);
        at(a, machine) = job;
        at(b, machine) = moved;
        for (std::uint32_t other = machine; (other = machine_of(moved, b, other)) != none;) {
            const std::uint32_t next = at(a, other);
            at(a, other) = moved;
            at(b, other) = next;
            if (next == none) {
                left_[other].push_back(b);
                return;
            }
            moved = next;
        }
    }

    std::uint32_t machines_, steps_;
    std::vector<std::uint32_t> job_;
    std::vector<std::uint32_t> looked_;             // [machine]: places
    std::vector<std::vector<std::uint32_t>> left_;  // [machine]: steps of these that are free, and some taken
};

}  // namespace interlace
