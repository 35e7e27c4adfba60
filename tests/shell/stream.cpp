// Interlace: rtl/shell between two AXI4-Streams that pause (docs/board.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: STREAM [--link PATH] [--seed N]
//
// What comes from a pseudo-terminal goes in, what comes out goes there, until it is killed. A transfer waits
// for the other side in half of all clocks. It ends where the shell takes back what it offers, or changes it.
#include <cstdint>
#include <deque>
#include <memory>
#include <random>

#include BOARD_HEADER
#include "terminal.h"

namespace {

constexpr int quiet = 20'000;  // clocks after which a board without input has nothing more to say
constexpr int slice = 500;     // clocks between two looks at the terminal

class Stream {
  public:
    Stream(Terminal& terminal, std::uint64_t seed) : terminal_(terminal), random_(seed) {
        for (int i = 0; i < 4; ++i) edge();
        shell_->rst_ni = 1;
    }
    void serve() {
        while (true) {
            terminal_.read_all(silent_ > quiet, [&](std::uint8_t byte) { bytes_.push_back(byte); });
            for (int i = 0; i < slice; ++i) clock();
        }
    }

  private:
    bool coin() { return (random_() & 1U) != 0; }

    void clock() {
        // What was offered stays; whether something new is, and whether what comes is taken, chance says.
        if (shell_->in_valid_i == 0 && !bytes_.empty() && coin()) {
            shell_->in_valid_i = 1;
            shell_->in_data_i = bytes_.front();
        }
        shell_->out_ready_i = coin();
        shell_->eval();
        const bool goes_in = shell_->in_valid_i != 0 && shell_->in_ready_o != 0;
        const bool offers = shell_->out_valid_o != 0;
        const bool comes_out = offers && shell_->out_ready_i != 0;
        const std::uint8_t byte = shell_->out_data_o;
        edge();
        if (goes_in) {
            bytes_.pop_front();
            shell_->in_valid_i = 0;
        }
        if (comes_out) terminal_.write_byte(byte);
        if (offers && !comes_out && (shell_->out_valid_o == 0 || shell_->out_data_o != byte))
            throw std::runtime_error("the shell has not kept what it offered until it was taken");
        silent_ = bytes_.empty() && !offers ? silent_ + 1 : 0;
    }

    void edge() {
        for (const int level : {0, 1}) {
            shell_->clk_i = static_cast<CData>(level);
            shell_->eval();
        }
    }

    Terminal& terminal_;
    std::mt19937_64 random_;
    std::unique_ptr<BOARD_MODEL> shell_ = std::make_unique<BOARD_MODEL>();
    std::deque<std::uint8_t> bytes_;
    int silent_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    std::string link;
    std::uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--link") link = argv[i + 1];
        if (option == "--seed") seed = std::stoull(argv[i + 1]);
    }
    try {
        Terminal terminal(link);
        Stream(terminal, seed).serve();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "stream: %s\n", error.what());
        return 1;
    }
}
