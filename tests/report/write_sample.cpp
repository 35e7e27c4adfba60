// Interlace: writes a report of sample documents: write_sample FILE.html (FIGURES_FOLDER)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "interlace/report/figures.h"
#include "interlace/report/page.h"
#include "report/sample_document.h"

int main(int argc, char** argv) {
    using namespace interlace;
    if (argc < 2) return 2;
    const Json document =
        report_of({sample_sweep({1, 4, 16}), sample_load_sweep(), sample_seeds_sweep(), sample_depths_sweep(),
                   sample_size(), sample_run({64, 64}, 32), sample_run({8, 8, 4}, 8), sample_run({16}, 4),
                   sample_run_without_lattice(23), sample_published()});
    std::ofstream(argv[1]) << report_page(document);
    if (argc > 2)
        for (const Figure& figure : report_figures(document)) {
            const std::string path = std::string(argv[2]) + "/" + figure.name;
            std::ofstream(path + ".svg") << figure.svg;
            std::ofstream(path + ".png", std::ios::binary) << png_of(figure.svg, 1.5);
        }
}
