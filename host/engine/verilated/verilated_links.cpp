// Interlace: links of Verilated SystemVerilog (rtl/link)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string>

#include "Vil_link.h"
#include "interlace/core/error.h"
#include "interlace/engine/pins/detail/pins.h"
#include "interlace/engine/verilated/detail/context.h"
#include "interlace/engine/verilated/detail/model_state.h"
#include "interlace/engine/verilated/verilated.h"

namespace interlace {
namespace {

constexpr std::uint32_t built_depth = 1024;  // host/engine/verilated/CMakeLists.txt

/// Bits of a frame to and from a pin.
template <class Pin, class Bits>
void put(Pin& pin, const Bits& bits) {
    static_assert(sizeof(Pin) == std::tuple_size_v<Bits>);
    std::memcpy(&pin, bits.data(), bits.size());
}
template <class Pin, class Bits>
void take(const Pin& pin, Bits& bits) {
    static_assert(sizeof(Pin) == std::tuple_size_v<Bits>);
    std::memcpy(bits.data(), &pin, bits.size());
}

class VerilatedLinks final : public LinkEnds {
  public:
    VerilatedLinks(std::size_t count, const LinkSettings& settings) {
        for (std::size_t i = 0; i < count; ++i) {
            model_.push_back(std::make_unique<Vil_link>(context_.get()));
            Vil_link& m = *model_.back();
            m.clk_i = 0;
            m.rst_ni = 0;
            m.window_i = static_cast<SData>(settings.window);
            m.cycles_per_flit_i = static_cast<CData>(settings.cycles_per_flit);
            m.timeout_i = static_cast<SData>(settings.timeout);
            m.attempts_i = static_cast<CData>(settings.attempts);
            m.refresh_i = static_cast<SData>(settings.refresh);
            m.link_valid_i = m.frame_valid_i = m.back_valid_i = 0;
            m.credit_i = 0;
            m.eval();  // to Verilator the first evaluation is no edge
            edge(m);
            m.rst_ni = 1;
        }
    }

    ~VerilatedLinks() override { context_.enter(); }

    void clock(const std::vector<LinkInputs>& inputs, std::vector<LinkOutputs>& outputs) override {
        for (std::size_t i = 0; i < model_.size(); ++i) {
            show(inputs[i], *model_[i]);
            edge(*model_[i]);
            read(*model_[i], outputs[i]);
        }
    }

    bool has_state() const override { return true; }
    void state(Archive& archive) override {
        for (const auto& model : model_) detail::model_state(*model, archive);
    }

  private:
    static void edge(Vil_link& m) {
        m.clk_i = 1;
        m.eval();
        m.clk_i = 0;
        m.eval();
    }
    static void show(const LinkInputs& in, Vil_link& m) {
        m.link_valid_i = in.link_valid ? 1 : 0;
        m.link_vc_i = in.vc;
        if (in.link_valid) detail::set_flit(m.link_flit_i, 0, in.flit);
        for (std::uint32_t v = 0; v < in.credits.size(); ++v)
            detail::set(m.credit_i, v * detail::amount_bits, detail::amount_bits, in.credits[v]);
        m.frame_valid_i = in.frame_valid ? 1 : 0;
        if (in.frame_valid) put(m.frame_i, in.frame);
        m.back_valid_i = in.back_valid ? 1 : 0;
        if (in.back_valid) put(m.back_i, in.back);
    }
    static void read(const Vil_link& m, LinkOutputs& out) {
        out.link_valid = m.link_valid_o != 0;
        out.vc = m.link_vc_o;
        out.flit = detail::get_flit(m.link_flit_o, 0);
        for (std::uint32_t v = 0; v < out.credits.size(); ++v)
            out.credits[v] = static_cast<std::uint8_t>(
                detail::get(m.credit_o, v * detail::amount_bits, detail::amount_bits));
        out.frame_valid = m.frame_valid_o != 0;
        take(m.frame_o, out.frame);
        out.back_valid = m.back_valid_o != 0;
        take(m.back_o, out.back);
        out.dead = m.dead_o != 0;
    }

    detail::Context context_;
    std::vector<std::unique_ptr<Vil_link>> model_;
};

}  // namespace

std::unique_ptr<LinkEnds> verilated_links(std::size_t count, const LinkSettings& settings,
                                          std::uint32_t depth) {
    if (depth > built_depth)
        throw InputError(
            "cannot use links with replay whose senders store " + std::to_string(depth) + " flits",
            "at most " + std::to_string(built_depth) + " (vcs x vc_depth), as RTL links are built");
    return std::make_unique<VerilatedLinks>(count, settings);
}

}  // namespace interlace
