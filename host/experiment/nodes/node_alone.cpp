// Interlace: a node of hardware alone: what it does that no run of a network shows
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/experiment/nodes/node_alone.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>
#include <vector>

#include "interlace/core/error.h"
#include "interlace/core/value_error.h"
#include "interlace/engine/checking/scoreboard.h"
#include "interlace/engine/fabric/registers.h"
#include "interlace/engine/pins/detail/pins.h"
#include "interlace/engine/pins/device_region.h"
#include "interlace/engine/region/region.h"
#include "interlace/experiment/nodes/device.h"
#include "interlace/experiment/nodes/make_machine.h"
#include "interlace/network/specification.h"

namespace interlace {
namespace {

constexpr std::uint64_t a_while = 40;  // cycles in which nothing may happen

/// What output pins show.
auto outputs_of(const PinImage& p) {
    return std::tie(p.link_valid_o, p.link_vc_o, p.link_flit_o, p.credit_o, p.inj_credit_o, p.rx_valid_o,
                    p.rx_flit_o, p.rx_count_o, p.stall_o, p.status_o);
}

/// Clocks one node.
class Bench {
  public:
    Bench(const Fabric& fabric, const Machine& machine, NodeId node)
        : f_(fabric), nodes_(machine.registers_of(node)), node_(node) {}

    /// Whether the node has pins that can be driven so.
    bool is_there() {
        if (nodes_ == nullptr) return false;
        PinImage pins;
        pins.rst_ni = 0;
        nodes_->clock_alone(node_, pins);
        return true;
    }

    /// Resets the node, writes its registers and enables it.
    void start() {
        pins_ = {};
        pins_.clk_en_i = 1;
        pins_.rx_ready_i = (1U << f_.receptions) - 1;
        clock();
        clock();
        pins_.rst_ni = 1;
        for (const auto& [address, value] : common_registers(f_)) write(address, value);
        write(Register::ports, f_.port_mask(node_));
        for (std::uint32_t d = 0; d < f_.dimensions; ++d)
            write(Register::dimension + d, f_.coordinate(node_, d) | std::uint32_t{f_.sizes[d]} << 16U);
        for (std::uint32_t port = 0; f_.dimensions > 0 && port < f_.ports; ++port)
            write(Register::port + port, f_.hop(node_, port).bits());
        clock();
        write(Register::enable, 1);
    }

    /// A rising edge. Then flits and credits are off the input pins, and no register is written or read.
    void clock() {
        nodes_->clock_alone(node_, pins_);
        pins_.link_valid_i = pins_.inj_valid_i = pins_.cfg_valid_i = pins_.cfg_read_i = 0;
        pins_.credit_i = {};
    }
    void write(std::uint32_t address, std::uint32_t value) {
        pins_.cfg_valid_i = 1;
        pins_.cfg_addr_i = address;
        pins_.cfg_data_i = value;
        clock();
    }
    std::uint32_t read(std::uint32_t address) {
        pins_.cfg_read_i = 1;
        pins_.cfg_addr_i = address;
        clock();
        return pins_.cfg_data_o;
    }
    void inject(const RawFlit& flit) {
        pins_.inj_valid_i = 1;
        detail::set_flit(pins_.inj_flit_i, 0, flit);
        clock();
    }
    void arrive(std::uint32_t port, const RawFlit& flit) {
        pins_.link_valid_i = 1U << port;
        detail::set(pins_.link_vc_i, port * detail::vc_bits, detail::vc_bits, 0);
        detail::set_flit(pins_.link_flit_i, port, flit);
        clock();
    }
    void give_credit(std::uint32_t port, std::uint32_t vc, std::uint32_t amount) {
        detail::set(pins_.credit_i, (port * PinImage::vcs + vc) * detail::amount_bits, detail::amount_bits,
                    amount);
    }
    /// Flits that credit_o gives back of the port's channel 0.
    std::uint32_t freed(std::uint32_t port) const {
        return static_cast<std::uint32_t>(
            detail::get(pins_.credit_o, port * PinImage::vcs * detail::amount_bits, detail::amount_bits));
    }
    std::uint32_t injection_freed() const {
        return static_cast<std::uint32_t>(detail::get(pins_.inj_credit_o, 0, detail::amount_bits));
    }

    /// Until test() holds, for as long as a scoreboard waits: whether it did.
    bool wait_for(const std::function<bool()>& test) {
        for (std::uint64_t cycle = 0; cycle < Scoreboard::patience; ++cycle) {
            if (test()) return true;
            clock();
        }
        return test();
    }
    /// Throws FellShort unless the register says `expected`.
    void expect(std::uint32_t address, const char* name, std::uint32_t expected, const std::string& when) {
        if (const std::uint32_t says = read(address); says != expected)
            wrong(fmt::format("register {:#x} ({}) is {:#x}{}{}, expected {:#x}", address, name, says,
                              when.empty() ? "" : " ", when, expected));
    }
    [[noreturn]] void wrong(const std::string& what) const {
        throw FellShort(fmt::format("node {} alone: {}", +node_, what));
    }

    PinImage& pins() { return pins_; }
    const Fabric& fabric() const { return f_; }
    NodeId node() const { return node_; }

  private:
    const Fabric& f_;
    RegisterAccess* nodes_;
    NodeId node_;
    PinImage pins_;
};

/// Explicit packets, one after the other, flit by flit.
class Packets {
  public:
    Packets(std::uint32_t length, std::uint32_t ports, std::uint32_t source)
        : fields_{.length = length, .slot = ports, .source = source} {}
    RawFlit next() {
        const RawFlit flit = raw({make_packet(fields_), index_});
        if (++index_ == fields_.length) {
            index_ = 0;
            ++fields_.sequence;
        }
        return flit;
    }

  private:
    PacketFields fields_;
    std::uint8_t index_ = 0;
};

class NodeAlone {
  public:
    NodeAlone(const Fabric& fabric, Machine& machine, NodeId node) : b_(fabric, machine, node), f_(fabric) {
        while (out_ < f_.ports && !f_.to(node, out_).linked()) ++out_;
        while (in_ < f_.ports && !f_.from(node, in_).linked()) ++in_;
        length_ = std::min({f_.parameters.packet_flits, f_.parameters.vc_depth, f_.parameters.injection_depth,
                            f_.parameters.reception_depth});
    }

    bool is_there() { return b_.is_there(); }
    /// The packets that left.
    std::uint64_t check() {
        b_.start();
        check_identity();
        if (!b_.wait_for([&] { return b_.read(Register::idle) == 3; }))
            b_.expect(Register::idle, "idle", 3, "of a node that received nothing");
        if (out_ < f_.ports) {
            check_a_packet();
            check_overflow_of_injection();
        }
        if (in_ < f_.ports) check_overflow_of_a_channel();
        check_errors();
        return sent_;
    }

  private:
    void check_identity() {
        b_.expect(Register::identification, "identification", node_contract, "");
        const NodeSizes built = decode_sizes(b_.read(Register::sizes), b_.read(Register::depths));
        const std::string wrong = wrong_size(built);
        if (!wrong.empty()) b_.wrong("its registers sizes and depths report " + wrong);
        try {
            check_sizes(built, needed_sizes(f_, nullptr),
                        fmt::format("node {}, by its registers", +b_.node()));
        } catch (const InputError& unfit) {
            throw FellShort(unfit.what());
        }
    }

    /// A packet waits for `quiesce`, leaves, stands still without `clk_en_i`, and is seen in `idle`.
    void check_a_packet() {
        b_.write(Register::quiesce, 1U << out_);
        b_.expect(Register::quiesce, "quiesce", 1U << out_, "after it was written");
        Packets packets(length_, 1U << out_, +b_.node());
        const auto expect_held = [&] {
            if (b_.pins().link_valid_o != 0)
                b_.wrong(fmt::format("link_valid_o shows {:#x}, although `quiesce` is set",
                                     b_.pins().link_valid_o));
        };
        for (std::uint32_t i = 0; i < length_; ++i) {
            b_.inject(packets.next());
            expect_held();
        }
        b_.clock();
        for (std::uint64_t cycle = 0; cycle < a_while; ++cycle) {
            expect_held();
            if ((b_.read(Register::idle) & 1U) != 0)
                b_.wrong("register 0xe (idle) reports no packet, but one waits");
        }
        b_.pins().clk_en_i = 0;
        b_.write(Register::quiesce, 0);
        b_.pins().clk_en_i = 1;
        b_.expect(Register::quiesce, "quiesce", 1U << out_, "after it was written with clk_en_i 0");
        b_.write(Register::quiesce, 0);
        follow_it();
    }

    /// The packet leaves by port out_, flit by flit, and the clock stops at each.
    void follow_it() {
        Packets expected(length_, 1U << out_, +b_.node());
        std::uint32_t vc = 0, freed = 0;
        for (std::uint32_t i = 0; i < length_; ++i) {
            const auto shows = [&] { return (b_.pins().link_valid_o >> out_ & 1U) != 0; };
            const auto clock_until = [&] {
                if (!shows()) freed += b_.injection_freed();
                return shows();
            };
            if (i > 0) b_.clock();
            if (!b_.wait_for(clock_until))
                b_.wrong(
                    fmt::format("link_valid_o[{}] shows {} of {} flits of a packet that `quiesce` no "
                                "longer holds back",
                                out_, i, length_));
            freed += b_.injection_freed();
            if (!(detail::get_flit(b_.pins().link_flit_o, out_) == expected.next()))
                b_.wrong(
                    fmt::format("link_flit_o[{}] shows another flit than number {} of the packet", out_, i));
            vc = static_cast<std::uint32_t>(
                detail::get(b_.pins().link_vc_o, out_ * detail::vc_bits, detail::vc_bits));
            stop_the_clock();
        }
        ++sent_;
        b_.clock();
        b_.wait_for([&] { return (freed += b_.injection_freed()) >= length_; });
        if (freed != length_)
            b_.wrong(fmt::format("inj_credit_o[0] gave back {} of {} flits", freed, length_));
        if (!b_.wait_for([&] { return b_.read(Register::idle) == 1; }))
            b_.expect(Register::idle, "idle", 1, "after a packet has left, whose credits are not back");
        b_.expect(Register::counters + 4 * out_, "counters", length_, "after that many flits");
        b_.expect(Register::counters + 4 * out_ + 1, "counters", 1, "after one packet");
        b_.give_credit(out_, vc, length_);
        b_.clock();
        if (!b_.wait_for([&] { return b_.read(Register::idle) == 3; }))
            b_.expect(Register::idle, "idle", 3, "after all credits were returned");
        expect_error(3, "a credit for a channel that has all of its credits", [&] {
            b_.give_credit(out_, vc, 1);
            b_.clock();
        });
    }

    /// Whatever input pins show.
    void stop_the_clock() {
        const PinImage before = b_.pins();
        for (int cycle = 0; cycle < 5; ++cycle) {
            b_.pins().clk_en_i = 0;
            b_.give_credit(out_, 0, 1);
            b_.clock();
            if (outputs_of(before) != outputs_of(b_.pins()))
                b_.wrong("output pins change in a cycle with clk_en_i 0");
        }
        b_.pins().clk_en_i = 1;
    }

    void check_overflow_of_injection() {
        b_.start();
        b_.write(Register::quiesce, f_.port_mask(b_.node()));
        Packets packets(length_, 1U << out_, +b_.node());
        for (std::uint32_t i = 0; i < f_.parameters.injection_depth; ++i) b_.inject(packets.next());
        for (std::uint64_t cycle = 0; cycle < a_while; ++cycle) b_.clock();
        expect_error(0, "a flit for an injection queue that is full", [&] { b_.inject(packets.next()); });
    }

    /// A neighbour that looks at no credits, and a host that takes nothing.
    void check_overflow_of_a_channel() {
        b_.start();
        b_.pins().rx_ready_i = 0;
        Packets packets(length_, 0, +b_.node());
        std::uint32_t there = 0;
        const auto has_room = [&] {
            there -= std::min(there, b_.freed(in_));
            return there < f_.parameters.vc_depth;
        };
        const std::uint32_t most = 2 * (f_.parameters.vc_depth + f_.parameters.reception_depth);
        for (std::uint32_t flits = 0; flits < most; ++flits) {
            for (std::uint64_t cycle = 0; cycle < a_while && !has_room(); ++cycle) b_.clock();
            if (there >= f_.parameters.vc_depth) break;
            b_.arrive(in_, packets.next());
            ++there;
        }
        for (std::uint64_t cycle = 0; cycle < a_while; ++cycle) {
            has_room();
            b_.clock();
        }
        if (there < f_.parameters.vc_depth) return;  // more room than a depth: nothing to be seen
        expect_error(0, "a flit for a channel that is full", [&] { b_.arrive(in_, packets.next()); });
        b_.pins().rx_ready_i = (1U << f_.receptions) - 1;
    }

    void check_errors() {
        b_.start();
        RawFlit head = Packets(1, 1U << out_, +b_.node()).next();
        head.word[0] ^= std::uint64_t{1} << 54U;  // the checksum
        expect_error(1, "a head with a wrong checksum", [&] { b_.inject(head); });
        b_.start();
        expect_error(2, "a packet for no port", [&] { b_.inject(Packets(1, 0, +b_.node()).next()); });
        b_.start();
        expect_error(5, "a register that is written while the node is enabled",
                     [&] { b_.write(Register::vc_depth, f_.parameters.vc_depth); });
    }

    /// `error` sets this bit of status_o and of the register, and no other, and a 1 that is written clears
    /// it.
    void expect_error(std::uint32_t bit, const std::string& what, const std::function<void()>& error) {
        if (b_.pins().status_o != 0)
            b_.wrong("it reports an error without a reason: " + status_meaning(b_.pins().status_o));
        error();
        b_.wait_for([&] { return b_.pins().status_o != 0; });
        if (b_.pins().status_o != 1U << bit)
            b_.wrong(fmt::format("status_o is {:#x} after {}, expected {:#x}: {}", b_.pins().status_o, what,
                                 1U << bit, status_meaning(1U << bit)));
        b_.expect(Register::status, "status", 1U << bit, "after " + what);
        b_.write(Register::status, 1U << bit);
        b_.expect(Register::status, "status", 0, "after that was cleared");
    }

    Bench b_;
    const Fabric& f_;
    std::uint32_t out_ = 0, in_ = 0;  // ports with links
    std::uint32_t length_ = 1;        // of packets, in flits
    std::uint64_t sent_ = 0;
};

}  // namespace

std::uint64_t run_alone(const AloneExperiment& e) {
    const Network network = make_network(e.network);
    const Fabric fabric =
        about("node", [&] { return Fabric(network, e.nodes.node.without_unicast(), e.nodes.links); });
    const PortTables tables(fabric.nodes);
    Machine machine =
        make_machine(network, fabric, e.engine, e.nodes, kind_bit(PacketKind::explicit_mask), &tables);
    std::uint64_t sent = 0;
    bool any = false;
    for (std::uint32_t v = 0; v < fabric.nodes; ++v) {
        NodeAlone node(fabric, machine, NodeId{v});
        if (!node.is_there()) continue;
        any = true;
        sent += node.check();
    }
    if (!any) throw NotBuiltForIt("none of the nodes has registers that a host can read");
    return sent;
}

}  // namespace interlace
