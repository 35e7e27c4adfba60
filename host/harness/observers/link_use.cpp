// Interlace: how busy every link of a run was
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/harness/observers/link_use.h"

#include <algorithm>
#include <bit>

namespace interlace {
namespace {

constexpr std::size_t max_windows = 256;

}  // namespace

LinkUse::LinkUse(const Fabric& fabric) : f_(fabric), flits_(std::size_t{fabric.nodes} * fabric.ports, 0) {
    for (std::uint32_t v = 0; v < fabric.nodes; ++v)
        links_ += static_cast<std::uint32_t>(std::popcount(fabric.port_mask(NodeId{v})));
}

void LinkUse::observe(std::uint64_t cycle, const RegionOutputs& outputs) {
    if (outputs.sent.empty()) return;
    // Windows twice as long when there are too many.
    for (; cycle / window_ >= max_windows; window_ *= 2) {
        for (std::size_t i = 0; i < windows_.size(); ++i) {
            const std::uint64_t flits = windows_[i];
            windows_[i] = 0;
            windows_[i / 2] += flits;
        }
        windows_.resize((windows_.size() + 1) / 2);
    }
    windows_.resize(std::max<std::size_t>(windows_.size(), cycle / window_ + 1));
    windows_[cycle / window_] += outputs.sent.size();
    for (const LinkFlit& flit : outputs.sent) ++flits_[std::size_t{flit.node} * f_.ports + flit.port];
}

void LinkUse::state(Archive& archive) {
    const std::size_t ports = flits_.size();
    archive(flits_, windows_, window_);
    archive.expect(flits_.size() == ports && windows_.size() <= max_windows && window_ != 0);
}

double LinkUse::utilisation(NodeId node, std::uint32_t port, std::uint64_t cycles) const {
    const std::uint64_t busy = flits_[std::size_t{node} * f_.ports + port] * f_.links.cycles_per_flit;
    return static_cast<double>(busy) / static_cast<double>(std::max<std::uint64_t>(cycles, 1));
}

std::vector<double> LinkUse::over_time(std::uint64_t cycles) const {
    std::vector<double> shares;
    for (std::size_t i = 0; i * window_ < cycles; ++i) {
        const std::uint64_t length = std::min(window_, cycles - i * window_);
        const std::uint64_t busy = i < windows_.size() ? windows_[i] * f_.links.cycles_per_flit : 0;
        shares.push_back(static_cast<double>(busy) / (static_cast<double>(length) * links_));
    }
    return shares;
}

}  // namespace interlace
