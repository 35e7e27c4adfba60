// Interlace: experiments as the Python module knows them: texts in, texts out
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "experiments.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "interlace/config/places.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/kinds/broadcast.h"
#include "processes.h"

namespace interlace::python {
namespace {

ConfigMap parse(const ConfigurationText& c) {
    return ConfigMap::from_text(c.text, c.file, c.overrides);
}

/// What `action` makes of the configuration; errors name the place of the value at fault.
template <class Action>
auto with(const ConfigurationText& c, const Action& action) {
    const ConfigMap config = parse(c);
    const std::unique_ptr<Experiment> experiment = read_experiment(config);
    if (CycleOptions* options = experiment->cycle_options())
        options->records = c.records;
    else if (c.records.any())
        throw InputError("this kind of experiment has no details or records", "a broadcast or traffic");
    try {
        return action(*experiment);
    } catch (const InputError& error) {
        throw with_place(config, c.file, error);
    }
}

/// As --json does: names of files may be no UTF-8, which JSON is.
std::string text_of(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const BroadcastExperiment& broadcast_of(const Experiment& experiment) {
    const auto* const broadcast = dynamic_cast<const BroadcastExperiment*>(&experiment);
    if (broadcast == nullptr) throw InputError("the experiment has no packets over links", "a broadcast");
    return *broadcast;
}

/// What a process says at its end: its result, or an error with all that is known of it.
Json outcome_of(const ConfigurationText& configuration) {
    Json outcome = {{"notes", Json::array()}};
    RunListener listener;
    listener.warn = [&](const std::string& note) { outcome["notes"].push_back(note); };
    try {
        outcome["result"] = run(configuration, listener);
    } catch (const InputError& error) {
        const Place& place = error.place();
        outcome["wrong"] = {{"line", error.what()},
                            {"expected", error.expected()},
                            {"file", place.file},
                            {"number", place.line},
                            {"key", place.key}};
    } catch (const FellShort& error) {
        outcome["short"] = error.what();
    }
    return outcome;
}

std::string result_of(const Json& outcome) {
    if (outcome.contains("short")) throw FellShort(outcome["short"].get<std::string>());
    if (outcome.contains("wrong")) {
        const Json& wrong = outcome["wrong"];
        throw Refusal(wrong["line"], wrong["expected"], {"", wrong["file"], wrong["number"], wrong["key"]});
    }
    return outcome["result"];
}

}  // namespace

ConfigurationText configuration_text(const std::string& file, const std::optional<std::string>& text,
                                     const std::vector<std::string>& overrides) {
    return {text ? *text : read_whole_file(file, "a YAML file"), file, overrides};
}

std::string run(const ConfigurationText& c, const RunListener& listener) {
    return with(c, [&](const Experiment& experiment) { return text_of(experiment.run(nullptr, listener)); });
}

bool needs_own_process(const ConfigurationText& c) {
    const auto names_it = [](const std::string& text) { return text.find("systemc") != std::string::npos; };
    if (!names_it(c.text) && std::none_of(c.overrides.begin(), c.overrides.end(), names_it)) return false;
    ConfigMap config = parse(c);
    for (const char* key : {"engine", "lockstep"})
        if (config.has(key) && !config.is_map(key))
            for (const std::string& value : config.values(key))
                if (names_it(value)) return true;
    return config.has("systemc_nodes") && !config.text("systemc_nodes").empty();
}

std::string run_apart(const ConfigurationText& configuration, const RunListener& listener,
                      const std::function<void()>& waiting) {
    TaskOutcome ended;
    run_in_processes(
        1, 1, [&](std::size_t) { return text_of(outcome_of(configuration)); },
        [&](std::size_t, const TaskOutcome& outcome) { ended = outcome; }, waiting);
    if (ended.failed) throw std::runtime_error(ended.text);
    const Json outcome = Json::parse(ended.text);
    for (const Json& note : outcome["notes"])
        if (listener.warn) listener.warn(note.get<std::string>());
    return result_of(outcome);
}

std::vector<TimedSend> schedule(const ConfigurationText& broadcast, const RunListener& listener) {
    std::vector<TimedSend> sends = with(broadcast, [&](const Experiment& experiment) {
        return make_schedule(broadcast_of(experiment), listener);
    });
    std::stable_sort(sends.begin(), sends.end(),
                     [](const TimedSend& a, const TimedSend& b) { return a.step < b.step; });
    return sends;
}

CollectiveSends collective_schedule(const ConfigurationText& collective, const RunListener& listener) {
    return with(collective, [&](const Experiment& experiment) {
        const auto* over_links = dynamic_cast<const CollectiveExperiment*>(&experiment);
        if (over_links == nullptr)
            throw InputError("this is no collective over all links",
                             "a network without switches, and an algorithm over links");
        return sends_of(run_collective(*over_links, listener));
    });
}

std::string check(const ConfigurationText& broadcast, const std::vector<TimedSend>& schedule) {
    return with(broadcast, [&](const Experiment& experiment) {
        return text_of(to_json(run_check(broadcast_of(experiment), schedule)));
    });
}

}  // namespace interlace::python
