// Interlace: warm-ups that points of a sweep share
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace interlace {

/// Folders of states at the end of warm-ups, one for each that points share, while they do. Those of a sweep
/// that was killed are of use to the one that goes on. Nothing that others have put there is removed.
class WarmStates {
  public:
    /// Beside the file of results.
    explicit WarmStates(const std::string& results) : folder_(results + ".warm") {}
    ~WarmStates();
    WarmStates(const WarmStates&) = delete;
    WarmStates& operator=(const WarmStates&) = delete;

    /// What the warm-up of each point depends on (Experiment::warm_up); empty: it has none to share.
    void share(const std::vector<std::string>& warm_ups);
    /// For points that have it in common with another one; empty: each is for itself.
    std::string folder(const std::string& warm_up) const;
    /// A point has ended.
    void leave(const std::string& warm_up);

  private:
    std::string folder_of(const std::string& warm_up) const;

    std::string folder_;
    std::map<std::string, int> left_;  // of each warm-up that is shared: points
};

}  // namespace interlace
