// Interlace: configuration files whose every value knows where it stands
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interlace/core/names.h"

namespace interlace {

/// A value put into a configuration before it is read: it replaces the value at `path` or adds it.
struct Assignment {
    std::string path;  ///< keys with dots: "broadcast.packets"
    YAML::Node value;  ///< of a flag a text, which is not read as YAML
    std::string
        label;  ///< where errors place it: "--set broadcast.packets=8", or the flag alone, "--packets"
};
using Assignments = std::vector<Assignment>;

/// Of "path=value", with the label "--set path=value". Throws InputError for another text, or a value that is
/// no YAML.
Assignment parse_assignment(const std::string& text);

/// One mapping of a YAML file. Each key is read at most once by its type; finish() then refuses the keys that
/// nobody read. Every error is an InputError that names file, line and key, or the override.
class ConfigMap {
  public:
    /// Reads a file or a text that stands for one (`name` is what errors call it; a
    /// flag, "--node", has no lines). `overrides` as parse_assignment() takes them, or parsed; of two for one
    /// path the later one holds.
    static ConfigMap from_file(const std::string& path, const std::vector<std::string>& overrides = {});
    static ConfigMap from_text(const std::string& text, const std::string& name,
                               const std::vector<std::string>& overrides = {});
    static ConfigMap from_text(const std::string& text, const std::string& name,
                               const Assignments& overrides);

    /// Whether the key is there; to ask is to know it, so that finish() lets it stand.
    bool has(const std::string& key);
    std::string text(const std::string& key);
    std::string text(const std::string& key, const std::string& otherwise);
    std::uint64_t integer(const std::string& key, std::uint64_t low, std::uint64_t high);
    /// Sets `value` where the key is there and leaves it otherwise.
    void update(const std::string& key, std::uint32_t& value, std::uint32_t low, std::uint32_t high);
    template <class Value, std::size_t count>
    void update(const std::string& key, Value& value, const Names<Value, count>& names) {
        if (has(key)) try {
                value = value_of(names, text(key), key);
            } catch (const InputError& error) {
                throw error.at(place(key));
            }
    }
    double number(const std::string& key);
    bool truth(const std::string& key, bool otherwise);  ///< true or false
    std::vector<std::uint32_t> integers(const std::string& key, std::uint32_t low, std::uint32_t high);
    /// A list of lists of two, as in [[0, 1], [1, 2]].
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(const std::string& key, std::uint32_t low,
                                                               std::uint32_t high);
    bool is_map(const std::string& key);
    ConfigMap map(const std::string& key);
    std::vector<ConfigMap> maps(const std::string& key);
    std::vector<std::string> texts(const std::string& key);  ///< a list, or one value

    std::vector<std::string> keys() const;
    /// The items of a list, or the one value, each as YAML on one line.
    std::vector<std::string> values(const std::string& key);
    /// All values that nobody has read yet, in mappings below too: paths with dots, and YAML on one line.
    /// Then they are read.
    std::vector<std::pair<std::string, std::string>> rest();

    /// Refuses a file whose `schema` is another number than this one.
    void check_schema(std::uint64_t number);
    /// Refuses the first key that was never asked for.
    void finish() const;
    /// "FILE:LINE: key" of a key, or of the map itself without one.
    Place place(const std::string& key = "") const;

  private:
    /// Values that overrides put into the tree, and what errors call them.
    using Overrides = std::vector<std::pair<YAML::Node, std::string>>;
    ConfigMap(const YAML::Node& node, std::string file, std::shared_ptr<const Overrides> overrides);
    const std::string* override_of(const std::string& key) const;
    ConfigMap child(const std::string& key, const YAML::Node& value) const;
    YAML::Node require(const std::string& key);
    YAML::Node require_list(const std::string& key, const char* of);
    std::uint32_t item(const YAML::Node& value, const std::string& key, std::uint32_t low,
                       std::uint32_t high) const;
    Place place(const std::string& key, const YAML::Node& value) const;
    std::string file_;
    bool in_override_ = false;  ///< file_ is an override or a flag, which has no lines
    YAML::Node node_;
    std::shared_ptr<const Overrides> overrides_;
    std::set<std::string> read_;
};

}  // namespace interlace
