// Interlace: sweeps and their files, for Python
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "sweeps.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments.h"
#include "interlace/results/wide_view.h"
#include "interlace/study/sweep.h"
#include "watch.h"

namespace py = pybind11;

namespace interlace::python {
namespace {

py::dict sweep(const std::string& file, const std::optional<std::string>& text,
               const std::vector<std::string>& overrides, const std::string& database, std::uint32_t jobs,
               bool retry_failed, py::object progress) {
    Watch watch(std::move(progress));
    const SweepProgress ended = watch.run([&] {
        const ConfigurationText configuration = configuration_text(file, text, overrides);
        const Sweep sweep(file, configuration.text, overrides);
        SweepOptions options;
        options.jobs = jobs;
        options.retry_failed = retry_failed;
        return run_sweep(sweep, database, options, [&](const SweepProgress& p) {
            watch.check();
            const std::size_t over = p.known + p.done + p.failed;
            watch.tell("points", static_cast<double>(over) / static_cast<double>(p.points));
        });
    });
    using namespace py::literals;
    return py::dict("points"_a = ended.points, "known"_a = ended.known, "computed"_a = ended.done,
                    "failed"_a = ended.failed, "seconds"_a = ended.seconds);
}

py::object value_of(const Json& cell) {
    if (cell.is_null()) return py::none();
    if (cell.is_string()) return py::str(cell.get<std::string>());
    if (cell.is_number_integer()) return py::int_(cell.get<std::int64_t>());
    return py::float_(cell.get<double>());
}

/// (name, type, values) of each column.
py::list load(const std::string& database, const std::optional<std::string>& sweep) {
    const auto [columns, table] = Watch(py::none()).run([&] {
        ResultsFile file(database, ResultsFile::Mode::read);
        std::vector<WideColumn> wide = wide_columns(file, sweep);
        ResultsTable cells = wide_table(file, wide, sweep);
        return std::pair(std::move(wide), std::move(cells));
    });
    py::list result;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        py::list values;
        for (const auto& row : table.rows) values.append(value_of(row[c]));
        result.append(py::make_tuple(columns[c].name, columns[c].type, values));
    }
    return result;
}

}  // namespace

void add_sweeps(py::module_& module) {
    module.def("sweep", &sweep, py::arg("file"), py::arg("text"), py::arg("overrides"), py::arg("database"),
               py::arg("jobs"), py::arg("retry_failed"), py::arg("progress"));
    module.def("load", &load, py::arg("database"), py::arg("sweep"));
}

}  // namespace interlace::python
