// Interlace: configuration files whose every value knows where it stands
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/config/config_map.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"

namespace interlace {
namespace {

constexpr std::uint64_t max_values = 10'000'000;  ///< of a text whose aliases are written out
constexpr std::size_t max_keys = 1'000;  ///< of a mapping, each of which yaml-cpp compares with all others

/// "FILE:LINE"; a flag ("--set ...") and a text without a name have no lines.
Place place_in(const std::string& name, const YAML::Mark& mark) {
    if (name.empty() || name.starts_with("--")) return {name};
    if (mark.is_null()) return {name, name};
    const auto line = static_cast<std::size_t>(mark.line) + 1;
    return {fmt::format("{}:{}", name, line), name, line};
}

/// Follows a YAML text before it becomes a tree, and refuses what a tree cannot show (a key twice, of which
/// one would be lost, a key that is a mapping) or whose walk would not end (an alias of what it stands in,
/// aliases of aliases of aliases).
class YamlCheck final : public YAML::EventHandler {
  public:
    explicit YamlCheck(std::string name) : name_(std::move(name)) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) refuse(mark, "there is a second document", "one in a file");
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { single(mark, anchor, nullptr); }
    void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                  const std::string& value) override {
        single(mark, anchor, &value);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        for (const Open& one : open_)
            if (one.anchor == anchor) refuse(mark, "an alias is inside its own value", "a value");
        begin_value(mark, nullptr);
        count(mark, sizes_[anchor]);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        begin_value(mark, nullptr);
        open_.push_back({mark, anchor, false});
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        begin_value(mark, nullptr);
        open_.push_back({mark, anchor, true});
    }
    void OnMapEnd() override { close(); }

  private:
    /// A mapping or list whose end has not come.
    struct Open {
        YAML::Mark mark;
        YAML::anchor_t anchor;
        bool map;
        bool key_is_next = true;
        std::uint64_t size = 1;
        std::set<std::string> keys = {};
    };

    [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& problem,
                             const std::string& expected) const {
        throw InputError(problem, expected).at(place_in(name_, mark));
    }
    /// `scalar`: the text of a single value, null for any other.
    void begin_value(const YAML::Mark& mark, const std::string* scalar) {
        if (open_.empty() || !open_.back().map) return;
        Open& map = open_.back();
        if (std::exchange(map.key_is_next, !map.key_is_next)) {
            if (scalar == nullptr) refuse(mark, "a key is not text", "KEY: VALUE");
            if (!map.keys.insert(*scalar).second) refuse(mark, *scalar + ": duplicate key", "each key once");
            if (map.keys.size() > max_keys)
                refuse(mark, "there are too many keys", fmt::format("at most {} in a mapping", max_keys));
        }
    }
    void single(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string* scalar) {
        begin_value(mark, scalar);
        if (anchor != 0) sizes_[anchor] = 1;
        count(mark, 1);
    }
    void close() {
        const Open closed = std::move(open_.back());
        open_.pop_back();
        if (closed.anchor != 0) sizes_[closed.anchor] = closed.size;
        count(closed.mark, closed.size);
    }
    void count(const YAML::Mark& mark, std::uint64_t values) {
        if (open_.empty()) return;
        open_.back().size += values;
        if (open_.back().size > max_values)
            refuse(mark, "there are too many values",
                   fmt::format("at most {}, aliases written out", max_values));
    }

    std::string name_;
    int documents_ = 0;
    std::vector<Open> open_;
    std::map<YAML::anchor_t, std::uint64_t> sizes_;  ///< of what has an anchor, aliases written out
};

/// The tree of a text that errors call `name`. Throws InputError with its place.
YAML::Node parse(const std::string& text, const std::string& name) {
    try {
        std::istringstream in(text);
        YAML::Parser parser(in);
        YamlCheck check(name);
        while (parser.HandleNextDocument(check)) {
        }
        return YAML::Load(text);
    } catch (const YAML::ParserException& error) {
        throw InputError(error.msg, "YAML").at(place_in(name, error.mark));
    }
}

/// A single value as it is, where that reads back as the same.
std::string on_one_line(const YAML::Node& value) {
    if (value.IsScalar()) {
        const std::string& text = value.Scalar();
        try {
            const YAML::Node again = YAML::Load(text);
            if (again.IsScalar() && again.Scalar() == text) return text;
        } catch (const YAML::ParserException&) {  // quotes, then
        }
    }
    YAML::Emitter out;
    out << YAML::Flow << value;
    return out.c_str();
}

/// Values that were put into a tree, mappings that were made for them too, and what errors call them.
using Labelled = std::vector<std::pair<YAML::Node, std::string>>;

void apply_override(const YAML::Node& root, const Assignment& assignment, Labelled& values) {
    const auto keys = split(assignment.path, '.');
    const std::string& label = assignment.label;
    std::size_t fresh = keys.size() - 1;  // the first key that the tree has not
    YAML::Node node = root;               // a handle: what it is given stands in the tree
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        YAML::Node child = node[keys[i]];
        if (child.IsDefined() && !child.IsMap())
            throw InputError("'" + keys[i] + "' is not a mapping", "a path of keys").at({label});
        if (!child.IsDefined()) fresh = std::min(fresh, i);
        node.reset(child);
    }
    node[keys.back()] = YAML::Clone(assignment.value);
    node.reset(root);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        node.reset(node[keys[i]]);
        if (i >= fresh) values.emplace_back(node, label);
    }
}

}  // namespace

Assignment parse_assignment(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw InputError("cannot use --set '" + text + "'", "path=value, as in broadcast.packets=8");
    const std::string label = "--set " + text;
    return {text.substr(0, equals), parse(text.substr(equals + 1), label), label};
}

ConfigMap::ConfigMap(const YAML::Node& node, std::string file, std::shared_ptr<const Overrides> overrides)
    : file_(std::move(file)), node_(node), overrides_(std::move(overrides)) {
    if (!node_.IsMap()) throw InputError("this is not a mapping", "keys with values").at(place());
}

ConfigMap ConfigMap::from_text(const std::string& text, const std::string& name,
                               const std::vector<std::string>& overrides) {
    Assignments assignments;
    for (const std::string& override : overrides) assignments.push_back(parse_assignment(override));
    return from_text(text, name, assignments);
}

ConfigMap ConfigMap::from_text(const std::string& text, const std::string& name,
                               const Assignments& overrides) {
    const YAML::Node root = parse(text, name);
    const auto values = std::make_shared<Overrides>();
    if (root.IsMap())
        for (const Assignment& assignment : overrides) apply_override(root, assignment, *values);
    ConfigMap map(root, name, values);
    map.in_override_ = name.starts_with("--");
    return map;
}

ConfigMap ConfigMap::from_file(const std::string& path, const std::vector<std::string>& overrides) {
    return from_text(read_whole_file(path, "a YAML file"), path, overrides);
}

Place ConfigMap::place(const std::string& key) const {
    return place(key, key.empty() ? YAML::Node() : node_[key]);
}

Place ConfigMap::place(const std::string& key, const YAML::Node& value) const {
    const std::string* override = override_of(key);
    const YAML::Mark mark = value.IsDefined() && !value.Mark().is_null() ? value.Mark() : node_.Mark();
    Place place = override != nullptr ? Place{*override}
                  : in_override_      ? Place{file_}
                                      : place_in(file_, mark);
    place.key = key;
    const bool by_flag = override != nullptr && !override->starts_with("--set ");  // which names the key
    if (!key.empty() && !by_flag) place.text += (place.text.empty() ? "" : ": ") + key;
    return place;
}

const std::string* ConfigMap::override_of(const std::string& key) const {
    const YAML::Node value = key.empty() ? node_ : node_[key];
    // The last of two for one path is the one that holds.
    for (auto it = overrides_->rbegin(); it != overrides_->rend(); ++it)
        if (value.IsDefined() && value.is(it->first)) return &it->second;
    return nullptr;
}

ConfigMap ConfigMap::child(const std::string& key, const YAML::Node& value) const {
    const std::string* override = override_of(key);
    ConfigMap map(value, override == nullptr ? file_ : *override, overrides_);
    map.in_override_ = in_override_ || override != nullptr;
    return map;
}

bool ConfigMap::has(const std::string& key) {
    read_.insert(key);
    return node_[key].IsDefined();
}

YAML::Node ConfigMap::require(const std::string& key) {
    read_.insert(key);
    const YAML::Node value = node_[key];
    if (value.IsDefined()) return value;
    for (const auto& entry : node_) {
        const std::string other = entry.first.Scalar();
        if (!read_.contains(other) && 3 * edit_distance(other, key) <= key.size())
            throw InputError("this is an unknown key", key).at(place(other));
    }
    throw InputError("this key is missing", "a value").at(place(key));
}

std::string ConfigMap::text(const std::string& key) {
    const YAML::Node value = require(key);
    if (!value.IsScalar()) throw InputError("this is not a single value", "one value").at(place(key));
    return value.Scalar();
}

std::string ConfigMap::text(const std::string& key, const std::string& otherwise) {
    read_.insert(key);
    return has(key) ? text(key) : otherwise;
}

std::uint64_t ConfigMap::integer(const std::string& key, std::uint64_t low, std::uint64_t high) {
    const std::string value = text(key);
    try {
        return parse_integer(value, "value", low, high);
    } catch (const InputError& error) {
        throw error.at(place(key));
    }
}

void ConfigMap::update(const std::string& key, std::uint32_t& value, std::uint32_t low, std::uint32_t high) {
    if (has(key)) value = static_cast<std::uint32_t>(integer(key, low, high));
}

double ConfigMap::number(const std::string& key) {
    const std::string value = text(key);
    try {
        return parse_number(value, "value");
    } catch (const InputError& error) {
        throw error.at(place(key));
    }
}

bool ConfigMap::truth(const std::string& key, bool otherwise) {
    if (!has(key)) return otherwise;
    const std::string value = text(key);
    bool result = false;
    if (!YAML::convert<bool>::decode(YAML::Node(value), result))
        throw InputError("cannot use value '" + value + "'", "true or false").at(place(key));
    return result;
}

void ConfigMap::check_schema(std::uint64_t number) {
    if (integer("schema", 0, UINT32_MAX) != number)
        throw InputError("this is an unknown schema", std::to_string(number)).at(place("schema"));
}

bool ConfigMap::is_map(const std::string& key) {
    return require(key).IsMap();
}

std::vector<std::string> ConfigMap::keys() const {
    std::vector<std::string> keys;
    for (const auto& entry : node_) keys.push_back(entry.first.Scalar());
    return keys;
}

std::vector<std::string> ConfigMap::values(const std::string& key) {
    const YAML::Node value = require(key);
    if (!value.IsSequence()) return {on_one_line(value)};
    std::vector<std::string> values;
    for (const auto& item : value) values.push_back(on_one_line(item));
    return values;
}

std::vector<std::pair<std::string, std::string>> ConfigMap::rest() {
    std::vector<std::pair<std::string, std::string>> leaves;
    for (const std::string& key : keys()) {
        if (!read_.insert(key).second) continue;
        if (!is_map(key)) {
            leaves.emplace_back(key, on_one_line(node_[key]));
            continue;
        }
        for (const auto& [path, value] : map(key).rest())
            leaves.emplace_back(fmt::format("{}.{}", key, path), value);
    }
    return leaves;
}

ConfigMap ConfigMap::map(const std::string& key) {
    const YAML::Node value = require(key);
    if (!value.IsMap()) throw InputError("this is not a mapping", "keys with values").at(place(key));
    return child(key, value);
}

std::vector<ConfigMap> ConfigMap::maps(const std::string& key) {
    std::vector<ConfigMap> maps;
    for (const auto& one : require_list(key, "mappings")) maps.push_back(child(key, one));
    return maps;
}

YAML::Node ConfigMap::require_list(const std::string& key, const char* of) {
    YAML::Node list = require(key);
    if (!list.IsSequence())
        throw InputError("this is not a list", std::string("a list of ") + of).at(place(key));
    return list;
}

std::uint32_t ConfigMap::item(const YAML::Node& value, const std::string& key, std::uint32_t low,
                              std::uint32_t high) const {
    try {
        if (!value.IsScalar()) throw InputError("this is not a single value", "a whole number");
        return static_cast<std::uint32_t>(parse_integer(value.Scalar(), "value", low, high));
    } catch (const InputError& error) {
        throw error.at(place(key, value));
    }
}

std::vector<std::uint32_t> ConfigMap::integers(const std::string& key, std::uint32_t low,
                                               std::uint32_t high) {
    std::vector<std::uint32_t> values;
    for (const auto& one : require_list(key, "whole numbers")) values.push_back(item(one, key, low, high));
    return values;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> ConfigMap::pairs(const std::string& key,
                                                                      std::uint32_t low, std::uint32_t high) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> values;
    for (const auto& one : require_list(key, "pairs")) {
        if (!one.IsSequence() || one.size() != 2)
            throw InputError("this is not a pair", "two whole numbers, as in [0, 1]").at(place(key, one));
        values.emplace_back(item(one[0], key, low, high), item(one[1], key, low, high));
    }
    return values;
}

std::vector<std::string> ConfigMap::texts(const std::string& key) {
    const YAML::Node value = require(key);
    if (value.IsScalar()) return {value.Scalar()};
    if (!value.IsSequence())
        throw InputError("this is neither a value nor a list", "a list of values").at(place(key));
    std::vector<std::string> texts;
    for (const auto& item : value) {
        if (!item.IsScalar())
            throw InputError("this is not a single value", "one value").at(place(key, item));
        texts.push_back(item.Scalar());
    }
    return texts;
}

void ConfigMap::finish() const {
    for (const auto& entry : node_) {
        const std::string key = entry.first.Scalar();
        if (read_.contains(key)) continue;
        std::string known;
        for (const std::string& name : read_) known += (known.empty() ? "" : ", ") + name;
        throw InputError("this is an unknown key" + did_you_mean(key, {read_.begin(), read_.end()}),
                         "one of " + known)
            .at(place(key));
    }
}

}  // namespace interlace
