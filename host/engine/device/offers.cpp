// Interlace: flits that a host has offered, as it would write them
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "offers.h"

#include "interlace/core/error.h"
#include "interlace/engine/pins/detail/pins.h"

namespace interlace {

Offers::Offers(std::size_t nodes, std::uint32_t injections, std::uint32_t depth)
    : injections_(injections), queues_(nodes * injections, {{}, depth}) {}

void Offers::add(const Offer& offer) {
    const std::uint32_t index = offer.node * injections_ + offer.queue;
    Queue& queue = queues_[index];
    if (queue.flits.empty() && !offer.flits.empty()) waiting_.push_back(index);
    queue.flits.insert(queue.flits.end(), offer.flits.begin(), offer.flits.end());
}

void Offers::write(std::vector<PinImage>& pins, std::vector<std::uint32_t>& taken) {
    std::erase_if(waiting_, [&](std::uint32_t index) {
        Queue& queue = queues_[index];
        if (queue.credits == 0) return false;
        --queue.credits;
        const std::uint32_t node = index / injections_;
        const std::uint32_t i = index % injections_;
        pins[node].inj_valid_i |= 1U << i;
        detail::set_flit(pins[node].inj_flit_i, i, queue.flits.front());
        taken[node] |= 1U << i;
        queue.flits.pop_front();
        return queue.flits.empty();
    });
}

void Offers::take_credits(const std::vector<std::uint32_t>& awake, const std::vector<PinImage>& pins) {
    for (const Freed& freed : freed_) queues_[freed.queue].credits += freed.amount;
    freed_.clear();
    for (const std::uint32_t n : awake)
        detail::each_amount(pins[n].inj_credit_o, injections_, [&](std::uint32_t i, std::uint8_t amount) {
            freed_.push_back({n * injections_ + i, amount});
        });
}

void Offers::find_waiting() {
    waiting_.clear();
    for (std::uint32_t queue = 0; queue < queues_.size(); ++queue)
        if (!queues_[queue].flits.empty()) waiting_.push_back(queue);
    for (const Freed& freed : freed_)
        if (freed.queue >= queues_.size()) throw FellShort("a snapshot with credits of no queue");
}

}  // namespace interlace
