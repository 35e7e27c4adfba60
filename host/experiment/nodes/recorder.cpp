// Interlace: what a run on a cycle engine leaves behind, beside its result
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/recorder.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <memory>
#include <sstream>
#include <string_view>

#include "interlace/core/error.h"
#include "interlace/core/text.h"
#include "interlace/core/whole_file.h"
#include "interlace/engine/checking/waveform.h"
#include "interlace/experiment/nodes/details.h"

namespace interlace {
namespace {

/// The waveform of some nodes of a machine.
class Tracer {
  public:
    /// `kept`: where the machine is asked for its state, `out`.
    Tracer(std::ostream& out, std::ostringstream& kept, const Network& network, const Fabric& fabric,
           Machine& machine, const std::string& nodes)
        : machine_(machine), kept_(kept) {
        std::vector<std::string> scopes;
        for (const std::string& piece : split(nodes, ',')) {
            nodes_.push_back(parse_node(network, piece));
            scopes.push_back("node" + std::to_string(+nodes_.back()));
        }
        waveform_ = std::make_unique<Waveform>(out, fabric.pin_names(), scopes);
        machine.observe(
            [this](std::uint64_t cycle, const RegionInputs&, const RegionOutputs&) { show(cycle + 1); }, true,
            [this](Archive& archive) { state(archive); });
    }

  private:
    void show(std::uint64_t cycle) const {
        for (std::size_t i = 0; i < nodes_.size(); ++i) waveform_->show(cycle, i, machine_.pins(nodes_[i]));
    }
    void state(Archive& archive) const {
        const std::string_view text = kept_.view();
        std::vector<char> written(text.begin(), text.end());
        archive(written);
        if (archive.loads()) kept_.str({written.begin(), written.end()});
        waveform_->state(archive);
    }

    const Machine& machine_;
    std::ostringstream& kept_;
    std::vector<NodeId> nodes_;
    std::unique_ptr<Waveform> waveform_;
};

}  // namespace

Recorder::Recorder(const Network& network, const Fabric& fabric, Machine& machine,
                   const CycleOptions& options)
    : network_(network),
      f_(fabric),
      machine_(machine),
      records_(options.records),
      has_state_(options.checkpoint.any()) {
    const bool logs = !records_.packet_log.empty() || records_.has_packet_trace();
    if (logs) log_.emplace(fabric);
    if (records_.details) links_.emplace(fabric);
    machine.watch({options.occupancy, !records_.queue_use.empty(), logs || records_.details});
    if (!records_.queue_use.empty() && !options.occupancy)
        throw InputError("cannot write the use of queues, whose occupancy is not counted", "occupancy: true");
    if (logs || records_.details || !records_.queue_use.empty())
        machine.observe(
            [this](std::uint64_t cycle, const RegionInputs& in, const RegionOutputs& out) {
                if (log_) log_->observe(cycle, in, out);
                if (links_) links_->observe(cycle, out);
            },
            false,
            [this](Archive& archive) {
                if (log_) log_->state(archive);
                if (links_) links_->state(archive);
            });
}

void Recorder::run(const std::function<std::vector<std::uint64_t>()>& run) {
    std::vector<std::uint64_t> injection_stalls;
    if (records_.has_waveform())
        write_whole_file(records_.trace, [&](std::ostream& out) {
            std::ostringstream kept(std::ios::ate);
            {
                const Tracer tracer(has_state_ ? kept : out, kept, network_, f_, machine_,
                                    records_.trace_nodes);
                injection_stalls = run();
            }
            if (has_state_) out << kept.view();
        });
    else
        injection_stalls = run();
    if (records_.has_packet_trace())
        write_whole_file(records_.trace, [&](std::ostream& out) { log_->write_trace(out); });
    if (!records_.packet_log.empty())
        write_whole_file(records_.packet_log, [&](std::ostream& out) { log_->write_csv(out); });
    if (!records_.queue_use.empty())
        write_whole_file(records_.queue_use, [&](std::ostream& out) { write_queues(out, injection_stalls); });
}

Json Recorder::links(std::uint64_t cycles) const {
    if (!links_) return nullptr;
    return links_json(
        network_, {[&](NodeId node, std::uint32_t port) { return links_->utilisation(node, port, cycles); },
                   links_->window(), links_->over_time(cycles), "cycles"});
}

void Recorder::write_queues(std::ostream& out, const std::vector<std::uint64_t>& injection_stalls) const {
    out << "node,queue,port,channel,mean,high_water,stall_cycles,histogram\n";
    const std::uint32_t channels = f_.link_sources();
    for (std::uint32_t v = 0; v < f_.nodes; ++v) {
        const auto queues = machine_.queues(NodeId{v});
        const auto row = [&](QueueClass queue, std::uint32_t port, std::uint32_t channel, const QueueUse& use,
                             std::uint64_t stalls) {
            fmt::print(out, "{},{},{},{},{:.6g},{},{},{}\n", v,
                       queue_class_names[static_cast<std::size_t>(queue)], port, channel,
                       static_cast<double>(use.flit_cycles) / static_cast<double>(machine_.cycle()),
                       use.high_water, stalls, fmt::join(use.histogram, " "));
        };
        for (std::uint32_t s = 0; s < channels; ++s) {
            const FarPort from = f_.from(v, s / f_.vcs);
            if (!from.linked()) continue;
            row(QueueClass::channel, s / f_.vcs, s % f_.vcs, queues[s],
                machine_.stall_cycles(NodeId{from.node})[from.port]);
        }
        for (std::uint32_t i = 0; i < f_.injections; ++i)
            row(QueueClass::injection, i, 0, queues[channels + i], injection_stalls[v * f_.injections + i]);
        const auto stalls = machine_.stall_cycles(NodeId{v});
        for (std::uint32_t r = 0; r < f_.receptions; ++r)
            row(QueueClass::reception, r, 0, queues[f_.sources() + r], stalls[f_.ports + r]);
    }
}

}  // namespace interlace
