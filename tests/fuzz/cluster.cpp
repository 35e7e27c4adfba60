// Interlace: clusters' files, their networks, switches and workstations, under libFuzzer
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/cluster.h"
#include "fuzz.h"
#include "interlace/engine/workstations/event_parameters.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string file = interlace::file_with(interlace::text_of(data, size));
    interlace::read_or_refuse([&] { interlace::read_cluster(file); });
    return interlace::read_or_refuse([&] { interlace::event_parameters("cluster:" + file, {}); });
}
