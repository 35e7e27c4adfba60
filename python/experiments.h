// Interlace: experiments as the Python module knows them: texts in, texts out
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/core/run_listener.h"
#include "interlace/experiment/kinds/collective.h"
#include "interlace/experiment/nodes/cycles.h"
#include "interlace/program/schedule.h"

namespace interlace::python {

/// A configuration file (docs/configuration.md), or a text that stands for one.
struct ConfigurationText {
    std::string text;
    std::string file;  ///< that errors name; empty: none
    std::vector<std::string> overrides;
    Records records = {};
};

/// Of a text; or, without one, of a file that is read here. Throws InputError.
ConfigurationText configuration_text(const std::string& file, const std::optional<std::string>& text,
                                     const std::vector<std::string>& overrides);

/// An InputError that was thrown in another process.
struct Refusal : std::runtime_error {
    Refusal(const std::string& line, std::string what_was_expected, Place where)
        : std::runtime_error(line), expected(std::move(what_was_expected)), place(std::move(where)) {}
    std::string expected;
    Place place;
};

/// The result's JSON, as `interlace run --json` prints it but for the speed of this machine. Throws what the
/// command tells its user.
std::string run(const ConfigurationText& configuration, const RunListener& listener);

/// Whether SystemC nodes take part, of which a process can make no more once they have run.
bool needs_own_process(const ConfigurationText& configuration);

/// The same result from a process that is forked for it. Of the listener only `warn` is called, at the end;
/// `waiting` is called at least once a second, and what it throws ends that process. Throws
/// Refusal in place of InputError, and std::runtime_error where the process died.
std::string run_apart(const ConfigurationText& configuration, const RunListener& listener,
                      const std::function<void()>& waiting);

/// Of a broadcast: every send, by step. Throws InputError for another kind of experiment.
std::vector<TimedSend> schedule(const ConfigurationText& broadcast, const RunListener& listener);

/// Of a collective over all links on the engine step: every send, by step. Throws InputError for another kind
/// of experiment.
CollectiveSends collective_schedule(const ConfigurationText& collective, const RunListener& listener);

/// Anyone's schedule for a broadcast, replayed by the independent checker: JSON as of `interlace check
/// --json`.
std::string check(const ConfigurationText& broadcast, const std::vector<TimedSend>& schedule);

}  // namespace interlace::python
