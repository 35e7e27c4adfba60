// Interlace: experiments' files, under libFuzzer
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/experiment.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return interlace::read_or_refuse([&] {
        interlace::read_experiment(interlace::ConfigMap::from_text(interlace::text_of(data, size), "f.yaml"));
    });
}
