// Interlace: a program that is a device
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <getopt.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "interlace/engine/device/remote_device.h"
#include "lobby.h"

namespace interlace {

void serve_hosts(const std::string& address, bool once, const MakeDevice& make) {
    const std::string secret = shared_secret();
    const std::unique_ptr<Listener> listener = listen_at(address, !secret.empty());
    bool served = false;  // somebody who asked for nodes; others may only have looked who listens here
    const MakeDevice make_and_say = [&](const DeviceRequest& request) {
        served = true;
        auto made = make(request);
        fmt::print(stderr, "interlace: a host has nodes {}\n", fmt::join(request.nodes, ","));
        return made;
    };
    Lobby lobby(*listener, make_and_say, secret);
    while (!once || !served) {
        fmt::print(stderr, "interlace: a device listens at {}\n", address);
        const std::uint64_t cycles = lobby.next()->run();
        if (cycles > 0) fmt::print("cycles        {}\n", cycles);
        std::fflush(stdout);
    }
}

int device_main(int argc, char** argv, const MakeDevice& make) {
    enum Exit { done = 0, fell_short = 1, wrong_input = 2 };
    const char* name = std::strrchr(argv[0], '/') == nullptr ? argv[0] : std::strrchr(argv[0], '/') + 1;
    constexpr std::array<option, 4> options = {{{"listen", required_argument, nullptr, 'l'},
                                                {"once", no_argument, nullptr, 'o'},
                                                {"help", no_argument, nullptr, 'h'},
                                                {nullptr, 0, nullptr, 0}}};
    std::string address;
    bool once = false;
    for (int found = 0; (found = ::getopt_long(argc, argv, "", options.data(), nullptr)) != -1;) {
        if (found == 'l') address = optarg;
        if (found == 'o') once = true;
        if (found != 'h' && found != '?') continue;
        fmt::print(found == 'h' ? stdout : stderr,
                   "usage: {} --listen ADDRESS [--once]\n"
                   "Nodes of hardware for hosts in other processes: interlace ... --device NODES=ADDRESS\n",
                   name);
        return found == 'h' ? done : wrong_input;
    }
    try {
        if (address.empty()) throw InputError("--listen is missing", "an address, as in unix:/tmp/device");
        serve_hosts(address, once, make);
        return done;
    } catch (const InputError& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return wrong_input;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", name, error.what());
        return fell_short;
    }
}

}  // namespace interlace
