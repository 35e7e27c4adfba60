// Interlace: JSON that comes back
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/measure/read_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "interlace/core/error.h"
#include "interlace/core/text.h"

namespace interlace {
namespace {

bool is_one_of(const Json& json, const std::vector<std::string>& types) {
    return std::any_of(types.begin(), types.end(), [&](const std::string& type) {
        return type == "any" || (type == "number" && json.is_number()) ||
               (type == "text" && json.is_string()) || (type == "truth" && json.is_boolean()) ||
               (type == "null" && json.is_null());
    });
}

std::string joined(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
}

[[noreturn]] void refuse(const std::string& path, const Json& json, const std::string& expected) {
    throw InputError(fmt::format("{}this is a {}", path.empty() ? "" : path + ": ", json.type_name()),
                     expected);
}

void check(const Json& json, const Json& shape, const std::string& path);

void check_members(const Json& json, const Json& shape, const std::string& path) {
    if (!json.is_object()) refuse(path, json, "an object");
    for (const auto& [name, inner] : shape.items()) {
        if (name == "*") {
            for (const auto& [key, value] : json.items()) check(value, inner, joined(path, key));
            continue;
        }
        const bool optional = name.ends_with('?');
        const std::string key = optional ? name.substr(0, name.size() - 1) : name;
        if (json.contains(key))
            check(json[key], inner, joined(path, key));
        else if (!optional)
            throw InputError(joined(path, key) + " is missing", "a value");
    }
}

void check(const Json& json, const Json& shape, const std::string& path) {
    if (shape.is_object()) {
        check_members(json, shape, path);
    } else if (shape.is_array()) {
        if (!json.is_array()) refuse(path, json, "a list");
        for (std::size_t i = 0; i < json.size(); ++i)
            check(json[i], shape[0], joined(path, std::to_string(i)));
    } else if (!is_one_of(json, split(shape.get<std::string>(), '|'))) {
        refuse(path, json, shape.get<std::string>());
    }
}

}  // namespace

Json read_json(const std::string& text, const std::string& place, const std::string& expected) {
    const auto not_too_deep = [&](int depth, Json::parse_event_t /*event*/, const Json& /*parsed*/) {
        if (depth > max_json_depth)
            throw InputError(fmt::format("JSON is more than {} deep", max_json_depth), expected).at(place);
        return true;
    };
    try {
        return Json::parse(text, not_too_deep);
    } catch (const Json::exception&) {
        throw InputError("this is not JSON", expected).at(place);
    }
}

void check_shape(const Json& json, const Json& shape, const std::string& place) {
    try {
        check(json, shape, "");
    } catch (const InputError& error) {
        throw error.at(place);
    }
}

bool is_utf8(const std::string& text) {
    try {
        static_cast<void>(Json(text).dump());
        return true;
    } catch (const Json::type_error&) {
        return false;
    }
}

}  // namespace interlace
