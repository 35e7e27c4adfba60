// Interlace: what a node can do wrong, each with what the harness has to say of it
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "rogue/rogue.h"

namespace interlace::rogue {

using detail::amount_bits, detail::count_bits, detail::vc_bits, detail::get, detail::set, detail::get_flit,
    detail::set_flit;

/// Where a misbehaviour shows.
struct Scene {
    const char* network = "torus:4";
    std::uint32_t node = 2;
    Switching switching = Switching::virtual_cut_through;
    std::uint32_t cycles_per_flit = 1;
};

struct Misbehaviour {
    std::string name;
    std::string
        sentence;  // a regular expression that the fault's text contains; empty: a fault of timing alone
    Tampering tampering;
    Scene scene = {};
};

/// From here on: the first cycles are the node's own, so that there is traffic.
inline constexpr std::uint64_t begin = 200;

inline bool shows(const Pins& pins, std::uint32_t port) {
    return (pins.link_valid_o >> port & 1U) != 0;
}
inline bool head(const RawFlit& flit) {
    return (flit.ends & 1U) != 0;
}
inline bool tail(const RawFlit& flit) {
    return (flit.ends & 2U) != 0;
}
inline bool body(const RawFlit& flit) {
    return flit.ends == 0;
}
inline bool any(const RawFlit& /*flit*/) {
    return true;
}
inline bool first_of_several(const RawFlit& flit) {
    return flit.ends == 1;
}

using Which = bool (*)(const RawFlit&);
using Change = std::function<void(RawFlit&)>;

/// Changes the first flit of a kind that a link shows.
inline Tampering::Step on_link(Which which, const Change& change) {
    return [=, done = false](Pins& pins, std::uint64_t cycle) mutable {
        for (std::uint32_t p = 0; p < ports; ++p) {
            RawFlit flit = get_flit(pins.link_flit_o, p);
            if (done || cycle < begin || !shows(pins, p) || !which(flit)) continue;
            change(flit);
            set_flit(pins.link_flit_o, p, flit);
            done = true;
        }
    };
}

/// Changes the first flit of a kind that the host takes.
inline Tampering::Step on_reception(Which which, const Change& change) {
    return [=, done = false](Pins& pins, std::uint64_t cycle) mutable {
        for (std::uint32_t r = 0; r < receptions; ++r) {
            RawFlit flit = get_flit(pins.rx_flit_o, r);
            if (done || cycle < begin || (pins.rx_valid_o >> r & 1U) == 0 || !which(flit)) continue;
            change(flit);
            set_flit(pins.rx_flit_o, r, flit);
            done = true;
        }
    };
}

/// Changes the first cycle in which `when` holds, or all of them.
inline Tampering::Step at(const std::function<bool(const Pins&)>& when,
                          const std::function<void(Pins&)>& change, bool ever = false) {
    return [=, done = false](Pins& pins, std::uint64_t cycle) mutable {
        if (cycle < begin || (done && !ever) || !when(pins)) return;
        change(pins);
        done = true;
    };
}

inline bool always(const Pins& /*pins*/) {
    return true;
}

/// A header that says something else, and is well formed.
inline Change header_field(std::uint32_t low, std::uint64_t flip) {
    return [=](RawFlit& flit) {
        flit.word[0] = (flit.word[0] ^ flip << low) & ~(std::uint64_t{255} << 54U);
        flit.word[0] |= header_checksum(flit.word[0]) << 54U;
    };
}

inline void hide(Pins& pins, std::uint32_t p) {
    pins.link_valid_o &= ~(std::uint64_t{1} << p);
    set(pins.link_vc_o, p * vc_bits, vc_bits, 0);
    set_flit(pins.link_flit_o, p, {});
}

inline void show(Pins& pins, std::uint32_t p, std::uint64_t vc, const RawFlit& flit) {
    pins.link_valid_o |= std::uint64_t{1} << p;
    set(pins.link_vc_o, p * vc_bits, vc_bits, vc);
    set_flit(pins.link_flit_o, p, flit);
}

inline std::uint64_t vc_of(const Pins& pins, std::uint32_t p) {
    return get(pins.link_vc_o, p * vc_bits, vc_bits);
}

inline std::uint64_t credit(const Pins& pins, std::uint32_t p, std::uint32_t v) {
    return get(pins.credit_o, (p * built_vcs + v) * amount_bits, amount_bits);
}
inline void set_credit(Pins& pins, std::uint32_t p, std::uint32_t v, std::uint64_t amount) {
    set(pins.credit_o, (p * built_vcs + v) * amount_bits, amount_bits, amount);
}

/// Bits 0 and 1 change places.
inline std::uint64_t exchanged_bits(std::uint64_t bits) {
    return (bits & ~std::uint64_t{3}) | (bits & 1U) << 1U | (bits >> 1U & 1U);
}

/// A port whose link takes a flit of the kind now; `ports`: none.
inline std::uint32_t port_of(const Pins& pins, Which which) {
    for (std::uint32_t p = 0; p < ports; ++p)
        if (shows(pins, p) && which(get_flit(pins.link_flit_o, p))) return p;
    return ports;
}

/// The two packets that enter an injection queue, or a channel of a link, one after the other, change places.
template <class Pin>
Tampering::Step swap_entering(std::uint64_t Pins::*valid, Pin Pins::*flits) {
    return [=, kept = std::vector<RawFlit>(), packets = 0, out = std::deque<RawFlit>()](
               Pins& pins, std::uint64_t cycle) mutable {
        if (cycle < begin) return;
        const bool enters = (pins.*valid & 1U) != 0;
        if (packets == 3 && out.empty()) return;
        RawFlit flit = get_flit(pins.*flits, 0);
        if (packets == 0 && (!enters || !head(flit))) return;
        // Queue 0 alone, from a head on: the first packet is kept, the second goes on, then the first.
        if (packets == 0) packets = 1;
        if (enters) {
            if (packets == 1)
                kept.push_back(flit);
            else
                out.push_back(flit);
            if (tail(flit) && packets == 2) {
                out.insert(out.end(), kept.begin(), kept.end());
                packets = 3;
            } else if (tail(flit) && packets == 1) {
                packets = 2;
            }
        }
        pins.*valid &= ~std::uint64_t{1};
        if (out.empty()) return;
        pins.*valid |= 1U;
        set_flit(pins.*flits, 0, out.front());
        out.pop_front();
    };
}

/// Pins of the cycle before.
inline Tampering::Step late(void (*copy)(const Pins& from, Pins& to)) {
    return [=, before = Pins()](Pins& pins, std::uint64_t /*cycle*/) mutable {
        const Pins now = pins;
        copy(before, pins);
        before = now;
    };
}

inline std::vector<Misbehaviour> damaged_flits() {
    const char* word = "shows word [0-9]+ of packet .* as 0x[0-9a-f]+, which is 0x";
    const char* header = "with word 0 as 0x[0-9a-f]+, which is 0x";
    return {
        {"payload inverted",
         word,
         {.outputs = on_link(body, [](RawFlit& f) { f.word[0] = ~f.word[0], f.word[1] = ~f.word[1]; })}},
        {"a payload bit flipped", word, {.outputs = on_link(body, [](RawFlit& f) { f.word[1] ^= 1U; })}},
        {"the top payload bit stuck",
         word,
         {.outputs = on_link(body, [](RawFlit& f) { f.word[0] ^= std::uint64_t{1} << 63U; })}},
        {"a tail's payload damaged",
         word,
         {.outputs =
              on_link([](const RawFlit& f) { return f.ends == 2; }, [](RawFlit& f) { f.word[0] += 1; })}},
        {"words of a flit exchanged",
         word,
         {.outputs = on_link(body, [](RawFlit& f) { std::swap(f.word[0], f.word[1]); })}},
        {"a wrong source",
         "which is not in the node",
         {.outputs = on_link(head, [](RawFlit& f) { f.word[1] ^= 1U << 20U; })}},
        {"a wrong sequence number",
         "which is not in the node",
         {.outputs = on_link(head, [](RawFlit& f) { f.word[1] ^= std::uint64_t{1} << 63U; })}},
        {"a header with a wrong checksum",
         header,
         {.outputs = on_link(head, [](RawFlit& f) { f.word[0] ^= std::uint64_t{1} << 54U; })}},
        {"another destination", header, {.outputs = on_link(head, header_field(22, 1))}},
        {"another kind", header, {.outputs = on_link(head, header_field(0, 2))}},
        {"another priority", header, {.outputs = on_link(head, header_field(2, 1))}},
        {"another group", header, {.outputs = on_link(head, header_field(3, 1))}},
        {"another length", header, {.outputs = on_link(head, header_field(4, 1))}},
        {"another slot", header, {.outputs = on_link(head, header_field(10, 4))}},
        {"payload inverted for the host",
         word,
         {.outputs = on_reception(body, [](RawFlit& f) { f.word[0] = ~f.word[0]; })}},
        {"a wrong source for the host",
         "which is not in the node",
         {.outputs = on_reception(head, [](RawFlit& f) { f.word[1] ^= 4U; })}},
        {"another group for the host", header, {.outputs = on_reception(head, header_field(3, 1))}},
    };
}

inline std::vector<Misbehaviour> wrong_ends() {
    return {
        {"a tail that is none",
         "as no tail, which it is",
         {.outputs = on_link([](const RawFlit& f) { return f.ends == 2; }, [](RawFlit& f) { f.ends = 0; })}},
        {"every tail dropped",
         "as no tail, which it is",
         {.outputs = at(
              always,
              [](Pins& pins) {
                  for (std::uint32_t p = 0; p < ports; ++p) {
                      RawFlit flit = get_flit(pins.link_flit_o, p);
                      flit.ends &= 1U;
                      set_flit(pins.link_flit_o, p, flit);
                  }
              },
              true)}},
        {"a tail too early",
         "as the tail, which it is not",
         {.outputs = on_link(body, [](RawFlit& f) { f.ends = 2; })}},
        {"a head that is none",
         "a flit that is not a head, between packets",
         {.outputs = on_link(head, [](RawFlit& f) { f.ends &= 2U; })}},
        {"a head in mid-packet",
         "a head in the middle of packet",
         {.outputs = on_link(body, [](RawFlit& f) { f.ends = 1; })}},
        {"a tail dropped for the host",
         "as no tail, which it is",
         {.outputs =
              on_reception([](const RawFlit& f) { return f.ends == 2; }, [](RawFlit& f) { f.ends = 0; })}},
        {"a head dropped for the host",
         "a flit that is not a head, between packets",
         {.outputs = on_reception(first_of_several, [](RawFlit& f) { f.ends = 0; })}},
        {"a head in mid-packet for the host",
         "a head in the middle of packet",
         {.outputs = on_reception(body, [](RawFlit& f) { f.ends = 1; })}},
    };
}

/// Flits and packets twice, not at all, or in another order.
inline std::vector<Misbehaviour> wrong_order() {
    const auto repeated = [kept = RawFlit{}, from = ports, done = false](Pins& pins,
                                                                         std::uint64_t cycle) mutable {
        // The flit of the cycle before is shown again instead of the next of its packet.
        if (done || cycle < begin) return;
        if (from < ports && shows(pins, from)) {
            set_flit(pins.link_flit_o, from, kept);
            done = true;
            return;
        }
        from = port_of(pins, body);
        if (from < ports) kept = get_flit(pins.link_flit_o, from);
    };
    const auto once_more = [packet = std::vector<RawFlit>(), vc = std::uint64_t{0}, whole = false,
                            next = std::size_t{0}](Pins& pins, std::uint64_t cycle) mutable {
        // A packet that has left by port 0 leaves again as soon as the link is free.
        if (cycle < begin || (whole && next == packet.size())) return;
        if (!whole) {
            const RawFlit flit = get_flit(pins.link_flit_o, 0);
            if (!shows(pins, 0) || (packet.empty() && !head(flit))) return;
            packet.push_back(flit);
            vc = vc_of(pins, 0);
            whole = tail(flit);
        } else if (!shows(pins, 0)) {
            show(pins, 0, vc, packet[next++]);
        }
    };
    const auto exchanged = [kept = RawFlit{}, step = 0](Pins& pins, std::uint64_t cycle) mutable {
        // Two flits in the middle of a packet change places: the first is shown a second later, twice.
        if (cycle < begin || step == 2) return;
        const std::uint32_t p = port_of(pins, body);
        if (p == ports) return;
        const RawFlit now = get_flit(pins.link_flit_o, p);
        if (step == 0) {
            kept = now;
            set_flit(pins.link_flit_o, p, {{now.word[1], now.word[0]}, 0});
        }
        ++step;
    };
    const char* lost = "in front of it|could leave there|has withheld|rx_count_o";
    return {
        {"a flit twice, the next not at all",
         "shows word [0-9]+ of packet|as no tail",
         {.outputs = repeated}},
        {"a flit that comes out of order", "shows word", {.outputs = exchanged}},
        {"a packet twice on a link", "which is not in the node|for the second time", {.outputs = once_more}},
        {"a flit left out",
         "shows word [0-9]+ of packet|as the tail, which it is not|a head in the middle",
         {.outputs = at([](const Pins& pins) { return port_of(pins, body) < ports; },
                        [](Pins& pins) { hide(pins, port_of(pins, body)); })}},
        {"a head left out",
         "a flit that is not a head, between packets",
         {.outputs = at([](const Pins& pins) { return port_of(pins, first_of_several) < ports; },
                        [](Pins& pins) { hide(pins, port_of(pins, first_of_several)); })}},
        {"a packet of one flit left out",
         lost,
         {.outputs = at(
              [](const Pins& pins) {
                  return port_of(pins, [](const RawFlit& f) { return f.ends == 3; }) < ports;
              },
              [](Pins& pins) { hide(pins, port_of(pins, [](const RawFlit& f) { return f.ends == 3; })); })}},
        {"packets of an injection queue exchanged",
         "before packet [0-9]+ of node [0-9]+, which is in front of it",
         {.inputs = swap_entering(&Pins::inj_valid_i, &Pins::inj_flit_i)}},
    };
}

/// Right flits in the wrong place.
inline std::vector<Misbehaviour> wrong_places() {
    const auto no_link = [](Pins& pins, std::uint64_t cycle) {
        // Node 0 of a line: whatever goes by its link goes by the other port, too.
        if (cycle < begin) return;
        const std::uint32_t p = port_of(pins, any);
        if (p < ports) show(pins, 1 - p, vc_of(pins, p), get_flit(pins.link_flit_o, p));
    };
    return {
        {"both links exchanged",
         "which is not to leave there|a head in the middle|a flit that is not a head",
         {.outputs = at(
              always,
              [](Pins& pins) {
                  const Pins before = pins;
                  for (std::uint32_t p = 0; p < ports; ++p) {
                      hide(pins, p);
                      if (shows(before, 1 - p))
                          show(pins, p, vc_of(before, 1 - p), get_flit(before.link_flit_o, 1 - p));
                  }
              },
              true)}},
        {"a packet by both links",
         "which is not to leave there|which is not in the node",
         {.outputs = at(
              [](const Pins& pins) { return pins.link_valid_o == 1 && head(get_flit(pins.link_flit_o, 0)); },
              [](Pins& pins) { show(pins, 1, vc_of(pins, 0), get_flit(pins.link_flit_o, 0)); }, true)}},
        {"a flit on another channel",
         "a flit that is not a head, between packets|a head in the middle",
         {.outputs = at([](const Pins& pins) { return port_of(pins, body) < ports; },
                        [](Pins& pins) {
                            const std::uint32_t p = port_of(pins, body);
                            set(pins.link_vc_o, p * vc_bits, vc_bits, vc_of(pins, p) ^ 1U);
                        })}},
        {"a channel that does not exist",
         "link_vc_o\\[[01]\\] is 3, and there are 2 channels",
         {.outputs = at([](const Pins& pins) { return port_of(pins, any) < ports; },
                        [](Pins& pins) { set(pins.link_vc_o, port_of(pins, any) * vc_bits, vc_bits, 3); })}},
        {"a flit where no link is",
         "link_valid_o\\[[01]\\] shows a flit, but the port has no link",
         {.outputs = no_link},
         {.network = "mesh:3", .node = 0}},
        {"packets in another reception queue",
         "which is not to leave there",
         {.inputs = [](Pins& pins,
                       std::uint64_t /*cycle*/) { pins.rx_ready_i = exchanged_bits(pins.rx_ready_i); },
          .outputs =
              [](Pins& pins, std::uint64_t /*cycle*/) {
                  pins.rx_valid_o = exchanged_bits(pins.rx_valid_o);
                  const RawFlit first = get_flit(pins.rx_flit_o, 0);
                  set_flit(pins.rx_flit_o, 0, get_flit(pins.rx_flit_o, 1));
                  set_flit(pins.rx_flit_o, 1, first);
                  const std::uint64_t count = get(pins.rx_count_o, 0, count_bits);
                  set(pins.rx_count_o, 0, count_bits, get(pins.rx_count_o, count_bits, count_bits));
                  set(pins.rx_count_o, count_bits, count_bits, count);
              }}},
        {"a register of another coordinate",
         "which is not to leave there|rx_flit_o.*which is not|could leave there",
         {.registers =
              [](Pins& pins, std::uint64_t /*cycle*/) {
                  if (pins.cfg_addr_i == 0x10) pins.cfg_data_i ^= 1U;
              }}},
        {"ports that lead the other way",
         "which is not to leave there",
         {.registers =
              [](Pins& pins, std::uint64_t /*cycle*/) {
                  if (pins.cfg_addr_i >= 0x20 && pins.cfg_addr_i < 0x22) pins.cfg_data_i ^= 1U << 19U;
              }}},
        {"channels for the wrong half of the ring",
         "which may not use the channel",
         {.registers =
              [](Pins& pins, std::uint64_t /*cycle*/) {
                  if (pins.cfg_addr_i == 9)
                      pins.cfg_data_i = (pins.cfg_data_i & 15U) << 4U | pins.cfg_data_i >> 4U;
              }}},
    };
}

inline std::vector<Misbehaviour> wrong_credits() {
    // The first channel of a port with a link that gives something back.
    const auto giving = [](const Pins& pins) {
        for (std::uint32_t i = 0; i < ports * built_vcs; ++i)
            if (credit(pins, i / built_vcs, i % built_vcs) != 0) return i;
        return ports * built_vcs;
    };
    const auto gives = [=](const Pins& pins) { return giving(pins) < ports * built_vcs; };
    const auto change = [=](std::int64_t by) {
        return [=](Pins& pins) {
            const std::uint32_t i = giving(pins);
            const auto amount = static_cast<std::int64_t>(credit(pins, i / built_vcs, i % built_vcs));
            set_credit(pins, i / built_vcs, i % built_vcs, static_cast<std::uint64_t>(amount + by));
        };
    };
    const auto injected = [](const Pins& pins) { return get(pins.inj_credit_o, 0, amount_bits) != 0; };
    return {
        {"a credit kept",
         "credit_o\\[[01]\\], channel [01], has withheld [0-9]+ for 1000 cycles",
         {.outputs = at(gives, change(-1))}},
        {"every credit kept",
         "credit_o\\[[01]\\], channel [01], has withheld",
         {.outputs = at(
              always, [](Pins& pins) { pins.credit_o = 0; }, true)}},
        {"a credit given twice",
         "credit_o\\[[01]\\], channel [01], returns [0-9]+, but the queue holds [0-9]+",
         {.outputs = at(gives, change(1))}},
        {"credits flood",
         "credit_o\\[[01]\\], channel [01], returns 127, but the queue holds [0-9]+",
         {.outputs = at(gives,
                        [=](Pins& pins) {
                            set_credit(pins, giving(pins) / built_vcs, giving(pins) % built_vcs, 127);
                        })}},
        {"a credit for nothing",
         "credit_o\\[1\\], channel 1, returns 127, but the queue holds [0-9]+",
         {.outputs = at([](const Pins& pins) { return credit(pins, 1, 1) == 0 && pins.link_valid_o == 0; },
                        [](Pins& pins) { set_credit(pins, 1, 1, 127); })}},
        {"a credit of a channel that does not exist",
         "returns 1 of channel 3, but there are 2 channels",
         {.outputs = at(always, [](Pins& pins) { set_credit(pins, 0, 3, 1); })}},
        {"a credit where no link is",
         "credit_o\\[[01]\\] returns 1, but the port has no link",
         {.outputs = at(always, [](Pins& pins) { set_credit(pins, 0, 0, 1), set_credit(pins, 1, 0, 1); })},
         {.network = "mesh:3", .node = 0}},
        {"an injection credit kept",
         "inj_credit_o\\[0\\] has withheld [0-9]+ for 1000 cycles",
         {.outputs = at(injected, [](Pins& pins) { set(pins.inj_credit_o, 0, amount_bits, 0); })}},
        {"an injection credit given twice",
         "inj_credit_o\\[0\\] returns [0-9]+, but the queue holds [0-9]+|status_o bit 0, overflow",
         {.outputs = at(injected,
                        [](Pins& pins) {
                            set(pins.inj_credit_o, 0, amount_bits,
                                get(pins.inj_credit_o, 0, amount_bits) + 1);
                        })}},
        {"credits that it does not have",
         "needs [0-9]+ credits and has|status_o bit 3, credit",
         {.registers =
              [](Pins& pins, std::uint64_t /*cycle*/) {
                  if (pins.cfg_addr_i == 3) pins.cfg_data_i += 64;
              }}},
        {"one flit's room for a packet",
         "needs [0-9]+ credits and has|shows a head in the middle",
         {.registers =
              [](Pins& pins, std::uint64_t /*cycle*/) {
                  if (pins.cfg_addr_i == 1) pins.cfg_data_i = 2;
              }}},
        {"a reception queue beyond its depth",
         "rx_count_o\\[[0-9]\\] is [0-9]+, and the queue's depth 16",
         {.inputs =
              [](Pins& pins, std::uint64_t cycle) {
                  if (cycle >= begin) pins.rx_ready_i = 0;
              },
          .registers =
              [](Pins& pins, std::uint64_t /*cycle*/) {
                  if (pins.cfg_addr_i == 4) pins.cfg_data_i *= 4;
              }}},
    };
}

/// Nothing, too much, too soon, too late.
inline std::vector<Misbehaviour> wrong_times() {
    const char* lost = "in front of it|could leave there|has withheld|rx_count_o";
    return {
        {"a dead link",
         lost,
         {.outputs = at(
              always, [](Pins& pins) { hide(pins, 0); }, true)}},
        {"a dead node",
         lost,
         {.outputs = at(
              always,
              [](Pins& pins) {
                  hide(pins, 0), hide(pins, 1);
                  pins.credit_o = pins.inj_credit_o = pins.rx_valid_o = 0;
                  pins.rx_flit_o = {}, pins.rx_count_o = {};
              },
              true)}},
        {"a deaf node",
         lost,
         {.inputs =
              [](Pins& pins, std::uint64_t cycle) {
                  if (cycle >= begin) pins.link_valid_i = 0;
              }}},
        {"a deaf port",
         lost,
         {.inputs =
              [](Pins& pins, std::uint64_t cycle) {
                  if (cycle >= begin) pins.link_valid_i &= 2U;
              }}},
        {"deaf to its host",
         lost,
         {.inputs =
              [](Pins& pins, std::uint64_t cycle) {
                  if (cycle >= begin) pins.inj_valid_i = 0;
              }}},
        {"deaf to credits",
         lost,
         {.inputs =
              [](Pins& pins, std::uint64_t cycle) {
                  if (cycle >= begin) pins.credit_i = 0;
              }}},
        {"nothing for the host",
         lost,
         {.inputs =
              [](Pins& pins, std::uint64_t cycle) {
                  if (cycle >= begin) pins.rx_ready_i = 0;
              },
          .outputs = at(
              always, [](Pins& pins) { pins.rx_valid_o = 0, pins.rx_count_o = {}, pins.rx_flit_o = {}; },
              true)}},
        {"a link that repeats itself",
         "which is not in the node|for the second time|a flit that is not a head|shows word|as the tail|as "
         "no "
         "tail",
         {.outputs =
              [last = RawFlit{}](Pins& pins, std::uint64_t cycle) mutable {
                  if (shows(pins, 0)) last = get_flit(pins.link_flit_o, 0);
                  if (cycle >= begin && !shows(pins, 0)) show(pins, 0, 0, last);
              }}},
        {"a flood of noise",
         "which is not in the node|a flit that is not a head|shows word",
         {.outputs =
              [](Pins& pins, std::uint64_t cycle) {
                  if (cycle >= begin)
                      show(pins, 1, 0,
                           {{random_bits(1, 2, cycle), random_bits(1, 3, cycle)},
                            random_bits(1, 4, cycle) & 3U});
              }}},
        {"a queue that always shows something",
         "rx_valid_o\\[3\\] is 1, and rx_count_o 0",
         {.outputs = at(
              always, [](Pins& pins) { pins.rx_valid_o |= 8U; }, true)}},
        {"a count that jumps",
         "rx_count_o\\[0\\] is 5[0-9], not",
         {.outputs = at([](const Pins& pins) { return (pins.rx_valid_o & 1U) != 0; },
                        [](Pins& pins) {
                            set(pins.rx_count_o, 0, count_bits, 50 + get(pins.rx_count_o, 0, count_bits));
                        })}},
        {"an error that it tells of: overflow",
         "status_o bit 0, overflow",
         {.outputs = at(
              always, [](Pins& pins) { pins.status_o = 1; }, true)}},
        {"an error that it tells of: malformed",
         "status_o bit 1, malformed",
         {.outputs = at(
              always, [](Pins& pins) { pins.status_o = 2; }, true)}},
        {"an error that it tells of: misrouted",
         "status_o bit 2, misrouted",
         {.outputs = at(
              always, [](Pins& pins) { pins.status_o = 4; }, true)}},
        {"an error that it tells of: credit",
         "status_o bit 3, credit",
         {.outputs = at(
              always, [](Pins& pins) { pins.status_o = 8; }, true)}},
        {"a link faster than it is",
         "cycles after the one before it, and the link takes 2",
         {.registers =
              [](Pins& pins, std::uint64_t /*cycle*/) {
                  if (pins.cfg_addr_i == 10) pins.cfg_data_i = 1;
              }},
         {.cycles_per_flit = 2}},
        {"cut-through where packets are stored",
         "of which [0-9]+ of [0-9]+ flits have arrived \\(store and forward\\)",
         {.registers =
              [](Pins& pins, std::uint64_t /*cycle*/) {
                  if (pins.cfg_addr_i == 1) pins.cfg_data_i = 1;
              }},
         {.switching = Switching::store_and_forward}},
        {"flits late by one", "", {.outputs = late([](const Pins& from, Pins& to) {
                                       to.link_valid_o = from.link_valid_o, to.link_vc_o = from.link_vc_o,
                                       to.link_flit_o = from.link_flit_o;
                                   })}},
        {"credits late by one", "", {.outputs = late([](const Pins& from, Pins& to) {
                                         to.credit_o = from.credit_o;
                                     })}},
        {"injection credits late by one", "", {.outputs = late([](const Pins& from, Pins& to) {
                                                   to.inj_credit_o = from.inj_credit_o;
                                               })}},
    };
}

/// All, made anew: what they remember is theirs alone.
inline std::vector<Misbehaviour> misbehaviours() {
    std::vector<Misbehaviour> all;
    for (const auto& group :
         {damaged_flits(), wrong_ends(), wrong_order(), wrong_places(), wrong_credits(), wrong_times()})
        all.insert(all.end(), group.begin(), group.end());
    return all;
}

}  // namespace interlace::rogue
