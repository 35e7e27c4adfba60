// Interlace: a SystemC netlist of four nodes in a ring, of plain signals
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string>
#include <systemc>
#include <tuple>
#include <type_traits>
#include <utility>

#include "interlace/systemc/packet.h"
#include "interlace/systemc/pins.h"
#include "support/ring_hosts.h"

namespace interlace {

/// The signals at the pins of one node. `Node` gives the types; any module that has the same pins can be
/// bound.
template <class Node>
struct NodeSignals {
    template <auto Pin>
    struct PinOf;
    template <class Module, class Port, Port Module::*pin>
    struct PinOf<pin> {
        using Signal = sc_core::sc_signal<typename Port::data_type>;
    };
    template <auto Pin>
    using Signal = typename PinOf<Pin>::Signal;

    Signal<&Node::rst_ni> rst_ni;
    Signal<&Node::clk_en_i> clk_en_i;
    Signal<&Node::cfg_valid_i> cfg_valid_i;
    Signal<&Node::cfg_read_i> cfg_read_i;
    Signal<&Node::cfg_addr_i> cfg_addr_i;
    Signal<&Node::cfg_data_i> cfg_data_i;
    Signal<&Node::cfg_data_o> cfg_data_o;
    Signal<&Node::link_valid_i> link_valid_i;
    Signal<&Node::link_vc_i> link_vc_i;
    Signal<&Node::link_flit_i> link_flit_i;
    Signal<&Node::credit_i> credit_i;
    Signal<&Node::link_valid_o> link_valid_o;
    Signal<&Node::link_vc_o> link_vc_o;
    Signal<&Node::link_flit_o> link_flit_o;
    Signal<&Node::credit_o> credit_o;
    Signal<&Node::inj_valid_i> inj_valid_i;
    Signal<&Node::inj_flit_i> inj_flit_i;
    Signal<&Node::inj_credit_o> inj_credit_o;
    Signal<&Node::rx_ready_i> rx_ready_i;
    Signal<&Node::rx_valid_o> rx_valid_o;
    Signal<&Node::rx_flit_o> rx_flit_o;
    Signal<&Node::rx_count_o> rx_count_o;
    Signal<&Node::stall_o> stall_o;
    Signal<&Node::status_o> status_o;

    template <class Module>
    void bind(Module& module, sc_core::sc_clock& clock) {
        module.clk_i(clock);
        module.rst_ni(rst_ni);
        module.clk_en_i(clk_en_i);
        module.cfg_valid_i(cfg_valid_i);
        module.cfg_read_i(cfg_read_i);
        module.cfg_addr_i(cfg_addr_i);
        module.cfg_data_i(cfg_data_i);
        module.cfg_data_o(cfg_data_o);
        module.link_valid_i(link_valid_i);
        module.link_vc_i(link_vc_i);
        module.link_flit_i(link_flit_i);
        module.credit_i(credit_i);
        module.link_valid_o(link_valid_o);
        module.link_vc_o(link_vc_o);
        module.link_flit_o(link_flit_o);
        module.credit_o(credit_o);
        module.inj_valid_i(inj_valid_i);
        module.inj_flit_i(inj_flit_i);
        module.inj_credit_o(inj_credit_o);
        module.rx_ready_i(rx_ready_i);
        module.rx_valid_o(rx_valid_o);
        module.rx_flit_o(rx_flit_o);
        module.rx_count_o(rx_count_o);
        module.stall_o(stall_o);
        module.status_o(status_o);
    }

    /// Calls visit(name, this signal, the other's signal) for every output pin.
    template <class Visit>
    void each_output(const NodeSignals& other, const Visit& visit) const {
        visit("link_valid_o", link_valid_o, other.link_valid_o);
        visit("link_vc_o", link_vc_o, other.link_vc_o);
        visit("link_flit_o", link_flit_o, other.link_flit_o);
        visit("credit_o", credit_o, other.credit_o);
        visit("inj_credit_o", inj_credit_o, other.inj_credit_o);
        visit("rx_valid_o", rx_valid_o, other.rx_valid_o);
        visit("rx_flit_o", rx_flit_o, other.rx_flit_o);
        visit("rx_count_o", rx_count_o, other.rx_count_o);
        visit("stall_o", stall_o, other.stall_o);
        visit("status_o", status_o, other.status_o);
        visit("cfg_data_o", cfg_data_o, other.cfg_data_o);
    }
};

/// A ring at whose places 0 to 3 stand modules of the kinds `Modules`, all with the pins of `Node`, and
/// between them nothing but a process that joins the ends of links.
template <class Node, class... Modules>
class Ring : public sc_core::sc_module {
  public:
    static_assert(sizeof...(Modules) == RingPlace::nodes);
    std::array<NodeSignals<Node>, RingPlace::nodes> at;

    SC_HAS_PROCESS(Ring);
    Ring(const sc_core::sc_module_name& name, sc_core::sc_clock& clock) : sc_module(name) {
        std::uint32_t n = 0;
        const auto place = [&](auto& module) {
            using Module = typename std::remove_reference_t<decltype(module)>::element_type;
            module = std::make_unique<Module>(("node_" + std::to_string(n)).c_str());
            at[n++].bind(*module, clock);
        };
        std::apply([&](auto&... module) { (place(module), ...); }, modules_);
        SC_METHOD(join);
        for (auto& node : at)
            sensitive << node.link_valid_o << node.link_vc_o << node.link_flit_o << node.credit_o;
    }

  private:
    void join() {
        constexpr std::uint32_t credit_width = Node::vcs * Node::amount_width;
        for (std::uint32_t n = 0; n < RingPlace::nodes; ++n) {
            auto valid = at[n].link_valid_i.read();
            auto vc = at[n].link_vc_i.read();
            auto flit = at[n].link_flit_i.read();
            auto credit = at[n].credit_i.read();
            for (std::uint32_t p = 0; p < RingPlace::ports; ++p) {
                const auto [m, q] = RingPlace{n, p}.far();
                using namespace systemc;
                const auto copy = [p = p, q = q](auto& to, const auto& from, std::uint32_t width) {
                    set_bits(to, p * width, width, get_bits(from.read(), q * width, width));
                };
                copy(valid, at[m].link_valid_o, 1);
                copy(vc, at[m].link_vc_o, Node::vc_width);
                copy(credit, at[m].credit_o, credit_width);
                set_flit(flit, p, get_flit(at[m].link_flit_o.read(), q));
            }
            at[n].link_valid_i.write(valid);
            at[n].link_vc_i.write(vc);
            at[n].link_flit_i.write(flit);
            at[n].credit_i.write(credit);
        }
    }

    std::tuple<std::unique_ptr<Modules>...> modules_;
};

}  // namespace interlace
