// Interlace: a report's document as its files are now
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "watched_document.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"
#include "interlace/report/document.h"

namespace interlace {
namespace {

using Clock = std::chrono::steady_clock;

/// Of the time that a document takes to gather, as long again goes by in peace.
constexpr int peace = 4;

}  // namespace

WatchedDocument::WatchedDocument(std::vector<std::string> files, std::string title)
    : files_(std::move(files)), title_(std::move(title)), stamp_(stamp()) {
    gather();
}

std::shared_ptr<const Json> WatchedDocument::now() {
    const std::scoped_lock lock(mutex_);
    if (Clock::now() < next_) return document_;
    const std::string before = stamp();
    if (before == stamp_) return document_;
    try {
        gather();
        stamp_ = before;  // what is written meanwhile is for the next time
    } catch (const InputError&) {
        // In the middle of being written, or gone: the next time may see more.
    }
    return document_;
}

void WatchedDocument::gather() {
    const auto start = Clock::now();
    next_ = start;                                             // should it throw
    for (const std::string& file : files_) refuse_pipe(file);  // whose writer may never come
    Json document = report_document(files_, title_, Opened::untouched);
    document["live"] = fingerprint(document.dump(-1, ' ', false, Json::error_handler_t::replace));
    document_ = std::make_shared<const Json>(std::move(document));
    next_ = Clock::now() + peace * (Clock::now() - start);
}

/// What changes whenever a file does: of a database the log, too, into which points go first.
std::string WatchedDocument::stamp() const {
    std::string stamp;
    for (const std::string& file : files_)
        for (const char* ending : {"", "-wal"}) {
            struct stat found = {};
            if (::stat((file + ending).c_str(), &found) != 0) found = {};
            stamp += fmt::format("{} {} {} {}.{},", found.st_dev, found.st_ino, found.st_size,
                                 found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
        }
    return stamp;
}

}  // namespace interlace
