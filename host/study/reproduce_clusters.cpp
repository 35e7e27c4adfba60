// Interlace: published values of collectives on clusters beside computed ones
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "interlace/broadcast/cluster/shuffle.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/random.h"
#include "interlace/core/text.h"
#include "interlace/experiment/kinds/allgather.h"
#include "interlace/experiment/kinds/alltoall.h"
#include "interlace/experiment/kinds/multicast.h"
#include "interlace/network/cluster.h"
#include "multicast_sample.h"
#include "once.h"
#include "row_job.h"

namespace interlace {
namespace {

/// One row as its file describes it. What a measure does not use is not asked for.
struct ClusterRow {
    ReproducedRow row;
    std::string held;  ///< the value that has to be computed under seed 1, if any
    std::string place, measure, network, algorithm, against, tree;
    std::uint64_t message = 65'536;
    bool barriers = false;
    std::uint32_t count = 0;    ///< of a phase; of participants; of machines
    std::uint32_t samples = 0;  ///< of random cases
    std::uint64_t seed = 1;
    StandIn stand_in;
    MulticastPoint multicast;
};

/// A value; of random cases, with its standard error; of several seeds, with half of its 95% interval.
struct Measured {
    double mean = 0, error = 0, half = 0;
};

template <class Case>
Measured sample(std::uint32_t samples, const Case& value_of_case) {
    double sum = 0;
    double squares = 0;
    for (std::uint32_t i = 0; i < samples; ++i) {
        const double value = value_of_case(i);
        sum += value;
        squares += value * value;
    }
    const double mean = sum / samples;
    return {mean, std::sqrt(std::max(0.0, squares / samples - mean * mean) / samples)};
}

/// One run, whatever its machines.
ClusterOptions cluster_of(const ClusterRow& r) {
    ClusterOptions e;
    e.network = r.network;
    e.seeds = 1;
    return e;
}

AllGatherRun allgather(const ClusterRow& r, const std::string& algorithm, bool plan_only) {
    AllGatherExperiment e;
    e.cluster = cluster_of(r);
    e.algorithm = algorithm;
    e.message = r.message;
    e.barriers = r.barriers;
    e.until = plan_only ? Until::plan : Until::run;
    return run_allgather(e);
}

double milliseconds(const AllGatherRun& run) {
    return run.result->seconds().mean * 1e3;
}

/// Section 5 of the all-gather paper: five machines a switch, switches of average degree 4, the longest path
/// of a ring.
Measured longest_path_of_random_clusters(const ClusterRow& r) {
    const auto make = r.algorithm == "lr1" ? ring_lr1 : ring_lr3;
    const auto kind = r.tree == "bfs" ? TreeKind::bfs : r.tree == "dfs" ? TreeKind::dfs : TreeKind::random;
    const std::uint32_t switches = r.count / 5;
    return sample(r.samples, [&](std::uint32_t i) {
        const std::uint64_t seed = random_bits(r.seed, r.count, i);
        const Network network = make_cluster("random", random_cluster(switches, r.count, 4, seed));
        const auto root = static_cast<std::uint32_t>(random_bits(seed, 4, 0) % switches);
        const SwitchTree tree(network, kind, root, seed);
        return static_cast<double>(longest_path(tree, make(tree)));
    });
}

/// Section 6.3 of the heterogeneous paper: nine workstations, t_ini drawn from 100, 200, ... 800 us, a source
/// and other participants drawn too.
template <class Measure>
Measured of_random_broadcasts(const ClusterRow& r, const Measure& value_of) {
    return sample(r.samples, [&](std::uint32_t i) {
        std::vector<std::uint64_t> start;
        Multicast members{NodeId{0}, {}};
        for (std::uint32_t w = 0; w < r.count; ++w) {
            start.push_back(100 * (1 + random_bits(r.seed, i, w) % 8));
            if (w > 0) members.destinations.push_back(NodeId{w});
        }
        return value_of(start, members);
    });
}

Measured latency_of_random_broadcasts(const ClusterRow& r) {
    const auto make = r.algorithm == "fnf" ? fnf_tree : optimal_tree;
    return of_random_broadcasts(r, [&](const auto& start, const Multicast& members) {
        return static_cast<double>(latency(make(start, members)));
    });
}

/// How much longer FNF's mean latency is than the least one's, in percent.
Measured fnf_excess(const ClusterRow& r) {
    const auto least = [](const auto& start, const Multicast& members) {
        return static_cast<double>(latency(optimal_tree(start, members)));
    };
    const Measured mean = of_random_broadcasts(r, least);
    const Measured excess = of_random_broadcasts(r, [&](const auto& start, const Multicast& members) {
        return static_cast<double>(latency(fnf_tree(start, members))) - least(start, members);
    });
    return {100 * excess.mean / mean.mean, 100 * excess.error / mean.mean};
}

std::string phase_text(const ClusterRow& r) {
    AllToAllExperiment e;
    e.cluster = cluster_of(r);
    e.until = Until::plan;
    const AllToAllRun run = run_alltoall(e);
    if (r.count >= run.plan->phases.size()) return "none";
    Phase phase = run.plan->phases[r.count];
    std::sort(phase.begin(), phase.end());
    std::string text;
    for (const auto& [from, to] : phase) text += fmt::format("{}{}>{}", text.empty() ? "" : " ", +from, +to);
    return text;
}

AllToAllRun exchange_plan(const ClusterRow& r) {
    AllToAllExperiment e;
    e.cluster = cluster_of(r);
    e.until = Until::plan;
    return run_alltoall(e);
}

/// What came of a shuffle or its like under thirty seeds.
struct ShufflePoint {
    Sample percent;                ///< of 100 Mbps a machine
    Sample lost;                   ///< packets
    double predicted_percent = 0;  ///< eq. 2's time on one switch, as a share of the time taken
};

/// What eq. 2 says of a shuffle on one switch (two links of one rate, a frame stored between them).
double predicted_seconds(const ClusterRow& r, const AllToAllRun& run) {
    const EventParameters& p = run.parameters;
    const LinkSpeed link = make_network(r.network).speed(LinkId{0});
    const std::uint64_t bits = std::uint64_t{8} * (p.frame.mtu + p.frame.overhead);
    const std::uint64_t gap = bits * 1'000'000'000'000U / link.bits_per_second;
    return static_cast<double>(shuffle_time(run.machines, r.count, gap, 2 * (gap + link.latency_ps),
                                            p.workstation.send_overhead + p.workstation.receive_overhead)) /
           1e12;
}

/// One of the four ways of section 5 of the shuffle paper, `count` packets of 1492 bytes for each other
/// machine.
ShufflePoint run_shuffle(const ClusterRow& r) {
    AllToAllExperiment e;
    e.cluster.network = r.network;
    e.cluster.seed = r.seed;
    e.message = std::uint64_t{1492} * r.count;
    e.algorithm = r.algorithm == "pairwise" ? "pairwise" : "shuffle";
    e.permutation = "xor";
    e.window = r.algorithm == "plain" ? "off" : "auto";
    e.reorder = r.algorithm == "window_and_reorder";
    const AllToAllRun run = run_alltoall(e);
    return {divided(run.throughput_mbps(), run.machines), run.result->sample(&EventResult::dropped),
            100 * predicted_seconds(r, run) / run.result->seconds().mean};
}

/// The same, computed once for all rows that compare it.
ShufflePoint shuffle(const ClusterRow& r) {
    using Key = std::tuple<std::string, std::string, std::uint32_t, std::uint64_t>;
    static Once<Key, ShufflePoint> points;
    return points.of({r.network, r.algorithm, r.count, r.seed}, [r] { return run_shuffle(r); });
}

Measured value_of(const Sample& sample) {
    return {sample.mean, 0, sample.half_interval};
}

/// "85.0 +- 0.5%, 140 +- 13 lost".
std::string shuffle_text(const ClusterRow& r) {
    const ShufflePoint point = shuffle(r);
    return fmt::format("{:.1f} +- {:.1f}%, {:.0f} +- {:.0f} lost", point.percent.mean,
                       point.percent.half_interval, point.lost.mean, point.lost.half_interval);
}

/// The share of `algorithm` over that of `against`, which is "ALGORITHM" or, of another size, "ALGORITHM
/// COUNT". Seeds say nothing of one another here: the same draws meet other frames.
Measured shuffle_ratio(const ClusterRow& r) {
    const std::vector<std::string> words = split(r.against, ' ');
    ClusterRow other = r;
    other.algorithm = words[0];
    if (words.size() > 1)
        other.count = static_cast<std::uint32_t>(parse_integer(words[1], "packets", 1, 1'000'000));
    const Sample one = shuffle(r).percent;
    const Sample two = shuffle(other).percent;
    const double ratio = one.mean / two.mean;
    return {ratio, 0, ratio * std::hypot(one.half_interval / one.mean, two.half_interval / two.mean)};
}

/// Aggregate throughput of an exchange as `algorithm` says: a name of interlace alltoall, or "scheduled SYNC
/// BLOCK".
double exchange_mbps(const ClusterRow& r, const std::string& algorithm) {
    const std::vector<std::string> words = split(algorithm, ' ');
    AllToAllExperiment e;
    e.cluster = cluster_of(r);
    e.cluster.seed = r.seed;
    e.message = r.message;
    e.algorithm = words[0];
    if (words.size() > 1) e.sync = words[1];
    if (words.size() > 2)
        e.block = static_cast<std::uint32_t>(parse_integer(words[2], "block", 1, 1'000'000));
    return run_alltoall(e).throughput_mbps().mean;
}

/// Of a bottleneck with room for `count` packets.
double window(const ClusterRow& r) {
    AllToAllExperiment e;
    e.cluster = cluster_of(r);
    e.cluster.overrides = {fmt::format("event.switch.capacity={}", r.count)};
    e.algorithm = "shuffle";
    e.window = "auto";
    e.until = Until::plan;
    return run_alltoall(e).window;
}

double tree_latency(const ClusterRow& r) {
    MulticastExperiment e;
    e.cluster = cluster_of(r);
    e.algorithm = r.algorithm;
    e.until = Until::plan;
    return static_cast<double>(run_multicast(e).latency_ps()) / 1e6;
}

MulticastPoint multicast_point(const ClusterRow& r) {
    MulticastPoint point = r.multicast;
    point.network = r.network;
    point.message = r.message;
    point.samples = r.samples;
    point.seed = r.seed;
    return point;
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// "binomial SPOC FNF, SPOC's factor FNF's factor".
std::string multicast_text(const ClusterRow& r) {
    const MulticastPoint point = multicast_point(r);
    const double plain = mean(multicast_latencies_us(point, "binomial"));
    const double spoc = mean(multicast_latencies_us(point, "spoc"));
    const double fnf = mean(multicast_latencies_us(point, "fnf"));
    return fmt::format("{:.0f} {:.0f} {:.0f}, {:.2f} {:.2f}", plain, spoc, fnf, plain / spoc, plain / fnf);
}

/// How many times faster than the binomial tree, as a ratio of means. Both run the same cases.
Measured multicast_factor(const ClusterRow& r) {
    const auto plain = multicast_latencies_us(multicast_point(r), "binomial");
    const auto better = multicast_latencies_us(multicast_point(r), r.algorithm);
    const double factor = mean(plain) / mean(better);
    double squares = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) squares += std::pow(plain[i] - factor * better[i], 2);
    return {factor, std::sqrt(squares) / static_cast<double>(plain.size()) / mean(better)};
}

Measured measure(const ClusterRow& r) {
    const std::string& m = r.measure;
    if (m == "allgather_ms") return {milliseconds(allgather(r, r.algorithm, false))};
    if (m == "allgather_bound_ms") return {allgather(r, "ring", true).lower_bound.seconds * 1e3};
    if (m == "allgather_ratio")
        return {milliseconds(allgather(r, r.algorithm, false)) /
                milliseconds(allgather(r, r.against, false))};
    if (m == "longest_path") return {static_cast<double>(allgather(r, r.algorithm, true).max_path_length)};
    if (m == "mean_longest_path") return longest_path_of_random_clusters(r);
    if (m == "phases") return {static_cast<double>(exchange_plan(r).plan->phases.size())};
    if (m == "root") return {static_cast<double>(exchange_plan(r).root)};
    if (m == "window") return {window(r)};
    if (m == "shuffle_percent") return value_of(shuffle(r).percent);
    if (m == "shuffle_lost") return value_of(shuffle(r).lost);
    if (m == "shuffle_theory_percent") return {shuffle(r).predicted_percent};
    if (m == "shuffle_ratio") return shuffle_ratio(r);
    if (m == "exchange_mbps") return {exchange_mbps(r, r.algorithm)};
    if (m == "exchange_ratio") return {exchange_mbps(r, r.algorithm) / exchange_mbps(r, r.against)};
    if (m == "tree_latency_us") return {tree_latency(r)};
    if (m == "mean_tree_latency_us") return latency_of_random_broadcasts(r);
    if (m == "fnf_excess_percent") return fnf_excess(r);
    if (m == "multicast_factor") return multicast_factor(r);
    throw InputError(
        "cannot use measure '" + m + "'",
        "allgather_ms, allgather_bound_ms, allgather_ratio, longest_path, mean_longest_path, phase, "
        "phases, root, window, exchange_mbps, exchange_ratio, shuffle, shuffle_percent, shuffle_lost, "
        "shuffle_theory_percent, shuffle_ratio, tree_latency_us, mean_tree_latency_us, "
        "fnf_excess_percent, multicast_latencies_us or multicast_factor")
        .at(r.place);
}

/// The published mean is of as many other random cases: it agrees if it is within four standard errors of the
/// difference of two such means (one in 16000 is not).
void judge_sample(ReproducedRow& row, const Measured& value) {
    const double apart = std::abs(std::stod(row.published) - value.mean);
    row.verdict = apart <= 4 * std::sqrt(2.0) * value.error ? "agrees" : "BROKEN";
}

/// The paper says "about 3": it agrees if it rounds to that.
void judge_about(ReproducedRow& row, const Measured& value) {
    row.verdict = like(row.published, value.mean) == row.published ? "agrees" : "BROKEN";
    row.published = "about " + row.published;
}

/// The paper says that one is better than another, or several times so; of several seeds, the whole interval
/// has to be.
void judge_above(ReproducedRow& row, const Measured& value) {
    row.verdict = value.mean - value.half > std::stod(row.published) ? "agrees" : "BROKEN";
    row.published = "above " + row.published;
}

/// That something falls off.
void judge_below(ReproducedRow& row, const Measured& value) {
    row.verdict = value.mean + value.half < std::stod(row.published) ? "agrees" : "BROKEN";
    row.published = "below " + row.published;
}

/// The text of a measure that has several numbers.
using Text = std::string (*)(const ClusterRow&);
Text text_of(const std::string& measure) {
    if (measure == "phase") return phase_text;
    if (measure == "multicast_latencies_us") return multicast_text;
    return measure == "shuffle" ? shuffle_text : nullptr;
}

ReproducedRow compute_row(const ClusterRow& r) {
    ReproducedRow row = r.row;
    if (const Text text = text_of(r.measure)) {
        row.computed = r.stand_in ? fmt::format("{}", r.stand_in(row)) : text(r);
        judge(row);
        return row;
    }
    const Measured value = r.stand_in ? Measured{r.stand_in(row)} : measure(r);
    const bool relative = row.verdict == "about" || row.verdict == "above" || row.verdict == "below";
    const bool number = row.published.find_first_of("0123456789") != std::string::npos;
    const std::string model = !relative && number           ? row.published
                              : r.measure == "shuffle_lost" ? "0"
                                                            : "0.00";
    row.computed = like(model, value.mean) + (value.half > 0 ? " +- " + like(model, value.half) : "");
    if (row.verdict == "about")
        judge_about(row, value);
    else if (row.verdict == "above")
        judge_above(row, value);
    else if (row.verdict == "below")
        judge_below(row, value);
    else if (row.verdict == "sampled")
        judge_sample(row, value);
    else
        judge(row);
    return row;
}

ReproducedRow run_row(const ClusterRow& r) {
    ReproducedRow row = compute_row(r);
    if (!r.held.empty() && r.seed == ReproduceOptions{}.seed) hold(row, r.held);
    return row;
}

constexpr std::array<Named<bool>, 7> cluster_verdicts = {{{"reproduced", false},
                                                          {"differs", false},
                                                          {"unpublished", false},
                                                          {"about", true},
                                                          {"above", true},
                                                          {"below", true},
                                                          {"sampled", true}}};  // whether it needs a number

void check_verdict(const ConfigMap& config, const ReproducedRow& row) {
    try {
        if (value_of(cluster_verdicts, row.verdict, "verdict")) parse_number(row.published, "published");
    } catch (const InputError& error) {
        throw error.at(config.place());
    }
}

ClusterRow read_row(ConfigMap& config, const ReproduceOptions& options) {
    ClusterRow r;
    r.seed = options.seed;
    r.stand_in = options.stand_in;
    r.place = config.place();
    r.measure = config.text("measure");
    r.algorithm = config.text("algorithm", "");
    r.against = config.text("against", "");
    r.barriers = config.text("barriers", "false") == "true";
    config.update("count", r.count, 0, 1'000'000);
    config.update("samples", r.samples, 1, 1'000'000);
    config.update("sources", r.multicast.sources, 1, 1'000'000);
    config.update("fast_percent", r.multicast.fast_percent, 0, 100);
    if (config.has("fast_us")) r.multicast.fast_us = config.number("fast_us");
    if (config.has("slow_us")) r.multicast.slow_us = config.number("slow_us");
    r.multicast.engine = config.text("engine", "native");
    r.row.quantity = config.text("quantity");
    r.row.published = config.text("published", "");
    r.row.verdict = config.text("verdict", "unpublished");
    r.row.why = config.text("why", "");
    check_verdict(config, r.row);
    if (r.row.verdict == "differs" && r.row.why.empty())
        throw InputError("a row differs without saying why", "the key why").at(r.place);
    return r;
}

template <class First, class Second>
std::vector<std::pair<First, Second>> product(const std::vector<First>& firsts,
                                              const std::vector<Second>& seconds) {
    std::vector<std::pair<First, Second>> pairs;
    for (const First& first : firsts)
        for (const Second& second : seconds) pairs.emplace_back(first, second);
    return pairs;
}

}  // namespace

std::vector<RowJob> cluster_rows(ConfigMap config, const ReproduceOptions& options) {
    ClusterRow r = read_row(config, options);
    const bool large = config.text("large", "false") == "true";
    const auto networks = texts_or(config, "network", "");
    const auto trees = texts_or(config, "tree", "");
    const auto messages = texts_or(config, "message", "64KiB");
    std::vector<std::uint32_t> destinations = {0};
    if (config.has("destinations")) destinations = config.integers("destinations", 1, 1'000'000);
    const std::vector<std::string> held = read_held(config, r.place, r.row);
    config.finish();
    if (large && !options.large) return {};
    std::vector<ClusterRow> rows;
    for (const std::string& network : networks)
        for (const std::string& tree : trees)
            for (const auto& [message, count] : product(messages, destinations)) {
                r.message = parse_bytes(message, "message");
                r.network = r.row.network = network;
                r.tree = r.row.source = tree;
                r.multicast.destinations = count;
                if (count > 0) r.row.source = fmt::format("{} destinations", count);
                if (messages.size() > 1) r.row.source = message;
                if (network.empty()) r.row.network = fmt::format("{} random cases", r.samples);
                rows.push_back(r);
            }
    distribute(held, rows);
    std::vector<RowJob> jobs;
    jobs.reserve(rows.size());
    for (const ClusterRow& row : rows) jobs.emplace_back([row] { return run_row(row); });
    return jobs;
}

}  // namespace interlace
