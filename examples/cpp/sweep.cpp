// Interlace: an example: a sweep over the depth of channels, into a file, and its table
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "expect.h"
#include "interlace/results/query.h"
#include "interlace/study/sweep.h"

int main() {
    const char* text = R"(
experiment:
  schema: 1
  network: mesh:4
  broadcast: {packets: 64}
  engine: native
  forwarding: table
  links: {latency: 16}
  node: {packet_flits: 8, switching: virtual_cut_through, vcs: 1}
)";
    const char* file = "example_sweep.db";
    std::remove(file);
    const interlace::Sweep sweep("depths", "example", text, {},
                                 {{{"node.vc_depth"}, {{"8", "16", "48", "96"}}}});
    interlace::run_sweep(sweep, file, {.jobs = 2});
    interlace::ResultsFile results(file, interlace::ResultsFile::Mode::read);
    const auto table = interlace::select(results, {"depths", {"node.vc_depth", "cycles"}, {}});
    for (const auto& row : table.rows)
        std::printf("%-24s %s cycles\n", row[0].dump().c_str(), row[1].dump().c_str());
    int wrong = expect("points", static_cast<double>(table.rows.size()), 4);
    // Room for a packet and a round trip, F + 2 L + 2 = 42 flits in whole packets, is enough
    // (docs/sizing-studies.md): deeper changes nothing, and what is shallower takes longer.
    const auto cycles = [&](std::size_t row) { return table.rows[row][1].get<double>(); };
    wrong += expect("96 over 48 flits", cycles(3) / cycles(2), 1);
    wrong += expect("16 slower than 48 flits", cycles(1) > cycles(2), true);
    return wrong;
}
