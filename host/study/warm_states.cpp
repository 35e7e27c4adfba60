// Interlace: warm-ups that points of a sweep share
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "warm_states.h"

#include <filesystem>

#include "interlace/checkpoint/checkpoint.h"
#include "interlace/core/text.h"

namespace interlace {
namespace {

void remove_states(const std::string& folder) {
    std::error_code ignored;
    for (const auto& file : std::filesystem::directory_iterator(folder, ignored))
        if (Checkpoint::is_warm_state(file.path().string())) std::filesystem::remove(file, ignored);
    std::filesystem::remove(folder, ignored);
}

}  // namespace

WarmStates::~WarmStates() {
    for (const auto& [warm_up, points] : left_) remove_states(folder_of(warm_up));
    std::error_code ignored;
    std::filesystem::remove(folder_, ignored);
}

void WarmStates::share(const std::vector<std::string>& warm_ups) {
    for (const std::string& warm_up : warm_ups)
        if (!warm_up.empty()) ++left_[warm_up];
    std::erase_if(left_, [&](const auto& shared) {
        std::error_code failed;
        if (shared.second < 2)
            remove_states(folder_of(shared.first));  // that others had left
        else
            std::filesystem::create_directories(folder_of(shared.first), failed);
        return shared.second < 2 || failed;
    });
}

std::string WarmStates::folder(const std::string& warm_up) const {
    return left_.contains(warm_up) ? folder_of(warm_up) : std::string();
}

void WarmStates::leave(const std::string& warm_up) {
    const auto shared = left_.find(warm_up);
    if (shared == left_.end() || --shared->second > 0) return;
    remove_states(folder_of(warm_up));
    left_.erase(shared);
}

std::string WarmStates::folder_of(const std::string& warm_up) const {
    return folder_ + "/" + fingerprint(warm_up);
}

}  // namespace interlace
