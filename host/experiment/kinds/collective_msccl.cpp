// Interlace: collectives over links as MSCCL programs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>
#include <vector>

#include "collective_cycles.h"
#include "collective_plan.h"
#include "interlace/core/error.h"

namespace interlace {
namespace {

/// A chunk of a GPU: i, o or s (input, output, scratch), and its place there.
struct Chunk {
    char buffer = 'i';
    std::uint32_t offset = 0;
};

/// Thread block and step in it; none: nothing.
struct Place {
    std::int32_t block = -1, step = -1;
};

struct Step {
    const char* type;  ///< s, r, rrc (received and added) or cpy
    Chunk from, to;
    std::uint32_t count = 1;
    Place after;           ///< of the same GPU
    bool awaited = false;  ///< by another one
};

/// Steps in their order; it sends to one GPU, or receives from one, or neither.
struct ThreadBlock {
    std::int32_t send = -1, receive = -1;
    std::vector<Step> steps;
};

/// Where the chunks of a collective are, and what is copied before anything is sent.
class Buffers {
  public:
    Buffers(DirectCollective collective, std::uint32_t nodes, std::uint32_t chunks)
        : collective_(collective), nodes_(nodes), chunks_(chunks), relayed_(nodes) {}

    std::uint32_t inputs() const {
        return collective_ == DirectCollective::allgather ? chunks_ : nodes_ * chunks_;
    }
    std::uint32_t outputs() const {
        return collective_ == DirectCollective::reducescatter ? chunks_ : nodes_ * chunks_;
    }
    std::uint32_t scratch(std::uint32_t node) const {
        return collective_ == DirectCollective::reducescatter
                   ? nodes_ * chunks_
                   : static_cast<std::uint32_t>(relayed_[node].size());
    }

    Chunk at(std::uint32_t node, std::uint32_t packet) {
        if (collective_ == DirectCollective::allgather)
            return packet / chunks_ == node ? Chunk{'i', packet % chunks_} : Chunk{'o', packet};
        if (collective_ == DirectCollective::allreduce) return {'o', packet};
        if (collective_ == DirectCollective::reducescatter) return {'s', packet};
        const std::uint32_t origin = packet / chunks_ / nodes_, to = packet / chunks_ % nodes_;
        if (origin == node) return {'i', to * chunks_ + packet % chunks_};
        if (to == node) return {'o', origin * chunks_ + packet % chunks_};
        const auto next = static_cast<std::uint32_t>(relayed_[node].size());
        return {'s', relayed_[node].emplace(packet, next).first->second};
    }
    /// Of a node's own; of sums all that they are computed from.
    Step first_copy(std::uint32_t node) const {
        const std::uint32_t own = node * chunks_;
        switch (collective_) {
            case DirectCollective::allreduce:
                return {"cpy", {'i', 0}, {'o', 0}, nodes_ * chunks_, {}};
            case DirectCollective::reducescatter:
                return {"cpy", {'i', 0}, {'s', 0}, nodes_ * chunks_, {}};
            case DirectCollective::alltoall:
                return {"cpy", {'i', own}, {'o', own}, chunks_, {}};
            default:
                return {"cpy", {'i', 0}, {'o', own}, chunks_, {}};
        }
    }
    /// Whether the first copy comes before everything else.
    bool works_on_a_copy() const {
        return collective_ == DirectCollective::allreduce || collective_ == DirectCollective::reducescatter;
    }

  private:
    DirectCollective collective_;
    std::uint32_t nodes_, chunks_;
    std::vector<std::map<std::uint32_t, std::uint32_t>> relayed_;  // [node]: packets and their scratch
};

class MscclProgram {
  public:
    MscclProgram(const CollectiveRun& run, std::vector<ReducingSend> rows)
        : run_(run),
          nodes_(run.network.node_count()),
          buffers_(run.experiment.collective, nodes_, run.experiment.chunks),
          blocks_(nodes_),
          last_(nodes_) {
        for (std::uint32_t v = 0; v < nodes_; ++v) blocks_[v].push_back({-1, -1, {buffers_.first_copy(v)}});
        for (auto first = rows.begin(), next = first; first != rows.end(); first = next) {
            next = std::find_if(first, rows.end(),
                                [&](const ReducingSend& row) { return row.send.step != first->send.step; });
            // What comes in a step is no part of what is sent in it.
            std::for_each(first, next, [&](const ReducingSend& row) { add_send(row.send); });
            std::for_each(first, next, [&](const ReducingSend& row) { add_receive(row); });
        }
        if (run.experiment.collective == DirectCollective::reducescatter)
            for (std::uint32_t v = 0; v < nodes_; ++v) copy_sums(v);
    }

    void write(std::ostream& out) const {
        tinyxml2::XMLPrinter xml;
        const auto push = [&](const char* name, auto value) { xml.PushAttribute(name, value); };
        xml.OpenElement("algo");
        const std::string name = fmt::format("{} {} {}", collective_name(run_.experiment.collective),
                                             run_.experiment.algorithm, run_.experiment.network);
        push("name", name.c_str());
        push("proto", "Simple");
        push("nchannels", 1);
        push("nchunksperloop", std::max(buffers_.inputs(), buffers_.outputs()));
        push("ngpus", nodes_);
        const bool scatter = run_.experiment.collective == DirectCollective::reducescatter;
        push("coll", scatter ? "reduce_scatter" : collective_name(run_.experiment.collective).c_str());
        push("inplace", 0);
        push("outofplace", 1);
        push("minBytes", 0);
        push("maxBytes", 0);
        for (std::uint32_t v = 0; v < nodes_; ++v) write_gpu(xml, v);
        xml.CloseElement();
        out << xml.CStr();
    }

  private:
    Place add(std::uint32_t node, std::int32_t send, std::int32_t receive, Step step) {
        auto& blocks = blocks_[node];
        const auto found = std::find_if(blocks.begin(), blocks.end(), [&](const ThreadBlock& block) {
            return block.send == send && block.receive == receive;
        });
        const auto block = static_cast<std::int32_t>(found - blocks.begin());
        if (found == blocks.end()) blocks.push_back({send, receive, {}});
        auto& steps = blocks[static_cast<std::size_t>(block)].steps;
        if (step.after.block == block) step.after = {};  // they are in order
        if (step.after.block >= 0)
            blocks[static_cast<std::size_t>(step.after.block)]
                .steps[static_cast<std::size_t>(step.after.step)]
                .awaited = true;
        steps.push_back(step);
        return {block, static_cast<std::int32_t>(steps.size()) - 1};
    }

    /// What brought the packet to the node last.
    Place last(std::uint32_t node, std::uint32_t packet) const {
        if (const auto found = last_[node].find(packet); found != last_[node].end()) return found->second;
        return buffers_.works_on_a_copy() ? Place{0, 0} : Place{};
    }

    void add_send(const TimedSend& send) {
        const auto to = static_cast<std::int32_t>(send.to);
        add(send.from, to, -1,
            {"s", buffers_.at(send.from, send.packet), buffers_.at(send.to, send.packet), 1,
             last(send.from, send.packet)});
    }
    void add_receive(const ReducingSend& row) {
        const TimedSend& send = row.send;
        const auto from = static_cast<std::int32_t>(send.from);
        last_[send.to][send.packet] = add(send.to, -1, from,
                                          {row.reduces ? "rrc" : "r", buffers_.at(send.from, send.packet),
                                           buffers_.at(send.to, send.packet), 1, last(send.to, send.packet)});
    }
    void copy_sums(std::uint32_t node) {
        const std::uint32_t chunks = run_.experiment.chunks;
        for (std::uint32_t c = 0; c < chunks; ++c)
            add(node, -1, -1, {"cpy", {'s', node * chunks + c}, {'o', c}, 1, last(node, node * chunks + c)});
    }

    void write_gpu(tinyxml2::XMLPrinter& xml, std::uint32_t node) const {
        xml.OpenElement("gpu");
        xml.PushAttribute("id", node);
        xml.PushAttribute("i_chunks", buffers_.inputs());
        xml.PushAttribute("o_chunks", buffers_.outputs());
        xml.PushAttribute("s_chunks", buffers_.scratch(node));
        for (std::size_t b = 0; b < blocks_[node].size(); ++b) {
            const ThreadBlock& block = blocks_[node][b];
            xml.OpenElement("tb");
            xml.PushAttribute("id", static_cast<std::uint32_t>(b));
            xml.PushAttribute("send", block.send);
            xml.PushAttribute("recv", block.receive);
            xml.PushAttribute("chan", 0);
            for (std::size_t s = 0; s < block.steps.size(); ++s) write_step(xml, block.steps[s], s);
            xml.CloseElement();
        }
        xml.CloseElement();
    }
    static void write_step(tinyxml2::XMLPrinter& xml, const Step& step, std::size_t number) {
        xml.OpenElement("step");
        xml.PushAttribute("s", static_cast<std::uint32_t>(number));
        xml.PushAttribute("type", step.type);
        xml.PushAttribute("srcbuf", std::string(1, step.from.buffer).c_str());
        xml.PushAttribute("srcoff", step.from.offset);
        xml.PushAttribute("dstbuf", std::string(1, step.to.buffer).c_str());
        xml.PushAttribute("dstoff", step.to.offset);
        xml.PushAttribute("cnt", step.count);
        xml.PushAttribute("depid", step.after.block);
        xml.PushAttribute("deps", step.after.step);
        xml.PushAttribute("hasdep", step.awaited ? 1 : 0);
        xml.CloseElement();
    }

    const CollectiveRun& run_;
    std::uint32_t nodes_;
    Buffers buffers_;
    std::vector<std::vector<ThreadBlock>> blocks_;      // [node]
    std::vector<std::map<std::uint32_t, Place>> last_;  // [node]: of each packet
};

}  // namespace

void write_msccl(const CollectiveRun& run, std::ostream& out) {
    constexpr std::uint64_t most = 4'000'000;
    const DirectCollective collective = run.experiment.collective;
    if (has_root(collective) || collective == DirectCollective::barrier)
        throw InputError("cannot write a " + collective_name(collective) + " for MSCCL",
                         "allgather, reducescatter, allreduce or alltoall");
    if (run.report.sends > most)
        throw InputError(fmt::format("cannot write {} sends", run.report.sends),
                         fmt::format("{} at most", most));
    std::vector<ReducingSend> rows = rows_between_neighbours(run);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const ReducingSend& a, const ReducingSend& b) { return a.send.step < b.send.step; });
    MscclProgram(run, std::move(rows)).write(out);
}

}  // namespace interlace
