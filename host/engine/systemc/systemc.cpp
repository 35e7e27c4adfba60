// Interlace: nodes of SystemC: made once, clocked by sc_start
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/systemc.h"

#include <fmt/format.h>

#include <stdexcept>

#include "interlace/engine/detail/pin_region.h"
#include "interlace/systemc/node.h"

/// libsystemc asks for it; the kernel here is driven by sc_start alone.
int sc_main(int /*argc*/, char* /*argv*/[]) {
    return 0;
}

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

namespace {

/// A node and the signals at its pins.
template <int Ports>
struct NodeWithPins {
    using Module = systemc::Node<Ports>;
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

template <int Ports>
using Pool = std::vector<std::unique_ptr<NodeWithPins<Ports>>>;

/// The nodes of this process: as many kernels as SystemC has, one.
template <int Ports>
Pool<Ports>& pool() {
    // Never destroyed: the kernel's own statics may be gone by then.
    static auto* const nodes = new Pool<Ports>;
    return *nodes;
}

bool& region_lives() {
    static bool lives = false;
    return lives;
}

template <int Ports>
void reserve(std::size_t count) {
    if (pool<Ports>().size() >= count) return;
    if (sc_core::sc_start_of_simulation_invoked())
        throw std::logic_error(
            fmt::format("{} SystemC nodes of {} ports were made before the first cycle; {} are needed",
                        pool<Ports>().size(), Ports, count));
    for (std::size_t i = pool<Ports>().size(); i < count; ++i)
        pool<Ports>().push_back(std::make_unique<NodeWithPins<Ports>>(fmt::format("node_{}_{}", Ports, i)));
}

template <int Ports>
class SystemCRegion final : public detail::PinRegion<NodeWithPins<Ports>> {
  public:
    SystemCRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables)
        : detail::PinRegion<NodeWithPins<Ports>>(fabric, nodes), count_(nodes.size()) {
        if (region_lives()) throw std::logic_error("a second SystemC region");
        reserve<Ports>(nodes.size());
        region_lives() = true;
        std::vector<NodeWithPins<Ports>*> models;
        for (std::size_t i = 0; i < count_; ++i) {
            models.push_back(pool<Ports>()[i].get());
            models.back()->silence();
        }
        this->configure(std::move(models), tables);
    }
    ~SystemCRegion() override { region_lives() = false; }

  private:
    void clock() override {
        awake_.clear();
        for (std::size_t i = 0; i < count_; ++i) {
            NodeWithPins<Ports>& node = *pool<Ports>()[i];
            if (node.at_rest()) continue;
            awake_.push_back(&node);
            node.flush();
            node.clk.write(false);
        }
        sc_core::sc_start(half_period);
        for (NodeWithPins<Ports>* node : awake_) node->clk.write(true);
        sc_core::sc_start(half_period);
    }

    const sc_core::sc_time half_period{500, sc_core::SC_PS};
    std::size_t count_;
    std::vector<NodeWithPins<Ports>*> awake_;  // the nodes that are clocked in this cycle
};

}  // namespace

void systemc_reserve(std::uint32_t ports, std::size_t nodes) {
    switch (ports) {
        case 2:
            return reserve<2>(nodes);
        case 4:
            return reserve<4>(nodes);
        case 6:
            return reserve<6>(nodes);
        case 8:
            return reserve<8>(nodes);
        default:
            return reserve<10>(nodes);
    }
}

std::unique_ptr<Region> systemc_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                       const PortTables* tables) {
    switch (fabric.ports) {
        case 2:
            return std::make_unique<SystemCRegion<2>>(fabric, nodes, tables);
        case 4:
            return std::make_unique<SystemCRegion<4>>(fabric, nodes, tables);
        case 6:
            return std::make_unique<SystemCRegion<6>>(fabric, nodes, tables);
        case 8:
            return std::make_unique<SystemCRegion<8>>(fabric, nodes, tables);
        default:
            return std::make_unique<SystemCRegion<10>>(fabric, nodes, tables);
    }
}

}  // namespace interlace
