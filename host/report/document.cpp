// Interlace: what a report shows, gathered from files of results
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/report/document.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "column_labels.h"
#include "interlace/core/error.h"
#include "interlace/core/whole_file.h"
#include "interlace/measure/read_json.h"
#include "interlace/results/query.h"
#include "result_shapes.h"

namespace interlace {
namespace {

constexpr const char* a_result = "a file of results (SQLite), or the JSON that a command printed with --json";

Json part(const char* kind, const std::string& name, const std::string& file) {
    return {{"kind", kind}, {"name", name}, {"file", std::filesystem::path(file).filename().string()}};
}

/// What `json` has at `key` and can be drawn, else null: of some results "links" is their number.
Json drawn_or_null(const Json& json, const char* key) {
    return json.contains(key) && json[key].is_object() ? json[key] : Json(nullptr);
}

/// Of a point, as SQLite cuts them out of its result.
Json queues_of(const Json& cell, const std::string& place) {
    if (cell.is_null()) return nullptr;
    if (!cell.is_string()) throw InputError("this is a number", "an object").at(place);
    const Json queues = read_json(cell.get<std::string>(), place, a_result);
    check_queues(queues, place);
    return counted_queues({{"queues", queues}});
}

Json sweep_part(ResultsFile& results, const std::string& sweep, const std::string& name,
                const std::string& file) {
    Json json = part("sweep", name, file);
    const SweepColumns columns = columns_of(results, sweep);
    json["study"] = study_of(results, sweep);
    json["swept"] = columns.varied;
    std::vector<std::string> names = columns.varied;
    for (const std::string& measured : columns.measured)
        if (std::find(names.begin(), names.end(), measured) == names.end()) names.push_back(measured);
    json["columns"] = labelled(names);
    names.insert(names.end(), {"queues", "error", "status"});
    std::size_t pending = 0;
    json["rows"] = Json::array();
    json["failed"] = Json::array();
    json["queues"] = Json::array();
    for (std::vector<Json>& row : select(results, {sweep, names, {}}).rows) {
        if (row.back() == "pending") ++pending;
        row.pop_back();
        if (!row.back().is_null())
            json["failed"].push_back({{"row", json["rows"].size()}, {"error", cell_text(row.back())}});
        row.pop_back();
        json["queues"].push_back(queues_of(row.back(), "'" + file + "': queues"));
        row.pop_back();
        json["rows"].push_back(std::move(row));
    }
    json["pending"] = pending;
    return json;
}

/// Those members that there are.
void copy_members(const Json& from, const std::vector<const char*>& keys, Json& to) {
    for (const char* key : keys)
        if (from.contains(key)) to[key] = from[key];
}

/// A point of a size as the document has it: depths in a list.
Json point_json(const Json& queues, const Json& point) {
    Json json = {{"depths", Json::array()},
                 {"measure", point["measure"]},
                 {"slow_down", point["slow_down"]},
                 {"bytes", point["bytes"]}};
    copy_members(point, {"half_interval", "seeds", "confirmed"}, json);
    for (const auto& queue : queues) json["depths"].push_back(point["depths"][queue.get<std::string>()]);
    return json;
}

/// What was tried of one class, the others infinite: depth, measure, slow-down, its interval (of several
/// seeds), by depth.
Json tried_alone(const Json& points, std::size_t queue) {
    std::vector<Json> tried;
    for (const Json& point : points) {
        bool alone = !point["depths"][queue].is_null();
        for (std::size_t c = 0; c < point["depths"].size(); ++c)
            alone = alone && (c == queue || point["depths"][c].is_null());
        if (!alone) continue;
        tried.push_back({point["depths"][queue], point["measure"], point["slow_down"]});
        if (point.contains("half_interval")) tried.back().push_back(point["half_interval"]);
    }
    std::sort(tried.begin(), tried.end(), [](const Json& a, const Json& b) { return a[0] < b[0]; });
    return tried;
}

Json size_part(const Json& result, const std::string& file) {
    check_size(result, "'" + file + "'");
    Json json = part("size", result["name"].get<std::string>(), file);
    for (const char* key : {"measure", "tolerance", "reference", "half_interval"}) json[key] = result[key];
    copy_members(result, {"carried", "random", "seeds", "fixed"}, json);
    json["queues"] = Json::array();
    for (const auto& [queue, alone] : result["alone"].items()) json["queues"].push_back(queue);
    json["unit"] = json["queues"][0] == "switch_buffer" ? "packets" : "flits";
    for (const char* key : {"tried", "front", "alone"}) json[key] = Json::array();
    for (const char* key : {"tried", "front"})
        for (const Json& point : result[key]) json[key].push_back(point_json(json["queues"], point));
    json["joint"] = point_json(json["queues"], result["joint"]);
    for (std::size_t c = 0; c < json["queues"].size(); ++c) {
        const Json& alone = result["alone"][json["queues"][c].get<std::string>()];
        json["alone"].push_back(
            {{"queue", json["queues"][c]},
             {"within", alone["depth"]},
             {"free", alone["depth_without_slow_down"]},
             {"not_monotone", alone["not_monotone"].is_null() ? Json("") : alone["not_monotone"]},
             {"tried", tried_alone(json["tried"], c)}});
        copy_members(alone, {"slow_down", "half_interval", "confirmed"}, json["alone"].back());
    }
    return json;
}

/// The checks of interlace conform.
Json checks_table(const Json& checks) {
    Json table = {{"caption", "Checks"},
                  {"columns", {"check", "shows that", "verdict", "packet-hops", "why", "waveform"}},
                  {"rows", Json::array()}};
    for (const Json& check : checks)
        table["rows"].push_back({check["check"], check["shows"], check["verdict"], check["packet_hops"],
                                 check["sentence"], check["waveform"]});
    return table;
}

/// One run of any command: its numbers and texts, and what can be drawn.
Json run_part(const Json& result, const std::string& name, const std::string& file) {
    check_run(result, "'" + file + "'");
    if (name == "conform") check_conform(result, "'" + file + "'");
    Json json = part("run", name, file);
    json["facts"] = Json::array();
    Json plain = result;
    for (const char* key : {"schema", "experiment", "wavefront"}) plain.erase(key);
    if (result.contains("links") && result["links"].is_structured()) plain.erase("links");
    json["tables"] = Json::array();
    if (name == "conform") {
        json["tables"].push_back(checks_table(result["checks"]));
        plain.erase("checks");
    }
    for (const auto& [path, value] : leaves(plain)) json["facts"].push_back({path, value});
    json["queues"] = counted_queues(result);
    json["links"] = drawn_or_null(result, "links");
    json["wavefront"] = drawn_or_null(result, "wavefront");
    json["per_step"] = nullptr;
    if (result.contains("link_utilisation_per_step"))
        json["per_step"] = {{"unit", "step"},
                            {"in_flight", result["packets_in_flight_per_step"]},
                            {"utilisation", result["link_utilisation_per_step"]}};
    return json;
}

Json published_part(const Json& result, const std::string& file) {
    check_reproduced(result, "'" + file + "'");
    const std::string paper = result["experiment"]["paper"].get<std::string>();
    Json json = part("published", "published values: " + paper, file);
    json["tables"] = result["tables"];
    return json;
}

Json json_part(const std::string& text, const std::string& file) {
    const Json result = read_json(text, "'" + file + "'", a_result);
    const bool has_schema = result.is_object() && result.contains("schema") && result["schema"].is_string();
    const std::string schema = has_schema ? result["schema"].get<std::string>() : "";
    if (!schema.starts_with("interlace.")) throw InputError("cannot use '" + file + "'", a_result);
    const std::string kind = schema.substr(10, schema.find('/') - 10);
    if (kind == "size") return size_part(result, file);
    if (kind == "reproduce") return published_part(result, file);
    std::string name = kind;
    if (result.contains("network") && result["network"].is_string())
        name += " on " + result["network"].get<std::string>();
    return run_part(result, name, file);
}

void add_results(Json& parts, const std::string& file, Opened opened) {
    ResultsFile results(file, opened == Opened::tidied ? ResultsFile::Mode::read : ResultsFile::Mode::watch);
    for (const std::string& sweep : results.sweeps()) {
        const Json outcome = results.outcome(sweep);
        if (!outcome.is_null()) parts.push_back(size_part(outcome, file));
        parts.push_back(
            sweep_part(results, sweep, outcome.is_null() ? sweep : sweep + ", every point", file));
    }
}

/// Names are what readers find parts by.
void make_names_unique(Json& parts) {
    std::set<std::string> taken;
    for (Json& json : parts) {
        const std::string name = json["name"].get<std::string>();
        std::string unique = name;
        for (int i = 2; !taken.insert(unique).second; ++i) unique = name + " (" + std::to_string(i) + ")";
        json["name"] = unique;
    }
}

}  // namespace

Json report_document(const std::vector<std::string>& files, const std::string& title, Opened opened) {
    if (!is_utf8(title)) throw InputError("cannot use the title", "UTF-8");
    Json document = {{"schema", 1},
                     {"title", title},
                     {"version", version()},
                     {"git_commit", commit()},
                     {"parts", Json::array()}};
    for (const std::string& file : files) {
        const std::string text = read_whole_file(file, a_result);
        if (text.starts_with("SQLite format 3"))
            add_results(document["parts"], file, opened);
        else
            document["parts"].push_back(json_part(text, file));
    }
    make_names_unique(document["parts"]);
    return document;
}

}  // namespace interlace
