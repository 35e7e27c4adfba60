// Interlace: the independent checker of collectives whose packets start at all nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/program/check_collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

namespace interlace {
namespace {

constexpr std::uint32_t not_yet = UINT32_MAX;

/// Which packets there are, and who is to have them.
struct Task {
    enum class Kind : std::uint8_t {
        allgather,
        alltoall,
        reducescatter,
        allreduce,
        reduce,
        scatter,
        gather,
        barrier
    };
    std::uint32_t nodes, chunks;
    Kind kind;
    std::uint32_t root = 0;  ///< of reduce, scatter and gather

    std::uint64_t pairs() const { return kind == Kind::alltoall ? nodes : 1; }  ///< that an origin is of
    std::uint64_t packets() const {
        return (kind == Kind::reduce || kind == Kind::barrier ? 1 : nodes * pairs()) * chunks;
    }
    std::uint32_t origin(std::uint64_t packet) const {
        return kind == Kind::scatter ? root : static_cast<std::uint32_t>(packet / chunks / pairs());
    }
    /// The one node that is to have the packet; none: all are.
    std::optional<std::uint32_t> only(std::uint64_t packet) const {
        if (kind == Kind::allgather || kind == Kind::allreduce || kind == Kind::barrier) return {};
        if (kind == Kind::reduce || kind == Kind::gather) return root;
        return static_cast<std::uint32_t>(packet / chunks % nodes);
    }
    /// Whether a contribution may be in a sum more than once.
    bool may_repeat() const { return kind == Kind::barrier; }
};

/// The rows of a schedule, gone through packet by packet, so that a replay needs memory for one of them.
class Rows {
  public:
    Rows(const Network& network, const Task& task, const std::vector<TimedSend>& schedule,
         const std::vector<std::uint32_t>& lines)
        : network_(network), task_(task), schedule_(schedule), lines_(lines) {
        report.sends = schedule.size();
    }

    const TimedSend& operator[](std::uint32_t i) const { return schedule_[i]; }
    std::uint32_t nodes() const { return network_.node_count(); }
    const Task& task() const { return task_; }

    void problem(std::uint32_t i, const std::string& what) {
        const TimedSend& send = schedule_[i];
        report.problems.add(fmt::format("step {}: node {} sends packet {} to node {}, {}", send.step,
                                        +send.from, +send.packet, +send.to, what),
                            line(i));
    }

    /// Calls follow(packet, rows) for each packet with those that send it, by step; then checks that no link
    /// carries two packets in one.
    template <class Follow>
    CheckReport run(const Follow& follow) {
        const std::vector<std::uint32_t> order = well_formed();
        for (std::size_t packet = 0, next = 0; packet < task_.packets(); ++packet) {
            const std::size_t first = next;
            while (next < order.size() && schedule_[order[next]].packet == packet) ++next;
            follow(static_cast<std::uint32_t>(packet),
                   std::span<const std::uint32_t>(order.data() + first, next - first));
        }
        check_links();
        return std::move(report);
    }

    CheckReport report;

  private:
    std::uint32_t line(std::uint32_t send) const { return lines_.empty() ? 0 : lines_[send]; }

    /// Those that use a link and name a packet, by packet and step.
    std::vector<std::uint32_t> well_formed() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < schedule_.size(); ++i) {
            const TimedSend& send = schedule_[i];
            if (send.from >= nodes() || send.to >= nodes())
                problem(i, fmt::format("but nodes are 0 to {}", nodes() - 1));
            else if (send.packet >= task_.packets())
                problem(i, fmt::format("but packets are 0 to {}", task_.packets() - 1));
            else if (send.step < 1)
                problem(i, "but the first step is 1");
            else if (!network_.link(send.from, send.to))
                problem(i, "but there is no such link");
            else
                order.push_back(i);
        }
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const TimedSend &one = schedule_[a], &other = schedule_[b];
            return std::tuple(one.packet, one.step, a) < std::tuple(other.packet, other.step, b);
        });
        return order;
    }

    void check_links() {
        std::vector<std::uint32_t> order(schedule_.size());
        std::iota(order.begin(), order.end(), 0);
        const auto key = [&](std::uint32_t i) {
            return std::tuple(schedule_[i].step, schedule_[i].from, schedule_[i].to);
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
        for (std::size_t i = 1; i < order.size(); ++i) {
            if (key(order[i]) != key(order[i - 1])) continue;
            const TimedSend& send = schedule_[order[i]];
            report.problems.add(
                fmt::format("step {}: the link from node {} to node {} carries two packets{}", send.step,
                            +send.from, +send.to,
                            lines_.empty() ? "" : fmt::format(", as in line {}", line(order[i - 1]))),
                line(order[i]));
        }
    }

    const Network& network_;
    const Task task_;
    const std::vector<TimedSend>& schedule_;
    const std::vector<std::uint32_t>& lines_;
};

/// Packets that are passed on.
CheckReport replay_sends(Rows rows) {
    std::vector<std::uint32_t> arrival(rows.nodes(), not_yet);
    const auto check_node = [&](std::uint32_t v, std::uint32_t packet) {
        if (arrival[v] == not_yet)
            rows.report.problems.add(fmt::format("node {} never receives packet {}", v, packet));
        else
            rows.report.steps = std::max(rows.report.steps, arrival[v]);
    };
    return rows.run([&](std::uint32_t packet, std::span<const std::uint32_t> sends) {
        arrival[rows.task().origin(packet)] = 0;
        for (const std::uint32_t i : sends) {
            const TimedSend& send = rows[i];
            if (arrival[send.from] >= send.step) rows.problem(i, "which it does not hold");
            if (arrival[send.to] != not_yet) ++rows.report.redundant_sends;
            arrival[send.to] = std::min(arrival[send.to], send.step);
        }
        if (const auto only = rows.task().only(packet)) {
            check_node(*only, packet);
        } else {
            for (std::uint32_t v = 0; v < arrival.size(); ++v) check_node(v, packet);
        }
        arrival[rows.task().origin(packet)] = not_yet;
        for (const std::uint32_t i : sends) arrival[rows[i].to] = not_yet;
    });
}

/// Sums of a packet: of each node the contributions that are in what it has.
class Sums {
  public:
    Sums(Rows& rows, const std::vector<bool>& reduces)
        : rows_(rows),
          reduces_(reduces),
          words_((rows.nodes() + 63) / 64),
          comes_(rows.nodes(), Comes::nothing) {}

    void follow(std::uint32_t packet, std::span<const std::uint32_t> sends) {
        if (is_tree(packet, sends)) return;
        has_.assign(rows_.nodes() * words_, 0);
        for (std::uint32_t v = 0; v < rows_.nodes(); ++v) of(v)[v / 64] = std::uint64_t{1} << v % 64;
        for (std::size_t first = 0, next = 0; first < sends.size(); first = next) {
            while (next < sends.size() && rows_[sends[next]].step == rows_[sends[first]].step) ++next;
            take_step(sends.subspan(first, next - first));
        }
        for (std::uint32_t v = 0; v < rows_.nodes(); ++v)
            if (rows_.task().only(packet).value_or(v) == v) check_whole(v, packet);
    }

  private:
    /// Where one node is to have the sum, and every other sends once, a part, after all that comes to it,
    /// each contribution goes one way there. It takes no bits for all pairs of nodes.
    bool is_tree(std::uint32_t packet, std::span<const std::uint32_t> sends) {
        const auto root = rows_.task().only(packet);
        if (!root || sends.size() + 1 != rows_.nodes()) return false;
        std::vector<std::uint32_t> sent(rows_.nodes(), not_yet), last(rows_.nodes(), 0);
        for (const std::uint32_t i : sends) {
            const TimedSend& send = rows_[i];
            if (!reduces_[i] || send.from == *root || sent[send.from] != not_yet) return false;
            sent[send.from] = send.step;
            last[send.to] = std::max(last[send.to], send.step);
        }
        for (std::uint32_t v = 0; v < rows_.nodes(); ++v)
            if (v != *root && sent[v] <= last[v]) return false;
        rows_.report.steps = std::max(rows_.report.steps, last[*root]);
        return true;
    }

    std::span<std::uint64_t> of(std::uint32_t node) { return {has_.data() + node * words_, words_}; }

    /// What is sent is what the nodes had before.
    void take_step(std::span<const std::uint32_t> sends) {
        std::vector<std::uint64_t> sent;
        for (const std::uint32_t i : sends) {
            const auto from = of(rows_[i].from);
            sent.insert(sent.end(), from.begin(), from.end());
        }
        for (std::size_t k = 0; k < sends.size(); ++k) {
            const std::uint32_t i = sends[k];
            Comes& comes = comes_[rows_[i].to];
            if (comes == Comes::a_value || (comes == Comes::parts && !reduces_[i]))
                rows_.problem(i, "which replaces or adds to what comes in the same step");
            comes = reduces_[i] && comes != Comes::a_value ? Comes::parts : Comes::a_value;
            receive(i, {sent.data() + k * words_, words_});
        }
        for (const std::uint32_t i : sends) comes_[rows_[i].to] = Comes::nothing;
    }

    void receive(std::uint32_t i, std::span<const std::uint64_t> comes) {
        const auto has = of(rows_[i].to);
        bool twice = false;
        for (std::size_t w = 0; w < words_; ++w) {
            twice = twice || (has[w] & comes[w]) != 0;
            has[w] = reduces_[i] ? has[w] | comes[w] : comes[w];
        }
        if (twice && reduces_[i] && !rows_.task().may_repeat())
            rows_.problem(i, "which has a contribution that is there already");
        rows_.report.steps = std::max(rows_.report.steps, rows_[i].step);
    }

    void check_whole(std::uint32_t v, std::uint32_t packet) {
        for (std::uint32_t u = 0; u < rows_.nodes(); ++u)
            if ((of(v)[u / 64] >> u % 64 & 1U) == 0) {
                rows_.report.problems.add(fmt::format(
                    "node {} ends without the contribution of node {} to packet {}", v, u, packet));
                return;
            }
    }

    Rows& rows_;
    const std::vector<bool>& reduces_;
    std::size_t words_;
    enum class Comes : std::uint8_t { nothing, parts, a_value };
    std::vector<std::uint64_t> has_;  // [node][contribution]: bits
    std::vector<Comes> comes_;        // [node]: in the step
};

CheckReport replay_sums(const Network& network, const Task& task, const std::vector<TimedSend>& sends,
                        const std::vector<bool>& reduces, const std::vector<std::uint32_t>& lines) {
    Rows rows(network, task, sends, lines);
    Sums sums(rows, reduces);
    return rows.run([&](std::uint32_t packet, std::span<const std::uint32_t> of_packet) {
        sums.follow(packet, of_packet);
    });
}

CheckReport replay_rows(const Network& network, const Task& task, const std::vector<ReducingSend>& schedule,
                        const std::vector<std::uint32_t>& lines) {
    std::vector<TimedSend> sends;
    std::vector<bool> reduces;
    for (const ReducingSend& row : schedule) {
        sends.push_back(row.send);
        reduces.push_back(row.reduces);
    }
    return replay_sums(network, task, sends, reduces, lines);
}

/// Nodes by classes, and translations between nodes of one.
class Symmetry {
  public:
    explicit Symmetry(const Network& network) : network_(network) {
        const std::optional<Lattice>& lattice = network.lattice();
        if (lattice && lattice->wraps()) {
            sizes_ = lattice->sizes();
            classes_ = lattice->species_count();
        } else {
            classes_ = network.node_count();
        }
    }

    std::uint32_t classes() const { return classes_; }
    /// The sum of the coordinates modulo the number of classes; without coordinates each node is a class.
    std::uint32_t class_of(std::uint32_t node) const {
        if (sizes_.empty()) return node;
        std::uint32_t sum = 0;
        for (const std::uint32_t size : sizes_) {
            sum += node % size;
            node /= size;
        }
        return sum % classes_;
    }
    /// The node that is to `origin` as `node` is to `first`.
    std::uint32_t moved(std::uint32_t node, std::uint32_t first, std::uint32_t origin) const {
        if (sizes_.empty()) return node;
        std::uint32_t to = 0, stride = 1;
        for (const std::uint32_t size : sizes_) {
            to += (node % size + size - first % size + origin % size) % size * stride;
            stride *= size;
            node /= size, first /= size, origin /= size;
        }
        return to;
    }

    /// Empty, or what is wrong: a class is a coset of the translations that keep classes where every size is
    /// a multiple of their number, and these map links onto links of the same port where they do so from the
    /// first of each class to each other one.
    std::string fault() const {
        for (const std::uint32_t size : sizes_)
            if (size % classes_ != 0) return fmt::format("a ring of {} nodes has {} classes", size, classes_);
        std::vector<std::uint32_t> first(classes_, not_yet);
        for (std::uint32_t v = 0; v < network_.node_count(); ++v) {
            std::uint32_t& of_class = first[class_of(v)];
            if (of_class == not_yet) of_class = v;
            const auto from = network_.neighbours(NodeId{of_class}), to = network_.neighbours(NodeId{v});
            if (from.size() != to.size())
                return fmt::format("nodes {} and {} have {} and {} links", of_class, v, from.size(),
                                   to.size());
            for (std::size_t port = 0; port < from.size(); ++port)
                if (moved(from[port], of_class, v) != to[port])
                    return fmt::format("port {} of node {} leads elsewhere than that of node {}", port, v,
                                       of_class);
        }
        return "";
    }

  private:
    const Network& network_;
    std::vector<std::uint32_t> sizes_;
    std::uint32_t classes_ = 1;
};

/// Follows the packets of the first origin of each class.
class SymmetricReplay {
  public:
    SymmetricReplay(const Network& network, const SymmetricSchedule& schedule)
        : network_(network), schedule_(schedule), symmetry_(network) {}

    CheckReport run(Task::Kind kind) {
        std::string fault = symmetry_.fault();
        if (fault.empty() && schedule_.exchange != (kind == Task::Kind::alltoall))
            fault = "the schedule is of another kind of collective";
        if (fault.empty() && schedule_.sends.size() != symmetry_.classes())
            fault = fmt::format("there are sends of {} classes, not of {}", schedule_.sends.size(),
                                symmetry_.classes());
        if (!fault.empty()) {
            report_.problems.add(fault);
            return std::move(report_);
        }
        std::vector<bool> followed(symmetry_.classes(), false);
        for (std::uint32_t origin = 0, left = symmetry_.classes(); left > 0; ++origin) {
            const std::uint32_t c = symmetry_.class_of(origin);
            if (followed[c]) continue;
            followed[c] = true;
            --left;
            if (kind == Task::Kind::reducescatter)
                collect(origin, schedule_.sends[c]);
            else if (kind == Task::Kind::alltoall)
                pass_on(origin, schedule_.sends[c]);
            else
                follow(origin, schedule_.sends[c]);
        }
        check_uses();
        report_.sends *= network_.node_count() / symmetry_.classes();
        return std::move(report_);
    }

  private:
    /// A class of links in a step, by a packet of an origin.
    struct Use {
        std::uint32_t step, of_class, port, origin;
        auto operator<=>(const Use&) const = default;  // NOLINT(modernize-use-nullptr): of clang-tidy 14
    };

    void problem(std::uint32_t origin, const RelativeSend& send, const char* what) {
        report_.problems.add(fmt::format("step {}: node {} sends chunk {} of node {} by port {}, {}",
                                         send.step, +send.from, send.chunk, origin, send.port, what));
    }
    bool is_there(std::uint32_t origin, const RelativeSend& send) {
        const std::uint32_t chunks = schedule_.chunks * (schedule_.exchange ? network_.node_count() : 1);
        const bool there = send.from < network_.node_count() && send.chunk < chunks && send.step >= 1 &&
                           send.port < network_.degree(send.from);
        if (!there) problem(origin, send, "which the network or the collective does not have");
        return there;
    }

    static void sort_by_step(std::vector<RelativeSend>& sends) {
        std::stable_sort(sends.begin(), sends.end(),
                         [](const RelativeSend& a, const RelativeSend& b) { return a.step < b.step; });
    }

    void follow(std::uint32_t origin, std::vector<RelativeSend> sends) {
        report_.sends += sends.size();
        sort_by_step(sends);
        const std::uint32_t chunks = schedule_.chunks;
        std::vector<std::uint32_t> arrival(std::size_t{network_.node_count()} * chunks, not_yet);
        std::fill_n(arrival.begin() + static_cast<std::ptrdiff_t>(std::size_t{origin} * chunks), chunks, 0);
        for (const RelativeSend& send : sends) {
            if (!is_there(origin, send)) continue;
            uses_.push_back({send.step, symmetry_.class_of(send.from), send.port, origin});
            const auto at = [&](NodeId node) -> std::uint32_t& {
                return arrival[std::size_t{node} * chunks + send.chunk];
            };
            if (at(send.from) >= send.step) problem(origin, send, "which it does not hold");
            std::uint32_t& there = at(network_.neighbours(send.from)[send.port]);
            if (there != not_yet) ++report_.redundant_sends;
            there = std::min(there, send.step);
        }
        for (std::size_t i = 0; i < arrival.size(); ++i)
            if (arrival[i] == not_yet)
                report_.problems.add(fmt::format("node {} never receives chunk {} of node {}", i / chunks,
                                                 i % chunks, origin));
            else
                report_.steps = std::max(report_.steps, arrival[i]);
    }

    /// Each packet is at one node, and ends at its destination.
    void pass_on(std::uint32_t origin, std::vector<RelativeSend> sends) {
        report_.sends += sends.size();
        sort_by_step(sends);
        const std::size_t packets = std::size_t{network_.node_count()} * schedule_.chunks;
        std::vector<std::uint32_t> at(packets, origin), arrival(packets, 0);
        for (const RelativeSend& send : sends) {
            if (!is_there(origin, send)) continue;
            uses_.push_back({send.step, symmetry_.class_of(send.from), send.port, origin});
            if (at[send.chunk] != send.from || arrival[send.chunk] >= send.step)
                problem(origin, send, "which it does not hold");
            at[send.chunk] = network_.neighbours(send.from)[send.port];
            arrival[send.chunk] = send.step;
            report_.steps = std::max(report_.steps, send.step);
        }
        for (std::uint32_t i = 0; i < packets; ++i)
            if (at[i] != i / schedule_.chunks)
                report_.problems.add(fmt::format("a packet of node {} for node {} ends at node {}", origin,
                                                 i / schedule_.chunks, at[i]));
    }

    /// Every other node sends once, which is after all that comes to it: so each contribution goes one way,
    /// to the owner, as steps only grow along it.
    void collect(std::uint32_t owner, const std::vector<RelativeSend>& sends) {
        report_.sends += sends.size();
        const std::uint32_t chunks = schedule_.chunks;
        const std::size_t places = std::size_t{network_.node_count()} * chunks;
        std::vector<std::uint32_t> sent(places, not_yet), last(places, 0);
        for (const RelativeSend& send : sends) {
            if (!is_there(owner, send)) continue;
            uses_.push_back({send.step, symmetry_.class_of(send.from), send.port, owner});
            std::uint32_t& own = sent[std::size_t{send.from} * chunks + send.chunk];
            if (own != not_yet || send.from == owner) problem(owner, send, "which it has no more, or keeps");
            own = send.step;
            const NodeId to = network_.neighbours(send.from)[send.port];
            std::uint32_t& latest = last[std::size_t{to} * chunks + send.chunk];
            latest = std::max(latest, send.step);
            report_.steps = std::max(report_.steps, send.step);
        }
        for (std::size_t i = 0; i < places; ++i)
            if (i / chunks == owner)
                continue;
            else if (sent[i] == not_yet)
                report_.problems.add(fmt::format("node {} never sends its part of chunk {} of node {}",
                                                 i / chunks, i % chunks, owner));
            else if (sent[i] <= last[i])
                report_.problems.add(fmt::format(
                    "step {}: node {} gets a part of chunk {} of node {}, which it has sent in step {}",
                    last[i], i / chunks, i % chunks, owner, sent[i]));
    }

    void check_uses() {
        std::sort(uses_.begin(), uses_.end());
        for (std::size_t i = 1; i < uses_.size(); ++i) {
            const Use &a = uses_[i - 1], &b = uses_[i];
            if (std::tie(a.step, a.of_class, a.port) == std::tie(b.step, b.of_class, b.port))
                report_.problems.add(
                    fmt::format("step {}: port {} of nodes of class {} carries packets of nodes {} and {}",
                                a.step, a.port, a.of_class, a.origin, b.origin));
        }
    }

    const Network& network_;
    const SymmetricSchedule& schedule_;
    const Symmetry symmetry_;
    std::vector<Use> uses_;
    CheckReport report_;
};

/// Follows the packets of one origin of each class: node 0, and its neighbour in the split dimension.
class ExchangeReplay {
  public:
    ExchangeReplay(const Network& network, const ExchangeSchedule& schedule)
        : network_(network),
          schedule_(schedule),
          symmetry_(network),
          classes_(schedule.split == ExchangeSchedule::none ? 1 : 2),
          jobs_(network.node_count() * schedule.chunks * classes_) {}

    CheckReport run() {
        const std::string fault = fault_of_form();
        if (!fault.empty()) {
            report_.problems.add(fault);
            return std::move(report_);
        }
        moved_.assign(jobs_, 0);
        at_.resize(jobs_);
        for (std::uint32_t job = 0; job < jobs_; ++job) at_[job] = origin_of(job);
        for (std::size_t i = 0; i < schedule_.job.size(); ++i)
            if (schedule_.job[i] != ExchangeSchedule::none)
                replay(static_cast<std::uint32_t>(i / schedule_.ports / classes_ + 1),
                       static_cast<std::uint32_t>(i / schedule_.ports % classes_),
                       static_cast<std::uint32_t>(i % schedule_.ports), schedule_.job[i]);
        check_ends();
        return std::move(report_);
    }

  private:
    std::string fault_of_form() {
        std::string fault = symmetry_.fault();
        if (!fault.empty()) return fault;
        if (symmetry_.classes() != 1) return "its nodes are of several classes";
        if (schedule_.ports != network_.max_degree() || schedule_.chunks == 0)
            return fmt::format("the schedule has {} ports, the network {}", schedule_.ports,
                               network_.max_degree());
        if (classes_ == 1) return "";
        const std::vector<std::uint32_t>& sizes = network_.lattice()->sizes();
        if (schedule_.split >= sizes.size() || sizes[schedule_.split] % 2 != 0)
            return fmt::format("even and odd nodes are not two classes of dimension {}", schedule_.split);
        for (std::uint32_t d = 0; d < schedule_.split; ++d) stride_ *= sizes[d];
        size_ = sizes[schedule_.split];
        return "";
    }

    std::uint32_t origin_of(std::uint32_t job) const { return job % classes_ * stride_; }

    void replay(std::uint32_t step, std::uint32_t of_class, std::uint32_t port, std::uint32_t job) {
        if (job >= jobs_) {
            report_.problems.add(fmt::format("step {}: port {} sends job {}, but jobs are 0 to {}", step,
                                             port, job, jobs_ - 1));
            return;
        }
        if (moved_[job] == step)
            report_.problems.add(fmt::format("step {}: job {} goes by two links", step, job));
        moved_[job] = step;
        if (at_[job] / stride_ % size_ % classes_ != of_class)
            report_.problems.add(
                fmt::format("step {}: job {} is not at nodes of class {}", step, job, of_class));
        at_[job] = network_.neighbours(NodeId{at_[job]})[port];
        report_.steps = step;
        report_.sends += network_.node_count() / classes_;
    }

    void check_ends() {
        for (std::uint32_t job = 0; job < jobs_; ++job) {
            const std::uint32_t end = symmetry_.moved(job / classes_ / schedule_.chunks, 0, origin_of(job));
            if (at_[job] != end)
                report_.problems.add(fmt::format("job {} ends at node {}, not at {}", job, at_[job], end));
        }
    }

    const Network& network_;
    const ExchangeSchedule& schedule_;
    const Symmetry symmetry_;
    const std::uint32_t classes_, jobs_;
    std::uint32_t stride_ = 1, size_ = 1;  // of the split dimension
    std::vector<std::uint32_t> at_;        // [job]: the node of the packet
    std::vector<std::uint32_t> moved_;     // [job]: in its last step
    CheckReport report_;
};

}  // namespace

CheckReport check_allgather(const Network& network, std::uint32_t chunks,
                            const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_sends({network, {network.node_count(), chunks, Task::Kind::allgather}, schedule, lines});
}

CheckReport check_allgather(const Network& network, const SymmetricSchedule& schedule) {
    return SymmetricReplay(network, schedule).run(Task::Kind::allgather);
}

CheckReport check_alltoall(const Network& network, std::uint32_t chunks,
                           const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_sends({network, {network.node_count(), chunks, Task::Kind::alltoall}, schedule, lines});
}

CheckReport check_alltoall(const Network& network, const SymmetricSchedule& schedule) {
    return SymmetricReplay(network, schedule).run(Task::Kind::alltoall);
}

CheckReport check_alltoall(const Network& network, const ExchangeSchedule& schedule) {
    return ExchangeReplay(network, schedule).run();
}

CheckReport check_scatter(const Network& network, NodeId root, std::uint32_t chunks,
                          const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_sends(
        {network, {network.node_count(), chunks, Task::Kind::scatter, root}, schedule, lines});
}

CheckReport check_gather(const Network& network, NodeId root, std::uint32_t chunks,
                         const std::vector<TimedSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_sends({network, {network.node_count(), chunks, Task::Kind::gather, root}, schedule, lines});
}

CheckReport check_barrier(const Network& network, const std::vector<TimedSend>& schedule,
                          const std::vector<std::uint32_t>& lines) {
    return replay_sums(network, {network.node_count(), 1, Task::Kind::barrier}, schedule,
                       std::vector<bool>(schedule.size(), true), lines);
}

CheckReport check_reduce(const Network& network, NodeId root, std::uint32_t chunks,
                         const std::vector<ReducingSend>& schedule, const std::vector<std::uint32_t>& lines) {
    return replay_rows(network, {network.node_count(), chunks, Task::Kind::reduce, root}, schedule, lines);
}

CheckReport check_reduction(const Network& network, std::uint32_t chunks, bool to_all,
                            const std::vector<ReducingSend>& schedule,
                            const std::vector<std::uint32_t>& lines) {
    const Task::Kind kind = to_all ? Task::Kind::allreduce : Task::Kind::reducescatter;
    return replay_rows(network, {network.node_count(), chunks, kind}, schedule, lines);
}

CheckReport check_reducescatter(const Network& network, const SymmetricSchedule& schedule) {
    return SymmetricReplay(network, schedule).run(Task::Kind::reducescatter);
}

}  // namespace interlace
