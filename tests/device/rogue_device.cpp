// Interlace: a device that does something wrong, as the environment variable ROGUE says
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "interlace/engine/device/remote_device.h"
#include "interlace/engine/fabric/registers.h"
#include "interlace/engine/pins/detail/pins.h"
#include "interlace/engine/verilated/verilated.h"

namespace {

using namespace interlace;

std::unique_ptr<PinDevice> nodes_for(const DeviceRequest& request) {
    return verilated_device(request.needed.ports, request.needed.pipeline, request.nodes.size());
}

/// Lets flits from links come to a node one at a time, packet by packet, those of the lowest port first: what
/// a reception queue with fixed priorities makes of them.
class FixedPriority {
  public:
    void hold(PinImage& pins) {
        for (std::uint32_t p = 0; p < PinImage::ports; ++p)
            if ((pins.link_valid_i >> p & 1U) != 0)
                waiting_[p].push_back({detail::get_flit(pins.link_flit_i, p),
                                       detail::get(pins.link_vc_i, p * detail::vc_bits, detail::vc_bits)});
        pins.link_valid_i = 0;
        for (std::uint32_t p = 0; !in_ && p < PinImage::ports; ++p)
            if (!waiting_[p].empty()) in_ = p;
        if (!in_ || waiting_[*in_].empty()) return;
        const std::uint32_t port = *in_;
        const auto [flit, vc] = waiting_[port].front();
        waiting_[port].pop_front();
        pins.link_valid_i = 1U << port;
        detail::set(pins.link_vc_i, port * detail::vc_bits, detail::vc_bits, vc);
        detail::set_flit(pins.link_flit_i, port, flit);
        if ((flit.ends & 2U) != 0) in_.reset();
    }

  private:
    std::array<std::deque<std::pair<RawFlit, std::uint64_t>>, PinImage::ports> waiting_;
    std::optional<std::uint32_t> in_;  // the port of a packet that has come in part
};

/// RTL nodes between whose pins and the host's somebody sits.
class Rogue final : public PinDevice {
  public:
    Rogue(const DeviceRequest& request, std::string wrong)
        : device_(nodes_for(request)), wrong_(std::move(wrong)), held_(request.nodes.size()) {}
    NodeSizes sizes() const override { return device_->sizes(); }
    DeviceTraits traits() const override { return {.silent_cycles = 100}; }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        for (const std::uint32_t n : awake) tamper_with_inputs(n, pins[n]);
        device_->clock(awake, pins);
        for (const std::uint32_t n : awake) {
            tamper(pins[n]);
            if (pins[n].cfg_read_i != 0) pins[n].cfg_data_o = lie(pins[n].cfg_addr_i, pins[n].cfg_data_o);
        }
    }

  private:
    void tamper_with_inputs(std::uint32_t n, PinImage& pins) {
        if (wrong_ == "clk_en") pins.clk_en_i = 1;
        if (wrong_ == "fixed_priority") held_[n].hold(pins);
        if (wrong_ == "quiesce" && pins.cfg_valid_i != 0 && pins.cfg_addr_i == Register::quiesce) {
            quiesce_ = pins.cfg_data_i;
            pins.cfg_valid_i = 0;
        }
    }
    std::uint32_t lie(std::uint32_t address, std::uint32_t truth) const {
        const bool built = address >= Register::identification && address <= Register::depths;
        if (wrong_ == "dead_identification" && built) return 0xdeadbeef;
        if (wrong_ == "dead_sizes" && built && address != Register::identification) return 0xdeadbeef;
        if (wrong_ == "idle" && address == Register::idle) return 3;
        if (wrong_ == "credits_home" && address == Register::idle) return truth | 2U;
        if (wrong_ == "quiesce" && address == Register::quiesce) return quiesce_;
        if (wrong_ == "overflow" && address == Register::status) return truth & ~1U;
        return truth;
    }
    void tamper(PinImage& pins) {
        const NodeSizes built = device_->sizes();
        for (std::uint32_t p = 0; p < built.ports; ++p)
            if ((pins.link_valid_o >> p & 1U) != 0 && ++flits_ % 50 == 0) tamper_with_flit(pins, p);
        if (wrong_ == "credit" && pins.credit_o != PinImage::Credits{} && ++credits_ % 50 == 0)
            pins.credit_o = {};
        if (wrong_ == "taken" && (pins.rx_valid_o & 1U) != 0 && ++taken_ % 50 == 0) pins.rx_flit_o[1] ^= 4U;
        if (wrong_ == "overflow") pins.status_o &= ~1U;
        if (wrong_ == "stall") pins.stall_o = (1U << (built.ports + built.receptions)) - 1;
        if (wrong_ == "stall_of_links") pins.stall_o |= pins.link_valid_o;
        if (wrong_ == "stall_beyond") pins.stall_o |= 1U << (built.ports + built.receptions);
    }
    void tamper_with_flit(PinImage& pins, std::uint32_t port) const {
        RawFlit flit = detail::get_flit(pins.link_flit_o, port);
        if (wrong_ == "bit") flit.word[1] ^= 1U << 7U;
        if (wrong_ == "tail") flit.ends ^= 2U;
        if (wrong_ == "lost") pins.link_valid_o &= ~(1U << port);
        detail::set_flit(pins.link_flit_o, port, flit);
    }

    std::unique_ptr<PinDevice> device_;
    std::string wrong_;
    std::vector<FixedPriority> held_;  // [node]
    std::uint32_t quiesce_ = 0;
    std::uint64_t flits_ = 0, credits_ = 0, taken_ = 0;
};

/// The same nodes as a device without registers, whose links have `more` credits than they should.
class Bare final : public PinDevice {
  public:
    Bare(const DeviceRequest& request, std::int32_t more)
        : device_(nodes_for(request)), request_(request), more_(more), own_(request.nodes.size()) {}
    NodeSizes sizes() const override { return request_.needed; }
    DeviceTraits traits() const override { return {.registers = false}; }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        for (const std::uint32_t n : awake) {
            if (pins[n].rst_ni == 0) {
                configure(n);
                continue;
            }
            own_[n] = pins[n];
            own_[n].clk_en_i = 1;
            device_->clock({n}, own_);
            pins[n] = own_[n];
            pins[n].status_o = pins[n].stall_o = pins[n].cfg_data_o = 0;
            pins[n].rx_count_o = {};
        }
    }

  private:
    void configure(std::uint32_t n) {
        own_[n] = {};
        own_[n].clk_en_i = 1;
        device_->clock({n}, own_);
        own_[n].rst_ni = 1;
        for (const auto& [address, value] : request_.settings)
            write(n, address,
                  address == Register::vc_depth ? value + static_cast<std::uint32_t>(more_) : value);
        write(n, Register::ports, (1U << request_.needed.ports) - 1);
        device_->clock({n}, own_);
        write(n, Register::enable, 1);
    }
    void write(std::uint32_t n, std::uint32_t address, std::uint32_t value) {
        own_[n].cfg_valid_i = 1;
        own_[n].cfg_addr_i = address;
        own_[n].cfg_data_i = value;
        device_->clock({n}, own_);
        own_[n].cfg_valid_i = 0;
    }

    std::unique_ptr<PinDevice> device_;
    DeviceRequest request_;
    std::int32_t more_;
    std::vector<PinImage> own_;  // [node]
};

}  // namespace

int main(int argc, char** argv) {
    const char* rogue = std::getenv("ROGUE");
    const std::string wrong = rogue == nullptr ? "" : rogue;
    return device_main(argc, argv, [&](const DeviceRequest& request) -> std::unique_ptr<PinDevice> {
        if (wrong == "bare") return std::make_unique<Bare>(request, 0);
        if (wrong == "bare_more") return std::make_unique<Bare>(request, 1);
        if (wrong == "bare_less") return std::make_unique<Bare>(request, -1);
        return std::make_unique<Rogue>(request, wrong);
    });
}
