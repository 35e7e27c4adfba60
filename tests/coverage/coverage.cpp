// Interlace: random pins on nodes that count what they come to
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: coverage FOLDER EPISODES        writes FOLDER/1.dat and FOLDER/6.dat, for each pipeline
#include <fmt/format.h>
#include <verilated_cov.h>

#include <cstdlib>
#include <string>

#include "Vil_node_cover_1.h"
#include "Vil_node_cover_7.h"
#include "lockstep/random_pins.h"
#include "support/real_nodes.h"

namespace interlace {
namespace {

/// Against the SystemC node: what is come to is compared, too.
template <class Model, std::uint32_t pipeline>
bool run(const std::string& folder, std::uint64_t episodes) {
    const NodeSize size{4, 4, 6, 10, 64, pipeline != 1, 64};
    RtlNode<Model> rtl;
    SystemCNode<systemc::Node<4>, pipeline> systemc;
    for (std::uint64_t seed = 0; seed < episodes; ++seed) {
        const Episode episode = run_episode(rtl, systemc, size, seed);
        if (episode.differs.empty()) continue;
        fmt::print("pipeline {}, seed {}, cycle {}: {} differs\n", pipeline, seed, episode.cycles,
                   episode.differs);
        return false;
    }
    rtl.context.coveragep()->write(fmt::format("{}/{}.dat", folder, pipeline).c_str());
    return true;
}

}  // namespace
}  // namespace interlace

/// libsystemc's own main calls it.
int sc_main(int count, char* arguments[]) {
    using namespace interlace;
    if (count != 3) return 2;
    detail::reserve<systemc::Node<4>>(1, {64, 64});
    detail::reserve<systemc::Node<4>>(1, {64, 64, 7});
    const std::uint64_t episodes = std::strtoull(arguments[2], nullptr, 10);
    return run<Vil_node_cover_1, 1>(arguments[1], episodes) &&
                   run<Vil_node_cover_7, 7>(arguments[1], episodes)
               ? 0
               : 1;
}
