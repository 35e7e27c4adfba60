// Interlace: the smallest queues that cost nothing, or little
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/study/size.h"

#include <fmt/format.h>

#include <algorithm>
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
#include "interlace/results/query.h"

namespace interlace {
namespace {

using Depths = std::vector<std::uint32_t>;

template <class List>
bool contains(const List& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

/// 0 of nothing, whatever the whole.
double share_of(double part, double whole) {
    return part == 0 ? 0 : part / whole;
}

/// Runs combinations of depths, each once.
class Trials {
  public:
    Trials(const SizeStudy& study, const std::string& file, const SweepOptions& options,
           const std::function<void(const SweepProgress&)>& progress)
        : s_(study), file_(file), options_(options), progress_(progress) {}

    void run(const std::vector<Depths>& wanted) {
        std::vector<Depths> fresh;
        for (const Depths& depths : wanted)
            if (!known_.contains(depths) && std::find(fresh.begin(), fresh.end(), depths) == fresh.end())
                fresh.push_back(depths);
        if (fresh.empty()) return;
        order_.insert(order_.end(), fresh.begin(), fresh.end());
        // All so far, so that the file's sweep has them; only fresh ones are run.
        const Sweep sweep(s_.name, s_.file, s_.text, s_.overrides, {axis()});
        run_sweep(sweep, file_, options_, progress_);
        read();
    }

    /// From now on, and of all points so far.
    void compare_by(const std::string& measure) {
        measure_ = measure;
        read();
    }
    const std::string& compared_by() const { return measure_; }
    /// Whether a load was carried; true of what is no traffic, false of a point that failed.
    bool carried(const Depths& depths) const { return !not_carried_.contains(depths); }

    /// NaN for a point that failed, or has no such measure.
    double measure(const Depths& depths) const { return known_.at(depths); }
    /// 0 where points are not sampled.
    double half_interval(const Depths& depths) const {
        const auto found = half_interval_.find(depths);
        return found == half_interval_.end() ? 0 : found->second;
    }
    const std::string& last_error() const { return last_error_; }

    SizedPoint point(const Depths& depths, double reference) const {
        SizedPoint point{depths, measure(depths)};
        if (point.measure == reference)
            point.slow_down = 1;  // both may be 0
        else
            point.slow_down = higher_is_better() ? reference / point.measure : point.measure / reference;
        point.half_interval = higher_is_better()
                                  ? point.slow_down * share_of(half_interval(depths), point.measure)
                                  : share_of(half_interval(depths), reference);
        if (!std::isfinite(point.slow_down)) point.slow_down = std::numeric_limits<double>::infinity();
        for (std::size_t c = 0; c < depths.size(); ++c) point.bytes += depths[c] * s_.queues[c].bytes;
        return point;
    }
    const std::vector<Depths>& tried() const { return order_; }

  private:
    bool higher_is_better() const { return s_.higher_is_better(measure_); }

    /// What the file has of all points.
    void read() {
        ResultsFile results(file_, ResultsFile::Mode::read);
        const ResultsTable ended = select(results, {s_.name, {"status", "error"}, {}});
        for (std::size_t i = 0; i < order_.size(); ++i) {
            known_[order_[i]] = std::numeric_limits<double>::quiet_NaN();
            if (ended.rows[i][0] == "failed") last_error_ = ended.rows[i][1].get<std::string>();
        }
        if (select(results, {s_.name, {"number"}, {"status=done"}}).rows.empty()) return;
        each(results, {measure_}, [&](const Depths& depths, const auto& row) { known_[depths] = row[1]; });
        const std::vector<std::string> measured = columns_of(results, s_.name).measured;
        if (contains(measured, "carried"))
            each(results, {"carried"}, [&](const Depths& depths, const auto& row) {
                if (row[1] == 0) not_carried_.insert(depths);
            });
        const std::string interval = measure_ + "_of_runs.half_interval";
        if (s_.sampled && contains(measured, interval))
            each(results, {interval},
                 [&](const Depths& depths, const auto& row) { half_interval_[depths] = row[1]; });
        if (contains(measured, "packets_missing")) fail_where_packets_are_missing(results);
    }

    /// Of every point that has these columns as numbers: `hear(depths, {number, columns ...})`.
    template <class Hear>
    void each(ResultsFile& results, std::vector<std::string> columns, const Hear& hear) const {
        columns.insert(columns.begin(), "number");
        for (const auto& row : select(results, {s_.name, columns, {"status=done"}}).rows) {
            if (!std::all_of(row.begin(), row.end(), [](const Json& cell) { return cell.is_number(); }))
                continue;
            std::vector<double> numbers;
            numbers.reserve(row.size());
            for (const Json& cell : row) numbers.push_back(cell.get<double>());
            hear(order_[row[0].get<std::size_t>()], numbers);
        }
    }

    /// Unless packets are missing with infinite queues too.
    void fail_where_packets_are_missing(ResultsFile& results) {
        std::map<Depths, double> missing;
        each(results, {"packets_missing"},
             [&](const Depths& depths, const auto& row) { missing[depths] = row[1]; });
        if (missing[Depths(s_.queues.size(), 0)] > 0) return;
        for (const auto& [depths, packets] : missing)
            if (packets > 0) known_[depths] = std::numeric_limits<double>::quiet_NaN();
    }

    Sweep::Axis axis() const {
        Sweep::Axis axis;
        for (std::size_t c = 0; c < s_.queues.size(); ++c) {
            axis.paths.push_back(s_.queues[c].path);
            axis.values.emplace_back();
            for (const Depths& depths : order_)
                axis.values.back().push_back(
                    std::to_string(depths[c] == 0 ? s_.queues[c].infinite : depths[c]));
        }
        return axis;
    }

    const SizeStudy& s_;
    const std::string& file_;
    const SweepOptions& options_;
    const std::function<void(const SweepProgress&)>& progress_;
    std::vector<Depths> order_;
    std::string measure_ = s_.measure;
    std::map<Depths, double> known_, half_interval_;
    std::set<Depths> not_carried_;
    std::string last_error_;
};

/// Looks for the least depth of one class, the others infinite, whose slow-down is at most `most`: doubles
/// from the least one, then bisects.
class Search {
  public:
    Search(const SizeStudy& study, std::size_t queue, double most)
        : study_(study), queue_(queue), most_(most), next_(study.queues[queue].min_depth) {}

    bool over() const { return over_; }
    /// What to try next.
    Depths next() const { return depths(next_); }

    void tell(double slow_down) {
        if (slow_down <= most_) {
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
    double most_;
    std::uint32_t next_, enough_ = 0, short_ = 0;
    bool over_ = false;
};

/// All searches side by side: a trial of each a round.
void search(std::vector<Search>& searches, Trials& trials, double reference) {
    for (;;) {
        std::vector<Depths> wanted;
        for (const Search& one : searches)
            if (!one.over()) wanted.push_back(one.next());
        if (wanted.empty()) return;
        trials.run(wanted);
        for (Search& one : searches)
            if (!one.over()) one.tell(trials.point(one.next(), reference).slow_down);
    }
}

/// Where a deeper queue of this class, the others infinite, was slower.
std::string not_monotone(const Trials& trials, std::size_t queue, double reference) {
    std::map<std::uint32_t, double> by_depth;
    for (const Depths& depths : trials.tried()) {
        const bool alone =
            std::count(depths.begin(), depths.end(), 0U) + 1 == static_cast<long>(depths.size());
        if (alone && depths[queue] > 0) by_depth[depths[queue]] = trials.point(depths, reference).slow_down;
    }
    std::uint32_t before = 0;
    double best = std::numeric_limits<double>::infinity();
    for (const auto& [depth, slow_down] : by_depth) {
        if (slow_down > best) return fmt::format("a depth of {} is slower than one of {}", depth, before);
        best = slow_down;
        before = depth;
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

/// Depths of all classes that suffice together: those that suffice alone, doubled while small losses add up.
Depths enough_together(const SizeStudy& study, const SizeResult& result, Trials& trials) {
    Depths depths;
    for (std::size_t c = 0; c < study.queues.size(); ++c) depths.push_back(result.alone[c].free.depths[c]);
    for (;;) {
        trials.run({depths});
        if (trials.point(depths, result.reference).slow_down <= 1 + study.tolerance) return depths;
        const Depths before = depths;
        for (std::size_t c = 0; c < depths.size(); ++c)
            depths[c] = std::min(2 * depths[c], study.queues[c].max_depth);
        if (depths == before)
            throw FellShort("depths that suffice alone do not together: " + trials.last_error());
    }
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
std::uint32_t smallest(const SizeStudy& study, Trials& trials, Depths depths, std::size_t queue,
                       double reference) {
    std::uint32_t enough = depths[queue];
    std::uint32_t low = study.queues[queue].min_depth;
    while (low < enough) {
        depths[queue] = low + (enough - low) / 2;
        trials.run({depths});
        if (trials.point(depths, reference).slow_down <= 1 + study.tolerance)
            enough = depths[queue];
        else
            low = depths[queue] + 1;
    }
    return enough;
}

/// From depths within the tolerance to some of which no class alone can be smaller: one class after the
/// other, where most bytes are first, until a round changes nothing.
void refine(const SizeStudy& study, Trials& trials, Depths depths, double reference) {
    std::vector<std::size_t> order(depths.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (Depths before; before != depths;) {
        before = depths;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return depths[a] * study.queues[a].bytes > depths[b] * study.queues[b].bytes;
        });
        for (const std::size_t queue : order)
            depths[queue] = smallest(study, trials, depths, queue, reference);
    }
}

const SizedPoint* joint_of(const SizeStudy& study, const std::vector<SizedPoint>& front) {
    for (const SizedPoint& point : front)
        if (point.slow_down <= 1 + study.tolerance) return &point;
    return nullptr;
}

/// Of all points of classes together, those that are tried.
std::vector<SizedPoint> together_in(const Trials& trials, double reference) {
    std::vector<SizedPoint> points;
    for (const Depths& depths : trials.tried())
        if (std::find(depths.begin(), depths.end(), 0U) == depths.end())
            points.push_back(trials.point(depths, reference));
    return points;
}

std::vector<SizedPoint> front_of(std::vector<SizedPoint> points) {
    std::sort(points.begin(), points.end(), [](const SizedPoint& a, const SizedPoint& b) {
        return std::tie(a.bytes, a.slow_down, a.depths) < std::tie(b.bytes, b.slow_down, b.depths);
    });
    std::vector<SizedPoint> front;
    for (SizedPoint& point : points)
        if (std::isfinite(point.slow_down) && (front.empty() || point.slow_down < front.back().slow_down))
            front.push_back(std::move(point));
    return front;
}

/// Throws where infinite queues are nothing to compare with.
void check_reference(const SizeStudy& study, const Trials& trials, const SizeResult& result) {
    if (!trials.last_error().empty())
        throw InputError("with infinite queues: " + trials.last_error(), "an experiment that runs");
    if (!result.carried && !std::isfinite(result.reference))
        throw InputError(result.measure + " of a load that is not carried even with infinite queues",
                         "a lower load, or measure: accepted_load or saturation_load")
            .at(study.file);
    if (!std::isfinite(result.reference))
        throw InputError("no " + result.measure + " is measured with infinite queues",
                         "an experiment that measures it")
            .at(study.file);
    if (study.higher_is_better(result.measure) && result.reference == 0)
        throw InputError(result.measure + " is 0 with infinite queues",
                         "an experiment in which packets arrive")
            .at(study.file);
}

const Measure* find_measure(const std::vector<Measure>& measures, const std::string& name) {
    for (const Measure& measure : measures)
        if (name == measure.key) return &measure;
    return nullptr;
}

}  // namespace

bool SizeStudy::higher_is_better(const std::string& a_measure) const {
    const Measure* known = find_measure(measures, a_measure);
    return known != nullptr && known->higher_is_better;
}

SizeStudy::SizeStudy(const std::string& path, const std::vector<std::string>& values)
    : file(path), text(read_whole_file(path, "a YAML file")), overrides(values) {
    ConfigMap config = ConfigMap::from_text(text, file, overrides);
    config.check_schema(1);
    name = config.text("name", std::filesystem::path(file).stem().string());
    config.map("experiment");
    ConfigMap size = config.map("size");
    config.finish();
    const std::unique_ptr<Experiment> experiment = Sweep(name, file, text, overrides, {}).experiment(0);
    const std::vector<QueueToSize> known = experiment->queues();
    if (known.empty())
        throw InputError("the experiment has no queues", "a cycle engine, or messages on a cluster")
            .at(config.place("experiment"));
    measures = experiment->measures();
    measure_by_default = !size.has("measure");
    measure = size.text("measure", measures.front().key);
    sampled = find_measure(measures, measure) != nullptr && experiment->runs() > 1;
    if (size.has("tolerance")) tolerance = size.number("tolerance");
    if (!(tolerance >= 0))
        throw InputError("this is below 0", "a share of the measure").at(size.place("tolerance"));
    size.update("points", points, 2, 100);
    queues = known;
    if (size.has("queues")) {
        queues.clear();
        for (const std::string& wanted : size.texts("queues")) {
            const auto found =
                std::find_if(known.begin(), known.end(), [&](const auto& q) { return q.name == wanted; });
            std::string names;
            for (const QueueToSize& queue : known) names += (names.empty() ? "" : ", ") + queue.name;
            if (found == known.end())
                throw InputError("there are no queues '" + wanted + "'", names).at(size.place("queues"));
            if (std::any_of(queues.begin(), queues.end(), [&](const auto& q) { return q.name == wanted; }))
                throw InputError("queues '" + wanted + "' stand twice", "each once").at(size.place("queues"));
            queues.push_back(*found);
        }
        if (queues.empty()) throw InputError("there are no queues", "one or more").at(size.place("queues"));
    }
    size.finish();
}

SizeResult run_size(const SizeStudy& study, const std::string& file, const SweepOptions& options,
                    const std::function<void(const SweepProgress&)>& progress) {
    Trials trials(study, file, options, progress);
    const Depths infinite_queues(study.queues.size(), 0);
    trials.run({infinite_queues});
    SizeResult result;
    result.carried = trials.carried(infinite_queues);
    if (!result.carried && study.measure_by_default) trials.compare_by("accepted_load");
    result.measure = trials.compared_by();
    result.reference = trials.measure(infinite_queues);
    check_reference(study, trials, result);
    result.half_interval = share_of(trials.half_interval(infinite_queues), result.reference);
    const std::size_t classes = study.queues.size();
    std::vector<Search> searches;
    for (std::size_t c = 0; c < classes; ++c)
        for (const double most : {1 + study.tolerance, 1 + result.half_interval})
            searches.emplace_back(study, c, most);
    search(searches, trials, result.reference);
    for (std::size_t c = 0; c < classes; ++c)
        result.alone.push_back({trials.point(searches[2 * c].found(), result.reference),
                                trials.point(searches[2 * c + 1].found(), result.reference),
                                not_monotone(trials, c, result.reference)});
    trials.run(combinations(study, result.alone, enough_together(study, result, trials)));
    const auto front = [&] { return front_of(together_in(trials, result.reference)); };
    result.front = front();
    const SizedPoint* joint = joint_of(study, result.front);
    if (joint == nullptr) throw FellShort("no depths that were tried are within the tolerance");
    refine(study, trials, joint->depths, result.reference);
    result.front = front();
    result.joint = *joint_of(study, result.front);
    for (const Depths& depths : trials.tried())
        result.tried.push_back(trials.point(depths, result.reference));
    ResultsFile(file, ResultsFile::Mode::write).conclude(study.name, to_json(study, result));
    return result;
}

Json to_json(const SizeStudy& study, const SizeResult& result) {
    const auto point_json = [&](const SizedPoint& point) {
        Json json;
        for (std::size_t c = 0; c < study.queues.size(); ++c)
            json["depths"][study.queues[c].name] =
                point.depths[c] == 0 ? Json(nullptr) : Json(point.depths[c]);
        json["measure"] = std::isfinite(point.measure) ? Json(point.measure) : Json(nullptr);
        json["slow_down"] = std::isfinite(point.slow_down) ? Json(point.slow_down) : Json(nullptr);
        if (study.sampled) json["half_interval"] = point.half_interval;
        const bool has_infinite =
            std::find(point.depths.begin(), point.depths.end(), 0U) != point.depths.end();
        json["bytes"] = has_infinite ? Json(nullptr) : Json(point.bytes);
        return json;
    };
    Json json = {{"schema", "interlace.size/1"},
                 {"version", version()},
                 {"name", study.name},
                 {"measure", result.measure},
                 {"carried", result.carried},
                 {"tolerance", study.tolerance},
                 {"reference", result.reference},
                 {"half_interval", result.half_interval},
                 {"points", result.tried.size()}};
    for (std::size_t c = 0; c < study.queues.size(); ++c) {
        const SizedQueue& queue = result.alone[c];
        json["alone"][study.queues[c].name] = {
            {"depth", queue.within.depths[c]},
            {"slow_down", queue.within.slow_down},
            {"depth_without_slow_down", queue.free.depths[c]},
            {"not_monotone", queue.not_monotone.empty() ? Json(nullptr) : Json(queue.not_monotone)}};
    }
    json["joint"] = point_json(result.joint);
    for (const SizedPoint& point : result.front) json["front"].push_back(point_json(point));
    for (const SizedPoint& point : result.tried) json["tried"].push_back(point_json(point));
    return json;
}

}  // namespace interlace
