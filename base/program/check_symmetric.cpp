// Interlace: the independent checker of collectives in which every node does what its class does
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <optional>
#include <tuple>
#include <utility>

#include "interlace/program/check_collective.h"

namespace interlace {
namespace {

constexpr std::uint32_t unset = UINT32_MAX;

/// Nodes by classes, and translations between nodes of one.
class Symmetry {
  public:
    explicit Symmetry(const Network& network) : network_(network) {
        const std::optional<Lattice>& lattice = network.lattice();
        if (lattice && lattice->wraps()) {
            sizes_ = lattice->sizes();
            twist_ = lattice->twist();
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
        std::uint64_t twist = 0;  // of x, by rings that were gone round
        for (std::size_t d = 0; d < sizes_.size(); ++d) {
            const std::uint32_t size = sizes_[d];
            const std::uint32_t moved = node % size + size - first % size + origin % size;
            to += moved % size * stride;
            // A size was added: quotients 0, 1 and 2 are a turn back, none and one up.
            if (d > 0 && !twist_.empty())
                twist += (std::uint64_t{moved} / size + sizes_[0] - 1) * twist_[d - 1] % sizes_[0];
            stride *= size;
            node /= size, first /= size, origin /= size;
        }
        const std::uint32_t x = to % sizes_[0];
        return to - x + static_cast<std::uint32_t>((x + twist) % sizes_[0]);
    }

    /// Empty, or what is wrong: a class is a coset of the translations that keep classes where every size is
    /// a multiple of their number, and these map links onto links of the same port where they do so from the
    /// first of each class to each other one.
    std::string fault() const {
        for (const std::uint32_t size : sizes_)
            if (size % classes_ != 0) return fmt::format("a ring of {} nodes has {} classes", size, classes_);
        std::vector<std::uint32_t> first(classes_, unset);
        for (std::uint32_t v = 0; v < network_.node_count(); ++v) {
            std::uint32_t& of_class = first[class_of(v)];
            if (of_class == unset) of_class = v;
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
    std::vector<std::uint32_t> sizes_, twist_;
    std::uint32_t classes_ = 1;
};

/// Follows the packets of the first origin of each class.
class SymmetricReplay {
  public:
    SymmetricReplay(const Network& network, const SymmetricSchedule& schedule)
        : network_(network), schedule_(schedule), symmetry_(network) {}

    CheckReport allgather() { return run(false, &SymmetricReplay::spread); }
    CheckReport reducescatter() { return run(false, &SymmetricReplay::collect); }
    CheckReport alltoall() { return run(true, &SymmetricReplay::pass_on); }

  private:
    /// What the packets of an origin do; the sends by step.
    using Follow = void (SymmetricReplay::*)(std::uint32_t origin, const std::vector<RelativeSend>& sends);

    CheckReport run(bool exchange, Follow follow) {
        std::string fault = symmetry_.fault();
        if (fault.empty() && schedule_.exchange != exchange)
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
            std::vector<RelativeSend> sends = schedule_.sends[c];
            std::stable_sort(sends.begin(), sends.end(),
                             [](const RelativeSend& a, const RelativeSend& b) { return a.step < b.step; });
            report_.sends += sends.size();
            (this->*follow)(origin, sends);
        }
        check_uses();
        report_.sends *= network_.node_count() / symmetry_.classes();
        return std::move(report_);
    }

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

    void spread(std::uint32_t origin, const std::vector<RelativeSend>& sends) {
        const std::uint32_t chunks = schedule_.chunks;
        std::vector<std::uint32_t> arrival(std::size_t{network_.node_count()} * chunks, unset);
        std::fill_n(arrival.begin() + static_cast<std::ptrdiff_t>(std::size_t{origin} * chunks), chunks, 0);
        for (const RelativeSend& send : sends) {
            if (!is_there(origin, send)) continue;
            uses_.push_back({send.step, symmetry_.class_of(send.from), send.port, origin});
            const auto at = [&](NodeId node) -> std::uint32_t& {
                return arrival[std::size_t{node} * chunks + send.chunk];
            };
            if (at(send.from) >= send.step) problem(origin, send, "which it does not hold");
            std::uint32_t& there = at(network_.neighbours(send.from)[send.port]);
            if (there != unset) ++report_.redundant_sends;
            there = std::min(there, send.step);
        }
        for (std::size_t i = 0; i < arrival.size(); ++i)
            if (arrival[i] == unset)
                report_.problems.add(fmt::format("node {} never receives chunk {} of node {}", i / chunks,
                                                 i % chunks, origin));
            else
                report_.steps = std::max(report_.steps, arrival[i]);
    }

    /// Each packet is at one node, and ends at its destination.
    void pass_on(std::uint32_t origin, const std::vector<RelativeSend>& sends) {
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
        const std::uint32_t chunks = schedule_.chunks;
        const std::size_t places = std::size_t{network_.node_count()} * chunks;
        std::vector<std::uint32_t> sent(places, unset), last(places, 0);
        for (const RelativeSend& send : sends) {
            if (!is_there(owner, send)) continue;
            uses_.push_back({send.step, symmetry_.class_of(send.from), send.port, owner});
            std::uint32_t& own = sent[std::size_t{send.from} * chunks + send.chunk];
            if (own != unset || send.from == owner) problem(owner, send, "which it has no more, or keeps");
            own = send.step;
            const NodeId to = network_.neighbours(send.from)[send.port];
            std::uint32_t& latest = last[std::size_t{to} * chunks + send.chunk];
            latest = std::max(latest, send.step);
            report_.steps = std::max(report_.steps, send.step);
        }
        for (std::size_t i = 0; i < places; ++i)
            if (i / chunks == owner)
                continue;
            else if (sent[i] == unset)
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

CheckReport check_allgather(const Network& network, const SymmetricSchedule& schedule) {
    return SymmetricReplay(network, schedule).allgather();
}

CheckReport check_alltoall(const Network& network, const SymmetricSchedule& schedule) {
    return SymmetricReplay(network, schedule).alltoall();
}

CheckReport check_alltoall(const Network& network, const ExchangeSchedule& schedule) {
    return ExchangeReplay(network, schedule).run();
}

CheckReport check_reducescatter(const Network& network, const SymmetricSchedule& schedule) {
    return SymmetricReplay(network, schedule).reducescatter();
}

}  // namespace interlace
