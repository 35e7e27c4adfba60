// Interlace: finite fields
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <vector>

#include "interlace/core/error.h"

namespace interlace {

/// The field of q elements 0 to q - 1, q a prime power p^m of at most 2^16: an element's digits to base p are
/// the coefficients of a polynomial.
class GaloisField {
  public:
    /// Throws InputError where q is no prime power.
    explicit GaloisField(std::uint32_t q) : q_(q), p_(2) {
        while (q % p_ != 0) ++p_;
        std::uint32_t left = q;
        while (left % p_ == 0) left /= p_;
        if (left != 1) throw InputError(fmt::format("cannot use {}", q), "a power of a prime number");
        // Modulo one of the polynomials of degree m, x is a generator.
        for (std::uint32_t lower = 0; lower < q_; ++lower)
            if (generates(lower)) return;
    }

    std::uint32_t sum(std::uint32_t a, std::uint32_t b) const {
        std::uint32_t sum = 0;
        for (std::uint32_t unit = 1; a != 0 || b != 0; unit *= p_, a /= p_, b /= p_)
            sum += (a % p_ + b % p_) % p_ * unit;
        return sum;
    }
    /// Of the generator; `exponent` is below 2 (q - 1).
    std::uint32_t power(std::uint32_t exponent) const { return powers_[exponent]; }
    std::uint32_t product(std::uint32_t a, std::uint32_t b) const {
        return a == 0 || b == 0 ? 0 : power(logarithms_[a] + logarithms_[b]);
    }

  private:
    /// Whether the powers of x are all elements but 0, where x^m is what `lower` says. They are kept, twice
    /// over.
    bool generates(std::uint32_t lower) {
        powers_.clear();
        logarithms_.assign(q_, 0);
        std::uint32_t element = 1;
        do {
            if (element == 0 || powers_.size() == q_ - 1) return false;
            logarithms_[element] = static_cast<std::uint32_t>(powers_.size());
            powers_.push_back(element);
            const std::uint32_t top = element / (q_ / p_);
            element = element % (q_ / p_) * p_;
            for (std::uint32_t i = 0; i < top; ++i) element = sum(element, lower);
        } while (element != 1);
        if (powers_.size() != q_ - 1) return false;
        for (std::uint32_t i = 0; i + 1 < q_; ++i) powers_.push_back(powers_[i]);
        return true;
    }

    std::uint32_t q_, p_;
    std::vector<std::uint32_t> powers_, logarithms_;
};

}  // namespace interlace
