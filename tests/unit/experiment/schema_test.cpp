// Interlace: the JSON Schema of experiments lists the keys, ranges and defaults of the parser
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "interlace/core/error.h"
#include "interlace/engine/workstations/event_parameters.h"
#include "interlace/experiment/experiment.h"
#include "support/temporary_file.h"

namespace interlace {
namespace {

Json experiment_schema() {
    std::ifstream file(INTERLACE_SCHEMAS "/experiment.json");
    return Json::parse(file);
}

/// A key of the schema: its path in an experiment, and the schema of its value.
struct Key {
    std::string path;
    Json schema;
};

/// Every key that is no mapping of other keys. Items of lists are not followed.
void collect(const Json& root, const Json& schema, const std::string& path, std::vector<Key>& keys) {
    if (schema.contains("$ref")) {
        const std::string ref = schema["$ref"];
        collect(root, root[Json::json_pointer(ref.substr(1))], path, keys);
    } else if (schema.contains("properties")) {
        for (const auto& [name, value] : schema["properties"].items())
            collect(root, value, path.empty() ? name : path + "." + name, keys);
    } else {
        keys.push_back({path, schema});
    }
}

std::vector<Key> all_keys() {
    const Json root = experiment_schema();
    std::vector<Key> keys;
    collect(root, root["definitions"]["experiment"], "", keys);
    return keys;
}

/// An experiment that may have the key, and leaves all else to defaults.
std::string base_of(const std::string& path) {
    const auto begins = [&](const char* with) { return path.starts_with(with); };
    if (begins("replay")) return "schema: 1\nnetwork: cluster:figure1\nreplay: {goal: none.goal}\n";
    for (const char* key : {"permutation", "window", "reorder"})
        if (path == std::string("alltoall.") + key)
            return "schema: 1\nnetwork: cluster:figure1\nalltoall: {algorithm: shuffle}\n";
    for (const std::string kind : {"barrier", "gather", "reduce", "scatter"})
        if (path == kind || path.starts_with(kind + "."))
            return fmt::format("schema: 1\nnetwork: torus:4\n{}: {{}}\n", kind);
    if (begins("costs")) return "schema: 1\nnetwork: torus:4\nallreduce: {}\n";
    for (const char* kind : {"allgather", "reducescatter", "allreduce", "alltoall"})
        if (path == std::string(kind) + ".chunks" ||
            (begins(kind) && path.find("reduce") != std::string::npos))
            return fmt::format("schema: 1\nnetwork: torus:4\n{}: {{}}\n", kind);
    for (const char* kind : {"allgather", "alltoall", "multicast"})
        if (begins(kind)) return fmt::format("schema: 1\nnetwork: cluster:figure1\n{}: {{}}\n", kind);
    for (const char* key : {"tree", "root", "routing", "event"})
        if (begins(key)) return "schema: 1\nnetwork: cluster:figure1\nmulticast: {}\n";
    if (path == "forwarding") return "schema: 1\nnetwork: torus:4x4\nengine: native\nalltoall: {}\n";
    if (path == "pace" || path == "order")
        return "schema: 1\nnetwork: torus:4x4\nengine: native\nforwarding: unicast\nalltoall: {}\n";
    if (begins("capacity")) return "schema: 1\nnetwork: torus:4x4\ncapacity: {}\n";
    if (begins("traffic")) return "schema: 1\nnetwork: torus:4x4\ntraffic: {}\n";
    return "schema: 1\nnetwork: torus:4x4\nengine: native\nbroadcast: {}\n";
}

Json resolved(const std::string& text) {
    return read_experiment(ConfigMap::from_text(text, "test"))->to_json();
}

/// The refusal of an experiment with this value, when it is read or when it runs; empty: it runs.
std::string refusal(const std::string& path, const std::string& value, bool runs) {
    try {
        const auto experiment =
            read_experiment(ConfigMap::from_text(base_of(path), "test", {path + "=" + value}));
        if (runs) experiment->run();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::string last_part(const std::string& path) {
    return path.substr(path.rfind('.') + 1);
}

/// The schemas that a value may fulfil.
std::vector<Json> choices(const Json& schema) {
    if (!schema.contains("anyOf")) return {schema};
    return schema["anyOf"];
}

/// Values of a number or a word that the schema allows, at the ends of its range.
std::vector<std::string> allowed(const Json& schema) {
    std::vector<std::string> values;
    for (const Json& choice : choices(schema)) {
        for (const Json& value : choice.value("enum", Json::array()))
            values.push_back(value.is_string() ? value.get<std::string>() : value.dump());
        for (const char* end : {"minimum", "maximum"})
            if (choice.contains(end)) values.push_back(choice[end].dump());
        if (choice.value("type", Json()) == "boolean") values.insert(values.end(), {"true", "false"});
    }
    return values;
}

/// Values beyond the ends of its ranges, and a word that it does not list. None where any text is allowed.
std::vector<std::string> forbidden(const Json& schema) {
    std::vector<std::string> values;
    bool words = true;
    for (const Json& choice : choices(schema)) {
        const Json type = choice.value("type", Json());
        const bool free_text =
            type == "string" || (type.is_array() && std::count(type.begin(), type.end(), "string") != 0);
        if (free_text && !choice.contains("pattern")) return {};
        words = words && type != "object";
        if (choice.contains("minimum")) {
            const double low = choice["minimum"];
            if (choices(schema).size() == 1) values.push_back(low >= 1 ? "0" : "-1");
        }
        if (choice.contains("exclusiveMinimum")) values.emplace_back("-1");
        if (choice.contains("maximum") && choice["maximum"] != UINT64_MAX)
            values.push_back(choice["maximum"].is_number_integer()
                                 ? std::to_string(choice["maximum"].get<std::uint64_t>() + 1)
                                 : fmt::format("{:.0f}", 1.5 * choice["maximum"].get<double>() + 1));
        if (choice.contains("exclusiveMaximum")) values.push_back(choice["exclusiveMaximum"].dump());
    }
    if (words) values.emplace_back("no_such_value");
    return values;
}

TEST(Schema, ListsEveryKeyOfEveryKind) {
    std::set<std::string> known;
    for (const Key& key : all_keys()) known.insert(key.path);
    const TemporaryFile schedule("step,from,to,packet\n1,0,1,0\n");
    std::vector<std::string> texts = {
        base_of("alltoall.reorder"),
        "schema: 1\nnetwork: cluster:figure1\nalltoall: {sync: sender_partial}\n",
        base_of("broadcast") + "links: {bit_error_rate: 1e-9}\n",
        base_of("broadcast") + "devices: [\"5=unix:/none\"]\nshadow: 5\nshadow_level: links\n",
        fmt::format("schema: 1\nnetwork: torus:4x4\nbroadcast: {{schedule: {}}}\n", schedule.path())};
    for (const char* kind :
         {"broadcast", "traffic", "capacity", "allgather", "alltoall", "multicast", "allgather.chunks",
          "reducescatter", "allreduce", "alltoall.chunks", "reduce", "scatter", "gather", "barrier", "order"})
        texts.push_back(base_of(kind));
    for (const char* kind :
         {"allgather", "reducescatter", "allreduce", "alltoall", "reduce", "scatter", "gather"})
        texts.push_back(fmt::format("schema: 1\nnetwork: torus:4\n{}: {{chunks: 2, message: 8}}\n", kind));
    std::set<std::string> found;
    for (const std::string& text : texts) {
        const Json values = resolved(text).flatten();
        for (const auto& [pointer, value] : values.items()) {
            std::string key = pointer.substr(1);
            std::replace(key.begin(), key.end(), '/', '.');
            while (!key.empty() && !known.contains(key) && key.find('.') != std::string::npos)
                key.erase(key.rfind('.'));  // an item of a list
            EXPECT_TRUE(known.contains(key)) << text << pointer;
            found.insert(key);
        }
    }
    // Other ways to write the same; a base is resolved.
    for (const char* only : {"network.kind", "network.size", "network.bypass", "network.twist",
                             "network.file", "node.base", "links.base", "host.base", "replay.goal"})
        found.insert(only);
    for (const std::string& key : known) EXPECT_TRUE(found.contains(key)) << key;
}

TEST(Schema, HasTheRangesOfTheParser) {
    for (const Key& key : all_keys()) {
        if (key.path.starts_with("network")) continue;
        for (const std::string& value : allowed(key.schema)) {
            const std::string what = refusal(key.path, value, false);
            EXPECT_THAT(what, testing::Not(testing::HasSubstr("unknown key"))) << key.path;
            EXPECT_THAT(what, testing::Not(testing::HasSubstr("'" + value + "'"))) << key.path;
        }
        for (const std::string& value : forbidden(key.schema)) {
            const std::string what = refusal(key.path, value, true);
            EXPECT_THAT(what, testing::HasSubstr(last_part(key.path))) << key.path << "=" << value;
        }
    }
}

/// A list of one value is that value; a node's number may be a text.
std::string text_of(const Json& json) {
    if (json.is_array() && json.size() == 1) return text_of(json[0]);
    if (json.is_number_float()) return fmt::format("{}", json.get<double>());
    return json.is_string() ? json.get<std::string>() : json.dump();
}

TEST(Schema, HasTheDefaultsOfTheParser) {
    for (const Key& key : all_keys()) {
        if (!key.schema.contains("default")) continue;
        const Json json = resolved(base_of(key.path));
        std::string pointer = "/" + key.path;
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        const Json::json_pointer at(pointer);
        if (json.contains(at)) {
            EXPECT_EQ(text_of(json[at]), text_of(key.schema["default"])) << key.path;
        }
    }
}

// As results write it, also in a cluster's own file.
TEST(Schema, NullIsNoEagerLimit) {
    const auto limit = [](const std::string& value) {
        return read_event_parameters(ConfigMap::from_text("protocol: {eager_limit: " + value + "}", "test"),
                                     nullptr)
            .protocol.eager_limit;
    };
    EXPECT_EQ(limit("null"), UINT64_MAX);
    EXPECT_EQ(limit("4096"), 4096U);
}

}  // namespace
}  // namespace interlace
