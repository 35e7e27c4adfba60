// Interlace: hosts that have come and are not let in yet
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "lobby.h"

#include <exception>
#include <utility>

namespace interlace {

using std::chrono::milliseconds;

std::unique_ptr<Session> Lobby::next() {
    for (const auto& host : hosts_) host->postpone(Clock::now() - left_);
    while (true) {
        let_come();
        if (std::unique_ptr<Session> host = look_at_hosts()) {
            left_ = Clock::now();
            return host;
        }
    }
}

/// All who are at the door; where nobody is inside, waits for one.
void Lobby::let_come() {
    std::unique_ptr<Channel> channel = hosts_.empty() ? listener_.accept() : listener_.accept_now();
    while (channel) {
        const bool may_wait = channel->lossless();
        hosts_.push_back(open_session(std::move(channel), make_, secret_));
        if (hosts_.size() > most) hosts_.pop_front();
        channel = may_wait ? listener_.accept_now() : nullptr;  // a serial line has one host
    }
}

/// A look at each: the first that is let in. Those who are gone or have said something wrong have to go.
std::unique_ptr<Session> Lobby::look_at_hosts() {
    const milliseconds each(hosts_.size() > 4 ? 1 : 4);
    for (std::size_t i = 0; i < hosts_.size();) {
        bool stays = true;
        try {
            if (hosts_[i]->is_let_in(each)) {
                std::unique_ptr<Session> host = std::move(hosts_[i]);
                hosts_.erase(hosts_.begin() + static_cast<std::ptrdiff_t>(i));
                return host;
            }
        } catch (const std::exception&) {
            stays = false;
        }
        if (stays)
            ++i;
        else
            hosts_.erase(hosts_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return nullptr;
}

}  // namespace interlace
