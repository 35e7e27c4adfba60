// Interlace: the input pins of one node at random, which keep the contract or do not
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "interlace/engine/fabric/registers.h"
#include "interlace/engine/pins/detail/pins.h"
#include "support/draw.h"

namespace interlace {

/// What a node is built with.
struct NodeSize {
    std::uint32_t ports, vcs, injections, receptions, depth;
    bool pipelined = false;
    std::uint32_t slots = built_slots;
    /// Of a flit on the pins, of 64 bits. Those beyond the second are functions of the first two, and where
    /// there is one the second is a function of it.
    std::uint32_t flit_words = 2;
    /// FixedConfig: its registers are those of an episode of this seed.
    std::optional<std::uint64_t> fixed = {};
    std::uint32_t dimensions() const { return std::max(1U, ports / 2); }
};

struct InputPins {
    bool rst_n = true, clk_en = true, cfg_valid = false, cfg_read = false;
    std::uint32_t cfg_addr = 0, cfg_data = 0;
    std::uint32_t link_valid = 0, inj_valid = 0, ready = 0;
    std::vector<std::uint32_t> link_vc;        // [port]
    std::vector<RawFlit> link_flit, inj_flit;  // [port], [queue]
    std::vector<std::uint32_t> credit;         // [port * vcs + channel]
};

struct OutputPins {
    std::uint32_t link_valid = 0, rx_valid = 0, stall = 0, status = 0, cfg_data = 0;
    std::vector<std::uint32_t> link_vc, credit, inj_credit, rx_count;
    std::vector<RawFlit> link_flit, rx_flit;
};

/// Registers that an episode uses beyond those that it configures.
namespace address {
enum : std::uint32_t {
    status = 12,
    quiesce = 13,
    idle = 14,
    dimension = 0x10,
    port = 0x20,
    identification = 0x30,
    counters = 0x40
};
}

/// An episode: reset, registers, then traffic. One in three has errors on its pins from some cycle on, and
/// one in three is wild: its registers and headers are any, whatever they ask of the node.
class RandomPins {
  public:
    static constexpr std::uint32_t slots = 32;  // of the table that are used: slot_at; the last has no way

    RandomPins(const NodeSize& size, std::uint64_t seed)
        : size_(size),
          draw_(seed),
          onward_(size.fixed.value_or(seed) % 4 == 1),
          resets_(1 + draw_(3)),
          idle_(draw_(3)),
          cycles_(draw_.one_in(64) ? 5000 : 200 + draw_(600)),
          error_(draw_.one_in(3) ? draw_(cycles_) : UINT32_MAX),
          wild_(draw_.one_in(3)),
          stops_(draw_.one_in(4)),
          served_(draw_.one_in(4)),
          junk_(draw_.one_in(4)),
          lazy_(draw_.one_in(6)) {
        if (size.fixed)
            fix_registers();
        else
            draw_registers();
        in_.resize(size.ports * size.vcs);
        for (Writer& writer : in_) writer.room = vc_depth_;
        inj_.resize(size.injections);
        for (Writer& writer : inj_) writer.room = injection_depth_;
        owed_.resize(size.ports * size.vcs);
    }

    bool over() const { return cycle_ >= cycles_; }
    /// Registers are still to be written.
    bool configures() const { return !writes_.empty(); }
    /// [address, value] of what is written from here on: the last value counts, and comes first.
    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& writes() const { return writes_; }

    /// What the input pins show in a cycle in which the output pins show `shown`.
    InputPins next(const OutputPins& shown) {
        InputPins pins;
        pins.link_vc.resize(size_.ports);
        pins.link_flit.resize(size_.ports);
        pins.inj_flit.resize(size_.injections);
        pins.credit.resize(size_.ports * size_.vcs);
        if (resets_ == 0 && stops_ && draw_.one_in(8)) {
            noise(pins);
            pins.clk_en = false;
            return pins;
        }
        if (resets_ > 0) {
            --resets_;
            pins.rst_n = false;
            noise(pins);
            pins.clk_en = draw_.one_in(2);
        } else if (!writes_.empty()) {
            if (early_ && draw_.one_in(8)) come_early(pins);
            if (draw_.one_in(8)) return look(pins);
            pins.cfg_valid = true;
            std::tie(pins.cfg_addr, pins.cfg_data) = writes_.back();
            writes_.pop_back();
            pins.cfg_read = pins.cfg_addr < 0x1000 && draw_.one_in(4);
        } else if (idle_ > 0) {
            --idle_;
        } else {
            run(shown, pins);
            ++cycle_;
            if (!pins.cfg_valid && draw_.one_in(8)) look(pins);
            if (served_ && draw_.one_in(16)) serve(pins);
            if (junk_) add_junk(pins);
        }
        return pins;
    }

  private:
    /// A queue that someone writes: a channel, or an injection queue.
    struct Writer {
        Packet packet;
        std::uint32_t next = 0, length = 0;  // of its flits; length 0: between packets
        std::uint32_t room = 0;
    };

    /// A pipelined node has none.
    bool wormhole() const { return switching_ == 2 && !size_.pipelined; }

    void write(std::uint32_t address, std::uint32_t data) { writes_.emplace_back(address, data); }

    /// Those of another episode, which is neither wild nor lazy.
    void fix_registers() {
        const Draw own = std::exchange(draw_, Draw(*size_.fixed));
        const bool wild = std::exchange(wild_, false);
        const bool lazy = std::exchange(lazy_, false);
        draw_registers();
        draw_ = own;
        wild_ = wild;
        lazy_ = lazy;
    }

    /// Where the table's entry i is: every bit of the address counts.
    std::uint32_t slot_at(std::uint32_t i) const { return i * (slots + 1) % size_.slots; }

    /// The last first: writes_ is read from its end.
    void draw_registers() {
        const std::uint32_t all_ports = (1U << size_.ports) - 1;
        switching_ = draw_(3);
        vcs_ = draw_.subset((1U << size_.vcs) - 1);
        adaptive_ = !wormhole() && (vcs_ & (vcs_ - 1)) != 0 && draw_.one_in(2);
        longest_ = 1 + draw_(draw_.one_in(4) ? 64 : 8);
        slot_ = longest_ + draw_(4);
        const auto depth = [&](std::uint32_t least) {
            return std::min(size_.depth,
                            least + (draw_.one_in(3) ? 0 : draw_(draw_.one_in(4) ? size_.depth : 20)));
        };
        if (2 * slot_ > size_.depth) adaptive_ = false;
        longest_ = std::min(longest_, size_.depth);
        if (size_.pipelined && !adaptive_) slot_ = longest_;
        vc_depth_ = depth(wormhole() ? 1 : adaptive_ ? 2 * slot_ : longest_);
        injection_depth_ = depth(draw_.one_in(4) ? 1 : longest_);
        coordinates_ = adaptive_ || !draw_.one_in(3);
        ports_ = coordinates_ ? all_ports : draw_.subset(all_ports);
        ring_ = draw_.one_in(2);
        escape_ = adaptive_ ? draw_.one_bit(vcs_) : 0;
        dynamic_ = adaptive_ ? draw_.subset(vcs_ & ~escape_) : 0;
        priority_ = adaptive_ && draw_.one_in(2) ? draw_.subset(vcs_ & ~escape_ & ~dynamic_) : 0;
        priority_ &= ~(priority_ - 1);  // one channel
        by_coordinates_ = adaptive_ && draw_.one_in(2);
        rate_ = draw_.one_in(2) ? 1 : 1 + draw_(draw_.one_in(8) ? 255 : 4);
        early_ = draw_.one_in(4) && error_ != UINT32_MAX;
        write(0, 1);  // the last: enable
        write_at_random();
        write_table();
        for (auto& [address, data] : writes_)  // bits beyond the fields are ignored
            if (address != 0 && address < 0x10 && draw_.one_in(4)) data |= beyond(address);
    }

    void write_at_random() {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> scalars = {
            {1, switching_},
            {2, vcs_},
            {3, vc_depth_},
            {4, std::min(size_.depth, (wormhole()        ? 1
                                       : size_.pipelined ? slot_
                                                         : longest_) +
                                          draw_(lazy_ && draw_.one_in(2) ? size_.depth : 20))},
            {5, ports_},
            {6, layout()},
            {7, injection_depth_},
            {8, (coordinates_ ? 1U : 0U) | (ring_ ? 2U : 0U) | (adaptive_ ? 4U : 0U) |
                    (by_coordinates_ ? 8U : 0U) | (onward_ ? 16U : 0U)},
            {9, draw_.subset(vcs_) | draw_.subset(vcs_) << 4U},
            {10, rate_},
            {11, (adaptive_ ? dynamic_ | escape_ << 4U | priority_ << 16U : 0) |
                     (adaptive_ || size_.pipelined ? slot_ << 8U : 0) | policies()}};
        write_coordinates(scalars);
        if (wild_) spoil(scalars);
        while (!scalars.empty()) {
            const auto i = draw_(static_cast<std::uint32_t>(scalars.size()));
            writes_.push_back(scalars[i]);
            if (draw_.one_in(10)) write(scalars[i].first, static_cast<std::uint32_t>(draw_.bits()));  // first
            if (draw_.one_in(10)) write(nowhere(), static_cast<std::uint32_t>(draw_.bits()));
            scalars[i] = scalars.back();
            scalars.pop_back();
        }
    }

    /// Values that ask too much, or nothing that makes sense.
    void spoil(std::vector<std::pair<std::uint32_t, std::uint32_t>>& scalars) {
        for (auto& [address, data] : scalars) {
            if (draw_.one_in(2)) continue;
            data = static_cast<std::uint32_t>(draw_.bits());
            if (address == 3 || address == 4 || address == 7)
                data = draw_.one_in(2) ? data & 0xffffU : draw_(12);
            if (address >= 0x10 && draw_.one_in(2)) data &= 0x00070007U;
            if (address == 8) data |= 1;
        }
    }

    /// Whether a register is there, or the table.
    bool exists(std::uint32_t address) const {
        return address <= 14 || (address >= 0x10 && address < 0x10 + size_.dimensions()) ||
               (address >= 0x20 && address < 0x20 + size_.ports) ||
               (address >= address::identification && address < address::identification + 3) ||
               (address >= address::counters && address < address::counters + 4 * size_.ports) ||
               (address >= 0x1000 && address < 0x1000 + size_.slots);
    }

    /// An address that something has, or could have: each of the node's ranges is as likely.
    std::uint32_t somewhere() {
        const std::uint32_t some[] = {draw_(16),
                                      0x10 + draw_(6),
                                      0x20 + draw_(12),
                                      address::identification + draw_(4),
                                      address::counters + draw_(4 * size_.ports + 2),
                                      0x1000 + slot_at(draw_(slots))};
        return some[draw_(6)];
    }

    /// An address without a register: often by one bit.
    std::uint32_t nowhere() {
        const std::uint32_t any = draw_.one_in(4) ? draw_(0x10000) : somewhere() ^ 1U << draw_(16);
        return exists(any) ? 15 : any;
    }

    /// Choice by credits, service by fullness or distance, one winner of so many by round robin.
    std::uint32_t policies() {
        const std::uint32_t every = draw_.one_in(3) ? 0 : draw_(draw_.one_in(8) ? 256 : 6);
        const std::uint32_t policy = draw_(16);
        return (policy % 4) << 20U | (policy / 8) << 22U | every << 24U;
    }

    /// Bits that register `address` does not have.
    std::uint32_t beyond(std::uint32_t address) {
        const std::uint32_t width = address == 1                    ? 2
                                    : address == 2                  ? size_.vcs
                                    : address == 5                  ? size_.ports
                                    : address == 6                  ? 3
                                    : address == 8                  ? 5
                                    : address == 9 || address == 10 ? 8
                                                                    : 32;
        if (address == 11) return static_cast<std::uint32_t>(draw_.bits()) & 0x808000U;
        return width >= 32 ? 0 : static_cast<std::uint32_t>(draw_.bits()) << width;
    }

    std::uint32_t layout() {
        std::vector<std::uint32_t> fitting = {0, 2, 4, 6};
        const std::uint32_t p = size_.ports;
        for (const auto& [layout, queues] : {std::pair{1U, p}, {3U, p + 1}, {5U, 2 * p}, {7U, 2 * (p + 1)}})
            if (queues <= size_.receptions) fitting.push_back(layout), fitting.push_back(layout);
        return fitting[draw_(static_cast<std::uint32_t>(fitting.size()))];
    }

    /// Every dimension has both ways by hops of one; or the first has the ports of them all, for long hops.
    void write_coordinates(std::vector<std::pair<std::uint32_t, std::uint32_t>>& scalars) {
        const std::uint32_t d = size_.dimensions();
        const std::uint32_t most = std::min(65'535U, (1U << std::min(16U, 32 / d)) - 1);
        one_dimension_ = size_.ports < 2 * d || draw_.one_in(3);
        for (std::uint32_t i = 0; i < d; ++i) {
            sizes_.push_back(2 + draw_(draw_.one_in(4) ? most - 1 : 6));
            here_.push_back(draw_(sizes_[i]));
            scalars.emplace_back(0x10 + i, here_[i] | sizes_[i] << 16U);
        }
        const std::uint32_t turn = draw_(size_.ports);
        hops_.resize(size_.ports);
        for (std::uint32_t i = 0; i < size_.ports; ++i) {
            const std::uint32_t longer = draw_.one_in(4)   ? 1U << draw_(16)
                                         : draw_.one_in(3) ? 1 + draw_(sizes_[0])
                                                           : 1 + draw_(4);
            const std::uint32_t length = one_dimension_ && i >= 2 ? longer : 1;
            const std::uint32_t p = (i + turn) % size_.ports;
            hops_[p] = length | (one_dimension_ ? 0 : i / 2 % d) << 16U | i % 2 << 19U;
            scalars.emplace_back(0x20 + p, hops_[p]);
        }
    }

    void write_table() {
        for (std::uint32_t slot = 0; slot < slots; ++slot) {
            std::uint32_t entry = wormhole() ? draw_.one_bit(ports_) : draw_.subset(ports_);
            if (!wormhole() && draw_.one_in(2)) entry |= 1U << size_.ports;
            if (wild_) entry = static_cast<std::uint32_t>(draw_.bits());
            if (slot == slots - 1) entry = 0;
            const std::uint32_t usable = adaptive_ ? dynamic_ : vcs_;
            if (draw_.one_in(2)) entry |= draw_.subset(wild_ ? 15U : usable) << 16U;
            write(0x1000 + slot_at(slot), entry | static_cast<std::uint32_t>(draw_.bits()) << 20U);
            table_.push_back(entry);
        }
    }

    /// A register is read, or what is none. Of the table what has been written: the rest is older than the
    /// reset.
    InputPins& look(InputPins& pins) {
        pins.cfg_read = true;
        pins.cfg_addr = draw_.one_in(4)   ? nowhere()
                        : draw_.one_in(4) ? address::counters + draw_(4 * size_.ports)
                                          : somewhere();
        if (pins.cfg_addr >= 0x1000 && exists(pins.cfg_addr) && !writes_.empty()) pins.cfg_addr = 0;
        return pins;
    }

    /// What can be written while the node runs: errors that are cleared, ports that start nothing for a
    /// while.
    void serve(InputPins& pins) {
        pins.cfg_valid = true;
        pins.cfg_addr = draw_.one_in(2) ? address::status : address::quiesce;
        pins.cfg_data = static_cast<std::uint32_t>(draw_.bits());
        if (pins.cfg_addr == address::quiesce && draw_.one_in(2)) pins.cfg_data = 0;
        if (pins.cfg_addr == address::status && draw_.one_in(2)) pins.cfg_data = 1U << draw_(6);
    }

    /// Pins in a cycle of reset, or in none, which ignore them.
    void noise(InputPins& pins) {
        pins.cfg_valid = draw_.one_in(2);
        pins.cfg_read = draw_.one_in(2);
        pins.cfg_addr = draw_(0x40);
        pins.cfg_data = static_cast<std::uint32_t>(draw_.bits());
        pins.link_valid = draw_(1U << size_.ports);
        pins.inj_valid = draw_(1U << size_.injections);
        for (auto* flits : {&pins.link_flit, &pins.inj_flit})
            for (RawFlit& flit : *flits) flit = {{draw_.bits(), draw_.bits()}, draw_(4)};
        for (std::uint32_t& credit : pins.credit) credit = draw_(128);
    }

    /// While the node is not enabled: much, or one flit or credit.
    void come_early(InputPins& pins) {
        noise(pins);
        pins.cfg_valid = false;
        if (draw_.one_in(2)) return;
        const std::uint32_t what = draw_(3);
        pins.link_valid = what == 0 ? draw_.one_bit((1U << size_.ports) - 1) : 0;
        pins.inj_valid = what == 1 ? draw_.one_bit((1U << size_.injections) - 1) : 0;
        const std::uint32_t credit = draw_(static_cast<std::uint32_t>(pins.credit.size()));
        for (std::uint32_t i = 0; i < pins.credit.size(); ++i)
            pins.credit[i] = what == 2 && i == credit ? 1U << draw_(7) : 0;
    }

    /// Data beside a `valid` that is 0.
    void add_junk(InputPins& pins) {
        const auto add = [&](std::uint32_t valid, std::vector<RawFlit>& flits) {
            for (std::uint32_t i = 0; i < flits.size(); ++i)
                if ((valid >> i & 1U) == 0)
                    flits[i] = {{make_packet(fields()).header, draw_.bits()}, draw_(4)};
        };
        add(pins.link_valid, pins.link_flit);
        add(pins.inj_valid, pins.inj_flit);
        for (std::uint32_t p = 0; p < size_.ports; ++p)
            if ((pins.link_valid >> p & 1U) == 0) pins.link_vc[p] = draw_(4);
        if (pins.cfg_valid) return;
        pins.cfg_data = static_cast<std::uint32_t>(draw_.bits());
        if (!pins.cfg_read) pins.cfg_addr = somewhere();
    }

    void run(const OutputPins& shown, InputPins& pins) {
        see(shown);
        pins.ready = static_cast<std::uint32_t>(draw_.one_in(4) ? draw_.bits() & draw_.bits()
                                                                : ~draw_.bits() | draw_.bits()) &
                     ((1U << size_.receptions) - 1);
        if (lazy_ && !draw_.one_in(16)) pins.ready = 0;
        for (std::uint32_t i = 0; i < owed_.size(); ++i) {
            const bool late = cycle_ + 100 >= cycles_ && !draw_.one_in(16);
            if (owed_[i] == 0 || late || draw_.one_in(2)) continue;
            pins.credit[i] = std::min(127U, 1 + draw_(owed_[i]));
            owed_[i] -= pins.credit[i];
        }
        for (std::uint32_t p = 0; p < size_.ports; ++p) write_link(p, pins);
        for (std::uint32_t i = 0; i < size_.injections; ++i) {
            if (draw_.one_in(3)) continue;
            if (inj_[i].length == 0) begin(inj_[i], draw_injected(), 1);
            if (inj_[i].length == 0 || inj_[i].room == 0) continue;
            --inj_[i].room;
            pins.inj_valid |= 1U << i;
            pins.inj_flit[i] = flit(inj_[i]);
        }
        if (cycle_ >= error_ && draw_.one_in(16)) spoil(pins);
    }

    /// What the node gives back, and what it sends.
    void see(const OutputPins& shown) {
        for (std::uint32_t i = 0; i < in_.size(); ++i) in_[i].room += shown.credit[i];
        for (std::uint32_t i = 0; i < inj_.size(); ++i) inj_[i].room += shown.inj_credit[i];
        for (std::uint32_t p = 0; p < size_.ports; ++p) {
            if ((shown.link_valid >> p & 1U) == 0) continue;
            const std::uint32_t vc = shown.link_vc[p];
            if (vc >= size_.vcs) continue;  // of a node that is not right
            const bool tail = (shown.link_flit[p].ends & 2U) != 0;
            owed_[p * size_.vcs + vc] += ((escape_ | priority_) >> vc & 1U) == 0 || wild_ ? 1
                                         : tail                                           ? slot_
                                                                                          : 0;
        }
    }

    void write_link(std::uint32_t p, InputPins& pins) {
        if ((ports_ >> p & 1U) == 0 || draw_.one_in(3)) return;
        const std::uint32_t vc = static_cast<std::uint32_t>(__builtin_ctz(draw_.one_bit(vcs_)));
        Writer& writer = in_[p * size_.vcs + vc];
        const bool escape = ((escape_ | priority_) >> vc & 1U) != 0;
        if (writer.length == 0) {
            const std::optional<Packet> packet = draw_arriving(p, escape);
            const std::uint32_t needs = !packet ? 0 : by_flit() ? 1 : escape ? slot_ : packet->length();
            begin(writer, packet, needs);
            if (writer.length == 0) return;
            if (!by_flit()) writer.room -= needs;
        }
        if (by_flit() && writer.room-- == 0) {
            ++writer.room;
            return;
        }
        pins.link_valid |= 1U << p;
        pins.link_vc[p] = vc;
        pins.link_flit[p] = flit(writer);
    }

    /// Neighbours ask for room flit by flit.
    bool by_flit() const { return wormhole() || wild_; }

    /// Not at the end of an episode, so that the node runs empty. The packet has crossed any number of links.
    void begin(Writer& writer, const std::optional<Packet>& packet, std::uint32_t needs) {
        const bool ends = cycle_ + 100 >= cycles_;
        if (ends || !packet || writer.room < needs) return;
        writer.packet = *packet;
        for (std::uint32_t links = draw_(4); links > 0; --links)
            writer.packet = after_another_link(writer.packet);
        writer.next = 0;
        writer.length = packet->length();
    }

    static RawFlit flit(Writer& writer) {
        const RawFlit flit = raw({writer.packet, static_cast<std::uint8_t>(writer.next)});
        if (++writer.next == writer.length) writer.length = 0;
        return flit;
    }

    PacketFields fields() {
        PacketFields f;
        f.high = draw_.one_in(4);
        f.group = draw_(2);
        f.length = 1 + draw_(longest_);
        f.source = static_cast<std::uint32_t>(draw_.bits());
        f.sequence = static_cast<std::uint32_t>(draw_.bits());
        f.destination = static_cast<std::uint32_t>(draw_.bits());
        f.slot = static_cast<std::uint32_t>(draw_.bits()) & 0xfffU;
        return f;
    }

    std::uint32_t field_bits() const { return std::min(16U, 32 / size_.dimensions()); }

    /// Coordinates, here in all dimensions where `arrived`.
    std::uint32_t destination(bool arrived) {
        std::uint32_t field = 0;
        for (std::uint32_t d = 0; d < size_.dimensions(); ++d) {
            const bool same = arrived || (one_dimension_ && d > 0) || draw_.one_in(4);
            field |= (same ? here_[d] : other_coordinate(d)) << d * field_bits();
        }
        return field;
    }

    /// Any of dimension d, or one that is a power of two, or about a hop, away.
    std::uint32_t other_coordinate(std::uint32_t d) {
        if (draw_.one_in(2)) return draw_(sizes_[d]);
        const std::uint32_t hop = (hops_[draw_(size_.ports)] & 0xffffU) + draw_(3) - 1;
        const std::uint32_t way = draw_.one_in(2) ? hop : 1U << draw_(field_bits());
        return (here_[d] + (draw_.one_in(2) ? way : sizes_[d] - way % sizes_[d])) % sizes_[d];
    }

    std::optional<Packet> draw_arriving(std::uint32_t p, bool escape) {
        PacketFields f = fields();
        const std::uint32_t kind = escape ? 3 : draw_(4);
        f.kind = static_cast<PacketKind>(kind);
        if (wild_) return draw_wild(f);
        if (kind == 1) f.slot = slot_at(draw_(slots - 1));
        if (kind >= 2 && !coordinates_) return {};
        if (kind == 2) {
            // A worm has one branch: it ends here.
            f.destination = destination(false);
            const std::uint32_t d = hops_[p] >> 16U & 7U;
            if (wormhole())
                f.destination = (f.destination & ~(((1U << field_bits() % 32) - 1) << d * field_bits())) |
                                here_[d] << d * field_bits();
        }
        if (kind == 3) f.destination = destination(draw_.one_in(3));
        if (kind == 3 && adaptive_) f.slot = by_coordinates_ ? draw_(0x1000) : slot_at(draw_(slots));
        return make_packet(f);
    }

    Packet draw_wild(PacketFields f) {
        if (draw_.one_in(2)) f.slot = slot_at(draw_(slots));
        if (draw_.one_in(2)) f.destination = destination(draw_.one_in(3));
        if (draw_.one_in(4)) f.length = 1 + draw_(64);
        return make_packet(f);
    }

    std::optional<Packet> draw_injected() {
        PacketFields f = fields();
        const std::uint32_t kind = draw_(4);
        f.kind = static_cast<PacketKind>(kind);
        if (wild_) return draw_wild(f);
        f.slot = wormhole() ? draw_.one_bit(ports_) : draw_.subset(ports_);
        if (kind == 1) f.slot = slot_at(draw_(slots - 1));
        if (kind >= 2 && !coordinates_) return {};
        if (kind == 3) {
            f.destination = destination(false);
            if (f.destination == destination(true)) return {};
            f.slot = adaptive_ && !by_coordinates_ ? slot_at(draw_(slots))
                                                   : static_cast<std::uint32_t>(draw_.bits()) & 0xfffU;
        }
        return make_packet(f);
    }

    /// One error on the pins (docs/node.md, section 8), if this cycle has room for it.
    void spoil(InputPins& pins) {
        const std::uint32_t p = draw_(size_.ports);
        const std::uint32_t i = draw_(size_.injections);
        const bool link = draw_.one_in(2);
        RawFlit& flit = link ? pins.link_flit[p] : pins.inj_flit[i];
        const bool shows = ((link ? pins.link_valid >> p : pins.inj_valid >> i) & 1U) != 0;
        const bool head = shows && (flit.ends & 1U) != 0;
        const auto replace = [&](PacketFields fields) {
            fields.length = Packet{flit.word[0], 0}.length();
            if (head) flit.word[0] = make_packet(fields).header;
        };
        switch (draw_(10)) {
            case 0:  // checksum or another bit of word 0
                if (head) flit.word[0] ^= std::uint64_t{1} << draw_(64);
                break;
            case 1:
                if (shows) flit.ends ^= 1 + draw_(3);
                break;
            case 2:  // a channel that is not there
                if (link && shows && size_.vcs < 4) pins.link_vc[p] = size_.vcs + draw_(4 - size_.vcs);
                break;
            case 3:
                pins.credit[draw_(static_cast<std::uint32_t>(owed_.size()))] += 1 + draw_(3);
                break;
            case 4:  // no way
                replace({.kind = PacketKind::table, .slot = slot_at(slots - 1)});
                break;
            case 5:  // a port without a link, or none
                if (!link) replace({.slot = ~ports_ & 0xfffU & static_cast<std::uint32_t>(draw_.bits())});
                break;
            case 6:  // coordinates, whether there are any or not
                replace({.kind = draw_.one_in(2) ? PacketKind::deposit : PacketKind::unicast,
                         .slot = 1,
                         .destination = static_cast<std::uint32_t>(draw_.bits())});
                break;
            case 7:  // a register, while the node is enabled
                pins.cfg_valid = true;
                pins.cfg_addr = draw_.one_in(3)   ? draw_(0x30)
                                : draw_.one_in(2) ? 0
                                                  : 0x1000 + slot_at(draw_(slots));
                pins.cfg_data = static_cast<std::uint32_t>(draw_.bits());
                break;
            case 8:  // a flit that is lost on its way
                (link ? pins.link_valid : pins.inj_valid) &= ~(1U << (link ? p : i));
                break;
            default:  // flits without room
                for (Writer& writer : link ? in_ : inj_) writer.room += size_.depth;
        }
    }

    NodeSize size_;
    Draw draw_;
    bool onward_;  // packets do not turn back
    std::uint32_t resets_, idle_, cycles_, error_;
    std::uint32_t cycle_ = 0;
    bool wild_;           // registers and headers of any value
    bool stops_;          // its clock is not enabled all the time
    bool served_;         // registers are written while it runs
    bool junk_;           // data where nothing is valid
    bool lazy_;           // hosts seldom read
    bool early_ = false;  // flits and credits come before the node is enabled

    std::vector<std::pair<std::uint32_t, std::uint32_t>> writes_;
    std::uint32_t switching_ = 0, vcs_ = 0, vc_depth_ = 0, injection_depth_ = 0, ports_ = 0, rate_ = 0;
    std::uint32_t longest_ = 0, slot_ = 0, escape_ = 0, dynamic_ = 0, priority_ = 0;
    bool adaptive_ = false, by_coordinates_ = false, coordinates_ = false, ring_ = false,
         one_dimension_ = false;
    std::vector<std::uint32_t> sizes_, here_, hops_, table_;

    std::vector<Writer> in_, inj_;
    std::vector<std::uint32_t> owed_;
};

/// Word w >= 2 of a flit on wide pins, and word 1 of one on narrow pins: 0 where there is no flit. It does
/// not depend on the bits of word 0 that nodes change, hops and their part of the checksum.
inline std::uint64_t further_word(const RawFlit& flit, std::uint32_t w) {
    const std::uint64_t word = w % 2 == 0 ? flit.word[0] & UINT64_MAX >> 4U : flit.word[1];
    return word * (0x9e3779b97f4a7c15 + 2 * std::uint64_t{w});
}

template <class Pin>
void set_flit_of(Pin& pin, std::uint32_t i, const RawFlit& flit, std::uint32_t words) {
    using detail::set, detail::set_flit;
    if (words == 2) return set_flit(pin, i, flit);
    const std::uint32_t low = i * (64 * words + 2);
    for (std::uint32_t half = 0; half < 2 * words; ++half) {
        const std::uint64_t word = half < 4 ? flit.word[half / 2] : further_word(flit, half / 2);
        set(pin, low + 32 * half, 32, word >> half % 2 * 32);
    }
    set(pin, low + 64 * words, 2, flit.ends);
}

/// A word that is not as it should be shows in the flit.
template <class Pin>
RawFlit get_flit_of(const Pin& pin, std::uint32_t i, std::uint32_t words) {
    using detail::get, detail::get_flit;
    if (words == 2) return get_flit(pin, i);
    const std::uint32_t low = i * (64 * words + 2);
    const auto word = [&](std::uint32_t w) {
        return get(pin, low + 64 * w, 32) | get(pin, low + 64 * w + 32, 32) << 32U;
    };
    RawFlit flit{{word(0), 0}, static_cast<std::uint32_t>(get(pin, low + 64 * words, 2))};
    flit.word[1] = words == 1 ? further_word(flit, 2) : word(1);
    for (std::uint32_t w = 2; w < words; ++w)
        if (word(w) != further_word(flit, w)) flit.word[0] = ~flit.word[0];
    return flit;
}

/// Shows pins to a model of Verilator or SystemC with the members of il_node, and reads them. `words`: of its
/// flits.
template <class Model>
void drive(Model& model, const NodeSize& size, const InputPins& pins, std::uint32_t words = 2) {
    using detail::set, detail::set_flit;
    set(model.rst_ni, 0, 1, pins.rst_n ? 1 : 0);
    set(model.clk_en_i, 0, 1, pins.clk_en ? 1 : 0);
    set(model.cfg_valid_i, 0, 1, pins.cfg_valid ? 1 : 0);
    set(model.cfg_read_i, 0, 1, pins.cfg_read ? 1 : 0);
    set(model.cfg_addr_i, 0, 16, pins.cfg_addr);
    set(model.cfg_data_i, 0, 32, pins.cfg_data);
    set(model.link_valid_i, 0, size.ports, pins.link_valid);
    set(model.inj_valid_i, 0, size.injections, pins.inj_valid);
    set(model.rx_ready_i, 0, size.receptions, pins.ready);
    for (std::uint32_t p = 0; p < size.ports; ++p) {
        set(model.link_vc_i, p * detail::vc_bits, detail::vc_bits, pins.link_vc[p]);
        set_flit_of(model.link_flit_i, p, pins.link_flit[p], words);
    }
    for (std::uint32_t i = 0; i < size.injections; ++i)
        set_flit_of(model.inj_flit_i, i, pins.inj_flit[i], words);
    for (std::uint32_t i = 0; i < pins.credit.size(); ++i)
        set(model.credit_i, i * detail::amount_bits, detail::amount_bits, pins.credit[i]);
}

template <class Model>
OutputPins shown_by(const Model& model, const NodeSize& size, std::uint32_t words = 2) {
    using detail::get, detail::get_flit;
    OutputPins pins;
    const auto word = [](const auto& pin, std::uint32_t i, std::uint32_t width) {
        return static_cast<std::uint32_t>(get(pin, i * width, width));
    };
    pins.link_valid = word(model.link_valid_o, 0, size.ports);
    pins.rx_valid = word(model.rx_valid_o, 0, size.receptions);
    pins.stall = word(model.stall_o, 0, size.ports + size.receptions);
    pins.status = word(model.status_o, 0, detail::status_bits);
    pins.cfg_data = word(model.cfg_data_o, 0, 32);
    for (std::uint32_t p = 0; p < size.ports; ++p) {
        pins.link_vc.push_back(word(model.link_vc_o, p, detail::vc_bits));
        pins.link_flit.push_back(get_flit_of(model.link_flit_o, p, words));
    }
    for (std::uint32_t i = 0; i < size.ports * size.vcs; ++i)
        pins.credit.push_back(word(model.credit_o, i, detail::amount_bits));
    for (std::uint32_t i = 0; i < size.injections; ++i)
        pins.inj_credit.push_back(word(model.inj_credit_o, i, detail::amount_bits));
    for (std::uint32_t r = 0; r < size.receptions; ++r) {
        pins.rx_count.push_back(word(model.rx_count_o, r, detail::count_bits));
        pins.rx_flit.push_back(get_flit_of(model.rx_flit_o, r, words));
    }
    return pins;
}

/// The first output pin that two nodes show differently, empty: none.
inline std::string difference(const OutputPins& one, const OutputPins& other) {
    const auto of = [](const char* pin, const auto& a, const auto& b) {
        return a == b ? std::string{} : std::string{pin};
    };
    for (const std::string& pin :
         {of("status_o", one.status, other.status), of("cfg_data_o", one.cfg_data, other.cfg_data),
          of("link_valid_o", one.link_valid, other.link_valid), of("link_vc_o", one.link_vc, other.link_vc),
          of("link_flit_o", one.link_flit, other.link_flit), of("credit_o", one.credit, other.credit),
          of("inj_credit_o", one.inj_credit, other.inj_credit),
          of("rx_valid_o", one.rx_valid, other.rx_valid), of("rx_count_o", one.rx_count, other.rx_count),
          of("rx_flit_o", one.rx_flit, other.rx_flit), of("stall_o", one.stall, other.stall)})
        if (!pin.empty()) return pin;
    return {};
}

/// Flits, packets and stalls of the links since reset, by what their pins have shown.
class Tally {
  public:
    explicit Tally(std::uint32_t ports) : flits_(ports), heads_(ports), stalls_(ports) {}

    /// What a node shows after a cycle; empty, or what is wrong in it.
    std::string see(const InputPins& in, const OutputPins& before, const OutputPins& shown) {
        if (in.rst_n && !in.clk_en) return difference(before, shown).empty() ? "" : "a pin, without a clock";
        const std::string wrong = in.rst_n && in.cfg_read ? check(in.cfg_addr, shown.cfg_data) : "";
        for (std::uint32_t p = 0; p < flits_.size(); ++p) {
            flits_[p] = in.rst_n ? flits_[p] + (before.link_valid >> p & 1U) : 0;
            stalls_[p] = in.rst_n ? stalls_[p] + (before.stall >> p & 1U) : 0;
            heads_[p] = in.rst_n ? heads_[p] + (before.link_flit[p].ends & 1U) : 0;
        }
        return wrong;
    }

  private:
    std::string check(std::uint32_t address, std::uint32_t data) const {
        const std::uint32_t port = (address - address::counters) / 4;
        if (address < address::counters || port >= flits_.size()) return {};
        if (address % 4 == 0 && data != flits_[port]) return "the counter of flits";
        if (address % 4 == 1 && data != heads_[port]) return "the counter of packets";
        if (address % 4 == 2 && data != stalls_[port]) return "the counter of stalls";
        return {};
    }

    std::vector<std::uint32_t> flits_, heads_, stalls_;
};

inline void narrow(InputPins& pins) {
    for (auto* flits : {&pins.link_flit, &pins.inj_flit})
        for (RawFlit& flit : *flits) flit.word[1] = further_word(flit, 2);
}

/// What `shown` would be of a node like `other`, with flits of two words and registers that are written. What
/// is shown of what the node has been built with must say so; constants need not be written to be read, and
/// channels have their depth sooner. `read`: the register that is shown.
inline OutputPins as_other(OutputPins shown, const OutputPins& other, const NodeSize& size,
                           std::optional<std::uint32_t> read, bool configures) {
    if (read == address::identification + 1) shown.cfg_data ^= (size.flit_words ^ 2U) << 24U;
    if (!size.fixed) return shown;
    if (read == address::identification + 2) shown.cfg_data ^= 1U << 16U;
    const bool depends = (read >= 1U && read <= 11U) ||
                         (read >= address::dimension && read < address::port + size.ports) ||
                         read == address::idle;
    if (configures && depends) shown.cfg_data = other.cfg_data;
    return shown;
}

/// The first cycle of an episode in which two nodes show different pins, or one something else than what
/// it should. `One`, `Other`: pins() and clock().
struct Episode {
    std::uint64_t cycles = 0, flits = 0;
    std::uint32_t status = 0;  // at its end
    std::string differs;       ///< the first pin that does
};

template <class One, class Other>
Episode run_episode(One& one, Other& other, const NodeSize& size, std::uint64_t seed) {
    RandomPins pins(size, seed);
    Episode episode;
    OutputPins shown = shown_by(one.pins(), size, size.flit_words);
    Tally tally(size.ports);
    bool reset = false;  // before, pins say nothing
    std::optional<std::uint32_t> read;
    while (!reset || !pins.over()) {
        const bool configures = pins.configures();
        InputPins inputs = pins.next(shown);
        if (size.flit_words == 1) narrow(inputs);
        drive(one.pins(), size, inputs, size.flit_words);
        drive(other.pins(), size, inputs);
        one.clock();
        other.clock();
        const OutputPins before = std::exchange(shown, shown_by(one.pins(), size, size.flit_words));
        reset = reset || !inputs.rst_n;
        ++episode.cycles;
        episode.flits += static_cast<std::uint64_t>(__builtin_popcount(shown.link_valid) +
                                                    __builtin_popcount(shown.rx_valid));
        if (!inputs.rst_n || inputs.clk_en) read.reset();
        if (inputs.rst_n && inputs.clk_en && inputs.cfg_read) read = inputs.cfg_addr;
        const OutputPins others = shown_by(other.pins(), size);
        episode.differs = difference(as_other(shown, others, size, read, configures), others);
        if (const std::string wrong = tally.see(inputs, before, shown); !wrong.empty())
            episode.differs = wrong;
        if (!episode.differs.empty()) break;
    }
    episode.status = shown.status;
    return episode;
}

}  // namespace interlace
