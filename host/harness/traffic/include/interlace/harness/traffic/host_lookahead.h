// Interlace: what ideal hosts are going to inject
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "interlace/engine/region/lookahead.h"
#include "interlace/harness/hosts/send_lists.h"
#include "interlace/harness/traffic/traffic_packets.h"

namespace interlace {

/// Unicast packets, which their makers make whatever comes.
class UnicastLookahead final : public HostLookahead {
  public:
    using MakePacket = std::function<void(std::uint32_t from, std::uint32_t to, std::uint32_t flits)>;
    /// Makes the packets of a cycle; the next cycle in which it may make some. Called first for cycle 0.
    using Source = std::function<std::uint64_t(std::uint64_t cycle, const MakePacket&)>;
    /// `first`: the number of the first packet; the others: as those of UnicastPackets.
    UnicastLookahead(const Fabric& fabric, const PacketMix& mix, std::uint64_t seed, Source source,
                     std::uint32_t first = 0);

    bool knows(NodeId /*node*/) const override { return true; }
    void coming(std::uint64_t until, const Tell& tell) override;

  private:
    std::uint32_t injections_;
    UnicastPackets packets_;
    std::uint32_t number_;
    Source source_;
    std::uint64_t cycle_ = 0;
};

/// Of synthetic traffic; keeps a reference to the options. `seed`: of the packets' mix; `first`: the number
/// of the first.
UnicastLookahead foresee_traffic(const Fabric& fabric, const TrafficOptions& options, std::uint64_t seed,
                                 std::uint32_t first = 0);

/// A program's packets: hosts without a send list inject none of them, and the source has all of its own from
/// cycle 0 on.
class ProgramLookahead final : public HostLookahead {
  public:
    ProgramLookahead(const Fabric& fabric, const InjectionPlan& plan, std::uint32_t packet_flits);
    /// Over background traffic, whose packets take turns with the source's in a way that is not known.
    ProgramLookahead(const Fabric& fabric, const InjectionPlan& plan, UnicastLookahead background);

    bool knows(NodeId node) const override;
    void coming(std::uint64_t until, const Tell& tell) override;

  private:
    ProgramLookahead(const Fabric& fabric, const InjectionPlan& plan);

    const InjectionPlan& plan_;
    std::uint32_t injections_, packet_flits_ = 0;
    std::vector<std::uint8_t> has_lists_;         // [node]
    std::optional<SendLists> lists_;              // the source's, without background
    std::vector<std::uint64_t> told_;             // [injection queue of the source]: flits
    std::optional<UnicastLookahead> background_;  // or this
};

}  // namespace interlace
