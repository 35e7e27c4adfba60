// Interlace: whether nodes of hardware do what docs/node.md says, from their pins alone
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/checking/scoreboard.h"

#include <fmt/format.h>

#include <algorithm>

namespace interlace {
namespace {

bool same(const Packet& a, const Packet& b) {
    return a.header == b.header && a.identity == b.identity;
}

std::string name(const Packet& packet) {
    return fmt::format("packet {} of node {}", packet.sequence(), packet.source());
}

}  // namespace

Scoreboard::Scoreboard(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables,
                       bool service)
    : f_(fabric),
      nodes_(nodes),
      tables_(tables),
      sources_(nodes.size() * fabric.sources()),
      channels_(nodes.size() * fabric.link_sources()),
      sinks_(nodes.size() * fabric.sinks()),
      looks_(sinks_.size()),
      stalls_seen_(nodes.size(), 0) {
    if (service && !fabric.by_level()) passed_.resize(sinks_.size() * fabric.sources());
    for (Channel& channel : channels_) channel.credits = fabric.parameters.vc_depth;
}

bool Scoreboard::links_ended(const TrackedPacket& held) const {
    if (held.route.adaptive && held.begun == 0) return false;
    return (links_of(held) & ~held.ended) == 0;
}

/// A branch of the packet may begin on this channel, as far as the packet is concerned.
bool Scoreboard::wants(const TrackedPacket& held, std::uint32_t port, std::uint32_t vc) const {
    if (!held.route.adaptive) return (held.sinks & ~held.begun) >> port & held.route.channels >> vc & 1U;
    if (held.begun != 0) return false;
    if ((held.route.channels >> vc & 1U) != 0) return held.route.escape == port;
    return (held.route.choices >> port & f_.dynamic_channels() >> vc & 1U) != 0;
}

/// Credits that it pays when it begins there, and that it has to find there.
std::uint32_t Scoreboard::cost(const TrackedPacket& held, std::uint32_t vc) const {
    if (f_.parameters.switching == Switching::wormhole) return 0;  // a flit pays for itself
    const bool escapes = held.route.adaptive && (held.route.channels >> vc & 1U) != 0;
    return escapes ? f_.parameters.packet_flits : held.packet.length();
}

std::uint32_t Scoreboard::room(const TrackedPacket& held, std::uint32_t vc) const {
    if (f_.parameters.switching == Switching::wormhole) return 1;
    const bool escapes = held.route.adaptive && (held.route.channels >> vc & 1U) != 0;
    return escapes && held.route.enters ? 2 * cost(held, vc) : cost(held, vc);
}

Scoreboard::Branch Scoreboard::place(std::uint32_t n, std::uint32_t s, std::size_t i) {
    const Source& from = source(n, s);
    const Packet& packet = from.held[i].packet;
    return {packet.payload_key(),
            from.first + static_cast<std::uint32_t>(i),
            static_cast<std::uint8_t>(s),
            0,
            static_cast<std::uint8_t>(packet.length()),
            true};
}

template <class Test>
Scoreboard::Branch Scoreboard::first_open(std::uint32_t n, const Test& test) {
    for (std::uint32_t s = 0; s < f_.sources(); ++s) {
        const std::vector<TrackedPacket>& held = source(n, s).held;
        for (std::size_t i = 0; i < held.size(); ++i) {
            if (test(s, held[i])) return place(n, s, i);
            if (!links_ended(held[i])) break;
        }
    }
    return {};
}

template <class Test>
Scoreboard::Branch Scoreboard::first_head(std::uint32_t n, const Test& test) {
    for (std::uint32_t s = 0; s < f_.sources(); ++s) {
        const Source& from = source(n, s);
        if (!from.held.empty() && test(s, from.held.front())) return place(n, s, 0);
    }
    return {};
}

void Scoreboard::enters(std::uint32_t n, std::uint32_t s, const RawFlit& flit) {
    Source& into = source(n, s);
    const std::uint32_t port = from_link(s) ? s / f_.vcs : 0;
    const std::uint32_t vc = from_link(s) ? s % f_.vcs : 0;
    const bool escape = from_link(s) && f_.in_slots(vc);
    if ((flit.ends & 1U) == 0) {
        if (into.missing == 0) return;
        ++into.arrived;
        --into.missing;
        into.flits += escape ? 0 : 1;
        return;
    }
    TrackedPacket& held = into.held.emplace_back();
    held.packet = f_.come({flit.word[0], flit.word[1]}, from_link(s));
    ++into.next;
    into.arrived = 1;
    into.missing = static_cast<std::uint8_t>(held.packet.length() - 1);
    held.counts = static_cast<std::uint8_t>(escape ? f_.parameters.packet_flits : held.packet.length());
    into.flits += escape ? held.counts : 1;
    held.route = find_route(f_, tables_, nodes_[n], {from_link(s), port, vc}, held.packet);
    if (!held.route.adaptive) held.sinks = held.route.links;
    if (held.route.local) held.sinks |= 1U << (f_.ports + f_.reception_queue(port, held.packet));
    ++packets_;
}

void Scoreboard::credited(std::uint32_t n, std::uint32_t port, std::uint32_t vc, std::uint32_t amount) {
    channel(n, port, vc).credits += amount;
}

void Scoreboard::sent(std::uint32_t n, std::uint32_t port, std::uint32_t vc, const RawFlit& flit,
                      std::uint64_t cycle) {
    if (!f_.to(nodes_[n], port).linked())
        fault(n, cycle, fmt::format("link_valid_o[{}] shows a flit, but the port has no link", port));
    if (vc >= f_.vcs)
        fault(n, cycle, fmt::format("link_vc_o[{}] is {}, and there are {} channels", port, vc, f_.vcs));
    Sink& out = sink(n, port);
    if (out.last != 0 && cycle + 1 < out.last + f_.links.cycles_per_flit)
        fault(n, cycle,
              fmt::format(
                  "link_valid_o[{}] shows a flit {} cycles after the one before it, and the link takes {} "
                  "cycles for each",
                  port, cycle + 1 - out.last, f_.links.cycles_per_flit));
    Channel& by = channel(n, port, vc);
    if ((flit.ends & 1U) != 0) begin_link(n, port, vc, {flit.word[0], flit.word[1]}, cycle);
    if (f_.parameters.switching == Switching::wormhole && by.credits-- == 0)
        fault(n, cycle, fmt::format("{} shows a flit for which it has no credit", sink_pin(port, vc)));
    out.last = cycle + 1;
    follow(n, port, vc, by.branch, flit, cycle);
}

void Scoreboard::follow(std::uint32_t n, std::uint32_t k, std::uint32_t vc, Branch& branch,
                        const RawFlit& flit, std::uint64_t cycle) {
    if (!branch.runs)
        fault(n, cycle, fmt::format("{} shows a flit that is not a head, between packets", sink_pin(k, vc)));
    const std::uint32_t index = branch.sent;
    const bool tail = index + 1U == branch.length;
    // A head was known by its words.
    const bool right = index == 0 || (flit.word[0] == Packet::payload(branch.payload_key, 2 * index) &&
                                      flit.word[1] == Packet::payload(branch.payload_key, 2 * index + 1));
    if (!right || (flit.ends >> 1U != 0) != tail || index >= arrived(n, branch))
        wrong_flit(n, k, vc, branch, flit, cycle);
    ++branch.sent;
    ++sink(n, k).moved;
    if (!tail) return;
    stalls_seen_[n] &= ~(1U << k);
    held(n, branch).ended |= 1U << k;
    branch.runs = false;
    drop_gone(n, branch.source);
}

void Scoreboard::begin_link(std::uint32_t n, std::uint32_t port, std::uint32_t vc, const Packet& packet,
                            std::uint64_t cycle) {
    for (std::uint32_t v = 0; v < f_.vcs; ++v) {
        Channel& other = channel(n, port, v);
        if (other.branch.runs && (v == vc || f_.parameters.switching != Switching::wormhole))
            fault(n, cycle,
                  shows(port, vc) + "a head in the middle of " + name(held(n, other.branch).packet));
    }
    Channel& by = channel(n, port, vc);
    by.branch = first_open(n, [&](std::uint32_t, const TrackedPacket& held) {
        return same(held.packet, packet) && wants(held, port, vc);
    });
    if (!by.branch.runs)
        fault(n, cycle, shows(port, vc) + name(packet) + ", " + why_not(n, port, vc, packet));
    TrackedPacket& begun = held(n, by.branch);
    if (f_.parameters.switching == Switching::store_and_forward && from_link(by.branch.source) &&
        arrived(n, by.branch) < packet.length())
        fault(n, cycle,
              fmt::format("{}{}, of which {} of {} flits have arrived (store and forward)", shows(port, vc),
                          name(packet), arrived(n, by.branch), packet.length()));
    if (by.credits < room(begun, vc))
        fault(n, cycle,
              fmt::format("{}{}, for which it needs {} credits and has {}", shows(port, vc), name(packet),
                          room(begun, vc), by.credits));
    pass(n, port, vc, by.branch, cycle);
    by.credits -= cost(begun, vc);
    begun.begun |= 1U << port;
    if (!begun.route.adaptive) return;
    begun.sinks = 1U << port;
    stalls_seen_[n] = 0;  // it leaves by none of the others
}

void Scoreboard::taken(std::uint32_t n, std::uint32_t queue, const RawFlit& flit, std::uint64_t cycle) {
    Sink& in = sink(n, f_.ports + queue);
    if (in.flits > 0) --in.flits;
    if ((flit.ends & 1U) != 0) begin_reception(n, queue, {flit.word[0], flit.word[1]}, cycle);
    follow(n, f_.ports + queue, 0, in.reception, flit, cycle);
}

void Scoreboard::begin_reception(std::uint32_t n, std::uint32_t queue, const Packet& packet,
                                 std::uint64_t cycle) {
    const std::uint32_t k = f_.ports + queue;
    Sink& in = sink(n, k);
    if (in.reception.runs)
        fault(n, cycle, shows(k, 0) + "a head in the middle of " + name(held(n, in.reception).packet));
    std::uint32_t overtaken = f_.sources();  // a source whose older packet is still to come
    in.reception = first_open(n, [&](std::uint32_t s, const TrackedPacket& held) {
        if (((held.sinks & ~held.begun) >> k & 1U) == 0 || overtaken == s) return false;
        overtaken = s;
        return same(held.packet, packet);
    });
    if (!in.reception.runs) fault(n, cycle, shows(k, 0) + name(packet) + ", " + why_not(n, k, 0, packet));
    pass(n, k, 0, in.reception, cycle);
    held(n, in.reception).begun |= 1U << k;
}

bool Scoreboard::is_for(const TrackedPacket& held, std::uint32_t k) const {
    const bool chooses = held.route.adaptive && held.begun == 0;
    const std::uint32_t open = chooses ? held.route.choices | 1U << held.route.escape : 0;
    return ((open | (held.sinks & ~held.ended)) >> k & 1U) != 0;
}

void Scoreboard::stalls(std::uint32_t n, std::uint64_t shown, std::uint64_t cycle) {
    for (std::uint64_t left = shown & ~std::uint64_t{stalls_seen_[n]}; left != 0; left &= left - 1) {
        const auto k = static_cast<std::uint32_t>(__builtin_ctzll(left));
        bool any = false;
        for (std::uint32_t s = 0; s < f_.sources() && k < f_.sinks() && !any; ++s)
            for (const TrackedPacket& held : source(n, s).held) any = any || is_for(held, k);
        if (!any)
            fault(
                n, cycle,
                fmt::format("stall_o[{}] shows that something waits there, and no packet in the node is for "
                            "that {}",
                            k, k < f_.ports ? "link" : "reception queue"));
        stalls_seen_[n] |= 1U << k;
    }
}

void Scoreboard::pass(std::uint32_t n, std::uint32_t k, std::uint32_t vc, const Branch& begun,
                      std::uint64_t cycle) {
    if (passed_.empty()) return;
    const Packet& served = held(n, begun).packet;
    Passed* of_sink = &passed_[(std::size_t{n} * f_.sinks() + k) * f_.sources()];
    of_sink[begun.source].packets = 0;
    for (std::uint32_t s = 0; s < f_.sources(); ++s) {
        const Source& from = source(n, s);
        if (s == begun.source || from.held.empty() || !may_be_whole(from)) continue;
        const TrackedPacket& head = from.held.front();
        const bool could = k < f_.ports ? wants(head, k, vc) : ((head.sinks & ~head.begun) >> k & 1U) != 0;
        if (!could || head.route.adaptive || head.packet.length() > served.length() ||
            (served.high() && !head.packet.high()))
            continue;
        Passed& passed = of_sink[s];
        if (passed.packets == 0 || passed.number != from.first) passed = {from.first, 0, cycle};
        longest_wait_ = std::max(longest_wait_, cycle - passed.since);
        if (++passed.packets > most_passing(k))
            fault(n, cycle,
                  fmt::format("{} shows {}, the {}th in a row before {}, which has been at the head of {} "
                              "since cycle {}; expected {} at most",
                              sink_pin(k, vc), name(served), passed.packets, name(head.packet), queue_name(s),
                              passed.since, most_passing(k)));
    }
}

void Scoreboard::wrong_flit(std::uint32_t n, std::uint32_t k, std::uint32_t vc, const Branch& branch,
                            const RawFlit& flit, std::uint64_t cycle) {
    const Packet& packet = held(n, branch).packet;
    const std::uint32_t index = branch.sent;
    if (index >= arrived(n, branch))
        fault(n, cycle,
              fmt::format("{} shows flit {} of {}, of which {} have arrived", sink_pin(k, vc), index,
                          name(packet), arrived(n, branch)));
    const RawFlit right = raw({packet, branch.sent});
    for (std::uint32_t w = 0; w < std::size(right.word); ++w)
        if (flit.word[w] != right.word[w])
            fault(n, cycle,
                  fmt::format("{} shows word {} of {} as {:#x}, which is {:#x}", sink_pin(k, vc),
                              index * std::size(right.word) + w, name(packet), flit.word[w], right.word[w]));
    fault(n, cycle,
          fmt::format("{} shows flit {} of {} of {} as {}", sink_pin(k, vc), index, packet.length(),
                      name(packet),
                      (right.ends & 2U) != 0 ? "no tail, which it is" : "the tail, which it is not"));
}

/// Why a packet cannot begin on a sink.
std::string Scoreboard::why_not(std::uint32_t n, std::uint32_t k, std::uint32_t vc, const Packet& packet) {
    std::string why = "which is not in the node";
    for (std::uint32_t s = 0; s < f_.sources(); ++s)
        for (const TrackedPacket& held : source(n, s).held) {
            const Packet& front = source(n, s).held.front().packet;
            if (held.packet.identity != packet.identity) continue;
            if (held.packet.header != packet.header)
                why = fmt::format("with word 0 as {:#x}, which is {:#x}", packet.header, held.packet.header);
            else if ((held.begun >> k & 1U) != 0)
                return "for the second time";
            else if (k >= f_.ports ? (held.sinks >> k & 1U) != 0 : wants(held, k, vc))
                return "before " + name(front) + ", which is in front of it";
            else if (k < f_.ports && ((held.sinks | held.route.choices) >> k & 1U) != 0)
                return "which may not use the channel";
            else
                why = "which is not to leave there";
        }
    return why;
}

void Scoreboard::freed_link(std::uint32_t n, std::uint32_t port, std::uint32_t vc, std::uint32_t amount,
                            std::uint64_t cycle) {
    if (!f_.from(nodes_[n], port).linked())
        fault(n, cycle, fmt::format("credit_o[{}] returns {}, but the port has no link", port, amount));
    if (vc >= f_.vcs)
        fault(n, cycle,
              fmt::format("credit_o[{}] returns {} of channel {}, but there are {} channels", port, amount,
                          vc, f_.vcs));
    free(n, port * f_.vcs + vc, amount, cycle);
}

void Scoreboard::freed_injection(std::uint32_t n, std::uint32_t queue, std::uint32_t amount,
                                 std::uint64_t cycle) {
    free(n, f_.link_sources() + queue, amount, cycle);
}

void Scoreboard::free(std::uint32_t n, std::uint32_t s, std::uint32_t amount, std::uint64_t cycle) {
    Source& from = source(n, s);
    if (from.flits < static_cast<std::int32_t>(amount))
        fault(n, cycle,
              fmt::format("{} returns {}, but the queue holds {}", source_pin(s), amount, from.flits));
    from.flits -= static_cast<std::int32_t>(amount);
    owe(from, -static_cast<std::int32_t>(amount));
    from.least = std::min(from.least, from.must_free);
}

void Scoreboard::owe(Source& from, std::int32_t amount) {
    const bool before = from.must_free > 0;
    from.must_free += amount;
    const bool now = from.must_free > 0;
    owing_ += now && !before ? 1U : 0U;
    owing_ -= before && !now ? 1U : 0U;
}

/// Forgets the oldest packets of a source whose branches have all ended: their credits are due.
void Scoreboard::drop_gone(std::uint32_t n, std::uint32_t s) {
    Source& from = source(n, s);
    std::size_t gone = 0;
    for (; gone < from.held.size() && from.held[gone].sinks != 0 &&
           from.held[gone].ended == from.held[gone].sinks;
         ++gone) {
        owe(from, from.held[gone].counts);
    }
    from.held.erase(from.held.begin(), from.held.begin() + static_cast<std::ptrdiff_t>(gone));
    from.first += static_cast<std::uint32_t>(gone);
    packets_ -= gone;
}

void Scoreboard::holds(std::uint32_t n, std::uint32_t queue, bool valid, std::uint32_t flits,
                       std::uint64_t cycle) {
    Sink& in = sink(n, f_.ports + queue);
    if (flits != in.flits && flits != in.flits + 1U)
        fault(n, cycle, fmt::format("rx_count_o[{}] is {}, not {} or one more", queue, flits, in.flits));
    if (valid != (flits != 0))
        fault(n, cycle, fmt::format("rx_valid_o[{}] is {}, and rx_count_o {}", queue, valid ? 1 : 0, flits));
    if (flits > f_.parameters.reception_depth)
        fault(n, cycle,
              fmt::format("rx_count_o[{}] is {}, and the queue's depth {}", queue, flits,
                          f_.parameters.reception_depth));
    in.flits = static_cast<std::uint16_t>(flits);
}

void Scoreboard::state(std::uint32_t n, Archive& archive) {
    for (std::uint32_t s = 0; s < f_.sources(); ++s) {
        Source& from = source(n, s);
        archive(from.held, from.first, from.next, from.flits, from.must_free, from.least, from.arrived,
                from.missing);
        if (!archive.loads()) continue;
        packets_ += from.held.size();
        owing_ += from.must_free > 0 ? 1U : 0U;
    }
    const auto is_held = [&](const Branch& branch) {
        return !branch.runs || (branch.source < f_.sources() && source(n, branch.source).has(branch.number));
    };
    for (std::uint32_t port = 0; port < f_.ports; ++port)
        for (std::uint32_t vc = 0; vc < f_.vcs; ++vc) {
            archive(channel(n, port, vc));
            archive.expect(is_held(channel(n, port, vc).branch));
        }
    for (std::uint32_t k = 0; k < f_.sinks(); ++k) {
        archive(sink(n, k), looks_[std::size_t{n} * f_.sinks() + k]);
        archive.expect(is_held(sink(n, k).reception));
    }
    std::uint64_t next_look = next_look_;
    archive(next_look);
    next_look_ = std::max(next_look_, next_look);
}

void Scoreboard::look(std::uint64_t cycle) {
    next_look_ = cycle + patience;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
        std::uint32_t moved = 0;
        for (std::uint32_t k = 0; k < f_.sinks(); ++k)
            if (sink(n, k).moved != looks_[std::size_t{n} * f_.sinks() + k].moved) moved |= 1U << k;
        for (std::uint32_t s = 0; s < f_.sources(); ++s) {
            Source& from = source(n, s);
            if (from.least > 0)
                fault(n, cycle,
                      fmt::format("{} has withheld {} for {} cycles", source_pin(s), from.least, patience));
            from.least = from.must_free;
        }
        for (std::uint32_t k = 0; k < f_.sinks(); ++k) look_at_sink(n, k, moved, cycle);
    }
}

void Scoreboard::look_at_sink(std::uint32_t n, std::uint32_t k, std::uint32_t moved, std::uint64_t cycle) {
    Look& at = looks_[std::size_t{n} * f_.sinks() + k];
    const Branch waiting = k < f_.ports ? could_leave(n, k, moved) : could_be_taken(n, k - f_.ports);
    const bool the_same = waiting.source == at.waiting.source && waiting.number == at.waiting.number;
    if (waiting.runs && at.waiting.runs && the_same && (moved >> k & 1U) == 0)
        fault(n, cycle,
              fmt::format("{} has shown nothing for {} cycles, although {} could leave there",
                          k < f_.ports ? fmt::format("link_valid_o[{}]", k)
                                       : fmt::format("rx_valid_o[{}]", k - f_.ports),
                          patience, name(held(n, waiting).packet)));
    at.waiting = waiting;
    at.moved = sink(n, k).moved;
}

/// A packet of which a flit could leave by the link now. An adaptive packet asks for one of the ports that it
/// may take: where another of them is among the sinks that moved something, it may have asked for that, and
/// lost to others.
Scoreboard::Branch Scoreboard::could_leave(std::uint32_t n, std::uint32_t port, std::uint32_t moved) {
    const bool wormhole = f_.parameters.switching == Switching::wormhole;
    for (std::uint32_t v = 0; v < f_.vcs; ++v) {
        const Channel& by = channel(n, port, v);
        if (!by.branch.runs) continue;
        const bool can = arrived(n, by.branch) > by.branch.sent && (!wormhole || by.credits > 0);
        if (can) return by.branch;
        if (!wormhole) return {};
    }
    return first_head(n, [&](std::uint32_t s, const TrackedPacket& held) {
        if (!may_be_whole(source(n, s))) return false;
        if (held.route.adaptive && ((held.route.choices | 1U << held.route.escape) & moved) != 0)
            return false;
        for (std::uint32_t v = 0; v < f_.vcs; ++v) {
            const Channel& by = channel(n, port, v);
            // A choice is open where there is room for a packet of any size, and what is pipelined asks for
            // that.
            const bool any_size =
                f_.parameters.pipelined() || (held.route.adaptive && (held.route.channels >> v & 1U) == 0);
            const std::uint32_t needs =
                any_size ? std::max(f_.parameters.packet_flits, room(held, v)) : room(held, v);
            if (wants(held, port, v) && !by.branch.runs && by.credits >= needs) return true;
        }
        return false;
    });
}

/// A packet of which the host, which is ready, could take a flit now.
Scoreboard::Branch Scoreboard::could_be_taken(std::uint32_t n, std::uint32_t queue) {
    const std::uint32_t k = f_.ports + queue;
    const Sink& in = sink(n, k);
    if (!in.ready) return {};
    if (in.reception.runs) return arrived(n, in.reception) > in.reception.sent ? in.reception : Branch{};
    return first_head(n, [&](std::uint32_t s, const TrackedPacket& held) {
        return may_be_whole(source(n, s)) && ((held.sinks & ~held.begun) >> k & 1U) != 0;
    });
}

std::string Scoreboard::sink_pin(std::uint32_t k, std::uint32_t vc) const {
    return k < f_.ports ? fmt::format("link_flit_o[{}], channel {},", k, vc)
                        : fmt::format("rx_flit_o[{}]", k - f_.ports);
}

std::string Scoreboard::queue_name(std::uint32_t s) const {
    return from_link(s) ? fmt::format("port {}, channel {}", s / f_.vcs, s % f_.vcs)
                        : fmt::format("injection queue {}", s - f_.link_sources());
}

std::string Scoreboard::source_pin(std::uint32_t s) const {
    return from_link(s) ? fmt::format("credit_o[{}], channel {},", s / f_.vcs, s % f_.vcs)
                        : fmt::format("inj_credit_o[{}]", s - f_.link_sources());
}

}  // namespace interlace
