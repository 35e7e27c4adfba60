// Interlace: a user's network from GML
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/gml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph_of_file.h"
#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"

namespace interlace {
namespace {

/// A key and a value of GML: a number or a text, or a list, which begins with this item and ends with an item
/// `closes`.
struct GmlItem {
    enum class Kind : std::uint8_t { number, text, opens, closes, end };
    Kind kind = Kind::end;
    std::string_view key = {}, value = {};
    std::size_t line = 1;
};

class GmlItems {
  public:
    explicit GmlItems(std::string_view text) : left_(text) {}

    /// Throws InputError without a place for what is no GML; line() is where.
    GmlItem next() {
        skip_blanks();
        GmlItem item{.line = line_};
        if (left_.empty()) return item;
        if (left_.front() == ']') {
            left_.remove_prefix(1);
            item.kind = GmlItem::Kind::closes;
            return item;
        }
        item.key = word();
        if (item.key.empty() || std::isalpha(static_cast<unsigned char>(item.key.front())) == 0)
            throw InputError(fmt::format("cannot use '{}'", shown(item.key)), "a key, as in 'node [ id 0 ]'");
        skip_blanks();
        if (left_.empty()) throw InputError(fmt::format("{} has no value", item.key), "a value");
        read_value(item);
        return item;
    }
    std::size_t line() const { return line_; }

  private:
    void read_value(GmlItem& item) {
        if (left_.front() == '[') {
            left_.remove_prefix(1);
            item.kind = GmlItem::Kind::opens;
        } else if (left_.front() == '"') {
            const std::size_t end = left_.find('"', 1);
            if (end == std::string_view::npos)
                throw InputError(fmt::format("the text of {} does not end", item.key), "a '\"' behind it");
            item.kind = GmlItem::Kind::text;
            item.value = left_.substr(1, end - 1);
            line_ += static_cast<std::size_t>(std::count(item.value.begin(), item.value.end(), '\n'));
            left_.remove_prefix(end + 1);
        } else {
            item.kind = GmlItem::Kind::number;
            item.value = word();
            if (item.value.empty())
                throw InputError(fmt::format("cannot use '{}' for {}", left_.front(), item.key),
                                 "a number, a text in quotes, or a list in [ ]");
        }
    }

    /// Comments go from a # to the end of their line.
    void skip_blanks() {
        while (!left_.empty()) {
            if (left_.front() == '\n') ++line_;
            if (left_.front() == '#')
                left_.remove_prefix(std::min(left_.size(), left_.find('\n')));
            else if (std::isspace(static_cast<unsigned char>(left_.front())) != 0)
                left_.remove_prefix(1);
            else
                return;
        }
    }

    /// Up to a blank or a bracket, a quote or a comment.
    std::string_view word() {
        const std::string_view found = left_.substr(0, left_.find_first_of(" \t\r\n\f\v[]\"#"));
        left_.remove_prefix(found.size());
        return found;
    }
    std::string shown(std::string_view key) const {
        return std::string(key.empty() ? left_.substr(0, 1) : key.substr(0, 40));
    }

    std::string_view left_;
    std::size_t line_ = 1;
};

class GmlReader {
  public:
    explicit GmlReader(const std::string& path)
        : path_(path), text_(read_whole_file(path, "a GML file")), items_(without_byte_order_mark(text_)) {}

    Network read(const std::string& name) {
        with_place([&] {
            bool found = false;
            for (GmlItem item = items_.next(); item.kind != GmlItem::Kind::end; item = items_.next()) {
                if (item.kind == GmlItem::Kind::closes) throw InputError("']' ends no list", "a key");
                const bool is_graph = item.kind == GmlItem::Kind::opens && item.key == "graph";
                if (is_graph && found) throw InputError("there is a second graph", "one graph");
                found = found || is_graph;
                if (is_graph)
                    read_graph();
                else
                    skip(item);
            }
            if (!found) throw InputError("there is no graph", "graph [ node [ id 0 ] ... ]");
            for (const Edge& edge : edges_) add(edge);
        });
        if (graph_.empty()) throw InputError("there are no links", "at least one edge").at(path_);
        return in_file(path_,
                       [&] { return graph_.network(name, static_cast<std::uint32_t>(number_.size())); });
    }

  private:
    struct Edge {
        std::optional<std::uint64_t> source = {}, target = {};
        std::size_t line;
        std::uint32_t latency = 0;
    };

    /// Errors of `action` are where the node or edge begins that they are about, or else at the line that has
    /// been read so far.
    template <class Action>
    void with_place(const Action& action) {
        try {
            action();
        } catch (const InputError& error) {
            throw error.at(fmt::format("{}:{}", path_, about_ != 0 ? about_ : items_.line()));
        }
    }

    /// Of the list that has been opened, each item to its end.
    template <class Visit>
    void each(const Visit& visit) {
        for (GmlItem item = items_.next(); item.kind != GmlItem::Kind::closes; item = items_.next()) {
            if (item.kind == GmlItem::Kind::end) throw InputError("a list does not end", "']'");
            visit(item);
        }
    }
    /// What else a list has, and whatever is in it.
    void skip(const GmlItem& item) {
        std::size_t open = item.kind == GmlItem::Kind::opens ? 1 : 0;
        while (open > 0) {
            const GmlItem inner = items_.next();
            if (inner.kind == GmlItem::Kind::end) throw InputError("a list does not end", "']'");
            if (inner.kind == GmlItem::Kind::opens) ++open;
            if (inner.kind == GmlItem::Kind::closes) --open;
        }
    }

    static std::uint64_t number_of(const GmlItem& item) {
        return parse_integer(item.value, item.key, 0, UINT32_MAX);
    }

    void read_graph() {
        each([&](const GmlItem& item) {
            const bool opens = item.kind == GmlItem::Kind::opens;
            if (opens && item.key == "node")
                read_node(item.line);
            else if (opens && item.key == "edge")
                read_edge(item.line);
            else if (item.key == "directed")
                directed_ = parse_integer(item.value, "directed", 0, 1) == 1;
            else
                skip(item);
        });
    }

    void read_node(std::size_t line) {
        std::optional<std::uint64_t> id;
        bool is_switch = false;
        each([&](const GmlItem& item) {
            if (item.key == "id") id = number_of(item);
            if (item.key == "kind") is_switch = item.value == "switch";
            skip(item);
        });
        about_ = line;
        if (!id) throw InputError("a node has no id", "node [ id 0 ]");
        if (number_.size() == max_nodes)
            throw InputError("there are too many nodes", fmt::format("at most 2^27 = {}", max_nodes));
        if (!number_.try_emplace(*id, static_cast<std::uint32_t>(number_.size())).second)
            throw InputError(fmt::format("there is a second node {}", *id), "a node of each id");
        if (is_switch) graph_.add_switch(NodeId{number_[*id]});
        about_ = 0;
    }

    void read_edge(std::size_t line) {
        Edge edge{.line = line};
        each([&](const GmlItem& item) {
            if (item.key == "source") edge.source = number_of(item);
            if (item.key == "target") edge.target = number_of(item);
            if (item.key == "latency") edge.latency = parse_latency(item.value);
            skip(item);
        });
        about_ = line;
        if (!edge.source || !edge.target)
            throw InputError("an edge has no source or no target", "edge [ source 0 target 1 ]");
        about_ = 0;
        edges_.push_back(edge);
    }

    NodeId node(const char* which, std::uint64_t id) const {
        const auto found = number_.find(id);
        if (found == number_.end())
            throw InputError(fmt::format("{} {} is not a node", which, id), "the id of a node");
        return NodeId{found->second};
    }

    void add(const Edge& edge) {
        about_ = edge.line;
        const NodeId from = node("source", *edge.source), to = node("target", *edge.target);
        const std::string from_id = std::to_string(*edge.source), to_id = std::to_string(*edge.target);
        graph_.add(from, to, from_id, to_id, edge.latency);
        if (!directed_) graph_.add(to, from, to_id, from_id, edge.latency);
    }

    const std::string path_, text_;
    GmlItems items_;
    std::size_t about_ = 0;  // line of what is looked at as a whole; 0: nothing
    bool directed_ = false;
    std::unordered_map<std::uint64_t, std::uint32_t> number_;
    std::vector<Edge> edges_;
    GraphOfFile graph_;
};

}  // namespace

Network read_gml(const std::string& name, const std::string& path) {
    return GmlReader(path).read(name);
}

}  // namespace interlace
