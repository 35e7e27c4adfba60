// Interlace: the Python module interlace._native, what the package is made of
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments.h"
#include "interlace/measure/json_result.h"
#include "networks.h"
#include "sweeps.h"
#include "watch.h"

namespace py = pybind11;

namespace interlace::python {
namespace {

/// Names of files may be no UTF-8.
py::object python_text(const std::string& text) {
    return py::reinterpret_steal<py::object>(
        PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
}

/// Raises interlace.InputError with what is known of the place.
void raise_input_error(const char* line, const std::string& expected, const Place& place) {
    const py::object type = py::module_::import("interlace._errors").attr("InputError");
    const auto known = [](const std::string& text) { return text.empty() ? py::none() : python_text(text); };
    const py::object number = place.line == 0 ? py::object(py::none()) : py::int_(place.line);
    const py::object error =
        type(python_text(line), known(place.file), number, known(place.key), known(expected));
    PyErr_SetObject(type.ptr(), error.ptr());
}

void translate(std::exception_ptr thrown) {
    try {
        std::rethrow_exception(std::move(thrown));
    } catch (const InputError& error) {
        raise_input_error(error.what(), error.expected(), error.place());
    } catch (const Refusal& error) {
        raise_input_error(error.what(), error.expected, error.place);
    } catch (const FellShort& error) {
        const py::object type = py::module_::import("interlace._errors").attr("FellShort");
        PyErr_SetString(type.ptr(), error.what());
    }
}

void add_experiments(py::module_& module) {
    module.def(
        "run",
        [](const std::string& file, const std::optional<std::string>& text,
           const std::vector<std::string>& overrides, bool details, const std::string& trace,
           const std::string& trace_nodes, const std::string& packet_log, const std::string& queue_use,
           bool own_process, py::object progress) {
            Watch watch(std::move(progress));
            return watch.run([&] {
                ConfigurationText configuration = configuration_text(file, text, overrides);
                configuration.records = {trace, trace_nodes, packet_log, queue_use, details};
                if (own_process || needs_own_process(configuration))
                    return run_apart(configuration, watch.listener(), [&] { watch.check(); });
                return run(configuration, watch.listener());
            });
        },
        py::arg("file"), py::arg("text"), py::arg("overrides"), py::arg("details"), py::arg("trace"),
        py::arg("trace_nodes"), py::arg("packet_log"), py::arg("queue_use"), py::arg("own_process"),
        py::arg("progress"));
}

}  // namespace

PYBIND11_MODULE(_native, module) {
    py::register_exception_translator(translate);
    module.attr("version") = version();
    add_experiments(module);
    add_networks(module);
    add_sweeps(module);
}

}  // namespace interlace::python
