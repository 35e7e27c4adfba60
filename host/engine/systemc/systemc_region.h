// Interlace: regions of SystemC nodes, and the nodes that a process has
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "interlace/engine/detail/pin_region.h"
#include "interlace/systemc/node.h"

namespace interlace {
namespace pins {

/// An input pin: set in any number of pieces, written to its signal at most once a cycle.
template <class Value>
struct In {
    sc_core::sc_signal<Value> signal;
    Value value{};
    bool changed = false;
    void flush() {
        if (changed) signal.write(value);
        changed = false;
    }
};

template <class Value>
struct Out {
    sc_core::sc_signal<Value> signal;
};

template <class Value>
std::uint64_t get(const In<Value>& pin, std::uint32_t low, std::uint32_t width) {
    return systemc::get_bits(pin.value, static_cast<int>(low), static_cast<int>(width));
}

template <class Value>
std::uint64_t get(const Out<Value>& pin, std::uint32_t low, std::uint32_t width) {
    return systemc::get_bits(pin.signal.read(), static_cast<int>(low), static_cast<int>(width));
}

template <class Value>
void set(In<Value>& pin, std::uint32_t low, std::uint32_t width, std::uint64_t bits) {
    systemc::set_bits(pin.value, static_cast<int>(low), static_cast<int>(width), bits);
    pin.changed = true;
}

template <class Value>
void clear(In<Value>& pin) {
    if (pin.value == Value{}) return;
    pin.value = Value{};
    pin.changed = true;
}

}  // namespace pins

namespace detail {

/// A node and the signals at its pins.
template <class Node>
struct NodeWithPins {
    using Module = Node;
    template <class Port>
    using ValueOf = typename Port::data_type;

    explicit NodeWithPins(const std::string& name) : module(name.c_str()) {
        module.clk_i(clk);
        bind([](auto& port, auto& pin) { port(pin.signal); });
    }

    /// Visits every pin but the clock with its port.
    template <class Visit>
    void bind(const Visit& visit) {
        visit(module.rst_ni, rst_ni);
        visit(module.cfg_valid_i, cfg_valid_i);
        visit(module.cfg_addr_i, cfg_addr_i);
        visit(module.cfg_data_i, cfg_data_i);
        visit(module.link_valid_i, link_valid_i);
        visit(module.link_vc_i, link_vc_i);
        visit(module.link_flit_i, link_flit_i);
        visit(module.credit_i, credit_i);
        visit(module.inj_valid_i, inj_valid_i);
        visit(module.inj_flit_i, inj_flit_i);
        visit(module.rx_ready_i, rx_ready_i);
        visit(module.link_valid_o, link_valid_o);
        visit(module.link_vc_o, link_vc_o);
        visit(module.link_flit_o, link_flit_o);
        visit(module.credit_o, credit_o);
        visit(module.inj_credit_o, inj_credit_o);
        visit(module.rx_valid_o, rx_valid_o);
        visit(module.rx_flit_o, rx_flit_o);
        visit(module.status_o, status_o);
    }

    /// Takes away what an earlier region left on the pins.
    void silence() {
        clear(link_valid_i);
        clear(inj_valid_i);
        clear(credit_i);
    }

    /// A clock edge would change nothing. (Whether a host is ready matters only to a queue that shows
    /// something.)
    bool at_rest() const {
        return module.at_rest() && !link_valid_i.changed && !inj_valid_i.changed && !credit_i.changed &&
               !cfg_valid_i.changed && !rst_ni.changed;
    }

    void flush() {
        rst_ni.flush();
        cfg_valid_i.flush();
        cfg_addr_i.flush();
        cfg_data_i.flush();
        link_valid_i.flush();
        link_vc_i.flush();
        link_flit_i.flush();
        credit_i.flush();
        inj_valid_i.flush();
        inj_flit_i.flush();
        rx_ready_i.flush();
    }

    Module module;
    sc_core::sc_signal<bool> clk;
    pins::In<bool> rst_ni, cfg_valid_i;
    pins::In<std::uint32_t> cfg_addr_i, cfg_data_i;
    pins::In<ValueOf<decltype(Module::link_valid_i)>> link_valid_i;
    pins::In<ValueOf<decltype(Module::link_vc_i)>> link_vc_i;
    pins::In<ValueOf<decltype(Module::link_flit_i)>> link_flit_i;
    pins::In<ValueOf<decltype(Module::credit_i)>> credit_i;
    pins::In<ValueOf<decltype(Module::inj_valid_i)>> inj_valid_i;
    pins::In<ValueOf<decltype(Module::inj_flit_i)>> inj_flit_i;
    pins::In<ValueOf<decltype(Module::rx_ready_i)>> rx_ready_i;
    pins::Out<ValueOf<decltype(Module::link_valid_o)>> link_valid_o;
    pins::Out<ValueOf<decltype(Module::link_vc_o)>> link_vc_o;
    pins::Out<ValueOf<decltype(Module::link_flit_o)>> link_flit_o;
    pins::Out<ValueOf<decltype(Module::credit_o)>> credit_o;
    pins::Out<ValueOf<decltype(Module::inj_credit_o)>> inj_credit_o;
    pins::Out<ValueOf<decltype(Module::rx_valid_o)>> rx_valid_o;
    pins::Out<ValueOf<decltype(Module::rx_flit_o)>> rx_flit_o;
    pins::Out<std::uint32_t> status_o;
};

template <class Node>
using Pool = std::vector<std::unique_ptr<NodeWithPins<Node>>>;

/// The nodes of this process: as many kernels as SystemC has, one.
template <class Node>
Pool<Node>& pool() {
    // Never destroyed: the kernel's own statics may be gone by then.
    static auto* const nodes = new Pool<Node>;
    return *nodes;
}

inline bool& region_lives() {
    static bool lives = false;
    return lives;
}

/// Makes nodes until there are `count`; only before the first cycle.
template <class Node>
void reserve(std::size_t count) {
    if (pool<Node>().size() >= count) return;
    if (sc_core::sc_start_of_simulation_invoked())
        throw std::logic_error(
            fmt::format("{} SystemC nodes of {} ports were made before the first cycle; {} are needed",
                        pool<Node>().size(), Node::ports, count));
    for (std::size_t i = pool<Node>().size(); i < count; ++i)
        pool<Node>().push_back(
            std::make_unique<NodeWithPins<Node>>(fmt::format("node_{}_{}_{}", Node::ports, Node::vcs, i)));
}

template <class Node>
class SystemCRegion final : public PinRegion<NodeWithPins<Node>, Node::vcs> {
  public:
    SystemCRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables)
        : PinRegion<NodeWithPins<Node>, Node::vcs>(fabric, nodes), count_(nodes.size()) {
        if (region_lives()) throw std::logic_error("a second SystemC region");
        reserve<Node>(nodes.size());
        region_lives() = true;
        std::vector<NodeWithPins<Node>*> models;
        for (std::size_t i = 0; i < count_; ++i) {
            models.push_back(pool<Node>()[i].get());
            models.back()->silence();
        }
        this->configure(std::move(models), tables);
    }
    ~SystemCRegion() override { region_lives() = false; }

  private:
    void clock() override {
        awake_.clear();
        for (std::size_t i = 0; i < count_; ++i) {
            NodeWithPins<Node>& node = *pool<Node>()[i];
            if (node.at_rest()) continue;
            awake_.push_back(&node);
            node.flush();
            node.clk.write(false);
        }
        sc_core::sc_start(half_period);
        for (NodeWithPins<Node>* node : awake_) node->clk.write(true);
        sc_core::sc_start(half_period);
    }

    const sc_core::sc_time half_period{500, sc_core::SC_PS};
    std::size_t count_;
    std::vector<NodeWithPins<Node>*> awake_;  // the nodes that are clocked in this cycle
};

}  // namespace detail
}  // namespace interlace
