// Interlace: --where, --columns and --sweep of interlace results, under libFuzzer
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "fuzz.h"
#include "interlace/results/query.h"

namespace {

/// A file of one point, with a text, whole and other numbers.
interlace::ResultsFile& results() {
    using namespace interlace;
    static const std::string path = [] {
        std::string name = file_with("");
        std::filesystem::remove(name);
        ResultsFile made(name, ResultsFile::Mode::write);
        made.begin("s", "schema: 1", {{"hash", {{"network", "torus:4x4"}, {"node.vc_depth", "8"}}}});
        made.store({"hash", {{"seed", 1}}, false, "", {{"steps", 7}, {"share", 0.5}}, "2026", 0.1});
        return name;
    }();
    static ResultsFile file(path, ResultsFile::Mode::read);
    return file;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace interlace;
    const std::string text = text_of(data, size);
    read_or_refuse([&] { to_csv(select(results(), {"s", {}, {text}})); });
    read_or_refuse([&] { to_json_lines(select(results(), {"s", {text}, {}})); });
    return read_or_refuse([&] { select(results(), {text, {}, {}}); });
}
