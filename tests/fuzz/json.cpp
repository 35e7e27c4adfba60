// Interlace: results as JSON, and as the report shows them, under libFuzzer
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "interlace/report/document.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string file = interlace::file_with(interlace::text_of(data, size));
    return interlace::read_or_refuse([&] { interlace::report_document({file}, "fuzz").dump(); });
}
