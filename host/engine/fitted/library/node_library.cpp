// Interlace: fitted nodes as a shared library: compiled by the program (compile.cpp), behind the model
// Vil_node Copyright (c) 2026 the interlace authors SPDX-License-Identifier: Apache-2.0
#include "node_library.h"

#include <span>
#include <vector>

#include "Vil_node.h"
#include "Vil_node___024root.h"
#include "interlace/engine/verilated/detail/model_bytes.h"
#include "interlace/engine/verilated/detail/verilated_nodes.h"

namespace interlace::fitted {
namespace {

using Nodes = detail::VerilatedNodes<Vil_node>;

Vil_node& node_of(void* nodes, std::size_t node) {
    return (*static_cast<Nodes*>(nodes))[node];
}

template <class Member>
Pin pin(Member& member) {
    return {reinterpret_cast<unsigned char*>(&member), sizeof(member)};
}

template <class Member>
void clear(Member& member) {
    if constexpr (std::is_integral_v<Member>)
        member = 0;
    else
        std::fill_n(reinterpret_cast<unsigned char*>(&member), sizeof(member), std::uint8_t{0});
}

void* make(std::size_t count) {
    return new Nodes(count);
}

void unmake(void* nodes) {
    delete static_cast<Nodes*>(nodes);
}

void pins(void* nodes, std::size_t node, Pins* pins) {
    Vil_node& m = node_of(nodes, node);
    *pins = {.rst_ni = pin(m.rst_ni),
             .clk_en_i = pin(m.clk_en_i),
             .cfg_valid_i = pin(m.cfg_valid_i),
             .cfg_read_i = pin(m.cfg_read_i),
             .cfg_addr_i = pin(m.cfg_addr_i),
             .cfg_data_i = pin(m.cfg_data_i),
             .cfg_data_o = pin(m.cfg_data_o),
             .link_valid_i = pin(m.link_valid_i),
             .link_vc_i = pin(m.link_vc_i),
             .link_flit_i = pin(m.link_flit_i),
             .credit_i = pin(m.credit_i),
             .link_valid_o = pin(m.link_valid_o),
             .link_vc_o = pin(m.link_vc_o),
             .link_flit_o = pin(m.link_flit_o),
             .credit_o = pin(m.credit_o),
             .inj_valid_i = pin(m.inj_valid_i),
             .inj_flit_i = pin(m.inj_flit_i),
             .inj_credit_o = pin(m.inj_credit_o),
             .rx_ready_i = pin(m.rx_ready_i),
             .rx_valid_o = pin(m.rx_valid_o),
             .rx_flit_o = pin(m.rx_flit_o),
             .rx_count_o = pin(m.rx_count_o),
             .stall_o = pin(m.stall_o),
             .status_o = pin(m.status_o)};
}

void clock(void* nodes, const std::uint32_t* which, std::size_t count) {
    Nodes& all = *static_cast<Nodes*>(nodes);
    for (const std::uint32_t n : std::span(which, count)) {
        all.clock(n);
        Vil_node& m = all[n];
        clear(m.link_valid_i);
        clear(m.inj_valid_i);
        clear(m.credit_i);
    }
}

void save(void* nodes, std::size_t node, void (*take)(void* to, const unsigned char* bytes, std::size_t size),
          void* to) {
    detail::StateWriter writer;
    writer << node_of(nodes, node);
    const std::vector<std::uint8_t> bytes = writer.bytes();
    take(to, bytes.data(), bytes.size());
}

bool load(void* nodes, std::size_t node, const unsigned char* bytes, std::size_t size) {
    try {
        detail::StateReader reader(std::span(bytes, size));
        reader >> node_of(nodes, node);
        reader.finish();
        return true;
    } catch (const FellShort&) {
        return false;
    }
}

}  // namespace
}  // namespace interlace::fitted

extern "C" __attribute__((visibility("default"))) const interlace::fitted::Library* interlace_fitted_nodes() {
    using namespace interlace::fitted;
    static const Library library = {make, unmake, pins, clock, save, load};
    return &library;
}
