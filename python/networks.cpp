// Interlace: networks and schedules as numpy arrays
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "networks.h"

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "experiments.h"
#include "interlace/network/metrics.h"
#include "interlace/network/network.h"
#include "watch.h"

namespace py = pybind11;

namespace interlace::python {
namespace {

using Numbers = py::array_t<std::int32_t>;

Numbers matrix(std::size_t rows, std::size_t columns) {
    return Numbers(
        std::vector<py::ssize_t>{static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)});
}

Network network(const std::string& specification) {
    const Released released;
    return make_network(specification);
}

Numbers edges(const Network& network) {
    Numbers edges = matrix(network.link_count(), 3);
    std::int32_t* out = edges.mutable_data();
    for (std::uint32_t v = 0; v < network.node_count(); ++v) {
        std::int32_t port = 0;
        for (const NodeId to : network.neighbours(NodeId{v})) {
            *out++ = static_cast<std::int32_t>(v);
            *out++ = static_cast<std::int32_t>(+to);
            *out++ = port++;
        }
    }
    return edges;
}

Numbers coordinates(const Network& network) {
    const Lattice& lattice = network.lattice_for("coordinates");
    Numbers coordinates = matrix(network.node_count(), lattice.dimensions());
    std::int32_t* out = coordinates.mutable_data();
    for (std::uint32_t v = 0; v < network.node_count(); ++v)
        for (std::uint32_t d = 0; d < lattice.dimensions(); ++d)
            *out++ = static_cast<std::int32_t>(lattice.coordinate(NodeId{v}, d));
    return coordinates;
}

py::dict measure(const Network& network, std::uint64_t seed) {
    const Metrics m = [&] {
        const Released released;
        return measure_network(network, seed);
    }();
    using namespace py::literals;
    return py::dict("degree"_a = m.degree, "degree_min"_a = m.degree_min, "diameter"_a = m.diameter,
                    "radius"_a = m.radius, "mean_distance"_a = m.mean_distance,
                    "mean_distance_distinct"_a = m.mean_distance_distinct, "histogram"_a = m.histogram,
                    "sampled"_a = m.sampled);
}

Numbers schedule_array(const std::string& broadcast, py::object progress) {
    Watch watch(std::move(progress));
    const std::vector<TimedSend> sends = watch.run([&] {
        return schedule({broadcast, {}, {}}, watch.listener());
    });
    Numbers array = matrix(sends.size(), 4);
    std::int32_t* out = array.mutable_data();
    for (const TimedSend& send : sends)
        for (const std::uint32_t number : {send.step, +send.from, +send.to, +send.packet})
            *out++ = static_cast<std::int32_t>(number);
    return array;
}

Numbers collective_schedule_array(const std::string& collective, py::object progress) {
    Watch watch(std::move(progress));
    const CollectiveSends sends = watch.run([&] {
        return collective_schedule({collective, {}, {}}, watch.listener());
    });
    Numbers array = matrix(sends.rows.size(), sends.columns);
    std::int32_t* out = array.mutable_data();
    for (const MessageSend& row : sends.rows) {
        const std::array<std::uint32_t, 7> numbers = {row.send.step,    +row.send.from,        +row.send.to,
                                                      +row.send.packet, row.reduces ? 1U : 0U, row.round,
                                                      row.message};
        for (std::uint32_t column = 0; column < sends.columns; ++column)
            *out++ = static_cast<std::int32_t>(numbers[column]);
    }
    return array;
}

std::vector<TimedSend> sends_of(const py::array_t<std::int64_t, py::array::c_style>& array) {
    const auto rows = static_cast<std::size_t>(array.shape(0));
    std::vector<TimedSend> sends;
    sends.reserve(rows);
    const std::int64_t* in = array.data();
    for (std::size_t row = 0; row < rows; ++row, in += 4) {
        for (std::size_t column = 0; column < 4; ++column)
            if (in[column] < (column == 0 ? 1 : 0) || in[column] >= std::int64_t{UINT32_MAX})
                throw InputError(fmt::format("schedule[{}, {}] is {}", row, column, in[column]),
                                 "steps from 1, nodes and packets from 0");
        const auto number = [&](std::size_t column) { return static_cast<std::uint32_t>(in[column]); };
        sends.push_back({number(0), NodeId{number(1)}, NodeId{number(2)}, PacketId{number(3)}});
    }
    return sends;
}

std::string check_array(const std::string& broadcast,
                        const py::array_t<std::int64_t, py::array::c_style>& array) {
    const std::vector<TimedSend> sends = sends_of(array);
    return Watch(py::none()).run([&] { return check({broadcast, {}, {}}, sends); });
}

}  // namespace

void add_networks(py::module_& module) {
    py::class_<Network>(module, "Network")
        .def(py::init(&network), py::arg("specification"))
        .def_property_readonly("name", &Network::name)
        .def_property_readonly("nodes", &Network::node_count)
        .def_property_readonly("links", &Network::link_count)
        .def("edges", &edges)
        .def("coordinates", &coordinates)
        .def("measure", &measure, py::arg("seed"));
    module.def("schedule", &schedule_array, py::arg("broadcast"), py::arg("progress"));
    module.def("collective_schedule", &collective_schedule_array, py::arg("collective"), py::arg("progress"));
    module.def("check", &check_array, py::arg("broadcast"), py::arg("schedule"));
}

}  // namespace interlace::python
