// Interlace: all tori, twisted tori, meshes and interlaced bypass tori of so many nodes
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/network/list_lattices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "interlace/core/error.h"

namespace interlace {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::size_t max_listed = 10'000;
constexpr std::uint32_t max_lengths = 16;

[[noreturn]] void refuse_many() {
    throw InputError(fmt::format("there are more than {} networks", max_listed),
                     "fewer nodes, --dimensions, --lengths or --twists half");
}

/// Calls `visit` with all lists of `count` sizes, each 3 or more and a multiple of `unit`, whose product is
/// `nodes`.
template <class Visit>
void for_each_shape(std::uint32_t nodes, std::uint32_t count, std::uint32_t unit, Numbers& sizes,
                    const Visit& visit) {
    if (sizes.size() == count) {
        if (nodes == 1) visit(sizes);
        return;
    }
    std::uint64_t others = 1;  // at least
    for (std::size_t i = sizes.size() + 1; i < count; ++i) others *= 3;
    for (std::uint32_t size = unit; size * others <= nodes; size += unit) {
        if (size < 3 || nodes % size != 0) continue;
        sizes.push_back(size);
        for_each_shape(nodes / size, count, unit, sizes, visit);
        sizes.pop_back();
    }
}

/// The multiples of `unit` that are bypass lengths on rings of `sizes`; of those that lead to the same nodes
/// the smallest.
Numbers bypass_lengths(const Numbers& sizes, std::uint32_t unit) {
    std::uint64_t period = 1;
    for (const std::uint32_t size : sizes) period = std::lcm(period, std::uint64_t{size});
    Numbers lengths;
    std::set<Numbers> known;
    for (std::uint64_t length = unit; length <= period / 2; length += unit) {
        Numbers ways;
        for (const std::uint32_t size : sizes) {
            const auto way = static_cast<std::uint32_t>(length % size);
            ways.push_back(std::min(way, size - way));
        }
        if (std::find(ways.begin(), ways.end(), 0U) != ways.end()) continue;
        if (known.insert(ways).second) lengths.push_back(static_cast<std::uint32_t>(length));
        if (lengths.size() > max_listed) refuse_many();
    }
    return lengths;
}

/// The networks that are the same as this one but for names, this one among them.
std::set<std::pair<Numbers, Numbers>> namesakes(const Numbers& sizes, const Numbers& lengths) {
    std::set<std::pair<Numbers, Numbers>> same;
    const auto add_rotations = [&](Numbers axes, Numbers blocks) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            same.emplace(axes, blocks);
            std::rotate(blocks.begin(), blocks.begin() + 1, blocks.end());
        }
        for (std::size_t i = 1; i < axes.size() && blocks.size() == 1; ++i) {
            std::rotate(axes.begin(), axes.begin() + 1, axes.end());
            same.emplace(axes, blocks);
        }
    };
    add_rotations(sizes, lengths);
    add_rotations({sizes.rbegin(), sizes.rend()}, {lengths.rbegin(), lengths.rend()});
    return same;
}

bool repeats_itself(const Numbers& lengths) {
    for (std::size_t period = 1; period < lengths.size(); ++period)
        if (lengths.size() % period == 0 &&
            std::equal(lengths.begin() + static_cast<std::ptrdiff_t>(period), lengths.end(), lengths.begin()))
            return true;
    return false;
}

bool some_rotation_is_smaller(const Numbers& lengths) {
    Numbers rotated = lengths;
    for (std::size_t i = 1; i < lengths.size(); ++i) {
        std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
        if (rotated < lengths) return true;
    }
    return false;
}

bool is_listed(const Numbers& sizes, const Numbers& lengths) {
    if (some_rotation_is_smaller(lengths) || repeats_itself(lengths)) return false;
    const auto same = namesakes(sizes, lengths);
    return std::none_of(same.begin(), same.end(), [&](const auto& other) {
        return other.first > sizes || (other.first == sizes && other.second < lengths);
    });
}

/// A twisted torus up to the order of its axes but x: the size of x, and of the others sizes and twists.
/// A twist is at most half of x, since either axis can be reversed.
struct TwistedForm {
    std::uint64_t x = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> others;  ///< (size, twist), in order
    bool operator<(const TwistedForm& other) const {
        return std::tie(x, others) < std::tie(other.x, other.others);
    }

    void add(std::uint64_t size, std::uint64_t twist) {
        others.emplace_back(size, std::min(twist, x - twist));
    }
};

/// The number below `modulus` by which this one, prime to it, is 1.
std::uint64_t inverse(std::uint64_t number, std::uint64_t modulus) {
    std::int64_t factor = 0, next_factor = 1;
    std::uint64_t rest = modulus, next_rest = number % modulus;
    while (next_rest > 0) {
        const std::uint64_t quotient = rest / next_rest;
        factor = std::exchange(next_factor, factor - static_cast<std::int64_t>(quotient) * next_factor);
        rest = std::exchange(next_rest, rest - quotient * next_rest);
    }
    return static_cast<std::uint64_t>(factor + (factor < 0 ? static_cast<std::int64_t>(modulus) : 0)) %
           modulus;
}

/// The same network with its axis `axis`, not x, as x, where it is a twisted torus so too. Whoever goes along
/// this axis passes the row of x at every multiple of g, the greatest divisor of its twist and x, after
/// `turns` turns at g itself. So g steps along x are a way of this axis, and so is a turn round another axis
/// if g divides its twist.
std::optional<TwistedForm> form_of(const Numbers& sizes, const Numbers& twists, std::size_t axis) {
    const std::uint64_t x = sizes[0], size = sizes[axis];
    const std::uint64_t g = std::gcd(x, std::uint64_t{twists[axis - 1]});
    const std::uint64_t turns = inverse(twists[axis - 1] / g, x / g);
    TwistedForm form{size * (x / g), {}};
    form.add(g, size * turns);
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        if (twists[i - 1] % g != 0) return {};
        if (i != axis) form.add(sizes[i], size * (twists[i - 1] / g * turns % (x / g)));
    }
    std::sort(form.others.begin(), form.others.end());
    return form;
}

/// One form for all twisted tori that are the same as this one but for names.
TwistedForm form_of(const Numbers& sizes, const Numbers& twists) {
    TwistedForm first{sizes[0], {}};
    for (std::size_t i = 1; i < sizes.size(); ++i) first.add(sizes[i], twists[i - 1]);
    std::sort(first.others.begin(), first.others.end());
    for (std::size_t axis = 1; axis < sizes.size(); ++axis)
        if (auto form = form_of(sizes, twists, axis); form && *form < first) first = *std::move(form);
    return first;
}

class Listing {
  public:
    explicit Listing(const LatticeQuery& query) : q_(query) {}

    std::vector<std::string> run() {
        const bool is_ibt = q_.kind == Lattice::Kind::ibt,
                   is_twisted = q_.kind == Lattice::Kind::twisted_torus;
        const std::uint32_t least = q_.dimensions > 0 ? q_.dimensions : is_ibt || is_twisted ? 2 : 1;
        const std::uint32_t most = q_.dimensions > 0 ? q_.dimensions : 16;
        for (std::uint32_t d = least; d <= most; ++d) {
            std::vector<Numbers> shapes;
            Numbers sizes;
            for_each_shape(q_.nodes, d, is_ibt ? d : 1, sizes, [&](const Numbers& shape) {
                if (is_ibt || std::is_sorted(shape.rbegin(), shape.rend() - (is_twisted ? 1 : 0)))
                    shapes.push_back(shape);
            });
            if (is_twisted) {
                std::sort(shapes.rbegin(), shapes.rend());
                for (const Numbers& shape : shapes) forms_.insert(form_of(shape, Numbers(d - 1, 0)));
            }
            for (const Numbers& shape : shapes)
                if (is_ibt)
                    add_schemes(shape);
                else if (is_twisted)
                    add_twists(shape);
                else
                    add(q_.kind == Lattice::Kind::torus ? "torus" : "mesh", shape);
        }
        return std::move(found_);
    }

  private:
    void add(const char* kind, const Numbers& sizes, const char* key = "", const Numbers& values = {}) {
        if (found_.size() == max_listed) refuse_many();
        found_.push_back(fmt::format("{}:{}{}{}", kind, fmt::join(sizes, "x"), key, fmt::join(values, ",")));
    }

    /// Every list of twists; axes of the same size with the largest first.
    void add_twists(const Numbers& sizes) {
        const std::uint32_t half = sizes[0] / 2, step = q_.twists == Twists::all ? 1 : half;
        if (q_.twists == Twists::half && sizes[0] % 2 != 0) return;
        Numbers twists;
        const auto extend = [&](const auto& self, std::uint32_t most) -> void {
            const std::size_t axis = twists.size() + 1;
            if (axis == sizes.size()) {
                if (std::any_of(twists.begin(), twists.end(), [](std::uint32_t by) { return by > 0; }))
                    add_twisted(sizes, twists);
                return;
            }
            for (std::uint32_t by = 0; by <= (axis > 1 && sizes[axis] == sizes[axis - 1] ? most : half);
                 by += step) {
                twists.push_back(by);
                self(self, by);
                twists.pop_back();
            }
        };
        extend(extend, half);
    }

    void add_twisted(const Numbers& sizes, const Numbers& twists) {
        if (forms_.insert(form_of(sizes, twists)).second) add("torus", sizes, ":twist=", twists);
    }

    /// Every number of lengths by which the bypass rings close.
    void add_schemes(const Numbers& sizes) {
        if (Numbers(sizes.rbegin(), sizes.rend()) > sizes) return;  // which has them
        std::uint32_t common = 0;
        for (const std::uint32_t size : sizes) common = std::gcd(common, size);
        const auto d = static_cast<std::uint32_t>(sizes.size());
        for (std::uint32_t k = 1; k <= std::min(common / d, max_lengths); ++k) {
            if (common % (d * k) != 0 || (q_.lengths > 0 && k != q_.lengths)) continue;
            Numbers lengths;
            extend(sizes, bypass_lengths(sizes, d * k), k, lengths);
        }
    }

    /// All lists of `count` lengths that begin with `lengths`, none below the first.
    void extend(const Numbers& sizes, const Numbers& choices, std::uint32_t count, Numbers& lengths) {
        if (lengths.size() == count) {
            if (is_listed(sizes, lengths)) add("ibt", sizes, ":b=", lengths);
            return;
        }
        for (const std::uint32_t length : choices) {
            if (!lengths.empty() && length < lengths.front()) continue;
            lengths.push_back(length);
            extend(sizes, choices, count, lengths);
            lengths.pop_back();
        }
    }

    const LatticeQuery q_;
    std::vector<std::string> found_;
    std::set<TwistedForm> forms_;  // of the tori in it, and of those without a twist
};

}  // namespace

Twists default_twists(std::uint32_t nodes) {
    return nodes <= 512 ? Twists::all : Twists::half;
}

std::vector<std::string> list_lattices(const LatticeQuery& query) {
    return Listing(query).run();
}

}  // namespace interlace
