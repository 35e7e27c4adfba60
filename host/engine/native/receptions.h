// Interlace: the reception queues of native nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "interlace/core/archive.h"
#include "interlace/core/pool.h"
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
        if (flit.head()) append(queue, flit.packet, 0);
        ++packets_[queue.last].arrived;
        if (!queue.filled) filled_.push_back(index);
        queue.filled = true;
        return ++queue.flits;
    }

    /// A packet comes of which `taken` flits have come and been taken before.
    void resume(std::uint32_t index, const Packet& packet, std::uint32_t taken) {
        append(queues_[index], packet, static_cast<std::uint8_t>(taken));
    }

    bool empty() const { return filled_.empty(); }
    void set_ready(std::size_t index, bool ready) { queues_[index].ready = ready; }
    std::uint32_t flits(std::size_t index) const { return queues_[index].flits; }
    /// Flits of the packet that is coming, or 0.
    std::uint32_t come(std::size_t index) const {
        if (queues_[index].oldest == none) return 0;
        const Received& last = packets_[queues_[index].last];
        return last.arrived < last.packet.length() ? last.arrived : 0;
    }
    /// Of a queue that one is coming to.
    const Packet& coming(std::size_t index) const { return packets_[queues_[index].last].packet; }
    /// Of a queue that has flits.
    Flit oldest(std::size_t index) const {
        const Received& packet = packets_[queues_[index].oldest];
        return {packet.packet, packet.taken};
    }

    void state(std::uint32_t index, Archive& archive) {
        Queue& queue = queues_[index];
        std::vector<Received> packets;
        for (std::uint32_t i = queue.oldest; i != none; i = packets_[i].next) packets.push_back(packets_[i]);
        std::uint32_t flits = 0;
        archive.each(packets, [&](Archive& a, Received& r) {
            a(r.packet, r.arrived, r.taken);
            a.expect(r.arrived <= r.packet.length() && r.taken <= r.arrived && r.taken < r.packet.length());
            a.expect(&r == &packets.front() || r.taken == 0);
            flits += r.arrived - r.taken;
        });
        for (std::size_t i = 1; i < packets.size(); ++i)
            archive.expect(packets[i - 1].arrived == packets[i - 1].packet.length());
        archive(queue.flits, queue.ready);
        archive.expect(queue.flits == flits);
        if (!archive.loads()) return;
        for (const Received& r : packets) {
            append(queue, r.packet, r.taken);
            packets_[queue.last].arrived = r.arrived;
        }
        if (queue.flits != 0) {
            queue.filled = true;
            filled_.push_back(index);
        }
    }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;

    struct Received {
        Packet packet;
        std::uint32_t next = none;
        std::uint8_t arrived = 0, taken = 0;
    };
    struct Queue {
        std::uint32_t oldest = none, last = none;  // of packets_
        std::uint32_t flits = 0;
        bool ready = true, filled = false;
    };

    void append(Queue& queue, const Packet& packet, std::uint8_t before) {
        const std::uint32_t index = packets_.make();
        packets_[index] = {packet, none, before, before};
        (queue.oldest == none ? queue.oldest : packets_[queue.last].next) = index;
        queue.last = index;
    }
    void pop(Queue& queue) {
        --queue.flits;
        Received& oldest = packets_[queue.oldest];
        if (++oldest.taken != oldest.packet.length()) return;
        const std::uint32_t next = oldest.next;
        packets_.drop(queue.oldest);
        queue.oldest = next;
    }

    std::vector<Queue> queues_;
    Pool<Received> packets_;
    std::vector<std::uint32_t> filled_;  // queues with flits
};

}  // namespace interlace::native
