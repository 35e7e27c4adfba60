// Interlace: an example: an engine of one's own beside the native one, every pin of every cycle compared
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <optional>

#include "expect.h"
#include "interlace/broadcast/torus/spanning_trees.h"
#include "interlace/engine/checking/lockstep.h"
#include "interlace/engine/native/native.h"
#include "interlace/harness/programs/program_run.h"

namespace {

using namespace interlace;

/// An engine is a Region: in each cycle it is given the values of its input pins, and returns those of its
/// output pins in the next. This one lets native nodes do the work, and can be told to lose a credit in a
/// cycle.
class OwnEngine : public Region {
  public:
    OwnEngine(std::unique_ptr<Region> nodes, std::optional<std::uint64_t> loses_at)
        : nodes_(std::move(nodes)), loses_at_(loses_at) {}

    void supervise(Supervision level) override { nodes_->supervise(level); }
    void tick(const RegionInputs& inputs, RegionOutputs& outputs) override {
        RegionInputs seen = inputs;
        if (loses_at_ && cycle_ >= *loses_at_ && !seen.injections.empty()) {
            seen.injections.pop_back();
            loses_at_.reset();
        }
        nodes_->tick(seen, outputs);
        ++cycle_;
    }
    Pins pins(NodeId node) const override { return nodes_->pins(node); }
    std::uint32_t reception_flits(NodeId node, std::uint32_t queue) const override {
        return nodes_->reception_flits(node, queue);
    }
    std::uint64_t stalled(NodeId node) const override { return nodes_->stalled(node); }
    Usage usage() const override { return nodes_->usage(); }

  private:
    std::unique_ptr<Region> nodes_;
    std::optional<std::uint64_t> loses_at_;
    std::uint64_t cycle_ = 0;
};

/// Cycles of a broadcast on a 4 x 4 torus, ours beside native nodes.
std::uint64_t run_beside(std::optional<std::uint64_t> loses_at) {
    const Network network = make_network("torus:4x4");
    const NodeId source{0};
    constexpr std::uint32_t packets = 8;
    const Program program(network, source, packets,
                          spanning_tree_broadcast(network, source, {0, 1}, packets));
    const NodeParameters node = node_parameters("bgl");
    const Fabric fabric(network, node.without_unicast());
    const InjectionPlan plan(network, fabric, program, Forwarding::host);
    std::vector<NodeId> all;
    for (std::uint32_t v = 0; v < network.node_count(); ++v) all.emplace_back(v);
    std::vector<NamedRegion> regions;
    regions.push_back({"native", native_region(fabric, all)});
    regions.push_back({"ours", std::make_unique<OwnEngine>(native_region(fabric, all), loses_at)});
    std::vector<Machine::Part> parts;
    parts.push_back({all, lockstep_region(fabric, all, std::move(regions))});
    Machine machine(fabric, std::move(parts));
    ProgramRunOptions options;
    options.packet_flits = node.packet_flits;
    return run_program(fabric, machine, plan, options).cycles;
}

}  // namespace

int main() {
    std::printf("%-24s %llu\n", "cycles", static_cast<unsigned long long>(run_beside(std::nullopt)));
    try {
        run_beside(5);
    } catch (const LockstepError& error) {
        std::printf("%-24s %s\n", "a flit lost", error.what());
        return 0;
    }
    return expect("a flit lost is found", 0, 1);
}
