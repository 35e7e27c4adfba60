// Interlace: a configuration for every combination of values
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/sweep.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>

#include "computed_values.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"
#include "interlace/experiment/nodes/named_files.h"
#include "interlace/measure/read_json.h"
#include "interlace/results/wide_view.h"
#include "processes.h"
#include "warm_states.h"

namespace interlace {
namespace {

constexpr std::size_t max_points = 1'000'000;
constexpr Names<bool, 2> scales = {{{"linear", false}, {"log", true}}};  // true: logarithmic

bool whole(ConfigMap& range, const std::string& key) {
    return range.text(key).find_first_not_of("0123456789-+") == std::string::npos;
}

/// Of {from, to} with a step, a factor or a number of points: whole numbers where both ends are.
std::vector<std::string> range_values(ConfigMap& range) {
    const double from = range.number("from");
    const double to = range.number("to");
    bool log = range.has("factor");
    range.update("scale", log, scales);
    const bool rounded = whole(range, "from") && whole(range, "to");
    const auto refuse = [&](const std::string& key, const std::string& problem, const std::string& expected) {
        throw InputError(problem, expected).at(range.place(key));
    };
    if (!(to >= from)) refuse("to", fmt::format("{} is below {}", to, from), "from <= to");
    if (log && from <= 0)
        refuse("from", fmt::format("cannot use value {}", from), "above 0 on a logarithmic scale");
    if (!log && range.has("factor")) refuse("scale", "a factor goes with a logarithmic scale", "scale: log");
    double count = 0;
    double factor = 1;
    double step = range.has("step") ? range.number("step") : 1;
    if (range.has("points")) {
        count = static_cast<double>(range.integer("points", 2, max_points));
        step = (to - from) / (count - 1);
        factor = std::pow(to / from, 1 / (count - 1));
    } else if (log) {
        factor = range.number("factor");
        if (!(factor > 1)) refuse("factor", fmt::format("cannot use value {}", factor), "above 1");
        count = std::floor(std::log(to / from) / std::log(factor) * (1 + 1e-12)) + 1;
    } else {
        if (!(step > 0)) refuse("step", fmt::format("cannot use value {}", step), "above 0");
        count = std::floor((to - from) / step * (1 + 1e-12)) + 1;
    }
    if (count > max_points)
        refuse("to", fmt::format("there are {} values", count), fmt::format("at most {}", max_points));
    std::vector<std::string> values;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const auto steps = static_cast<double>(i);
        const double value = log ? from * std::pow(factor, steps) : from + steps * step;
        // Twelve digits: 0.1 + 2 * 0.1 is 0.3.
        std::string text = rounded ? fmt::format("{:.0f}", std::round(value)) : fmt::format("{:.12g}", value);
        if (values.empty() || values.back() != text) values.push_back(std::move(text));
    }
    range.finish();
    return values;
}

/// What the run of a configuration depends on: everything in it, and the files that it names ("trace:FILE").
std::string hash_of(const Json& configuration) {
    std::string text = configuration.dump();
    for (const std::string& file : named_files(configuration)) text += "\n" + read_whole_file(file, "a file");
    return fingerprint(text);
}

std::string now() {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

/// An experiment to be run, or why it cannot be read.
struct Job {
    std::unique_ptr<Experiment> experiment;
    ResultPoint point;
    std::string preparation;  // its key; "": none that points could share
    std::string warm_up;      // likewise: what the state at its end depends on
};

Job make_job(const Sweep& sweep, std::size_t number) {
    Job job;
    try {
        job.experiment = sweep.experiment(number);
        job.point.configuration = job.experiment->to_json();
        job.point.hash = hash_of(job.point.configuration);
        job.preparation = job.experiment->preparation_key();
        if (const Json warm_up = job.experiment->warm_up(); !warm_up.is_null()) job.warm_up = warm_up.dump();
    } catch (const InputError& error) {
        job.experiment.reset();
        for (const auto& [path, value] : sweep.values(number)) job.point.configuration[path] = value;
        job.point.hash = fingerprint(sweep.text() + job.point.configuration.dump());
        job.point.failed = true;
        job.point.error = error.what();
    }
    return job;
}

/// What one point could prepare, for the next ones, which are forked from here.
class Prepared {
  public:
    /// Where it cannot be prepared here (there may be less memory now), points do it themselves.
    void make(const Job& job) {
        if (job.preparation.empty() || (preparation_ && key_ == job.preparation)) return;
        preparation_ = nullptr;  // two may not fit into memory
        key_ = job.preparation;
        try {
            preparation_ = job.experiment->prepare();
        } catch (const std::exception&) {
            return;
        }
    }
    const Preparation* of(const Job& job) const {
        return !job.preparation.empty() && key_ == job.preparation ? preparation_.get() : nullptr;
    }

  private:
    std::string key_;
    std::shared_ptr<const Preparation> preparation_;
};

/// Those of one preparation one after another, in the order in which these come first.
void group_by_preparation(std::vector<Job>& jobs) {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < jobs.size(); ++i) first.emplace(jobs[i].preparation, i);
    std::stable_sort(jobs.begin(), jobs.end(), [&](const Job& a, const Job& b) {
        return first.at(a.preparation) < first.at(b.preparation);
    });
}

/// Points that share a warm-up get its folder; of those the first ones come first among jobs of one
/// preparation.
void share_warm_ups(WarmStates& warm, std::vector<Job>& jobs) {
    std::vector<std::string> warm_ups;
    warm_ups.reserve(jobs.size());
    for (const Job& job : jobs) warm_ups.push_back(job.warm_up);
    warm.share(warm_ups);
    for (Job& job : jobs)
        if (const std::string folder = warm.folder(job.warm_up); !folder.empty())
            job.experiment->cycle_options()->checkpoint.warm = folder;
    std::map<std::string, int> seen;
    for (auto first = jobs.begin(), last = first; first != jobs.end(); first = last) {
        while (last != jobs.end() && last->preparation == first->preparation) ++last;
        std::stable_partition(first, last, [&](const Job& job) { return seen[job.warm_up]++ == 0; });
    }
}

}  // namespace

Sweep::Axis Sweep::read_axis(ConfigMap& config, const std::string& path) {
    Axis axis{{path}, {}};
    if (config.is_map(path)) {
        ConfigMap range = config.map(path);
        axis.values.push_back(range_values(range));
    } else {
        axis.values.push_back(config.values(path));
        for (std::string& value : axis.values.back()) value = without_quotes_of_formula(value);
    }
    if (axis.values.front().empty())
        throw InputError("there are no values", "a list, or a range").at(config.place(path));
    return axis;
}

Sweep::Axis Sweep::read_zip(ConfigMap config) {
    Axis axis;
    for (const std::string& path : config.keys()) {
        Axis one = read_axis(config, path);
        if (!axis.values.empty() && one.values.front().size() != axis.values.front().size())
            throw InputError(fmt::format("this has {} values, and {} has {}", one.values.front().size(),
                                         axis.paths.front(), axis.values.front().size()),
                             "as many")
                .at(config.place(path));
        axis.paths.push_back(path);
        axis.values.push_back(std::move(one.values.front()));
    }
    if (axis.paths.empty())
        throw InputError("there are no paths", "paths that vary together").at(config.place());
    return axis;
}

Sweep::Sweep(const std::string& file, const std::vector<std::string>& overrides)
    : Sweep(file, read_whole_file(file, "a YAML file"), overrides) {}

Sweep::Sweep(const std::string& file, std::string text, const std::vector<std::string>& overrides)
    : file_(file), text_(std::move(text)), overrides_(overrides) {
    ConfigMap config = ConfigMap::from_text(text_, file, overrides);
    config.check_schema(1);
    name_ = config.text("name", std::filesystem::path(file).stem().string());
    if (!is_utf8(name_))
        throw InputError("the file's name, which names the sweep, is not UTF-8", "a name")
            .at(config.place("name"));
    config.map("experiment");
    if (config.has("sweep")) {
        ConfigMap axes = config.map("sweep");
        for (const std::string& path : axes.keys()) {
            axes_.push_back(read_axis(axes, path));
            check_last(axes);
        }
    }
    if (config.has("zip"))
        for (ConfigMap& zip : config.maps("zip")) {
            axes_.push_back(read_zip(zip));
            check_last(zip);
        }
    config.finish();
    count_points();
}

Sweep::Sweep(std::string name, const std::string& file, std::string text,
             const std::vector<std::string>& overrides, std::vector<Axis> axes)
    : file_(file),
      name_(std::move(name)),
      text_(std::move(text)),
      overrides_(overrides),
      axes_(std::move(axes)) {
    count_points();
}

void Sweep::check_last(const ConfigMap& config) const {
    for (const std::string& path : axes_.back().paths)
        for (auto axis = axes_.begin(); axis + 1 != axes_.end(); ++axis)
            for (const std::string& other : axis->paths)
                if ((path + ".").starts_with(other + ".") || (other + ".").starts_with(path + "."))
                    throw InputError("conflicts with " + other, "each value under one of them")
                        .at(config.place(path));
}

void Sweep::count_points() {
    for (const Axis& axis : axes_) {
        size_ *= axis.values.front().size();
        if (size_ > max_points)
            throw InputError("the sweep has more than a million points", "fewer values").at(file_);
    }
}

Sweep::Values Sweep::written(std::size_t point) const {
    Values values;
    for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
        const std::size_t choices = axis->values.front().size();
        for (std::size_t p = axis->paths.size(); p-- > 0;)
            values.emplace_back(axis->paths[p], axis->values[p][point % choices]);
        point /= choices;
    }
    std::reverse(values.begin(), values.end());
    return values;
}

Sweep::Values Sweep::values(std::size_t point) const {
    try {
        return computed(written(point));
    } catch (const InputError&) {
        return written(point);  // experiment() says what is wrong
    }
}

Sweep::Values Sweep::computed(Values values) const {
    const auto has_formula = [](const auto& value) { return is_formula(value.second); };
    if (std::none_of(values.begin(), values.end(), has_formula)) return values;
    Values others;
    std::remove_copy_if(values.begin(), values.end(), std::back_inserter(others), has_formula);
    const std::unique_ptr<Experiment> experiment = with(others);
    for (auto& [path, value] : values)
        if (is_formula(value)) try {
                value = computed_value(value, *experiment);
            } catch (const InputError& error) {
                throw error.at(file_ + ": " + path);
            }
    return values;
}

std::unique_ptr<Experiment> Sweep::with(const Values& values) const {
    std::vector<std::string> overrides = overrides_;
    overrides.emplace_back("experiment.schema=1");  // the sweep has said it
    for (const auto& [path, value] : values)
        overrides.push_back(fmt::format("experiment.{}={}", path, value));
    return read_experiment(ConfigMap::from_text(text_, file_, overrides).map("experiment"));
}

std::unique_ptr<Experiment> Sweep::experiment(std::size_t point) const {
    return with(computed(written(point)));
}

std::string run_point(const std::string& task) {
    if (task.starts_with('!')) throw std::runtime_error(task.substr(1));
    const Json point = Json::parse(task);
    const std::unique_ptr<Experiment> experiment =
        read_experiment(ConfigMap::from_text(point["experiment"].dump(), "a point"));
    if (contents_of_named_files(point["experiment"]) != point["files"])
        throw InputError("the files that the point names are not the same on all ranks",
                         "the same files for each");
    if (point.contains("warm")) experiment->cycle_options()->checkpoint.warm = point["warm"];
    return experiment->run().dump();
}

SweepProgress run_sweep(const Sweep& sweep, const std::string& file, const SweepOptions& options,
                        const std::function<void(const SweepProgress&)>& progress) {
    const bool dealt = options.ranks != nullptr && options.ranks->count() > 1;
    if (dealt && options.jobs > 1)
        throw InputError(
            "cannot combine --jobs with mpirun",
            "mpirun without --jobs: one rank for each parallel point, and one that distributes them");
    std::vector<SweepMember> members;
    std::map<std::string, std::size_t> first;  // of each hash: its place among the jobs
    std::vector<Job> jobs;
    bool any = false;
    for (std::size_t i = 0; i < sweep.size(); ++i) {
        Job job = make_job(sweep, i);
        any = any || job.experiment;
        members.push_back({job.point.hash, sweep.values(i)});
        if (first.emplace(job.point.hash, jobs.size()).second) jobs.push_back(std::move(job));
    }
    if (!any) hash_of(sweep.experiment(0)->to_json());  // throws what is wrong with it
    ResultsFile results(file, ResultsFile::Mode::write);
    results.begin(sweep.name(), sweep.text(), members);
    const std::set<std::string> known = results.known(!options.retry_failed);
    std::erase_if(jobs, [&](const Job& job) { return known.contains(job.point.hash); });
    group_by_preparation(jobs);
    WarmStates warm(file);
    share_warm_ups(warm, jobs);

    SweepProgress state;
    state.points = first.size();
    state.known = first.size() - jobs.size();
    const auto start = std::chrono::steady_clock::now();
    const auto tell = [&] {
        state.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (progress) progress(state);
    };
    Prepared prepared;
    const auto compute = [&](std::size_t i) {
        if (!jobs[i].experiment) throw std::runtime_error(jobs[i].point.error);
        return jobs[i].experiment->run(prepared.of(jobs[i])).dump();
    };
    const auto task = [&](std::size_t i) {
        // What cannot be read is what a rank answers with.
        if (!jobs[i].experiment) return "!" + jobs[i].point.error;
        const Json& configuration = jobs[i].point.configuration;
        Json point = {{"experiment", configuration}, {"files", contents_of_named_files(configuration)}};
        const std::string folder = warm.folder(jobs[i].warm_up);
        if (!folder.empty())
            if (const std::string path = std::filesystem::absolute(folder).string(); is_utf8(path))
                point["warm"] = path;
        return point.dump();
    };
    const auto finished = [&](std::size_t i, const TaskOutcome& outcome) {
        ResultPoint& point = jobs[i].point;
        point.failed = outcome.failed;
        if (outcome.failed) {
            point.error = outcome.text;
            if (state.failed == 0) state.first_error = outcome.text;
        } else {
            point.result = Json::parse(outcome.text);
        }
        point.wall_seconds = outcome.seconds;
        point.finished = now();
        results.store(point);
        ++(outcome.failed ? state.failed : state.done);
        if (state.failed + state.done == 1) make_wide_view(results);
        const std::size_t next = i + options.jobs;
        if (!dealt && !outcome.failed && next < jobs.size() && jobs[next].preparation == jobs[i].preparation)
            prepared.make(jobs[i]);
        warm.leave(jobs[i].warm_up);
        jobs[i] = {};
    };
    if (dealt)
        options.ranks->deal(jobs.size(), task, finished, tell);
    else
        run_in_processes(options.jobs, jobs.size(), compute, finished, tell);
    make_wide_view(results);
    tell();
    return state;
}

}  // namespace interlace
