// Interlace: every kind of CSV file, GraphML, GML and anynet under libFuzzer
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "interlace/harness/traffic/traffic.h"
#include "interlace/harness/traffic/traffic_pattern.h"
#include "interlace/network/anynet.h"
#include "interlace/network/gml.h"
#include "interlace/network/graphml.h"
#include "interlace/program/schedule.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace interlace;
    static const Network network = make_network("torus:4x4");
    const std::string file = file_with(text_of(data, size));
    read_or_refuse([&] { make_network("graph:" + file); });
    read_or_refuse([&] { read_graphml("g", file); });
    read_or_refuse([&] { read_gml("g", file); });
    read_or_refuse([&] { read_anynet("g", file); });
    read_or_refuse([&] { read_schedule(file); });
    read_or_refuse([&] { read_reducing_schedule(file, nullptr); });
    read_or_refuse([&] { traffic_pattern("permutation:" + file, network); });
    return read_or_refuse([&] { read_trace(file, network.node_count()); });
}
