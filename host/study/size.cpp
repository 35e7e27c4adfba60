// Interlace: the smallest queues that cost nothing, or little
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/core/whole_file.h"
#include "interlace/measure/sample.h"
#include "size_trials.h"

namespace interlace {
namespace {

constexpr std::uint32_t max_depths_of_one = 100;  // that are tried where there is one class
constexpr int max_confirmations = 6;

/// 0 of nothing, whatever the whole.
double share_of(double part, double whole) {
    return part == 0 ? 0 : part / whole;
}

/// What the depth of one class has to do.
enum class Goal : std::uint8_t {
    within,  // a slow-down whose interval is within the tolerance
    free     // none that is significant
};

/// Looks for the least depth of one class, the others infinite, that reaches the goal: doubles from the least
/// one, then bisects.
class Search {
  public:
    Search(const SizeStudy& study, std::size_t queue, Goal goal)
        : study_(study), queue_(queue), goal_(goal), next_(study.queues[queue].min_depth) {}

    Goal goal() const { return goal_; }
    bool over() const { return over_; }
    /// What to try next.
    Depths next() const { return depths(next_); }

    void tell(bool suffices) {
        if (suffices) {
            enough_ = next_;
        } else {
            short_ = next_;
            const QueueToSize& queue = study_.queues[queue_];
            if (next_ >= queue.max_depth)
                throw FellShort(fmt::format("no {} of up to {} suffices", queue.name, queue.max_depth));
        }
        if (enough_ == 0)
            next_ = std::min(2 * next_, study_.queues[queue_].max_depth);
        else if (enough_ - short_ <= 1 || enough_ == study_.queues[queue_].min_depth)
            over_ = true;
        else
            next_ = short_ + (enough_ - short_) / 2;
    }
    Depths found() const { return depths(enough_); }

  private:
    Depths depths(std::uint32_t depth) const {
        Depths depths(study_.queues.size(), 0);
        depths[queue_] = depth;
        return depths;
    }
    const SizeStudy& study_;
    std::size_t queue_;
    Goal goal_;
    std::uint32_t next_, enough_ = 0, short_ = 0;
    bool over_ = false;
};

double most(const SizeStudy& study) {
    return 1 + study.tolerance;
}

bool reaches(Goal goal, const SizeStudy& study, const Trials& trials, const Depths& depths) {
    if (goal == Goal::free) return trials.verdict(depths, 1) != TrialVerdict::beyond;
    return trials.verdict(depths, most(study)) == TrialVerdict::within;
}

/// All searches side by side: a trial of each a round.
void search(std::vector<Search>& searches, const SizeStudy& study, Trials& trials) {
    for (;;) {
        std::vector<Depths> all, within;
        for (const Search& one : searches) {
            if (one.over()) continue;
            all.push_back(one.next());
            if (one.goal() == Goal::within) within.push_back(one.next());
        }
        if (all.empty()) return;
        trials.run(all);
        trials.settle(within, most(study));
        for (Search& one : searches)
            if (!one.over()) one.tell(reaches(one.goal(), study, trials, one.next()));
    }
}

/// Where a deeper queue of this class, the others infinite, was slower.
std::string not_monotone(const Trials& trials, std::size_t queue) {
    std::map<std::uint32_t, Depths> by_depth;
    for (const Depths& depths : trials.tried()) {
        const bool alone =
            std::count(depths.begin(), depths.end(), 0U) + 1 == static_cast<long>(depths.size());
        if (alone && depths[queue] > 0) by_depth[depths[queue]] = depths;
    }
    const Depths* best = nullptr;
    for (const auto& [depth, depths] : by_depth) {
        if (best == nullptr || trials.slow_down(depths).mean < trials.slow_down(*best).mean)
            best = &depths;
        else if (trials.slower(depths, *best))
            return fmt::format("a depth of {} is slower than one of {}", depth, (*best)[queue]);
    }
    return {};
}

/// From the least depth to `enough`, in as equal ratios as whole numbers allow.
std::vector<std::uint32_t> between(std::uint32_t least, std::uint32_t enough, std::uint32_t points) {
    std::set<std::uint32_t> depths = {least, enough};
    for (std::uint32_t i = 1; i + 1 < points; ++i)
        depths.insert(static_cast<std::uint32_t>(
            std::lround(least * std::pow(static_cast<double>(enough) / least, i / (points - 1.0)))));
    return {depths.begin(), depths.end()};
}

/// Of each class the deeper of what suffices alone and what costs nothing alone.
Depths deepest_alone(const SizeResult& result) {
    Depths depths;
    for (std::size_t c = 0; c < result.alone.size(); ++c)
        depths.push_back(std::max(result.alone[c].within.depths[c], result.alone[c].free.depths[c]));
    return depths;
}

/// Depths of all classes that suffice together: those that suffice alone, doubled while small losses add up.
Depths enough_together(const SizeStudy& study, const SizeResult& result, Trials& trials) {
    Depths depths = deepest_alone(result);
    for (;;) {
        trials.settle({depths}, most(study));
        if (trials.verdict(depths, most(study)) == TrialVerdict::within) return depths;
        const Depths before = depths;
        for (std::size_t c = 0; c < depths.size(); ++c)
            depths[c] = std::min(2 * depths[c], study.queues[c].max_depth);
        if (depths == before)
            throw FellShort("depths that suffice for each class do not suffice together: " +
                            trials.last_error());
    }
}

/// Of one class, every depth from the least to `enough`, or as many as are tried.
std::vector<Depths> every_depth(const SizeStudy& study, std::uint32_t enough) {
    std::vector<Depths> all;
    const std::uint32_t least = study.queues[0].min_depth;
    if (enough - least >= max_depths_of_one)
        for (const std::uint32_t depth : between(least, enough, max_depths_of_one)) all.push_back({depth});
    else
        for (std::uint32_t depth = least; depth <= enough; ++depth) all.push_back({depth});
    return all;
}

/// Every combination of depths from the least to `enough`.
std::vector<Depths> combinations(const SizeStudy& study, const std::vector<SizedQueue>& alone,
                                 const Depths& enough) {
    std::vector<Depths> all = {{}};
    for (std::size_t c = 0; c < study.queues.size(); ++c) {
        std::set<std::uint32_t> depths = {alone[c].within.depths[c], alone[c].free.depths[c]};
        for (const std::uint32_t d : between(study.queues[c].min_depth, enough[c], study.points))
            depths.insert(d);
        std::vector<Depths> longer;
        for (const Depths& prefix : all)
            for (const std::uint32_t depth : depths) {
                longer.push_back(prefix);
                longer.back().push_back(depth);
            }
        all = std::move(longer);
    }
    return all;
}

/// The smallest depth of one class that is within the tolerance while the others are as in `depths`, which
/// is.
std::uint32_t smallest(const SizeStudy& study, Trials& trials, Depths depths, std::size_t queue) {
    std::uint32_t enough = depths[queue];
    std::uint32_t low = study.queues[queue].min_depth;
    while (low < enough) {
        depths[queue] = low + (enough - low) / 2;
        trials.settle({depths}, most(study));
        if (trials.verdict(depths, most(study)) == TrialVerdict::within)
            enough = depths[queue];
        else
            low = depths[queue] + 1;
    }
    return enough;
}

/// From depths within the tolerance to some of which no class alone can be smaller: one class after the
/// other, where most bytes are first, until a round changes nothing.
void refine(const SizeStudy& study, Trials& trials, Depths depths) {
    std::vector<std::size_t> order(depths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (Depths before; before != depths;) {
        before = depths;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return depths[a] * study.queues[a].bytes > depths[b] * study.queues[b].bytes;
        });
        for (const std::size_t queue : order) depths[queue] = smallest(study, trials, depths, queue);
    }
}

/// Of all points of classes together, those that are tried, by bytes.
std::vector<SizedPoint> together_in(const Trials& trials) {
    std::vector<SizedPoint> points;
    for (const Depths& depths : trials.tried())
        if (std::find(depths.begin(), depths.end(), 0U) == depths.end())
            points.push_back(trials.point(depths));
    std::sort(points.begin(), points.end(), [](const SizedPoint& a, const SizedPoint& b) {
        return std::tie(a.bytes, a.slow_down, a.depths) < std::tie(b.bytes, b.slow_down, b.depths);
    });
    return points;
}

/// The cheapest of those that are tried within the tolerance, once no cheaper one straddles it.
Depths cheapest(const SizeStudy& study, Trials& trials) {
    for (;;) {
        std::vector<Depths> open;
        Depths found;
        for (const SizedPoint& point : together_in(trials)) {
            const TrialVerdict verdict = trials.verdict(point.depths, most(study));
            if (verdict == TrialVerdict::straddles) open.push_back(point.depths);
            if (verdict != TrialVerdict::within) continue;
            found = point.depths;
            break;
        }
        if (trials.add_seeds(open)) continue;
        if (found.empty()) throw FellShort("no depths that were tried are within the tolerance");
        return found;
    }
}

std::vector<SizedPoint> front_of(std::vector<SizedPoint> by_bytes) {
    std::vector<SizedPoint> front;
    for (SizedPoint& point : by_bytes)
        if (std::isfinite(point.slow_down) && (front.empty() || point.slow_down < front.back().slow_down))
            front.push_back(std::move(point));
    return front;
}

/// One class deeper by `step`: the one that then costs least. Infinite classes stay so.
Depths deeper(const SizeStudy& study, Trials& trials, const Depths& depths, std::uint32_t step) {
    std::vector<Depths> choices;
    for (std::size_t c = 0; c < depths.size(); ++c) {
        if (depths[c] == 0 || depths[c] >= study.queues[c].max_depth) continue;
        choices.push_back(depths);
        choices.back()[c] = std::min(depths[c] + step, study.queues[c].max_depth);
    }
    if (choices.empty()) return depths;
    trials.run(choices);
    return *std::min_element(choices.begin(), choices.end(), [&](const Depths& a, const Depths& b) {
        return trials.slow_down(a).mean < trials.slow_down(b).mean;
    });
}

/// `depths`, or deeper ones, as they hold under seeds that the search did not use.
SizedPoint confirmed(const SizeStudy& study, Trials& trials, Depths depths) {
    if (!study.sampled()) return trials.point(depths);
    for (int i = 0;; ++i) {
        trials.settle({depths}, most(study), Seeds::fresh);
        const bool held = trials.verdict(depths, most(study), Seeds::fresh) == TrialVerdict::within;
        if (held || i == max_confirmations) {
            SizedPoint point = trials.point(depths);
            const Sample fresh = trials.slow_down(depths, Seeds::fresh);
            point.confirmation = {held, fresh.mean, fresh.half_interval, fresh.count};
            return point;
        }
        depths = deeper(study, trials, depths, 1U << static_cast<unsigned>(i));
    }
}

/// Throws where infinite queues are nothing to compare with.
void check_reference(const SizeStudy& study, const Trials& trials, const SizeResult& result) {
    const std::string with = "with " + study.reference_text();
    if (!trials.last_error().empty())
        throw InputError(with + ": " + trials.last_error(), "an experiment that runs");
    if (!result.carried && !std::isfinite(result.reference))
        throw InputError(fmt::format("{} of a saturated network{} {}", result.measure,
                                     study.fixed.empty() ? " even" : "", with),
                         fmt::format("a lower load, {}or measure: accepted_load or saturation_load",
                                     study.fixed.empty() ? "" : "deeper fixed queues, "))
            .at(study.file);
    if (!std::isfinite(result.reference))
        throw InputError(
            "no " + result.measure + " is measured " + with + (study.sampled() ? " under every seed" : ""),
            study.sampled() ? "an experiment that measures it, long enough"
                            : "an experiment that measures it")
            .at(study.file);
    if (study.higher_is_better(result.measure) && result.reference == 0)
        throw InputError(result.measure + " is 0 " + with, "an experiment in which packets arrive")
            .at(study.file);
}

const Measure* find_measure(const std::vector<Measure>& measures, const std::string& name) {
    for (const Measure& measure : measures)
        if (name == measure.key) return &measure;
    return nullptr;
}

/// Runs the experiment with infinite queues, and chooses the measure.
void compare_with_infinite(const SizeStudy& study, Trials& trials, SizeResult& result) {
    const Depths infinite_queues(study.queues.size(), 0);
    trials.begin_stage("infinite queues");
    trials.run({infinite_queues});
    result.carried = trials.carried(infinite_queues);
    if (!result.carried && study.measure_by_default) trials.compare_by("accepted_load");
    result.measure = trials.compared_by();
    const Sample reference = trials.measure(infinite_queues);
    result.reference = reference.mean;
    result.half_interval = share_of(reference.half_interval, reference.mean);
    check_reference(study, trials, result);
}

/// The least depth of each class alone.
void size_alone(const SizeStudy& study, Trials& trials, SizeResult& result) {
    std::vector<Search> searches;
    for (std::size_t c = 0; c < study.queues.size(); ++c)
        for (const Goal goal : {Goal::within, Goal::free}) searches.emplace_back(study, c, goal);
    search(searches, study, trials);
    for (std::size_t c = 0; c < study.queues.size(); ++c) {
        const SizedPoint within = confirmed(study, trials, searches[2 * c].found());
        result.alone.push_back({within, trials.point(searches[2 * c + 1].found()), {}});
    }
}

/// The experiment with `more` overrides.
std::unique_ptr<Experiment> read(const SizeStudy& study, const std::vector<std::string>& more) {
    std::vector<std::string> overrides = study.overrides;
    overrides.insert(overrides.end(), more.begin(), more.end());
    return Sweep(study.name, study.file, study.text, overrides, {}).experiment(0);
}

/// Overrides with which the experiment can be read: none, or such as replace depths that the search replaces
/// too, of the classes `wanted` (empty: all). Throws InputError of the file as it is.
std::vector<std::string> readable(const SizeStudy& study, const std::vector<std::string>& wanted) {
    using Values = std::vector<std::array<const char*, 3>>;
    const Values node = {{"injection", depth_path::injection, "0"},
                         {"reception", depth_path::reception, "0"},
                         {"virtual_channel", depth_path::virtual_channel, "0"}};
    Values layer = node;
    layer.push_back({"replay_buffer", depth_path::replay_buffer, "1"});
    try {
        read(study, {})->queues();
        return {};
    } catch (const InputError&) {
        for (const Values& values : {node, layer, Values{{"switch_buffer", depth_path::switch_buffer, "0"}}})
            try {
                std::vector<std::string> more;
                for (const auto& [name, path, value] : values)
                    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end())
                        more.push_back(fmt::format("experiment.{}={}", path, value));
                read(study, more)->queues();
                return more;
            } catch (const InputError&) {
                // It was not these alone.
            }
        throw;
    }
}

std::uint32_t depth_at(const Json& configuration, const std::string& path) {
    std::string pointer = "/" + path;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    return configuration.value(Json::json_pointer(pointer), 0U);
}

/// Those of `known` that `size` names, or all.
std::vector<QueueToSize> named_queues(ConfigMap& size, const std::vector<std::string>& wanted,
                                      const std::vector<QueueToSize>& known) {
    if (!size.has("queues")) return known;
    std::vector<QueueToSize> queues;
    for (const std::string& name : wanted) {
        const auto is_it = [&](const QueueToSize& queue) { return queue.name == name; };
        const auto found = std::find_if(known.begin(), known.end(), is_it);
        std::string names;
        for (const QueueToSize& queue : known) names += (names.empty() ? "" : ", ") + queue.name;
        if (found == known.end())
            throw InputError("there are no queues '" + name + "'", names).at(size.place("queues"));
        if (std::any_of(queues.begin(), queues.end(), is_it))
            throw InputError("queues '" + name + "' are listed twice", "each once").at(size.place("queues"));
        queues.push_back(*found);
    }
    if (queues.empty()) throw InputError("there are no queues", "one or more").at(size.place("queues"));
    return queues;
}

void check_measure(const SizeStudy& study, const ConfigMap& size) {
    if (find_measure(study.measures, study.measure) != nullptr) return;
    std::vector<std::string> names;
    for (const Measure& measure : study.measures) names.emplace_back(measure.key);
    throw InputError(fmt::format("cannot compare by '{}'", study.measure),
                     fmt::format("one of {}", fmt::join(names, ", ")))
        .at(size.place("measure"));
}

}  // namespace

bool SizeStudy::higher_is_better(const std::string& a_measure) const {
    const Measure* known = find_measure(measures, a_measure);
    return known != nullptr && known->higher_is_better;
}

std::string SizeStudy::reference_text() const {
    if (fixed.empty()) return "infinite queues";
    std::vector<std::string> sized, others;
    for (const QueueToSize& queue : queues) sized.push_back(queue.name);
    for (const FixedQueue& queue : fixed)
        others.push_back(queue.name + " " + (queue.depth == 0 ? "infinite" : std::to_string(queue.depth)));
    return fmt::format("infinite {} queues and {} as in the file", fmt::join(sized, ", "),
                       fmt::join(others, ", "));
}

SizeStudy::SizeStudy(const std::string& path, const std::vector<std::string>& values)
    : file(path), text(read_whole_file(path, "a YAML file")), overrides(values) {
    ConfigMap config = ConfigMap::from_text(text, file, overrides);
    config.check_schema(1);
    name = config.text("name", std::filesystem::path(file).stem().string());
    config.map("experiment");
    ConfigMap size = config.map("size");
    config.finish();
    const std::vector<std::string> wanted =
        size.has("queues") ? size.texts("queues") : std::vector<std::string>();
    std::vector<std::string> more = readable(*this, wanted);
    const std::unique_ptr<Experiment> experiment = read(*this, more);
    const std::vector<QueueToSize> known = experiment->queues();
    if (known.empty())
        throw InputError("the experiment has no queues", "a cycle engine, or messages on a cluster")
            .at(config.place("experiment"));
    measures = experiment->measures();
    measure_by_default = !size.has("measure");
    measure = size.text("measure", measures.front().key);
    check_measure(*this, size);
    if (size.has("tolerance")) tolerance = size.number("tolerance");
    if (!(tolerance >= 0))
        throw InputError("this is below 0", "a fraction of the metric").at(size.place("tolerance"));
    size.update("points", points, 2, 100);
    queues = named_queues(size, wanted, known);
    size.finish();
    const Json configuration = experiment->to_json();
    for (const QueueToSize& queue : known)
        if (std::none_of(queues.begin(), queues.end(), [&](const auto& q) { return q.name == queue.name; }))
            fixed.push_back({queue.name, depth_at(configuration, queue.path)});
    more.push_back(fmt::format("experiment.seeds={}", default_seeds));
    random = read(*this, more)->runs() > 1;
    if (!random) return;
    first_seed = configuration.at("seed").get<std::uint64_t>();
    const auto of_file = configuration.value("seeds", 0U);
    seeds = of_file == 0 ? default_seeds : of_file;
}

SizeResult run_size(const SizeStudy& study, const std::string& file, const SweepOptions& options,
                    const SizeListener& progress) {
    Trials trials(study, file, options, progress);
    SizeResult result;
    compare_with_infinite(study, trials, result);
    trials.begin_stage("each class alone");
    size_alone(study, trials, result);
    trials.begin_stage("classes together");
    if (study.queues.size() == 1) {
        const std::vector<Depths> depths = every_depth(study, deepest_alone(result)[0]);
        trials.run(depths);
        result.every_depth = depths.size() == depths.back()[0] - depths.front()[0] + 1;
    } else {
        trials.run(combinations(study, result.alone, enough_together(study, result, trials)));
        refine(study, trials, cheapest(study, trials));
    }
    trials.begin_stage("confirmation");
    result.joint = confirmed(study, trials, cheapest(study, trials));
    result.front = front_of(together_in(trials));
    for (std::size_t c = 0; c < study.queues.size(); ++c)
        result.alone[c].not_monotone = not_monotone(trials, c);
    for (const Depths& depths : trials.tried()) result.tried.push_back(trials.point(depths));
    ResultsFile(file, ResultsFile::Mode::write).conclude(study.name, to_json(study, result));
    return result;
}

namespace {

Json number_or_null(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json confirmation_json(const Confirmation& confirmation) {
    return {{"held", confirmation.held},
            {"slow_down", number_or_null(confirmation.slow_down)},
            {"half_interval", confirmation.half_interval},
            {"seeds", confirmation.seeds}};
}

Json point_json(const SizeStudy& study, const SizedPoint& point) {
    Json json;
    for (std::size_t c = 0; c < study.queues.size(); ++c)
        json["depths"][study.queues[c].name] = point.depths[c] == 0 ? Json(nullptr) : Json(point.depths[c]);
    json["measure"] = number_or_null(point.measure);
    json["slow_down"] = number_or_null(point.slow_down);
    if (study.sampled()) {
        json["half_interval"] = point.half_interval;
        json["seeds"] = point.seeds;
    }
    const bool has_infinite = std::find(point.depths.begin(), point.depths.end(), 0U) != point.depths.end();
    json["bytes"] = has_infinite ? Json(nullptr) : Json(point.bytes);
    return json;
}

}  // namespace

Json to_json(const SizeStudy& study, const SizeResult& result) {
    Json json = {{"schema", "interlace.size/1"},
                 {"version", version()},
                 {"name", study.name},
                 {"measure", result.measure},
                 {"carried", result.carried},
                 {"tolerance", study.tolerance},
                 {"random", study.random},
                 {"seeds", study.seeds},
                 {"reference", result.reference},
                 {"half_interval", result.half_interval},
                 {"points", result.tried.size()},
                 {"every_depth", result.every_depth}};
    json["fixed"] = Json::object();
    for (const FixedQueue& queue : study.fixed)
        json["fixed"][queue.name] = queue.depth == 0 ? Json(nullptr) : Json(queue.depth);
    for (std::size_t c = 0; c < study.queues.size(); ++c) {
        const SizedQueue& queue = result.alone[c];
        json["alone"][study.queues[c].name] = {
            {"depth", queue.within.depths[c]},
            {"slow_down", number_or_null(queue.within.slow_down)},
            {"half_interval", queue.within.half_interval},
            {"depth_without_slow_down", queue.free.depths[c]},
            {"not_monotone", queue.not_monotone.empty() ? Json(nullptr) : Json(queue.not_monotone)}};
        if (queue.within.confirmation)
            json["alone"][study.queues[c].name]["confirmed"] = confirmation_json(*queue.within.confirmation);
    }
    json["joint"] = point_json(study, result.joint);
    if (result.joint.confirmation) json["joint"]["confirmed"] = confirmation_json(*result.joint.confirmation);
    for (const SizedPoint& point : result.front) json["front"].push_back(point_json(study, point));
    for (const SizedPoint& point : result.tried) json["tried"].push_back(point_json(study, point));
    return json;
}

}  // namespace interlace
