// Interlace: a board without a board: its Verilated top, on a pseudo-terminal (docs/board.md)
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: BOARD [--link PATH] [--errors RATE] [--stalls RATE] [--seed N]
//
// It serves until it is killed. RATE: of so many bits on the line one is wrong, in either direction; of so
// many bytes one comes after a pause.
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include BOARD_HEADER
#include "terminal.h"

namespace {

constexpr int clocks_per_bit = BOARD_CLOCKS_PER_BIT;
constexpr int max_pause = 400 * clocks_per_bit;
constexpr int quiet = 20'000;  // clocks after which a board without input has nothing more to say
constexpr int slice = 500;     // clocks between two looks at the terminal

/// What goes wrong on the line.
class Trouble {
  public:
    Trouble(double errors, double stalls, std::uint64_t seed)
        : errors_(errors), stalls_(stalls), random_(seed) {}
    bool bit(bool right) { return right != errors_(random_); }
    int pause() { return stalls_(random_) ? std::uniform_int_distribution<int>(1, max_pause)(random_) : 0; }

  private:
    std::bernoulli_distribution errors_, stalls_;
    std::mt19937_64 random_;
};

/// The end of the line that shows bytes.
class Sender {
  public:
    explicit Sender(Trouble& trouble) : trouble_(trouble) {}
    void push(std::uint8_t byte) { bytes_.push_back(byte); }
    bool idle() const { return bytes_.empty() && left_ == 0; }
    bool clock() {
        if (wait_ > 0) {
            --wait_;
            return line_;
        }
        if (left_ == 0) {
            if (bytes_.empty()) return true;
            bits_ = 0x200U | bytes_.front() << 1U;  // start, data, stop
            bytes_.pop_front();
            left_ = 10;
            if (const int pause = trouble_.pause()) {
                wait_ = pause;
                line_ = true;
                return line_;
            }
        }
        line_ = trouble_.bit((bits_ & 1U) != 0);
        bits_ >>= 1U;
        --left_;
        wait_ = clocks_per_bit - 1;
        return line_;
    }

  private:
    Trouble& trouble_;
    std::deque<std::uint8_t> bytes_;
    unsigned bits_ = 0;
    int left_ = 0, wait_ = 0;
    bool line_ = true;
};

/// The end that looks at it.
class Receiver {
  public:
    explicit Receiver(Trouble& trouble) : trouble_(trouble) {}
    bool idle() const { return left_ == 0; }
    /// Whether a byte is complete.
    bool clock(bool line) {
        if (left_ == 0) {
            if (line) return false;
            left_ = 10;
            wait_ = clocks_per_bit / 2;
        }
        if (--wait_ > 0) return false;
        wait_ = clocks_per_bit;
        bits_ = bits_ >> 1U | (trouble_.bit(line) ? 0x200U : 0U);
        return --left_ == 0 && (bits_ & 0x201U) == 0x200U;
    }
    std::uint8_t byte() const { return static_cast<std::uint8_t>(bits_ >> 1U); }

  private:
    Trouble& trouble_;
    unsigned bits_ = 0;
    int left_ = 0, wait_ = 0;
};

void serve(Terminal& terminal, Trouble& trouble) {
    const auto board = std::make_unique<BOARD_MODEL>();
    Sender sender(trouble);
    Receiver receiver(trouble);
    const auto clock = [&](bool rst_n, bool rx) {
        board->rst_ni = rst_n;
        board->rx_i = rx;
        for (const bool level : {false, true}) {
            board->clk_i = level;
            board->eval();
        }
    };
    for (int i = 0; i < 4; ++i) clock(false, true);
    int silent = 0;
    while (true) {
        terminal.read_all(silent > quiet, [&](std::uint8_t byte) { sender.push(byte); });
        for (int i = 0; i < slice; ++i) {
            clock(true, sender.clock());
            if (receiver.clock(board->tx_o != 0)) terminal.write_byte(receiver.byte());
            silent = sender.idle() && receiver.idle() ? silent + 1 : 0;
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::string link;
    double errors = 0, stalls = 0;
    std::uint64_t seed = 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--link") link = argv[i + 1];
        if (option == "--errors") errors = 1 / std::stod(argv[i + 1]);
        if (option == "--stalls") stalls = 1 / std::stod(argv[i + 1]);
        if (option == "--seed") seed = std::stoull(argv[i + 1]);
    }
    try {
        Trouble trouble(errors, stalls, seed);
        Terminal terminal(link);
        serve(terminal, trouble);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "board: %s\n", error.what());
        return 1;
    }
}
