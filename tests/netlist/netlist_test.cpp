// Interlace: Verilated and SystemC nodes change places in SystemC netlists: every output pin in every cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "interlace/systemc/node.h"
#include "netlist/ring.h"

#include "Vil_node_netlist.h"
#include "Vil_node_netlist_least.h"

/// libsystemc asks for it; the kernel here is driven by sc_start alone.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

namespace interlace {
namespace {

const sc_core::sc_time period(10, sc_core::SC_NS);

/// Rings side by side under the same stimulus: Verilated modules, SystemC modules, and both in turn.
template <class Verilated, std::uint32_t vcs, std::uint32_t injections, std::uint32_t receptions>
class Rings {
    using Node = systemc::Node<RingPlace::ports, vcs, injections, receptions>;
    using Signals = NodeSignals<Node>;

  public:
    Rings(const std::string& name, sc_core::sc_clock& clock)
        : rtl_((name + "_rtl").c_str(), clock),
          systemc_((name + "_systemc").c_str(), clock),
          rtl_first_((name + "_rtl_first").c_str(), clock),
          systemc_first_((name + "_systemc_first").c_str(), clock) {}

    void run(Switching switching, std::uint32_t cycles_per_flit, std::uint64_t packets) {
        SCOPED_TRACE("switching " + switching_name(switching));
        RingHosts hosts({vcs, injections, receptions, switching, cycles_per_flit});
        reset();
        configure(hosts);
        const int sending = 6000, longest = 15'000;
        for (int t = 0; t < sending || (hosts.arrived() < hosts.due() && t < longest); ++t) {
            step(hosts, t < sending);
            if (testing::Test::HasFatalFailure()) FAIL() << "in cycle " << t;
        }
        EXPECT_EQ(wrong(hosts), "");
        EXPECT_GT(hosts.sent(), packets);
    }

    /// Traffic during which node 2 is reset while its neighbours go on: once they send nothing to it, its
    /// host sends nothing and, if `drained`, nothing is left in it nor behind it. What went wrong, or
    /// nothing.
    std::string run_with_reset(bool drained) {
        constexpr std::uint32_t reset_node = 2, quiesce = 13;
        const auto up = RingPlace{reset_node, 0}.far();
        const auto down = RingPlace{reset_node, 1}.far();
        RingHosts hosts({vcs, injections, receptions, Switching::virtual_cut_through, 1});
        reset();
        configure(hosts);
        for (int t = 0; t < 1000; ++t) step(hosts, true);
        hosts.rest(reset_node, true);
        for (const auto& neighbour : {up, down})
            write(hosts, neighbour.node, {quiesce, 1U << neighbour.port});
        if (drained) await_rest(hosts, reset_node);
        each_ring([](const char* /*name*/, auto& ring) { ring.at[reset_node].rst_ni.write(false); });
        step(hosts, true);
        each_ring([](const char* /*name*/, auto& ring) { ring.at[reset_node].rst_ni.write(true); });
        for (const auto& [address, data] : hosts.registers(reset_node))
            if (address < 0x1000) write(hosts, reset_node, {address, data});  // the table keeps what it had
        for (const auto& neighbour : {up, down}) write(hosts, neighbour.node, {quiesce, 0});
        hosts.rest(reset_node, false);
        const std::uint64_t before = hosts.arrived();
        for (int t = 0; t < 2000 || (hosts.arrived() < hosts.due() && t < 10'000); ++t) step(hosts, t < 2000);
        EXPECT_GT(hosts.arrived(), before + 500);
        return wrong(hosts);
    }

  private:
    using Register = std::pair<std::uint32_t, std::uint32_t>;  ///< address, data

    /// A cycle of the hosts and the nodes.
    void step(RingHosts& hosts, bool sending) {
        for (std::uint32_t n = 0; n < RingPlace::nodes; ++n)
            drive(n, hosts.cycle(n, shown(rtl_.at[n]), sending));
        cycle();
    }

    /// After a run; empty: nothing.
    std::string wrong(const RingHosts& hosts) const {
        if (!hosts.errors().empty()) return hosts.errors().front();
        if (hosts.arrived() != hosts.due())
            return std::to_string(hosts.due() - hosts.arrived()) + " packets that did not arrive";
        for (const auto& node : rtl_.at)
            if (node.status_o.read() != 0)
                return "a node with status " + std::to_string(node.status_o.read());
        return {};
    }

    /// A cycle in which a register of a node is written.
    void write(RingHosts& hosts, std::uint32_t n, const Register& value) {
        each_ring([&](const char* /*name*/, auto& ring) {
            ring.at[n].cfg_valid_i.write(true);
            ring.at[n].cfg_addr_i.write(value.first);
            ring.at[n].cfg_data_i.write(value.second);
        });
        step(hosts, true);
        each_ring([n](const char* /*name*/, auto& ring) { ring.at[n].cfg_valid_i.write(false); });
    }

    /// Until a node's register `idle` has said for longer than a link takes that nothing is in it or behind
    /// it.
    void await_rest(RingHosts& hosts, std::uint32_t n) {
        constexpr std::uint32_t idle = 14, all = 3;
        const auto read = [&](bool level) {
            each_ring([&](const char* /*name*/, auto& ring) {
                ring.at[n].cfg_read_i.write(level);
                ring.at[n].cfg_addr_i.write(idle);
            });
        };
        read(true);
        int waited = 0;
        for (int at_rest = 0; at_rest < 4; ++waited) {
            step(hosts, true);
            at_rest = rtl_.at[n].cfg_data_o.read() == all ? at_rest + 1 : 0;
            ASSERT_LT(waited, 5000);
        }
        EXPECT_GT(waited, 20);  // there was something to wait for
        read(false);
    }

    /// Calls visit(name, ring) for every ring.
    template <class Visit>
    void each_ring(const Visit& visit) {
        visit("rtl", rtl_);
        visit("systemc", systemc_);
        visit("rtl, systemc in turn", rtl_first_);
        visit("systemc, rtl in turn", systemc_first_);
    }

    void cycle() {
        sc_core::sc_start(period);
        each_ring([&](const char* name, const auto& ring) {
            for (std::uint32_t n = 0; n < RingPlace::nodes; ++n)
                ring.at[n].each_output(
                    rtl_.at[n], [&](const char* pin, const auto& is, const auto& expected) {
                        ASSERT_EQ(is.read(), expected.read()) << name << ": " << pin << " of node " << n;
                    });
        });
    }

    void reset() {
        const auto set = [&](bool level) {
            each_ring([&](const char* /*name*/, auto& ring) {
                for (auto& node : ring.at) {
                    node.clk_en_i.write(true);
                    node.rst_ni.write(level);
                }
            });
        };
        for (std::uint32_t n = 0; n < RingPlace::nodes; ++n) drive(n, {});
        set(false);
        cycle();
        cycle();
        set(true);
    }

    void configure(const RingHosts& hosts) {
        const std::size_t count = hosts.registers(0).size();
        for (std::size_t i = 0; i <= count; ++i) {
            each_ring([&](const char* /*name*/, auto& ring) {
                for (std::uint32_t n = 0; n < RingPlace::nodes; ++n) {
                    const auto [address, data] =
                        i < count ? hosts.registers(n)[i] : std::pair<std::uint32_t, std::uint32_t>{};
                    ring.at[n].cfg_valid_i.write(i < count);
                    ring.at[n].cfg_addr_i.write(address);
                    ring.at[n].cfg_data_i.write(data);
                }
            });
            cycle();
        }
    }

    static RingHosts::Shown shown(const Signals& node) {
        RingHosts::Shown shown;
        for (std::uint32_t i = 0; i < injections; ++i)
            shown.inj_credit[i] = static_cast<std::uint32_t>(
                systemc::get_bits(node.inj_credit_o.read(), i * Node::amount_width, Node::amount_width));
        shown.rx_valid = node.rx_valid_o.read();
        for (std::uint32_t r = 0; r < receptions; ++r) {
            const systemc::Flit flit = systemc::get_flit(node.rx_flit_o.read(), r);
            shown.rx_flit[r] = {{flit.word[0], flit.word[1]}, flit.ends};
        }
        return shown;
    }

    void drive(std::uint32_t n, const RingHosts::Driven& driven) {
        typename decltype(Node::inj_flit_i)::data_type flits;
        for (std::uint32_t i = 0; i < injections; ++i) {
            const PinFlit& flit = driven.inj_flit[i];
            systemc::set_flit(flits, i, {{flit.word[0], flit.word[1]}, static_cast<std::uint8_t>(flit.ends)});
        }
        const auto mask = [](std::uint32_t bits, std::uint32_t width) {
            return static_cast<std::uint32_t>(bits & systemc::ones(width));
        };
        each_ring([&](const char* /*name*/, auto& ring) {
            Signals& node = ring.at[n];
            node.inj_valid_i.write(mask(driven.inj_valid, injections));
            node.inj_flit_i.write(flits);
            node.rx_ready_i.write(mask(driven.rx_ready, receptions));
        });
    }

    Ring<Node, Verilated, Verilated, Verilated, Verilated> rtl_;
    Ring<Node, Node, Node, Node, Node> systemc_;
    Ring<Node, Verilated, Node, Verilated, Node> rtl_first_;
    Ring<Node, Node, Verilated, Node, Verilated> systemc_first_;
};

/// SystemC elaborates once a process: all netlists of all tests.
struct Netlists {
    sc_core::sc_clock clock{"clock", period, 0.5, period / 2};
    /// As the nodes are built (configs/nodes/bgl), and with one channel and one queue of each kind.
    Rings<Vil_node_netlist, 4, 4, 6> full{"full", clock};
    Rings<Vil_node_netlist_least, 1, 1, 1> least{"least", clock};

    static Netlists& get() {
        static Netlists netlists;
        return netlists;
    }
};

TEST(Netlist, RingsOfVerilatedAndSystemCNodesAgreeInEveryPinUnderEverySwitching) {
    auto& rings = Netlists::get().full;
    for (const auto switching :
         {Switching::virtual_cut_through, Switching::store_and_forward, Switching::wormhole})
        rings.run(switching, 1, 4000);
}

TEST(Netlist, RingsOfVerilatedAndSystemCNodesAgreeInEveryPinOnSlowLinks) {
    Netlists::get().full.run(Switching::virtual_cut_through, 3, 3000);
}

TEST(Netlist, ANodeIsResetAmongLiveNeighboursAndNothingIsLost) {
    EXPECT_EQ(Netlists::get().full.run_with_reset(true), "");
}

// The test of the test.
TEST(Netlist, ANodeThatIsResetWhilePacketsAreInItLosesThem) {
    EXPECT_NE(Netlists::get().full.run_with_reset(false), "");
}

TEST(Netlist, RingsOfTheLeastNodesAgreeInEveryPinUnderEverySwitching) {
    auto& rings = Netlists::get().least;
    for (const auto switching :
         {Switching::virtual_cut_through, Switching::store_and_forward, Switching::wormhole})
        rings.run(switching, 1, 1500);
}

}  // namespace
}  // namespace interlace
