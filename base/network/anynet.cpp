// Interlace: a user's network from a listing of BookSim2's topology anynet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/anynet.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <sstream>

#include "graph_of_file.h"
#include "interlace/core/whole_file.h"

namespace interlace {
namespace {

/// A router or a node of a listing.
struct Listed {
    bool is_router = false;
    std::uint32_t number = 0;
};

class AnynetReader {
  public:
    explicit AnynetReader(const std::string& path) : path_(path) {}

    Network read(const std::string& name) {
        std::istringstream lines(read_whole_file(path_, "an anynet file"));
        std::string line;
        for (std::size_t number = 1; std::getline(lines, line); ++number) try {
                read_line(line);
            } catch (const InputError& error) {
                throw error.at(fmt::format("{}:{}", path_, number));
            }
        return in_file(path_, [&] {
            check_numbers();
            return is_direct() ? direct(name) : with_machines(name);
        });
    }

  private:
    struct Latency {
        std::uint32_t cycles = 1;
        bool listed = false;  ///< not only the link back
    };
    struct Home {
        std::uint32_t router;
        std::uint32_t cycles = 1;
    };

    void read_line(const std::string& line) {
        std::istringstream words(line);
        std::string word;
        if (!(words >> word)) return;
        const Listed head = listed(word, words);
        if (head.is_router) routers_ = std::max(routers_, head.number + 1);
        std::optional<Listed> last;
        while (words >> word) {
            if (last && word.find_first_not_of("0123456789") == std::string::npos) {
                link(head, *last, parse_latency(word));
                last.reset();
                continue;
            }
            if (last) link(head, *last, 1);
            last = listed(word, words);
        }
        if (last) link(head, *last, 1);
    }

    static Listed listed(const std::string& type, std::istringstream& words) {
        if (type != "router" && type != "node")
            throw InputError(fmt::format("cannot use '{}'", type), "router or node, and its number");
        std::string number;
        words >> number;
        return {type == "router", static_cast<std::uint32_t>(parse_integer(number, type, 0, max_nodes - 1))};
    }

    void link(Listed from, Listed to, std::uint32_t cycles) {
        if (!from.is_router && !to.is_router)
            throw InputError(fmt::format("node {} leads to node {}", from.number, to.number), "a router");
        for (const Listed& end : {from, to})
            if (end.is_router) routers_ = std::max(routers_, end.number + 1);
        if (!from.is_router) std::swap(from, to);
        if (to.is_router)
            join_routers(from.number, to.number, cycles);
        else
            attach(to.number, from.number, cycles);
    }

    void attach(std::uint32_t node, std::uint32_t router, std::uint32_t cycles) {
        const auto [home, is_new] = homes_.try_emplace(node, Home{router, cycles});
        if (!is_new && home->second.router != router)
            throw InputError(
                fmt::format("node {} has links to routers {} and {}", node, home->second.router, router),
                "one router");
        if (!is_new && home->second.cycles != cycles && cycles != 1 && home->second.cycles != 1)
            throw InputError(
                fmt::format("the link of node {} has latencies {} and {}", node, home->second.cycles, cycles),
                "one");
        home->second.cycles = std::max(home->second.cycles, cycles);
    }

    void join_routers(std::uint32_t from, std::uint32_t to, std::uint32_t cycles) {
        if (from == to)
            throw InputError(fmt::format("a link leads from router {} to itself", from), "another router");
        Latency& there = latencies_[{from, to}];
        if (there.listed && there.cycles != cycles)
            throw InputError(fmt::format("the link from router {} to router {} has latencies {} and {}", from,
                                         to, there.cycles, cycles),
                             "one");
        there = {cycles, true};
        latencies_.try_emplace({to, from});
    }

    void check_numbers() const {
        if (latencies_.empty() && homes_.empty())
            throw InputError("there are no links", "router 0 node 0 router 1");
        std::vector<bool> known(routers_, false);
        for (const auto& [ends, latency] : latencies_) known[ends.first] = true;
        std::uint32_t next = 0;
        for (const auto& [node, home] : homes_) {
            known[home.router] = true;
            if (node != next++)
                throw InputError(fmt::format("there is a node {}, but no node {}", node, next - 1),
                                 "nodes numbered from 0 without a gap");
        }
        if (homes_.size() < 2)
            throw InputError(fmt::format("there are {} nodes", homes_.size()), "two or more");
        for (std::uint32_t r = 0; r < routers_; ++r)
            if (!known[r])
                throw InputError(
                    fmt::format("there is a router {}, but router {} has no link", routers_ - 1, r),
                    "routers numbered from 0 without a gap");
    }

    bool is_direct() const {
        std::vector<std::uint32_t> nodes(routers_, 0);
        bool alike = true;
        for (const auto& [node, home] : homes_) {
            ++nodes[home.router];
            alike = alike && home.cycles == 1;
        }
        return alike &&
               std::all_of(nodes.begin(), nodes.end(), [](std::uint32_t count) { return count == 1; });
    }

    Network direct(const std::string& name) const {
        std::vector<NodeId> node_of(routers_);
        for (const auto& [node, home] : homes_) node_of[home.router] = NodeId{node};
        return {name, between_routers(node_of), routers_, routers_};
    }

    Network with_machines(const std::string& name) const {
        const auto machines = static_cast<std::uint32_t>(homes_.size());
        std::vector<NodeId> node_of;
        for (std::uint32_t r = 0; r < routers_; ++r) node_of.emplace_back(machines + r);
        std::vector<ClusterLink> links = between_routers(node_of);
        for (const auto& [node, home] : homes_) {
            links.push_back({NodeId{node}, node_of[home.router], {}, home.cycles});
            links.push_back({node_of[home.router], NodeId{node}, {}, home.cycles});
        }
        return {name, std::move(links), machines, machines + routers_};
    }

    /// `node_of`: [router].
    std::vector<ClusterLink> between_routers(const std::vector<NodeId>& node_of) const {
        std::vector<ClusterLink> links;
        for (const auto& [ends, latency] : latencies_)
            links.push_back({node_of[ends.first], node_of[ends.second], {}, latency.cycles});
        return links;
    }

    const std::string path_;
    std::uint32_t routers_ = 0;
    std::map<std::uint32_t, Home> homes_;                                   // [node]
    std::map<std::pair<std::uint32_t, std::uint32_t>, Latency> latencies_;  // [from and to]
};

}  // namespace

Network read_anynet(const std::string& name, const std::string& path) {
    return AnynetReader(path).read(name);
}

}  // namespace interlace
