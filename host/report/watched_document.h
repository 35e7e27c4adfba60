// Interlace: a report's document as its files are now
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "interlace/measure/json_result.h"

namespace interlace {

/// Gathers the document again when its files have changed on disk. Nothing on disk is changed by that. Any
/// thread may ask.
class WatchedDocument {
  public:
    /// Throws InputError as report_document() does, and for pipes.
    WatchedDocument(std::vector<std::string> files, std::string title);

    /// The document with "live", a text that is another one whenever anything else is. What cannot be read
    /// at the moment leaves it as it was.
    std::shared_ptr<const Json> now();

  private:
    void gather();
    std::string stamp() const;

    const std::vector<std::string> files_;
    const std::string title_;
    std::mutex mutex_;
    std::string stamp_;  ///< of the files that were last read
    std::shared_ptr<const Json> document_;
    std::chrono::steady_clock::time_point next_;  ///< no sooner are they read again
};

}  // namespace interlace
