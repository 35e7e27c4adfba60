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
            for (std::uint32_t n = 0; n < RingPlace::nodes; ++n)
                drive(n, hosts.cycle(n, shown(rtl_.at[n]), t < sending));
            cycle();
            if (testing::Test::HasFatalFailure()) FAIL() << "in cycle " << t;
        }
        EXPECT_TRUE(hosts.errors().empty()) << hosts.errors().front();
        EXPECT_EQ(hosts.arrived(), hosts.due());
        EXPECT_GT(hosts.sent(), packets);
        for (const auto& node : rtl_.at) EXPECT_EQ(node.status_o.read(), 0U);
    }

  private:
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
                for (auto& node : ring.at) node.rst_ni.write(level);
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

TEST(Netlist, RingsOfTheLeastNodesAgreeInEveryPinUnderEverySwitching) {
    auto& rings = Netlists::get().least;
    for (const auto switching :
         {Switching::virtual_cut_through, Switching::store_and_forward, Switching::wormhole})
        rings.run(switching, 1, 1500);
}

}  // namespace
}  // namespace interlace
