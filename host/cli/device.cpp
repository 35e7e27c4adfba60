// Interlace: interlace device
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "command.h"
#include "interlace/core/error.h"
#include "interlace/core/text.h"

namespace interlace::cli {
namespace {

struct DeviceFlags {
    std::string engine = "rtl", address, nodes;
    bool once = false;
};

/// The numbers of `list`, as in 5,6; none of an empty one.
std::vector<std::uint32_t> numbers(const std::string& list) {
    std::vector<std::uint32_t> numbers;
    if (list.empty()) return numbers;
    for (const std::string& piece : split(list, ','))
        numbers.push_back(static_cast<std::uint32_t>(parse_integer(piece, "--nodes", 0, UINT32_MAX)));
    return numbers;
}

int device(const DeviceFlags& flags) {
    make_device(flags.engine,
                {.needed = {.ports = 2, .pipeline = 1}, .nodes = {}});  // is there such an engine?
    const std::vector<std::uint32_t> own = numbers(flags.nodes);
    const MakeDevice make = [&](const DeviceRequest& request) {
        for (const std::uint32_t node : request.nodes)
            if (!own.empty() && std::find(own.begin(), own.end(), node) == own.end())
                throw InputError(fmt::format("cannot use node {}", node), "one of " + flags.nodes);
        return make_device(flags.engine, request);
    };
    serve_hosts(flags.address, flags.once, make);
    return done;
}

}  // namespace

void add_device(CLI::App& app, Action& action) {
    auto flags = std::make_shared<DeviceFlags>();
    CLI::App* command =
        app.add_subcommand("device", "Run nodes in hardware for hosts in other processes (their --device)");
    command
        ->add_option("--listen", flags->address,
                     "Address for hosts: unix:PATH, shm:PATH, tcp:PORT, tcp:HOST:PORT (a secret in "
                     "INTERLACE_SECRET) or serial:PATH,BAUD")
        ->type_name("ADDRESS")
        ->required();
    command->add_option("--engine", flags->engine, "Engine of the nodes")
        ->type_name("rtl|systemc")
        ->capture_default_str();
    command->add_option("--nodes", flags->nodes, "Accept only hosts that ask for these nodes: 5,6");
    command->add_flag("--once", flags->once, "Exit after the first host");
    command->footer("Example: interlace device --listen unix:/tmp/dut --engine rtl");
    command->callback([flags, &action] { action = [flags] { return device(*flags); }; });
}

}  // namespace interlace::cli
