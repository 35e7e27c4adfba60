// Interlace: four nodes wired in SystemVerilog against four joined in C++: every output pin, every cycle
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "interlace/engine/pins/detail/pins.h"
#include "rtl/clocked.h"
#include "support/ring_hosts.h"

#include "Vil_node_single.h"
#include "Vil_ring.h"

namespace interlace {
namespace {

using detail::amount_bits, detail::count_bits, detail::flit_bits, detail::vc_bits;
using detail::get, detail::get_flit, detail::set, detail::set_flit;

constexpr std::uint32_t nodes = RingPlace::nodes, ports = RingPlace::ports, vcs = 4, injections = 4,
                        receptions = 6;
constexpr std::uint32_t credit_bits = vcs * amount_bits;

struct BothRings {
    BothRings() {
        for (std::uint32_t n = 0; n < nodes; ++n)
            node.push_back(std::make_unique<Clocked<Vil_node_single>>(context));
    }

    void configure(const RingHosts& hosts) {
        flat.reset();
        for (auto& single : node) single->reset();
        const auto write = [this](std::uint32_t n, bool valid, std::uint32_t address, std::uint32_t data) {
            set(flat.cfg_valid_i, n, 1, valid);
            set(flat.cfg_addr_i, n * 16, 16, address);
            set(flat.cfg_data_i, n * 32, 32, data);
            node[n]->cfg_valid_i = valid;
            set(node[n]->cfg_addr_i, 0, 16, address);
            set(node[n]->cfg_data_i, 0, 32, data);
        };
        for (std::size_t i = 0; i < hosts.registers(0).size(); ++i) {
            for (std::uint32_t n = 0; n < nodes; ++n)
                write(n, true, hosts.registers(n)[i].first, hosts.registers(n)[i].second);
            clock();
        }
        for (std::uint32_t n = 0; n < nodes; ++n) write(n, false, 0, 0);
    }

    /// What the nodes that stand alone show.
    RingHosts::Shown shown(std::uint32_t n) const {
        RingHosts::Shown shown;
        for (std::uint32_t i = 0; i < injections; ++i)
            shown.inj_credit[i] =
                static_cast<std::uint32_t>(get(node[n]->inj_credit_o, i * amount_bits, amount_bits));
        shown.rx_valid = node[n]->rx_valid_o;
        for (std::uint32_t r = 0; r < receptions; ++r) {
            const RawFlit flit = get_flit(node[n]->rx_flit_o, r);
            shown.rx_flit[r] = {{flit.word[0], flit.word[1]}, static_cast<std::uint32_t>(flit.ends)};
        }
        return shown;
    }

    void drive(std::uint32_t n, const RingHosts::Driven& driven) {
        set(flat.inj_valid_i, n * injections, injections, driven.inj_valid);
        set(flat.rx_ready_i, n * receptions, receptions, driven.rx_ready);
        set(node[n]->inj_valid_i, 0, injections, driven.inj_valid);
        set(node[n]->rx_ready_i, 0, receptions, driven.rx_ready);
        for (std::uint32_t i = 0; i < injections; ++i) {
            const PinFlit& flit = driven.inj_flit[i];
            set_flit(flat.inj_flit_i, n * injections + i, {{flit.word[0], flit.word[1]}, flit.ends});
            set_flit(node[n]->inj_flit_i, i, {{flit.word[0], flit.word[1]}, flit.ends});
        }
    }

    void clock() {
        for (std::uint32_t n = 0; n < nodes; ++n)
            for (std::uint32_t p = 0; p < ports; ++p) {
                const auto [m, q] = RingPlace{n, p}.far();
                auto& to = *node[n];
                const auto& from = *node[m];
                set(to.link_valid_i, p, 1, get(from.link_valid_o, q, 1));
                set(to.link_vc_i, p * vc_bits, vc_bits, get(from.link_vc_o, q * vc_bits, vc_bits));
                set_flit(to.link_flit_i, p, get_flit(from.link_flit_o, q));
                set(to.credit_i, p * credit_bits, credit_bits,
                    get(from.credit_o, q * credit_bits, credit_bits));
            }
        flat.clock();
        for (auto& single : node) single->clock();
    }

    /// Every output pin of every node.
    void expect_equal() const {
        for (std::uint32_t n = 0; n < nodes; ++n) {
            const auto& one = *node[n];
            const auto same = [n](const char* pin, const auto& ring, const auto& single,
                                  std::uint32_t width) {
                for (std::uint32_t low = 0; low < width; low += detail::max_bits) {
                    const std::uint32_t bits = std::min(detail::max_bits, width - low);
                    ASSERT_EQ(get(ring, n * width + low, bits), get(single, low, bits))
                        << pin << " of node " << n << " from bit " << low << " on";
                }
            };
            same("link_valid_o", flat.link_valid_o, one.link_valid_o, ports);
            same("link_vc_o", flat.link_vc_o, one.link_vc_o, ports * vc_bits);
            same("link_flit_o", flat.link_flit_o, one.link_flit_o, ports * flit_bits);
            same("credit_o", flat.credit_o, one.credit_o, ports * credit_bits);
            same("inj_credit_o", flat.inj_credit_o, one.inj_credit_o, injections * amount_bits);
            same("rx_valid_o", flat.rx_valid_o, one.rx_valid_o, receptions);
            same("rx_flit_o", flat.rx_flit_o, one.rx_flit_o, receptions * flit_bits);
            same("rx_count_o", flat.rx_count_o, one.rx_count_o, receptions * count_bits);
            same("stall_o", flat.stall_o, one.stall_o, ports + receptions);
            same("status_o", flat.status_o, one.status_o, detail::status_bits);
        }
    }

    VerilatedContext context;
    Clocked<Vil_ring> flat{context};
    std::vector<std::unique_ptr<Clocked<Vil_node_single>>> node;
};

TEST(FlatRing, AgreesInEveryPinWithNodesThatAreJoinedInCpp) {
    BothRings rings;
    for (const auto switching :
         {Switching::virtual_cut_through, Switching::store_and_forward, Switching::wormhole}) {
        SCOPED_TRACE(switching_name(switching));
        RingHosts hosts({vcs, injections, receptions, switching, 1});
        rings.configure(hosts);
        const int sending = 10'000, longest = 20'000;
        for (int t = 0; t < sending || (hosts.arrived() < hosts.due() && t < longest); ++t) {
            for (std::uint32_t n = 0; n < nodes; ++n)
                rings.drive(n, hosts.cycle(n, rings.shown(n), t < sending));
            rings.clock();
            rings.expect_equal();
            if (testing::Test::HasFatalFailure()) FAIL() << "in cycle " << t;
        }
        EXPECT_TRUE(hosts.errors().empty()) << hosts.errors().front();
        EXPECT_EQ(hosts.arrived(), hosts.due());
        EXPECT_GT(hosts.sent(), 5000U);
        EXPECT_EQ(rings.flat.status_o, 0);
    }
}

}  // namespace
}  // namespace interlace
