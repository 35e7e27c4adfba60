// Interlace: a SystemC node between plain signals, and the VCD file of its pins
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>

#include "interlace/node/packet.h"
#include "interlace/systemc/node.h"

/// libsystemc asks for it; the kernel here is driven by sc_start alone.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

namespace interlace {
namespace {

using sc_core::sc_signal;
using sc_core::sc_start;
using testing::Pair;

const sc_core::sc_time cycle(10, sc_core::SC_NS);

/// A node of two ports as a user of the module has it: ports on signals, clocked by sc_clock.
struct Bench {
    using Node = systemc::Node<2>;
    template <class Port>
    using SignalOf = sc_signal<typename Port::data_type>;

    Bench() {
        node.clk_i(clk);
        node.rst_ni(rst_ni);
        node.clk_en_i(clk_en);
        node.cfg_valid_i(cfg_valid);
        node.cfg_read_i(cfg_read);
        node.cfg_data_o(cfg_read_data);
        clk_en = true;
        node.cfg_addr_i(cfg_addr);
        node.cfg_data_i(cfg_data);
        node.link_valid_i(link_valid_i);
        node.link_vc_i(link_vc_i);
        node.link_flit_i(link_flit_i);
        node.credit_i(credit_i);
        node.link_valid_o(link_valid_o);
        node.link_vc_o(link_vc_o);
        node.link_flit_o(link_flit_o);
        node.credit_o(credit_o);
        node.inj_valid_i(inj_valid);
        node.inj_flit_i(inj_flit);
        node.inj_credit_o(inj_credit);
        node.rx_ready_i(rx_ready);
        node.rx_valid_o(rx_valid);
        node.rx_flit_o(rx_flit);
        node.rx_count_o(rx_count);
        node.stall_o(stall);
        node.status_o(status);
    }

    void configure(std::uint32_t address, std::uint32_t data) {
        cfg_valid = true;
        cfg_addr = address;
        cfg_data = data;
        sc_start(cycle);
        cfg_valid = false;
    }

    Node node{"node"};
    sc_core::sc_clock clk{"clk", cycle, 0.5, cycle / 2};
    sc_signal<bool> rst_ni, clk_en, cfg_valid, cfg_read;
    sc_signal<std::uint32_t> cfg_addr, cfg_data, cfg_read_data, status;
    SignalOf<decltype(Node::link_valid_i)> link_valid_i;
    SignalOf<decltype(Node::link_vc_i)> link_vc_i;
    SignalOf<decltype(Node::link_flit_i)> link_flit_i;
    SignalOf<decltype(Node::credit_i)> credit_i;
    SignalOf<decltype(Node::link_valid_o)> link_valid_o;
    SignalOf<decltype(Node::link_vc_o)> link_vc_o;
    SignalOf<decltype(Node::link_flit_o)> link_flit_o;
    SignalOf<decltype(Node::credit_o)> credit_o;
    SignalOf<decltype(Node::inj_valid_i)> inj_valid;
    SignalOf<decltype(Node::inj_flit_i)> inj_flit;
    SignalOf<decltype(Node::inj_credit_o)> inj_credit;
    SignalOf<decltype(Node::rx_ready_i)> rx_ready;
    SignalOf<decltype(Node::rx_valid_o)> rx_valid;
    SignalOf<decltype(Node::rx_flit_o)> rx_flit;
    SignalOf<decltype(Node::rx_count_o)> rx_count;
    SignalOf<decltype(Node::stall_o)> stall;
};

/// The names of a VCD file's variables, and when each took which value: {"#35000", "b10"} and the like.
struct Vcd {
    using Change = std::pair<std::string, std::string>;
    std::map<std::string, std::vector<Change>> changes;

    explicit Vcd(const std::string& path) {
        std::ifstream file(path);
        std::map<std::string, std::string> name_of;
        std::string time = "#0";
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line);
            std::string first, type, width, code, name;
            words >> first;
            if (first == "$var") {
                words >> type >> width >> code >> name;
                name_of[code] = name;
                changes[name];
            } else if (!first.empty() && first[0] == '#') {
                time = first;
            } else if (words >> code && name_of.count(code) != 0) {
                changes[name_of[code]].emplace_back(time, first);
            }
        }
    }
};

TEST(SystemCNode, RefusesWhatNoNodeIsBuiltWith) {
    using Sizes = std::vector<systemc::Built>;
    for (const auto& sizes : Sizes{{32768, 4096, 7}, {2, 2, 1}}) EXPECT_NO_THROW(sizes.checked());
    for (const auto& sizes :
         Sizes{{3, 64, 1}, {1, 64, 1}, {65536, 64, 1}, {64, 3, 1}, {64, 1, 1}, {64, 8192, 1}, {64, 64, 2}})
        EXPECT_THROW(sizes.checked(), std::invalid_argument);
}

TEST(SystemCNode, TraceFileHasEveryPinAndTheCycleInWhichAFlitLeaves) {
    const std::string path = testing::TempDir() + "interlace_trace_test";
    Bench bench;
    sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file(path.c_str());
    bench.node.trace(file);
    sc_start(2 * cycle);
    bench.rst_ni = true;
    for (const auto& [address, data] : {std::pair{1U, 1U}, {2U, 1U}, {3U, 8U}, {4U, 8U}, {5U, 3U}, {7U, 8U}})
        bench.configure(address, data);
    sc_start(cycle);
    bench.configure(0, 1);

    // One flit by port 1, in cycle 10 on the injection queue's pins: on the link's pins two cycles later.
    PacketFields fields;
    fields.slot = 2;
    const Packet packet = make_packet(fields);
    auto flit = bench.inj_flit.read();
    systemc::set_flit(flit, 0, {{packet.word(0), packet.word(1)}, 3});
    bench.inj_flit = flit;
    bench.inj_valid = 1;
    sc_start(cycle);
    bench.inj_valid = 0;
    EXPECT_EQ(bench.link_valid_o.read(), 0U);
    sc_start(cycle);
    EXPECT_EQ(bench.link_valid_o.read(), 2U);
    EXPECT_EQ(systemc::get_flit(bench.link_flit_o.read(), 1).word[0], packet.header);
    EXPECT_EQ(systemc::get_flit(bench.link_flit_o.read(), 1).word[1], packet.identity);
    EXPECT_EQ(bench.inj_credit.read(), 1U);
    sc_start(cycle);
    EXPECT_EQ(bench.link_valid_o.read(), 0U);
    EXPECT_EQ(bench.link_flit_o.read(), 0);
    EXPECT_EQ(bench.inj_credit.read(), 0U);
    EXPECT_EQ(bench.status.read(), 0U);
    sc_core::sc_close_vcd_trace_file(file);

    const Vcd vcd(path + ".vcd");
    std::remove((path + ".vcd").c_str());
    std::vector<std::string> names;
    for (const auto& [name, changes] : vcd.changes) names.push_back(name);
    EXPECT_THAT(names,
                testing::UnorderedElementsAre(
                    "clk_i", "rst_ni", "clk_en_i", "cfg_valid_i", "cfg_read_i", "cfg_addr_i", "cfg_data_i",
                    "cfg_data_o", "link_valid_i", "link_vc_i", "link_flit_i", "credit_i", "link_valid_o",
                    "link_vc_o", "link_flit_o", "credit_o", "inj_valid_i", "inj_flit_i", "inj_credit_o",
                    "rx_ready_i", "rx_valid_o", "rx_flit_o", "rx_count_o", "stall_o", "status_o"));
    EXPECT_THAT(vcd.changes.at("link_valid_o"),
                testing::ElementsAre(Pair("#0", "b0"), Pair("#115000", "b10"), Pair("#125000", "b0")));
}

}  // namespace
}  // namespace interlace
