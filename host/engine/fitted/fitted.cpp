// Interlace: nodes of rtl/ that are built for one experiment, when it runs
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/engine/fitted/fitted.h"

#include <algorithm>
#include <bit>

#include "compile.h"
#include "interlace/core/archive.h"
#include "interlace/core/error.h"
#include "interlace/engine/pins/detail/pin_region.h"

namespace interlace {
namespace fitted {

// Pins as pin_region.h needs them: in the place of the templates of interlace/engine/pins/detail/pins.h,
// which would fit as well where one of these took a const pin that they take as it is.

/// Eight bytes of a pin: those that bit `low` and the 56 above it are in, or all of a smaller pin.
struct PinWindow {
    std::uint32_t byte, shift;
    PinWindow(const Pin& pin, std::uint32_t low)
        : byte(pin.size <= 8 ? 0 : std::min(low / 8, pin.size - 8)), shift(low - byte * 8) {}
};

std::uint64_t load(const Pin& pin, std::uint32_t byte) {
    switch (pin.size) {
        case 1:
            return detail::load<std::uint8_t>(pin.bytes);
        case 2:
            return detail::load<std::uint16_t>(pin.bytes);
        case 4:
            return detail::load<std::uint32_t>(pin.bytes);
        default:
            return detail::load<std::uint64_t>(pin.bytes + byte);
    }
}

void store(Pin& pin, std::uint32_t byte, std::uint64_t value) {
    switch (pin.size) {
        case 1:
            return detail::store(pin.bytes, static_cast<std::uint8_t>(value));
        case 2:
            return detail::store(pin.bytes, static_cast<std::uint16_t>(value));
        case 4:
            return detail::store(pin.bytes, static_cast<std::uint32_t>(value));
        default:
            return detail::store(pin.bytes + byte, value);
    }
}

std::uint64_t get(const Pin& pin, std::uint32_t low, std::uint32_t width) {
    const PinWindow window(pin, low);
    return load(pin, window.byte) >> window.shift & detail::ones(width);
}

void set(Pin& pin, std::uint32_t low, std::uint32_t width, std::uint64_t value) {
    const PinWindow window(pin, low);
    const std::uint64_t mask = detail::ones(width);
    store(pin, window.byte,
          (load(pin, window.byte) & ~(mask << window.shift)) | (value & mask) << window.shift);
}

void clear(Pin& pin) {
    std::fill_n(pin.bytes, pin.size, std::uint8_t{0});
}

const unsigned char* bytes(const Pin& pin) {
    return pin.bytes;
}

unsigned char* bytes(Pin& pin) {
    return pin.bytes;
}

}  // namespace fitted

namespace {

class FittedRegion final : public detail::PinRegion<fitted::Pins, 0> {
  public:
    FittedRegion(const Fabric& fabric, const std::vector<NodeId>& nodes, const PortTables* tables,
                 const fitted::Library& library)
        : PinRegion(fabric, nodes),
          library_(library),
          nodes_(library.make(nodes.size()), library.unmake),
          pins_(nodes.size()) {
        std::vector<fitted::Pins*> models;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            library_.pins(nodes_.get(), i, &pins_[i]);
            models.push_back(&pins_[i]);
        }
        const NodeParameters& p = fabric.parameters;
        configure(std::move(models), tables, {p.injection_depth, p.reception_depth, p.vc_depth});
    }

  private:
    void clock(const std::vector<std::uint32_t>& awake) override {
        library_.clock(nodes_.get(), awake.data(), awake.size());
    }

    bool has_model_state() const override { return true; }
    /// Throws FellShort where it is of another model.
    void model_state(std::uint32_t n, Archive& archive) override {
        constexpr std::ptrdiff_t number =
            8;  // with which a state begins: Verilator ends the program at another
        Bytes own;
        const auto take = [](void* to, const unsigned char* bytes, std::size_t size) {
            static_cast<Bytes*>(to)->assign(bytes, bytes + size);
        };
        library_.save(nodes_.get(), n, take, &own);
        Bytes bytes = own;
        archive(bytes);
        if (archive.loads() &&
            (bytes.size() != own.size() || !std::equal(own.begin(), own.begin() + number, bytes.begin()) ||
             !library_.load(nodes_.get(), n, bytes.data(), bytes.size())))
            throw FellShort("a snapshot of other nodes");
    }

    const fitted::Library& library_;
    std::unique_ptr<void, void (*)(void*)> nodes_;
    std::vector<fitted::Pins> pins_;
};

/// The entries that a node's table has room for.
std::uint32_t slots_for(const PortTables* tables, NodeId node) {
    const std::size_t entries = tables == nullptr || tables->empty() ? 0 : (*tables)[node].size();
    return std::max(2U, std::bit_ceil(static_cast<std::uint32_t>(entries)));
}

}  // namespace

std::unique_ptr<Region> fitted_region(const Fabric& fabric, const std::vector<NodeId>& nodes,
                                      const PortTables* tables, const RunListener& listener) {
    constexpr std::uint32_t emulated_flit_bits = 128;  // whatever a flit's size is (docs/architecture.md)
    fabric.check_built();                              // before a library is
    const RtlParameters parameters =
        rtl_parameters(fabric, emulated_flit_bits, slots_for(tables, nodes.at(0)), false);
    return std::make_unique<FittedRegion>(fabric, nodes, tables, fitted_library(parameters, listener));
}

}  // namespace interlace
