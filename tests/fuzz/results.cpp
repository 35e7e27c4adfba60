// Interlace: files of results (SQLite), under libFuzzer
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"
#include "interlace/report/document.h"
#include "interlace/results/query.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace interlace;
    const std::string file = file_with(text_of(data, size));
    read_or_refuse([&] { report_document({file}, "fuzz").dump(); });
    return read_or_refuse([&] {
        ResultsFile results(file, ResultsFile::Mode::read);
        for (const std::string& sweep : results.sweeps())
            to_json_lines(select(results, {sweep, {}, {"status=done"}}));
        results.known(true);
    });
}
