// Interlace: a device that does something wrong now and then, as --rogue says
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <string>

#include "interlace/engine/device/remote_device.h"
#include "interlace/engine/region/detail/pins.h"
#include "interlace/engine/verilated/verilated.h"

namespace {

using namespace interlace;

/// RTL nodes between whose pins and the host's somebody sits.
class Rogue final : public PinDevice {
  public:
    Rogue(const DeviceRequest& request, std::string wrong)
        : device_(verilated_device(request.needed.ports, request.needed.pipeline, request.nodes.size())),
          wrong_(std::move(wrong)) {}
    NodeSizes sizes() const override { return device_->sizes(); }
    void clock(const std::vector<std::uint32_t>& awake, std::vector<PinImage>& pins) override {
        device_->clock(awake, pins);
        for (const std::uint32_t n : awake) tamper(pins[n]);
    }

  private:
    void tamper(PinImage& pins) {
        for (std::uint32_t p = 0; p < device_->sizes().ports; ++p)
            if ((pins.link_valid_o >> p & 1U) != 0 && ++flits_ % 50 == 0) tamper_with_flit(pins, p);
        if (wrong_ == "credit" && pins.credit_o != PinImage::Credits{} && ++credits_ % 50 == 0)
            pins.credit_o = {};
        if (wrong_ == "taken" && (pins.rx_valid_o & 1U) != 0 && ++taken_ % 50 == 0) pins.rx_flit_o[1] ^= 4U;
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
    std::uint64_t flits_ = 0, credits_ = 0, taken_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    const char* wrong = std::getenv("ROGUE");
    return device_main(argc, argv, [&](const DeviceRequest& request) {
        return std::make_unique<Rogue>(request, wrong == nullptr ? "" : wrong);
    });
}
