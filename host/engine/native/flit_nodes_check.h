// Interlace: whether a state of nodes that are run flit by flit is one of a run
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "flit_nodes.h"

namespace interlace::native {

/// Of nodes that have been loaded, whatever there was to load: whether what refers to something else has it,
/// and what counts something has as much as there is. So nothing that follows from them leads out of queues,
/// sinks and packets.
class FlitNodes::Check {
  public:
    /// `nodes`: of the fabric, those that these are.
    Check(const FlitNodes& nodes, const std::vector<NodeId>& global);
    bool is_whole(std::uint32_t node) const;

  private:
    /// Of a source, what stages between pins and core have.
    struct InFlight {
        std::uint32_t entering = 0, freed = 0;
    };

    bool in_escape(std::uint32_t source) const {
        return source < f_.link_sources() && f_.in_slots(source % f_.vcs);
    }
    std::uint32_t slot_or(std::uint32_t source, std::uint32_t flits) const {
        return in_escape(source) ? f_.parameters.packet_flits : flits;
    }
    bool is_led_to(std::uint32_t node, std::uint32_t source) const;
    bool is_sink(std::uint32_t node, std::uint32_t k) const;
    void look_at_stages();
    bool is_whole_source(std::uint32_t node, std::uint32_t source) const;
    bool is_whole_entry(std::uint32_t node, std::uint32_t source, const Entry& entry) const;
    bool is_whole_sink(std::uint32_t node, std::uint32_t k) const;
    bool is_whole_branch(std::uint32_t node, std::uint32_t k, std::uint32_t vc) const;
    bool is_wanted_rightly(std::uint32_t node, std::uint32_t k, std::uint32_t source) const;
    bool receives_rightly(std::uint32_t node, std::uint32_t queue) const;
    std::uint32_t freed(std::uint32_t node, std::uint32_t source) const;

    const FlitNodes& n_;
    const Fabric& f_;
    const std::vector<NodeId>& global_;
    bool stages_are_whole_ = true;
    std::vector<InFlight> in_flight_;              // [node * sources + source]
    std::vector<std::vector<Flit>> in_flight_to_;  // [node * receptions + queue]: the first one first
};

}  // namespace interlace::native
