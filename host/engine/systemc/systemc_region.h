// Interlace: regions of SystemC nodes, and the nodes that a process has
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "interlace/engine/pins/detail/model_device.h"
#include "interlace/engine/pins/detail/pin_region.h"
#include "interlace/systemc/node.h"
#include "wire.h"

namespace interlace {
namespace pins {

template <class Value>
struct In {
    detail::Wire<Value> wire;
};

template <class Value>
struct Out {
    detail::Wire<Value> wire;
};

template <class Value>
std::uint64_t get(const In<Value>& pin, std::uint32_t low, std::uint32_t width) {
    return systemc::get_bits(pin.wire.value, low, width);
}

template <class Value>
std::uint64_t get(const Out<Value>& pin, std::uint32_t low, std::uint32_t width) {
    return systemc::get_bits(pin.wire.value, low, width);
}

template <class Value>
void set(In<Value>& pin, std::uint32_t low, std::uint32_t width, std::uint64_t bits) {
    systemc::set_bits(pin.wire.value, low, width, bits);
}

template <class Value>
RawFlit get_flit(const Out<Value>& pin, std::uint32_t i) {
    const systemc::Flit flit = systemc::get_flit(pin.wire.value, i);
    return {{flit.word[0], flit.word[1]}, flit.ends};
}

template <class Value>
void set_flit(In<Value>& pin, std::uint32_t i, const RawFlit& flit) {
    systemc::set_flit(pin.wire.value, i,
                      {{flit.word[0], flit.word[1]}, static_cast<std::uint8_t>(flit.ends)});
}

template <class Value>
void clear(In<Value>& pin) {
    systemc::clear_bits(pin.wire.value);
}

}  // namespace pins

namespace detail {

/// A node and the signals at its pins.
template <class Node>
struct NodeWithPins {
    using Module = Node;
    template <class Port>
    using InOf = pins::In<typename Port::data_type>;
    template <class Port>
    using OutOf = pins::Out<typename Port::data_type>;

    explicit NodeWithPins(const std::string& name, const systemc::Built& built = {})
        : module(name.c_str(), built) {
        module.clk_i(clk);
        bind([](auto& port, auto& pin) { port(pin.wire); });
    }

    /// Visits every pin but the clock with its port.
    template <class Visit>
    void bind(const Visit& visit) {
        visit(module.rst_ni, rst_ni);
        visit(module.cfg_valid_i, cfg_valid_i);
        visit(module.cfg_addr_i, cfg_addr_i);
        visit(module.cfg_data_i, cfg_data_i);
        visit(module.clk_en_i, clk_en_i);
        visit(module.cfg_read_i, cfg_read_i);
        visit(module.cfg_data_o, cfg_data_o);
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
        visit(module.rx_count_o, rx_count_o);
        visit(module.stall_o, stall_o);
        visit(module.status_o, status_o);
    }

    /// Saved or loaded.
    void state(Archive& archive) {
        module.state(archive);
        bind([&](auto&, auto& pin) { systemc::bits_state(archive, pin.wire.value); });
    }

    Module module;
    Clock clk;
    pins::In<bool> rst_ni, clk_en_i, cfg_valid_i, cfg_read_i;
    pins::In<std::uint32_t> cfg_addr_i, cfg_data_i;
    InOf<decltype(Module::link_valid_i)> link_valid_i;
    InOf<decltype(Module::link_vc_i)> link_vc_i;
    InOf<decltype(Module::link_flit_i)> link_flit_i;
    InOf<decltype(Module::credit_i)> credit_i;
    InOf<decltype(Module::inj_valid_i)> inj_valid_i;
    InOf<decltype(Module::inj_flit_i)> inj_flit_i;
    InOf<decltype(Module::rx_ready_i)> rx_ready_i;
    OutOf<decltype(Module::link_valid_o)> link_valid_o;
    OutOf<decltype(Module::link_vc_o)> link_vc_o;
    OutOf<decltype(Module::link_flit_o)> link_flit_o;
    OutOf<decltype(Module::credit_o)> credit_o;
    OutOf<decltype(Module::inj_credit_o)> inj_credit_o;
    OutOf<decltype(Module::rx_valid_o)> rx_valid_o;
    OutOf<decltype(Module::rx_flit_o)> rx_flit_o;
    OutOf<decltype(Module::rx_count_o)> rx_count_o;
    OutOf<decltype(Module::stall_o)> stall_o;
    pins::Out<std::uint32_t> status_o, cfg_data_o;
};

template <class Node>
using Pool = std::vector<std::unique_ptr<NodeWithPins<Node>>>;

/// The nodes of this process of each pipeline: as many kernels as SystemC has, one.
template <class Node>
Pool<Node>& pool(std::uint32_t pipeline = 1) {
    // Never destroyed: the kernel's own statics may be gone by then.
    static auto* const pools = new std::map<std::uint32_t, Pool<Node>>;
    return (*pools)[pipeline];
}

inline bool& region_lives() {
    static bool lives = false;
    return lives;
}

/// Makes nodes until there are `count`; only before the first cycle.
template <class Node>
void reserve(std::size_t count, const systemc::Built& built = {}) {
    Pool<Node>& nodes = pool<Node>(built.pipeline);
    if (nodes.size() >= count) return;
    if (sc_core::sc_start_of_simulation_invoked())
        throw std::logic_error(
            fmt::format("{} SystemC nodes of {} ports were made before the first cycle; {} are needed",
                        nodes.size(), Node::ports, count));
    for (std::size_t i = nodes.size(); i < count; ++i)
        nodes.push_back(std::make_unique<NodeWithPins<Node>>(
            fmt::format("node_{}_{}_{}_{}", Node::ports, Node::vcs, built.pipeline, i), built));
}

/// The first nodes of the pool, and their clock. One may live at a time.
template <class Node>
class SystemCNodes {
  public:
    SystemCNodes(std::size_t count, const systemc::Built& built) {
        if (region_lives()) throw std::logic_error("a second SystemC region");
        reserve<Node>(count, built);
        pool_ = &pool<Node>(built.pipeline);
        region_lives() = true;
    }
    SystemCNodes(const SystemCNodes&) = delete;
    SystemCNodes& operator=(const SystemCNodes&) = delete;
    ~SystemCNodes() { region_lives() = false; }

    NodeWithPins<Node>& operator[](std::size_t n) { return *(*pool_)[n]; }
    /// A rising edge for these.
    void clock(const std::vector<std::uint32_t>& awake) {
        for (const std::uint32_t n : awake) (*pool_)[n]->clk.rise();
        sc_core::sc_start(period_);
    }

  private:
    Pool<Node>* pool_ = nullptr;
    const sc_core::sc_time period_{1, sc_core::SC_NS};
};

template <class Node>
class SystemCRegion final : public PinRegion<NodeWithPins<Node>, Node::vcs> {
  public:
    SystemCRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables)
        : SystemCRegion(fabric, nodes, tables, {.pipeline = fabric.parameters.pipeline}) {}

  private:
    SystemCRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables,
                  const systemc::Built& built)
        : PinRegion<NodeWithPins<Node>, Node::vcs>(fabric, nodes), nodes_(nodes.size(), built) {
        std::vector<NodeWithPins<Node>*> models;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            models.push_back(&nodes_[i]);
            this->silence(*models.back());
        }
        this->configure(std::move(models), tables, built.depth);
    }

    bool has_model_state() const override { return true; }
    void model_state(std::uint32_t n, Archive& archive) override { nodes_[n].state(archive); }

    void clock(const std::vector<std::uint32_t>& awake) override {
        nodes_.clock(awake);
        for (const std::uint32_t n : awake) this->silence(nodes_[n]);
    }

    SystemCNodes<Node> nodes_;
};

/// Such nodes as a device.
template <class Node>
class SystemCDevice final : public PinDevice {
  public:
    SystemCDevice(std::size_t count, const systemc::Built& built)
        : sizes_(built_sizes(Node::ports, built.pipeline, built.depth)),
          count_(count),
          nodes_(count, built) {}
    NodeSizes sizes() const override { return sizes_; }
    DeviceTraits traits() const override { return {.snapshots = true}; }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        for (const std::uint32_t n : awake) show_inputs(pins[n], sizes_, nodes_[n]);
        nodes_.clock(awake);
        for (const std::uint32_t n : awake) read_outputs(nodes_[n], sizes_, pins[n]);
    }
    std::vector<std::uint8_t> snapshot() override {
        return saved_by([this](Archive& archive) { state(archive); });
    }
    void restore(std::span<const std::uint8_t> snapshot) override {
        if (!load_by([this](Archive& archive) { state(archive); }, snapshot))
            throw FellShort("a snapshot of other nodes");
    }

  private:
    /// Throws FellShort for that of other nodes.
    void state(Archive& archive) {
        std::pair<NodeSizes, std::size_t> whose{sizes_, count_};
        try {
            archive(whose.first, whose.second);
            if (whose != std::pair{sizes_, count_}) throw BrokenBytes();
            for (std::size_t i = 0; i < count_; ++i) nodes_[i].state(archive);
        } catch (const BrokenBytes&) {
            throw FellShort("a snapshot of other nodes");
        }
    }

    NodeSizes sizes_;
    std::size_t count_;
    SystemCNodes<Node> nodes_;
};

}  // namespace detail
}  // namespace interlace
