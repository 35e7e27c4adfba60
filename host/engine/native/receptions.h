// Interlace: the reception queues of native nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/node/packet.h"

namespace interlace::native {

/// Queues whose oldest flits leave in every cycle in which their host is ready; only those that have flits
/// cost time.
class Receptions {
  public:
    explicit Receptions(std::size_t queues) : queues_(queues) {}

    /// Every ready host takes its queue's oldest flit: `taken(queue, flit)`.
    template <class Taken>
    void take(const Taken& taken) {
        std::size_t kept = 0;
        for (const std::uint32_t index : filled_) {
            Queue& queue = queues_[index];
            if (queue.ready) {
                taken(index, oldest(index));
                pop(queue);
            }
            queue.filled = queue.flits != 0;
            if (queue.filled) filled_[kept++] = index;
        }
        filled_.resize(kept);
    }

    /// A flit arrives. Returns how many there are now.
    std::uint32_t push(std::uint32_t index, const Flit& flit) {
        Queue& queue = queues_[index];
        if (flit.head()) queue.packets.push_back({flit.packet, 0, 0});
        ++queue.packets.back().arrived;
        if (!queue.filled) filled_.push_back(index);
        queue.filled = true;
        return ++queue.flits;
    }

    /// A packet comes of which `taken` flits have come and been taken before.
    void resume(std::uint32_t index, const Packet& packet, std::uint32_t taken) {
        const auto before = static_cast<std::uint8_t>(taken);
        queues_[index].packets.push_back({packet, before, before});
    }

    bool empty() const { return filled_.empty(); }
    void set_ready(std::size_t index, bool ready) { queues_[index].ready = ready; }
    std::uint32_t flits(std::size_t index) const { return queues_[index].flits; }
    /// Flits of the packet that is coming, or 0.
    std::uint32_t come(std::size_t index) const {
        const std::vector<Received>& packets = queues_[index].packets;
        const bool comes = !packets.empty() && packets.back().arrived < packets.back().packet.length();
        return comes ? packets.back().arrived : 0;
    }
    /// Of a queue that one is coming to.
    const Packet& coming(std::size_t index) const { return queues_[index].packets.back().packet; }
    /// Of a queue that has flits.
    Flit oldest(std::size_t index) const {
        const Received& packet = queues_[index].packets[queues_[index].first];
        return {packet.packet, packet.taken};
    }

    void state(std::uint32_t index, Archive& archive) {
        Queue& queue = queues_[index];
        queue.packets.erase(queue.packets.begin(), queue.packets.begin() + queue.first);
        queue.first = 0;
        std::uint32_t flits = 0;
        archive.each(queue.packets, [&](Archive& a, Received& r) {
            a(r.packet, r.arrived, r.taken);
            a.expect(r.arrived <= r.packet.length() && r.taken <= r.arrived && r.taken < r.packet.length());
            a.expect(&r == &queue.packets.front() || r.taken == 0);
            flits += r.arrived - r.taken;
        });
        for (std::size_t i = 1; i < queue.packets.size(); ++i)
            archive.expect(queue.packets[i - 1].arrived == queue.packets[i - 1].packet.length());
        archive(queue.flits, queue.ready);
        archive.expect(queue.flits == flits);
        if (archive.loads() && queue.flits != 0) {
            queue.filled = true;
            filled_.push_back(index);
        }
    }

  private:
    struct Received {
        Packet packet;
        std::uint8_t arrived = 0, taken = 0;
    };
    struct Queue {
        std::vector<Received> packets;  // the oldest is packets[first]
        std::uint32_t first = 0;
        std::uint32_t flits = 0;
        bool ready = true, filled = false;
    };

    static void pop(Queue& queue) {
        --queue.flits;
        Received& oldest = queue.packets[queue.first];
        if (++oldest.taken != oldest.packet.length()) return;
        ++queue.first;
        // What was taken makes room when it is most of the vector, so that a queue that never empties stays
        // small.
        if (std::size_t{2} * queue.first < queue.packets.size()) return;
        queue.packets.erase(queue.packets.begin(), queue.packets.begin() + queue.first);
        queue.first = 0;
    }

    std::vector<Queue> queues_;
    std::vector<std::uint32_t> filled_;  // queues with flits
};

}  // namespace interlace::native
