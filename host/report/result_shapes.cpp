// Interlace: what results look like, as far as a report reads them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "result_shapes.h"

#include <fmt/format.h>

#include "interlace/core/error.h"
#include "interlace/measure/read_json.h"

namespace interlace {
namespace {

Json shape(const char* text) {
    return Json::parse(text);
}

/// A list has as many items as it should; `expected` may be any number.
void same(std::size_t found, double expected, const std::string& what, const std::string& place) {
    if (static_cast<double>(found) != expected)
        throw InputError(fmt::format("{}: there are {} of them", what, found), fmt::format("{:g}", expected))
            .at(place);
}

/// Sizes of a lattice, or null, that make its nodes.
void check_grid(const Json& json, const std::string& place) {
    if (json["sizes"].is_null()) return;
    check_shape(json["sizes"], shape(R"(["number"])"), place + ": sizes");
    double nodes = 1;
    for (const Json& size : json["sizes"]) nodes *= size.get<double>();
    if (json["nodes"] != nodes)
        throw InputError(fmt::format("nodes is {}", json["nodes"].dump()), "the product of the sizes")
            .at(place);
}

/// A node's number, or null.
void check_node(const Json& node, const Json& nodes, const char* what, const std::string& place) {
    if (node.is_null() || (node.is_number_integer() && node >= 0 && node < nodes)) return;
    throw InputError(fmt::format("{} is {}", what, node.dump()), "one of the nodes").at(place);
}

void check_links(const Json& links, const std::string& place) {
    static const Json links_shape = shape(R"({
        "sizes": "any", "nodes": "number", "ports": ["text"], "utilisation": [["number|null"]],
        "to?": [["number|null"]], "window": "number", "over_time": ["number"], "unit": "text"})");
    check_shape(links, links_shape, place);
    check_grid(links, place);
    same(links["utilisation"].size(), static_cast<double>(links["ports"].size()), "utilisation", place);
    for (const Json& port : links["utilisation"])
        same(port.size(), links["nodes"].get<double>(), "utilisation of a port", place);
    if (!links.contains("to")) return;
    same(links["to"].size(), static_cast<double>(links["ports"].size()), "to", place);
    for (const Json& port : links["to"]) {
        same(port.size(), links["nodes"].get<double>(), "to of a port", place);
        for (const Json& node : port) check_node(node, links["nodes"], "to", place);
    }
}

void check_wavefront(const Json& wavefront, const std::string& place) {
    static const Json wavefront_shape = shape(R"({
        "sizes": "any", "nodes": "number", "packets": "number", "source": "number", "unit": "text",
        "arrivals": [["number"]]})");
    check_shape(wavefront, wavefront_shape, place);
    check_grid(wavefront, place);
    same(wavefront["arrivals"].size(), wavefront["nodes"].get<double>(), "arrivals", place);
    check_node(wavefront["source"], wavefront["nodes"], "source", place);
}

}  // namespace

Json counted_queues(const Json& result) {
    const bool counted = result.contains("queues") && result["queues"].contains("injection") &&
                         result["queues"]["injection"].contains("histogram");
    return counted ? result["queues"] : Json(nullptr);
}

void check_queues(const Json& queues, const std::string& place) {
    static const Json any_shape =
        shape(R"({"*": {"depth": "number", "high_water": "number", "stall_cycles": "number"}})");
    static const Json counted_shape = shape(R"({"*": {"mean": "number", "histogram": ["number"]}})");
    if (queues.is_null()) return;
    check_shape(queues, any_shape, place);
    const Json counted = counted_queues({{"queues", queues}});
    if (!counted.is_null()) check_shape(counted, counted_shape, place);
}

void check_size(const Json& result, const std::string& place) {
    static const std::string confirmed_shape =
        R"({"held": "truth", "slow_down": "number|null", "half_interval": "number", "seeds": "number"})";
    static const std::string point_shape = fmt::format(R"({{
        "depths": {{"*": "number|null"}}, "measure": "number|null", "slow_down": "number|null",
        "half_interval?": "number", "seeds?": "number", "bytes": "number|null", "confirmed?": {}}})",
                                                       confirmed_shape);
    static const Json size_shape = shape(fmt::format(R"({{
        "name": "text", "measure": "text", "tolerance": "number", "reference": "number",
        "half_interval": "number", "random?": "truth", "seeds?": "number", "fixed?": {{"*": "number|null"}},
        "alone": {{"*": {{"depth": "number", "depth_without_slow_down": "number",
                          "slow_down?": "number|null", "half_interval?": "number", "confirmed?": {1},
                          "not_monotone": "text|null"}}}},
        "joint": {0}, "front": [{0}], "tried": [{0}]}})",
                                                     point_shape, confirmed_shape)
                                             .c_str());
    check_shape(result, size_shape, place);
    if (result["alone"].empty()) throw InputError("alone: there are no queues", "one or more").at(place);
    const auto check_point = [&](const Json& point) {
        same(point["depths"].size(), static_cast<double>(result["alone"].size()), "depths", place);
        for (const auto& [queue, alone] : result["alone"].items())
            if (!point["depths"].contains(queue))
                throw InputError("depths: there is no " + queue, "each queue").at(place);
    };
    check_point(result["joint"]);
    for (const char* key : {"front", "tried"})
        for (const Json& one : result[key]) check_point(one);
}

void check_reproduced(const Json& result, const std::string& place) {
    static const Json reproduced_shape = shape(R"({
        "experiment": {"paper": "text"},
        "tables": [{"name": "text", "title": "text", "rows": [{
            "quantity": "text", "network": "text", "source": "text", "published": "text", "computed": "text",
            "optimal": "text", "lower_bound": "text", "verdict": "text", "why": "text"}]}]})");
    check_shape(result, reproduced_shape, place);
}

void check_conform(const Json& result, const std::string& place) {
    static const Json conform_shape = shape(R"({"checks": [{
        "check": "text", "shows": "text", "verdict": "text", "sentence": "text", "waveform": "text",
        "packet_hops": "number"}]})");
    check_shape(result, conform_shape, place);
}

void check_run(const Json& result, const std::string& place) {
    static const Json steps_shape = shape(R"({
        "packets_in_flight_per_step": ["number"], "link_utilisation_per_step": ["number"]})");
    if (result.contains("queues")) check_queues(result["queues"], place + ": queues");
    if (result.contains("links") && result["links"].is_structured())
        check_links(result["links"], place + ": links");
    if (result.contains("wavefront")) check_wavefront(result["wavefront"], place + ": wavefront");
    if (result.contains("link_utilisation_per_step")) check_shape(result, steps_shape, place);
}

}  // namespace interlace
