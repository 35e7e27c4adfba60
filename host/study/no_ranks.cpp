// Interlace: a build without MPI has one rank
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/mpi/world.h"
#include "interlace/study/ranks.h"

namespace interlace {

Ranks::Ranks() {
    world();
}
Ranks::~Ranks() = default;

void Ranks::serve(const std::function<std::string(const std::string&)>& /*compute*/) const {}

void Ranks::deal(std::size_t /*tasks*/, const std::function<std::string(std::size_t)>& /*text*/,
                 const std::function<void(std::size_t, const TaskOutcome&)>& /*finished*/,
                 const std::function<void()>& /*waiting*/) const {}

}  // namespace interlace
