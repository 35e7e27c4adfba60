// Interlace: a user's network from GraphML
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/graphml.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <unordered_map>

#include "graph_of_file.h"
#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"

namespace interlace {
namespace {

using tinyxml2::XMLElement;

constexpr Names<bool, 2> default_names = {{{"directed", true}, {"undirected", false}}};
constexpr Names<bool, 2> directed_names = {{{"true", true}, {"false", false}}};

/// Without the prefix of a namespace, as in g:node.
std::string_view local_name(const XMLElement& element) {
    const std::string_view name = element.Name();
    return name.substr(name.find(':') + 1);
}

/// The first from `element` on, it and those behind it, of that name; null where there is none.
const XMLElement* first_of(const XMLElement* element, std::string_view name) {
    while (element != nullptr && local_name(*element) != name) element = element->NextSiblingElement();
    return element;
}

/// The value of an attribute. Throws InputError where there is none.
std::string attribute(const XMLElement& element, const char* name) {
    const char* value = element.Attribute(name);
    if (value == nullptr)
        throw InputError(fmt::format("{} has no {}", element.Name(), name),
                         fmt::format("{} {}=\"...\"", element.Name(), name));
    return value;
}

/// Throws InputError, with the line in `path`, for an element of more attributes than any GraphML needs:
/// tinyxml2 compares each of an element's with all others.
void check_attributes(std::string_view text, const std::string& path) {
    constexpr std::size_t most = 1'000;
    constexpr std::pair<std::string_view, std::string_view> skipped[] = {
        {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}, {"<!", ">"}};
    for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
        const auto other = std::find_if(std::begin(skipped), std::end(skipped), [&](const auto& kind) {
            return text.substr(at).starts_with(kind.first);
        });
        if (other != std::end(skipped)) {
            at = text.find(other->second, at + other->first.size());
            continue;
        }
        const std::size_t begin = at;
        std::size_t attributes = 0;
        for (char quote = 0; at < text.size() && (quote != 0 || text[at] != '>'); ++at) {
            const char c = text[at];
            if (quote == 0 && c == '=') ++attributes;
            if (quote == 0 ? c == '"' || c == '\'' : c == quote) quote = quote == 0 ? c : '\0';
        }
        if (attributes > most)
            throw InputError(fmt::format("an element has {} attributes", attributes),
                             fmt::format("at most {}", most))
                .at(fmt::format("{}:{}", path, 1 + std::count(text.begin(), text.begin() + begin, '\n')));
    }
}

class GraphReader {
  public:
    explicit GraphReader(const std::string& path) : path_(path) {}

    Network read(const std::string& name) {
        const std::string text = text_of();
        check_attributes(text, path_);
        tinyxml2::XMLDocument document;
        if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
            throw InputError("this is not XML: " + what_is_wrong(document), "GraphML")
                .at(fmt::format("{}:{}", path_, std::max(document.ErrorLineNum(), 1)));
        if (document.RootElement() == nullptr)
            throw InputError("this is not XML: no element", "a graphml element").at(path_);
        const XMLElement& graph = the_graph(*document.RootElement());
        find_keys(*document.RootElement());
        visit(graph, "node", [&](const XMLElement& node) { add_node(node); });
        bool directed = true;
        at(graph,
           [&] { directed = value_of(default_names, attribute(graph, "edgedefault"), "edgedefault"); });
        visit(graph, "edge", [&](const XMLElement& edge) { add_edge(edge, directed); });
        if (graph_.empty()) throw InputError("there are no links", "at least one edge").at(path_);
        return in_file(path_,
                       [&] { return graph_.network(name, static_cast<std::uint32_t>(number_.size())); });
    }

  private:
    /// XML may be UTF-16; tinyxml2 reads UTF-8.
    std::string text_of() const {
        try {
            return utf8_of(read_whole_file(path_, "a GraphML file"));
        } catch (const InputError& error) {
            throw error.place().file.empty() ? error.at(path_) : error;
        }
    }

    /// "XML_ERROR_MISMATCHED_ELEMENT" is "mismatched element".
    static std::string what_is_wrong(const tinyxml2::XMLDocument& document) {
        std::string name = document.ErrorName();
        name = name.substr(name.starts_with("XML_ERROR_") ? 10 : 4);
        for (char& c : name) c = c == '_' ? ' ' : static_cast<char>(std::tolower(c));
        return name;
    }

    /// What `action` returns; errors in it are at the line of the element.
    template <class Action>
    void at(const XMLElement& element, const Action& action) const {
        try {
            action();
        } catch (const InputError& error) {
            throw error.at(fmt::format("{}:{}", path_, element.GetLineNum()));
        }
    }

    const XMLElement& the_graph(const XMLElement& root) const {
        const XMLElement* graph = first_of(root.FirstChildElement(), "graph");
        at(root, [&] {
            if (local_name(root) != "graphml")
                throw InputError(fmt::format("cannot use element '{}'", root.Name()), "graphml");
            if (graph == nullptr) throw InputError("graphml has no graph", "one graph");
        });
        if (const XMLElement* second = first_of(graph->NextSiblingElement(), "graph"))
            at(*second, [] { throw InputError("there is a second graph", "one graph"); });
        return *graph;
    }

    /// The ids under which nodes and edges have data of these names.
    void find_keys(const XMLElement& root) {
        for (const XMLElement* e = root.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
            const char* const id = e->Attribute("id");
            const char* const name = e->Attribute("attr.name");
            if (local_name(*e) != "key" || id == nullptr || name == nullptr) continue;
            const char* const of = e->Attribute("for");
            const std::string_view element = of == nullptr ? "all" : of;
            if (name == std::string_view("kind") && (element == "node" || element == "all")) kind_key_ = id;
            if (name == std::string_view("latency") && (element == "edge" || element == "all"))
                latency_key_ = id;
        }
    }
    /// What an element has under the key; "": nothing.
    static std::string data_of(const XMLElement& element, const std::string& key) {
        for (const XMLElement* data = first_of(element.FirstChildElement(), "data"); data != nullptr;
             data = first_of(data->NextSiblingElement(), "data")) {
            const char* const own = data->Attribute("key");
            if (key.empty() || own == nullptr || own != key) continue;
            return data->GetText() == nullptr ? "" : data->GetText();
        }
        return "";
    }

    template <class Visit>
    void visit(const XMLElement& graph, std::string_view name, const Visit& visit_one) const {
        for (const XMLElement* e = graph.FirstChildElement(); e != nullptr; e = e->NextSiblingElement())
            at(*e, [&] {
                const std::string_view found = local_name(*e);
                if (found == name) visit_one(*e);
                if (found != "node" && found != "edge" && found != "data" && found != "desc")
                    throw InputError(fmt::format("cannot use element '{}'", found),
                                     "node, edge, data or desc");
            });
    }

    void add_node(const XMLElement& node) {
        const std::string id = attribute(node, "id");
        if (first_of(node.FirstChildElement(), "graph") != nullptr)
            throw InputError(fmt::format("there is a graph in the node '{}'", id),
                             "a node that contains no graph");
        if (number_.size() == max_nodes)
            throw InputError("there are too many nodes", fmt::format("at most 2^27 = {}", max_nodes));
        if (!number_.try_emplace(id, static_cast<std::uint32_t>(number_.size())).second)
            throw InputError(fmt::format("there is a second node '{}'", id), "a node of each id");
        if (data_of(node, kind_key_) == "switch") graph_.add_switch(NodeId{number_[id]});
    }

    NodeId end(const XMLElement& edge, const char* which) const {
        const std::string id = attribute(edge, which);
        const auto found = number_.find(id);
        if (found == number_.end())
            throw InputError(fmt::format("{} '{}' is not a node", which, id), "the id of a node");
        return NodeId{found->second};
    }

    void add_edge(const XMLElement& edge, bool directed) {
        const NodeId from = end(edge, "source"), to = end(edge, "target");
        const std::string from_id = fmt::format("'{}'", attribute(edge, "source")),
                          to_id = fmt::format("'{}'", attribute(edge, "target"));
        const std::string cycles = data_of(edge, latency_key_);
        const std::uint32_t latency = cycles.empty() ? 0 : parse_latency(cycles);
        graph_.add(from, to, from_id, to_id, latency);
        if (const char* own = edge.Attribute("directed"))
            directed = value_of(directed_names, own, "directed");
        if (!directed) graph_.add(to, from, to_id, from_id, latency);
    }

    const std::string path_;
    std::string kind_key_, latency_key_;
    std::unordered_map<std::string, std::uint32_t> number_;
    GraphOfFile graph_;
};

}  // namespace

Network read_graphml(const std::string& name, const std::string& path) {
    return GraphReader(path).read(name);
}

}  // namespace interlace
