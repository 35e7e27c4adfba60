// Interlace: the node of docs/node.md as a SystemC module
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "interlace/systemc/pins.h"

namespace interlace::systemc {

/// The node of docs/node.md, pin by pin: the ports of rtl/node/il_node.sv under their names and in the types
/// that Verilator's SystemC output gives them, so that either stands in for the other. One SC_METHOD on the
/// rising clock; everything it reads is from before the edge, everything it writes is seen after it.
template <int Ports, int Vcs = 4, int Injections = Ports + 2, int Receptions = 2 * (Ports + 1)>
class Node : public sc_core::sc_module {
  public:
    static constexpr int ports = Ports;
    static constexpr int vcs = Vcs;
    static constexpr int flit_words = 2;
    static constexpr int flit_width = 64 * flit_words + 2;
    static constexpr int amount_width = 7;
    static constexpr int vc_width = 2;
    static constexpr int slots = 1024;

    sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"}, cfg_valid_i{"cfg_valid_i"};
    sc_core::sc_in<std::uint32_t> cfg_addr_i{"cfg_addr_i"}, cfg_data_i{"cfg_data_i"};
    sc_core::sc_in<PinType<Ports>> link_valid_i{"link_valid_i"};
    sc_core::sc_in<PinType<Ports * vc_width>> link_vc_i{"link_vc_i"};
    sc_core::sc_in<PinType<Ports * flit_width>> link_flit_i{"link_flit_i"};
    sc_core::sc_in<PinType<Ports * Vcs * amount_width>> credit_i{"credit_i"};
    sc_core::sc_out<PinType<Ports>> link_valid_o{"link_valid_o"};
    sc_core::sc_out<PinType<Ports * vc_width>> link_vc_o{"link_vc_o"};
    sc_core::sc_out<PinType<Ports * flit_width>> link_flit_o{"link_flit_o"};
    sc_core::sc_out<PinType<Ports * Vcs * amount_width>> credit_o{"credit_o"};
    sc_core::sc_in<PinType<Injections>> inj_valid_i{"inj_valid_i"};
    sc_core::sc_in<PinType<Injections * flit_width>> inj_flit_i{"inj_flit_i"};
    sc_core::sc_out<PinType<Injections * amount_width>> inj_credit_o{"inj_credit_o"};
    sc_core::sc_in<PinType<Receptions>> rx_ready_i{"rx_ready_i"};
    sc_core::sc_out<PinType<Receptions>> rx_valid_o{"rx_valid_o"};
    sc_core::sc_out<PinType<Receptions * flit_width>> rx_flit_o{"rx_flit_o"};
    sc_core::sc_out<std::uint32_t> status_o{"status_o"};

    SC_HAS_PROCESS(Node);
    explicit Node(const sc_core::sc_module_name& name) : sc_module(name), table_(slots, 0) {
        SC_METHOD(clock);
        dont_initialize();
        sensitive << clk_i.pos();
    }

    /// Enabled, empty and showing nothing: a clock edge changes nothing while the input pins are quiet too.
    bool at_rest() const { return enable_ && still_ && rx_shown_ == 0; }

  private:
    static constexpr int sources = Ports * Vcs + Injections;
    static constexpr int sinks = Ports + Receptions;
    static constexpr int link_sources = Ports * Vcs;
    static constexpr int dimensions = Ports / 2 > 0 ? Ports / 2 : 1;
    static constexpr int field_width = 32 / dimensions > 16 ? 16 : 32 / dimensions;

    enum Switching { store_and_forward = 0, virtual_cut_through = 1, wormhole = 2 };
    enum Status : std::uint32_t { overflow = 1, malformed = 2, misrouted = 4, credit_error = 8 };

    struct Flit {
        std::array<std::uint64_t, flit_words> word{};
        bool head = false, tail = false;
    };
    /// A packet at or behind the head of a source.
    struct Packet {
        std::uint32_t route = 0;
        std::uint32_t length = 0;
        bool high = false;
        std::uint32_t channels = ~0U;  // that it may use
    };
    /// A first-in first-out queue in a ring that grows to what it once had to hold.
    template <class Entry>
    class Queue {
      public:
        std::uint32_t size() const { return write_ - read_; }
        std::uint32_t begin() const { return read_; }
        std::uint32_t end() const { return write_; }
        const Entry& at(std::uint32_t position) const { return ring_[position & (ring_.size() - 1)]; }
        const Entry& front() const { return at(read_); }
        void push(const Entry& entry) {
            if (size() == ring_.size()) grow();
            ring_[write_++ & (ring_.size() - 1)] = entry;
        }
        void pop(std::uint32_t count = 1) { read_ += count; }
        void clear() { read_ = write_ = 0; }

      private:
        void grow() {
            std::vector<Entry> larger(2 * ring_.size());
            for (std::uint32_t i = read_; i != write_; ++i) larger[i & (larger.size() - 1)] = at(i);
            ring_.swap(larger);
        }
        std::vector<Entry> ring_ = std::vector<Entry>(8);
        std::uint32_t read_ = 0, write_ = 0;
    };
    struct Source {
        Queue<Flit> flits;
        Queue<Packet> packets;
        std::uint32_t granted = 0, finished = 0;  // sinks, of the first packet
        std::uint32_t arriving = 0;               // flits of the last packet still to come
        // What the sinks do in this cycle.
        std::uint32_t grant = 0, finish = 0;
        bool moved = false;
    };
    struct Holder {
        bool held = false;
        int source = 0;
        std::uint32_t position = 0, left = 0;
    };
    struct Sink {
        int last_winner = -1;
        std::array<Holder, Vcs> channel;
        std::array<std::uint32_t, Vcs> credits{};
    };
    /// The flit that a sink moves in this cycle.
    struct Move {
        int sink, vc;
        Flit flit;
    };

    void clock() {
        if (!rst_ni.read()) {
            reset();
            return;
        }
        if (at_rest() && quiet()) return;
        moves_.clear();
        decide();
        const std::uint64_t popped = rx_shown_ & static_cast<std::uint64_t>(rx_ready_i.read());
        credits_back(popped);
        for (int s = 0; s < sources; ++s) settle(s);
        arrivals();
        receptions(popped);
        configure();
        show();
    }

    /// Nothing on the input pins.
    bool quiet() const {
        if (link_valid_i.read() != 0 || inj_valid_i.read() != 0 || cfg_valid_i.read()) return false;
        const auto& credits = credit_i.read();
        if constexpr (Ports * Vcs * amount_width <= 64) {
            return credits == 0;
        } else {
            for (int w = 0; w < credits.size(); ++w)
                if (credits.get_word(w) != 0) return false;
            return true;
        }
    }

    std::uint32_t wants(int s) const {
        const Source& source = source_[static_cast<std::size_t>(s)];
        if (source.packets.size() == 0) return 0;
        const Packet& packet = source.packets.front();
        std::uint32_t wanted = packet.route & ~source.granted;
        if (s < link_sources && switching_ == store_and_forward && source.flits.size() < packet.length)
            wanted &= ~ones_below(Ports);
        return wanted;
    }

    void decide() {
        std::array<std::uint64_t, sinks> want{};
        high_ = 0;
        for (int s = 0; s < sources; ++s) {
            for (std::uint32_t wanted = wants(s); wanted != 0; wanted &= wanted - 1)
                want[static_cast<std::size_t>(__builtin_ctz(wanted))] |= std::uint64_t{1} << s;
            const Source& source = source_[static_cast<std::size_t>(s)];
            if (source.packets.size() != 0 && source.packets.front().high) high_ |= std::uint64_t{1} << s;
        }
        for (int k = 0; k < sinks; ++k) {
            if (switching_ == wormhole)
                decide_flit(k, want[static_cast<std::size_t>(k)]);
            else
                decide_packet(k, want[static_cast<std::size_t>(k)]);
        }
    }

    void decide_packet(int k, std::uint64_t want) {
        Sink& sink = sink_[static_cast<std::size_t>(k)];
        const int channels = k < Ports ? Vcs : 1;
        for (int v = 0; v < channels; ++v) {
            Holder& holder = sink.channel[static_cast<std::size_t>(v)];
            if (!holder.held) continue;
            if (holder.position != source_[static_cast<std::size_t>(holder.source)].flits.end()) move(k, v);
            return;
        }
        std::uint64_t fits = 0;
        for (std::uint64_t rest = want; rest != 0; rest &= rest - 1) {
            const int s = __builtin_ctzll(rest);
            const Packet& packet = source_[static_cast<std::size_t>(s)].packets.front();
            if (free_channel(k, packet.length, packet.channels) >= 0) fits |= std::uint64_t{1} << s;
        }
        if (fits == 0) return;
        const int s = arbitrate(sink, fits);
        start(k, s, source_[static_cast<std::size_t>(s)].packets.front().length);
    }

    void decide_flit(int k, std::uint64_t want) {
        Sink& sink = sink_[static_cast<std::size_t>(k)];
        const int channels = k < Ports ? Vcs : 1;
        std::uint64_t own = 0;
        for (int v = 0; v < channels; ++v) {
            const Holder& holder = sink.channel[static_cast<std::size_t>(v)];
            if (holder.held && sink.credits[static_cast<std::size_t>(v)] > 0 &&
                holder.position != source_[static_cast<std::size_t>(holder.source)].flits.end())
                own |= std::uint64_t{1} << holder.source;
        }
        std::uint64_t candidates = own;
        for (std::uint64_t rest = want; rest != 0; rest &= rest - 1) {
            const int s = __builtin_ctzll(rest);
            if (free_channel(k, 1, source_[static_cast<std::size_t>(s)].packets.front().channels) >= 0)
                candidates |= std::uint64_t{1} << s;
        }
        if (candidates == 0) return;
        const int s = arbitrate(sink, candidates);
        if ((own >> s & 1U) == 0) {
            start(k, s, 1);
            return;
        }
        for (int v = 0; v < channels; ++v) {
            const Holder& holder = sink.channel[static_cast<std::size_t>(v)];
            if (!holder.held || holder.source != s) continue;
            --sink.credits[static_cast<std::size_t>(v)];
            move(k, v);
            return;
        }
    }

    int free_channel(int k, std::uint32_t need, std::uint32_t allowed) const {
        const Sink& sink = sink_[static_cast<std::size_t>(k)];
        if (k >= Ports) return !sink.channel[0].held && sink.credits[0] >= need ? 0 : -1;
        for (int v = 0; v < Vcs; ++v)
            if ((vcs_ & allowed) >> v & 1U && !sink.channel[static_cast<std::size_t>(v)].held &&
                sink.credits[static_cast<std::size_t>(v)] >= need)
                return v;
        return -1;
    }

    int arbitrate(Sink& sink, std::uint64_t candidates) const {
        if ((candidates & high_) != 0) candidates &= high_;
        for (int offset = 1; offset <= sources; ++offset) {
            const int s = (sink.last_winner + offset) % sources;
            if ((candidates >> s & 1U) == 0) continue;
            sink.last_winner = s;
            break;
        }
        return sink.last_winner;
    }

    void start(int k, int s, std::uint32_t need) {
        Sink& sink = sink_[static_cast<std::size_t>(k)];
        Source& source = source_[static_cast<std::size_t>(s)];
        const int v = free_channel(k, need, source.packets.front().channels);
        sink.credits[static_cast<std::size_t>(v)] -= need;
        sink.channel[static_cast<std::size_t>(v)] = {true, s, source.flits.begin(),
                                                     source.packets.front().length};
        source.grant |= 1U << k;
        move(k, v);
    }

    void move(int k, int v) {
        Holder& holder = sink_[static_cast<std::size_t>(k)].channel[static_cast<std::size_t>(v)];
        Source& source = source_[static_cast<std::size_t>(holder.source)];
        moves_.push_back({k, v, source.flits.at(holder.position++)});
        source.moved = true;
        if (--holder.left > 0) return;
        holder.held = false;
        source.finish |= 1U << k;
    }

    /// What the sinks did with a source's first packet.
    void settle(int s) {
        Source& source = source_[static_cast<std::size_t>(s)];
        freed_[static_cast<std::size_t>(s)] = 0;
        if (!source.moved) return;
        const Packet packet = source.packets.front();
        source.granted |= source.grant;
        source.finished |= source.finish;
        const bool done = source.finish != 0 && source.finished == packet.route;
        const bool single = (packet.route & (packet.route - 1)) == 0;
        const std::uint32_t freed = single ? 1 : done ? packet.length : 0;
        source.flits.pop(freed);
        freed_[static_cast<std::size_t>(s)] = freed;
        if (done) {
            source.packets.pop();
            source.granted = source.finished = 0;
        }
        source.grant = source.finish = 0;
        source.moved = false;
    }

    void credits_back(std::uint64_t popped) {
        if (!enable_) {
            for (int k = 0; k < sinks; ++k)
                sink_[static_cast<std::size_t>(k)].credits.fill(k < Ports ? vc_depth_ : reception_depth_);
            return;
        }
        const auto& credits = credit_i.read();
        for (int k = 0; k < Ports; ++k)
            for (int v = 0; v < Vcs; ++v)
                give(
                    k, v,
                    static_cast<std::uint32_t>(get_bits(credits, (k * Vcs + v) * amount_width, amount_width)),
                    vc_depth_);
        for (int r = 0; r < Receptions; ++r) give(Ports + r, 0, popped >> r & 1U, reception_depth_);
    }

    void give(int k, int v, std::uint32_t amount, std::uint32_t depth) {
        std::uint32_t& credits = sink_[static_cast<std::size_t>(k)].credits[static_cast<std::size_t>(v)];
        credits += amount;
        if (credits > depth) status_ |= credit_error;
    }

    void arrivals() {
        for (std::uint64_t valid = link_valid_i.read(); valid != 0; valid &= valid - 1) {
            const int p = __builtin_ctzll(valid);
            const int v = static_cast<int>(get_bits(link_vc_i.read(), p * vc_width, vc_width));
            const Flit flit = flit_at(link_flit_i.read(), p);
            if (v >= Vcs)
                status_ |= overflow;
            else
                push(p * Vcs + v, p, flit, vc_depth_);
        }
        for (std::uint64_t valid = inj_valid_i.read(); valid != 0; valid &= valid - 1) {
            const int i = __builtin_ctzll(valid);
            push(link_sources + i, -1, flit_at(inj_flit_i.read(), i), injection_depth_);
        }
    }

    void push(int s, int port, const Flit& flit, std::uint32_t depth) {
        Source& source = source_[static_cast<std::size_t>(s)];
        // `settle` has freed what left in this cycle; the queue must have had room before it did.
        if (source.flits.size() + freed_[static_cast<std::size_t>(s)] >= depth) status_ |= overflow;
        const std::uint64_t header = flit.word[0];
        const auto length = static_cast<std::uint32_t>(header >> 4U & 63U) + 1;
        if (flit.head != (source.arriving == 0)) status_ |= malformed;
        source.arriving = (flit.head ? length : source.arriving) - 1;
        if (flit.tail != (source.arriving == 0)) status_ |= malformed;
        source.flits.push(flit);
        if (!flit.head) return;
        if (checksum(header) != 0xa5 || (header & 3U) == 2 || ((header & 3U) == 3 && (routing_ & 1U) == 0) ||
            header >> 62U != 0)
            status_ |= malformed;
        std::uint32_t channels = ~0U;
        const std::uint32_t sinks_of_packet = route(port, header, channels);
        source.packets.push({sinks_of_packet, length, (header >> 2U & 1U) != 0, channels});
    }

    std::uint32_t route(int port, std::uint64_t header, std::uint32_t& channels) {
        const auto slot = static_cast<std::uint32_t>(header >> 10U & 0xfffU);
        const bool table = (header & 3U) == 1;
        const std::uint32_t entry = table ? table_[slot % slots] : 0;
        std::uint32_t links = 0;
        bool local = port >= 0;
        if (table) {
            links = entry & ones_below(Ports);
            local = local && (entry >> Ports & 1U) != 0;
        } else if ((header & 3U) == 3) {
            links = dimension_order(static_cast<std::uint32_t>(header >> 22U), channels);
            local = local && links == 0;
        } else if (port < 0) {
            links = slot;
        }
        if ((links & ~ports_) != 0 || (links == 0 && !local)) status_ |= misrouted;
        links &= ones_below(Ports);
        return local ? links | 1U << (Ports + reception_queue(port, header)) : links;
    }

    /// The port of the longest hop that does not overshoot in the first dimension with a way to go; 0 on
    /// arrival.
    std::uint32_t dimension_order(std::uint32_t destination, std::uint32_t& channels) const {
        channels = classes_ >> 4U;
        int d = 0;
        while (d < dimensions && target_of(destination, d) == here_[static_cast<std::size_t>(d)]) ++d;
        if (d == dimensions) return 0;
        const int target = target_of(destination, d);
        const int here = here_[static_cast<std::size_t>(d)];
        int way = target - here;  // negative towards smaller coordinates
        if ((routing_ & 2U) != 0) {
            const int size = size_[static_cast<std::size_t>(d)];
            const int up = way < 0 ? way + size : way;
            way = 2 * up > size ? up - size : up;
            const bool wraps = here + way < 0 || here + way >= size;
            if (wraps) channels = classes_ & 15U;
        }
        int best = -1;
        std::uint32_t longest = 0;
        for (int p = 0; p < Ports; ++p) {
            const std::uint32_t hop = hop_[static_cast<std::size_t>(p)];
            const std::uint32_t length = hop & 0xffffU;
            if ((ports_ >> p & 1U) == 0 || static_cast<int>(hop >> 16U & 7U) != d ||
                (hop >> 19U & 1U) != (way < 0 ? 1U : 0U) ||
                length > static_cast<std::uint32_t>(way < 0 ? -way : way) || length <= longest)
                continue;
            longest = length;
            best = p;
        }
        return best < 0 ? 0 : 1U << best;
    }

    static int target_of(std::uint32_t destination, int d) {
        return static_cast<int>(get_bits(destination, d * field_width, field_width));
    }

    int reception_queue(int port, std::uint64_t header) const {
        if ((receptions_ & 1U) == 0) return 0;
        const bool apart = (receptions_ & 2U) != 0;
        int queue = apart && (header >> 2U & 1U) != 0 ? Ports : port;
        if ((receptions_ & 4U) != 0 && (header >> 3U & 1U) != 0) queue += Ports + (apart ? 1 : 0);
        return queue;
    }

    void receptions(std::uint64_t popped) {
        for (; popped != 0; popped &= popped - 1)
            reception_[static_cast<std::size_t>(__builtin_ctzll(popped))].pop();
        for (const Move& m : moves_)
            if (m.sink >= Ports) reception_[static_cast<std::size_t>(m.sink - Ports)].push(m.flit);
    }

    void configure() {
        if (!cfg_valid_i.read()) return;
        const std::uint32_t address = cfg_addr_i.read();
        const std::uint32_t data = cfg_data_i.read();
        if ((address & 0x1000U) != 0) table_[address % slots] = data & ones_below(Ports + 1);
        switch (address) {
            case 0:
                enable_ = (data & 1U) != 0;
                break;
            case 1:
                switching_ = data & 3U;
                break;
            case 2:
                vcs_ = data & ones_below(Vcs);
                break;
            case 3:
                vc_depth_ = data & 1023U;
                break;
            case 4:
                reception_depth_ = data & 1023U;
                break;
            case 5:
                ports_ = data & ones_below(Ports);
                break;
            case 6:
                receptions_ = data & 7U;
                break;
            case 7:
                injection_depth_ = data & 1023U;
                break;
            case 8:
                routing_ = data & 3U;
                break;
            case 9:
                classes_ = data & 255U;
                break;
            default:
                break;
        }
        if (address >= 0x10 && address < 0x10 + dimensions) {
            here_[address - 0x10] = static_cast<int>(data & 0xffffU);
            size_[address - 0x10] = static_cast<int>(data >> 16U);
        }
        if (address >= 0x20 && address < 0x20 + Ports) hop_[address - 0x20] = data & 0xfffffU;
    }

    /// The output pins of the next cycle. What is quiet and was quiet is not written.
    void show() {
        PinType<Ports> valid{};
        PinType<Ports * vc_width> vc{};
        PinType<Ports * flit_width> flits{};
        still_ = true;
        for (const Move& m : moves_) {
            still_ = false;
            if (m.sink >= Ports) continue;
            set_bits(valid, m.sink, 1, 1);
            set_bits(vc, m.sink * vc_width, vc_width, static_cast<std::uint64_t>(m.vc));
            put_flit(flits, m.sink, m.flit);
        }
        if (valid != 0 || links_shown_) {
            link_valid_o.write(valid);
            link_vc_o.write(vc);
            link_flit_o.write(flits);
        }
        links_shown_ = valid != 0;
        show_freed();
        show_receptions();
        status_o.write(status_);
        for (const Source& source : source_) still_ = still_ && source.packets.size() == 0;
        still_ = still_ && !links_shown_ && !freed_shown_;
    }

    void show_freed() {
        PinType<Ports * Vcs * amount_width> links{};
        PinType<Injections * amount_width> injections{};
        bool any = false;
        for (int s = 0; s < sources; ++s) {
            const std::uint32_t freed = freed_[static_cast<std::size_t>(s)];
            if (freed == 0) continue;
            any = true;
            if (s < link_sources)
                set_bits(links, s * amount_width, amount_width, freed);
            else
                set_bits(injections, (s - link_sources) * amount_width, amount_width, freed);
        }
        if (any || freed_shown_) {
            credit_o.write(links);
            inj_credit_o.write(injections);
        }
        freed_shown_ = any;
    }

    void show_receptions() {
        PinType<Receptions> valid{};
        PinType<Receptions * flit_width> flits{};
        std::uint64_t shown = 0;
        for (int r = 0; r < Receptions; ++r) {
            const auto& queue = reception_[static_cast<std::size_t>(r)];
            if (queue.size() == 0) continue;
            shown |= std::uint64_t{1} << r;
            set_bits(valid, r, 1, 1);
            put_flit(flits, r, queue.front());
        }
        if (shown != 0 || rx_shown_ != 0) {
            rx_valid_o.write(valid);
            rx_flit_o.write(flits);
        }
        rx_shown_ = shown;
    }

    void reset() {
        enable_ = false;
        switching_ = vcs_ = vc_depth_ = reception_depth_ = injection_depth_ = ports_ = receptions_ =
            routing_ = classes_ = status_ = 0;
        here_.fill(0);
        size_.fill(0);
        hop_.fill(0);
        source_ = {};
        sink_ = {};
        for (auto& queue : reception_) queue.clear();
        freed_.fill(0);
        moves_.clear();
        rx_shown_ = 1;  // so that every output is written once
        links_shown_ = freed_shown_ = true;
        show();
    }

    template <class Value>
    static Flit flit_at(const Value& value, int i) {
        Flit flit;
        for (int w = 0; w < flit_words; ++w)
            flit.word[static_cast<std::size_t>(w)] = get_bits(value, i * flit_width + 64 * w, 64);
        flit.head = get_bits(value, i * flit_width + 64 * flit_words, 1) != 0;
        flit.tail = get_bits(value, i * flit_width + 64 * flit_words + 1, 1) != 0;
        return flit;
    }

    template <class Value>
    static void put_flit(Value& value, int i, const Flit& flit) {
        for (int w = 0; w < flit_words; ++w)
            set_bits(value, i * flit_width + 64 * w, 64, flit.word[static_cast<std::size_t>(w)]);
        set_bits(value, i * flit_width + 64 * flit_words, 2, (flit.head ? 1U : 0U) | (flit.tail ? 2U : 0U));
    }

    static std::uint64_t checksum(std::uint64_t header) {
        std::uint64_t sum = header >> 54U & 0xffU;
        header &= ~(std::uint64_t{0xff} << 54U);
        for (; header != 0; header >>= 8U) sum ^= header & 0xffU;
        return sum;
    }

    static constexpr std::uint32_t ones_below(int bit) { return static_cast<std::uint32_t>(ones(bit)); }

    // Registers of the host.
    bool enable_ = false;
    std::uint32_t switching_ = 0, vcs_ = 0, vc_depth_ = 0, reception_depth_ = 0, injection_depth_ = 0,
                  ports_ = 0, receptions_ = 0, routing_ = 0, classes_ = 0;
    std::array<int, dimensions> here_{}, size_{};
    std::array<std::uint32_t, Ports> hop_{};
    std::vector<std::uint32_t> table_;

    std::array<Source, sources> source_;
    std::array<Sink, sinks> sink_;
    std::array<Queue<Flit>, Receptions> reception_;
    std::array<std::uint32_t, sources> freed_{};
    std::uint32_t status_ = 0;

    std::vector<Move> moves_;
    std::uint64_t high_ = 0;      // sources whose first packet is of high priority
    std::uint64_t rx_shown_ = 0;  // reception queues that the pins show
    bool links_shown_ = false, freed_shown_ = false, still_ = false;
};

}  // namespace interlace::systemc
