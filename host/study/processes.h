// Interlace: work in processes of its own
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "interlace/study/task_outcome.h"

namespace interlace {

/// Runs `compute(task)` for each of `tasks`, up to `jobs` at a time, each in a process that is forked for it:
/// a task may throw, crash or be killed, and has no part in what others leave behind. `finished` is called
/// here, as each ends; `waiting` at least once a second. Children die with this process. To be called while
/// it has one thread. What `finished` throws ends all children.
void run_in_processes(std::uint32_t jobs, std::size_t tasks,
                      const std::function<std::string(std::size_t task)>& compute,
                      const std::function<void(std::size_t task, const TaskOutcome&)>& finished,
                      const std::function<void()>& waiting);

}  // namespace interlace
