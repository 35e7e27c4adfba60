// Interlace: sentences of a paper about several rows of a table
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "interlace/core/error.h"
#include "interlace/core/names.h"
#include "interlace/network/network.h"

namespace interlace {
namespace {

/// A number that a row has computed.
struct ComputedNumber {
    std::string quantity, network, source;
    double number = 0;
};

/// For how many of all cases it holds.
struct Count {
    std::size_t holds = 0, all = 0;
};

class Evidence;
using Test = Count (*)(const Evidence&);

struct Claim {
    ReproducedRow row;
    std::string place, held;
    Test holds = nullptr;
    std::vector<std::string> quantities, networks;
    std::string scheme, source, at, part;
    double than = 0;
};

/// Ends with "b=SCHEME".
bool has_scheme(const std::string& network, const std::string& scheme) {
    return network.ends_with("b=" + scheme);
}

/// The rows that a claim is about.
class Evidence {
  public:
    Evidence(const Claim& claim, const std::vector<ReproducedRow>& rows) : claim_(claim), rows_(rows) {
        for (const ReproducedRow& row : rows)
            if (about(row)) values_.push_back({row.quantity, row.network, row.source, number(row)});
        for (const std::string& network : claim.networks)
            if (std::none_of(values_.begin(), values_.end(),
                             [&](const ComputedNumber& value) { return value.network == network; }))
                refuse(network);
        if (values_.empty()) refuse("those networks");
    }

    const Claim& claim() const { return claim_; }
    const std::vector<ComputedNumber>& values() const { return values_; }

    /// Of any row of the table.
    double number_of(const std::string& quantity, const std::string& network,
                     const std::string& source) const {
        for (const ReproducedRow& row : rows_)
            if (row.quantity == quantity && row.network == network && row.source == source)
                return number(row);
        refuse(fmt::format("{} of {} from source {}", quantity, network, source));
    }

  private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw InputError("the table has no row for " + what, "a row of each network that the claim names")
            .at(claim_.place);
    }

    bool about(const ReproducedRow& row) const {
        const auto among = [](const std::vector<std::string>& texts, const std::string& text) {
            return std::find(texts.begin(), texts.end(), text) != texts.end();
        };
        return among(claim_.quantities, row.quantity) &&
               (claim_.networks.empty() || among(claim_.networks, row.network)) &&
               (claim_.scheme.empty() || has_scheme(row.network, claim_.scheme)) &&
               (claim_.source.empty() || row.source == claim_.source);
    }

    double number(const ReproducedRow& row) const {
        const std::size_t found = row.computed.find(claim_.part);
        if (found == std::string::npos) return std::numeric_limits<double>::infinity();
        const char* const text = row.computed.c_str() + found + claim_.part.size();
        char* end = nullptr;
        const double number = std::strtod(text, &end);
        if (end == text) refuse("a number, but '" + row.computed + "'");
        return number;
    }

    const Claim& claim_;
    const std::vector<ReproducedRow>& rows_;
    std::vector<ComputedNumber> values_;
};

template <class Items, class Predicate>
Count count(const Items& items, const Predicate& predicate) {
    return {static_cast<std::size_t>(std::count_if(items.begin(), items.end(), predicate)), items.size()};
}

Count above(const Evidence& evidence) {
    return count(evidence.values(),
                 [&](const ComputedNumber& value) { return value.number > evidence.claim().than; });
}

Count rises(const Evidence& evidence) {
    using Scheme = std::tuple<std::string, std::size_t, std::vector<std::uint32_t>>;
    std::map<Scheme, std::map<std::uint32_t, double>> schemes;
    for (const ComputedNumber& value : evidence.values()) {
        const Network network = make_network(value.network);
        const Lattice& lattice = network.lattice_for("a claim that a value rises");
        schemes[{value.quantity, lattice.dimensions(), lattice.bypass()}][network.node_count()] =
            value.number;
    }
    Count count;
    for (const auto& [scheme, values] : schemes)
        for (auto next = std::next(values.begin()); next != values.end(); ++next, ++count.all)
            if (next->second > std::prev(next)->second) ++count.holds;
    return count;
}

template <class Better>
Count extreme(const Evidence& evidence, const Better& better) {
    std::map<std::uint32_t, double> best, here;  // by number of nodes
    for (const ComputedNumber& value : evidence.values()) {
        const std::uint32_t nodes = make_network(value.network).node_count();
        const auto [known, first] = best.emplace(nodes, value.number);
        if (!first && better(value.number, known->second)) known->second = value.number;
        if (has_scheme(value.network, evidence.claim().at)) here[nodes] = value.number;
    }
    return count(here, [&](const auto& size) { return size.second == best.at(size.first); });
}

Count lowest(const Evidence& evidence) {
    return extreme(evidence, std::less<>());
}

Count highest(const Evidence& evidence) {
    return extreme(evidence, std::greater<>());
}

template <class Compare>
Count of_sources(const Evidence& evidence, const Compare& holds) {
    Count count;
    for (const ComputedNumber& value : evidence.values()) {
        if (value.source != "0") continue;
        ++count.all;
        if (holds(value.number, evidence.number_of(value.quantity, value.network, "1"))) ++count.holds;
    }
    return count;
}

Count sooner(const Evidence& evidence) {
    return of_sources(evidence, std::less<>());
}

Count no_later(const Evidence& evidence) {
    return of_sources(evidence, std::less_equal<>());
}

Count alike(const Evidence& evidence) {
    return of_sources(evidence, [](double first, double second) { return std::abs(first - second) <= 1; });
}

template <class Compare>
Count of_two(const Evidence& evidence, const Compare& holds) {
    const std::vector<std::string>& networks = evidence.claim().networks;
    Count count;
    for (const ComputedNumber& value : evidence.values()) {
        if (value.network != networks.front()) continue;
        ++count.all;
        if (holds(value.number, evidence.number_of(value.quantity, networks.back(), value.source)))
            ++count.holds;
    }
    return count;
}

Count more(const Evidence& evidence) {
    return of_two(evidence, std::greater<>());
}

Count less(const Evidence& evidence) {
    return of_two(evidence, std::less<>());
}

Count favourable_patterns(const Evidence& evidence) {
    return count(evidence.values(), [&](const ComputedNumber& value) {
        double best = std::numeric_limits<double>::infinity();
        for (const char* pattern : {" pn=1", " pn=3", " pn=5", " pn=7"})
            best = std::min(best, evidence.number_of(value.quantity + pattern, value.network, value.source));
        return best == value.number;
    });
}

constexpr std::array<Named<Test>, 10> tests = {{{"above", above},
                                                {"rises", rises},
                                                {"lowest", lowest},
                                                {"highest", highest},
                                                {"sooner", sooner},
                                                {"no_later", no_later},
                                                {"alike", alike},
                                                {"more", more},
                                                {"less", less},
                                                {"favourable_patterns", favourable_patterns}}};
const Choices claim_verdicts = {{"reproduced", ""}, {"differs", ""}};

/// What a claim of this kind cannot do without, and what others have no use for.
void read_operands(ConfigMap& config, Claim& claim, const std::string& holds) {
    if (holds == "above") claim.than = config.number("than");
    if (holds == "lowest" || holds == "highest") claim.at = config.text("at");
    if ((holds == "more" || holds == "less") && claim.networks.size() != 2)
        throw InputError(fmt::format("cannot compare {} networks", claim.networks.size()), "two")
            .at(config.place("network"));
}

Claim read_claim(ConfigMap& config) {
    Claim claim;
    claim.place = config.place();
    claim.row.quantity = config.text("claim");
    claim.row.verdict = config.text("verdict", "reproduced");
    claim.row.why = config.text("why", "");
    claim.quantities = config.texts("quantity");
    if (config.has("network")) claim.networks = config.texts("network");
    claim.scheme = config.text("scheme", "");
    claim.source = config.text("source", "");
    claim.part = config.text("part", "");
    const std::string holds = config.text("holds");
    try {
        claim.holds = value_of(tests, holds, "holds");
        item_of(claim_verdicts, claim.row.verdict, "verdict");
    } catch (const InputError& error) {
        throw error.at(claim.place);
    }
    read_operands(config, claim, holds);
    if (claim.row.verdict == "differs") {
        claim.held = config.text("computed");
        if (claim.row.why.empty())
            throw InputError("cannot use a claim that differs without a reason", "the key why")
                .at(claim.place);
    }
    return claim;
}

ReproducedRow run_claim(const Claim& claim, const std::vector<ReproducedRow>& rows) {
    const Evidence evidence(claim, rows);
    std::set<std::string> networks;
    for (const ComputedNumber& value : evidence.values()) networks.insert(value.network);
    const Count count = claim.holds(evidence);
    if (count.all == 0)
        throw InputError("the table has nothing to compare for the claim '" + claim.row.quantity + "'",
                         "rows that differ in source or size")
            .at(claim.place);
    ReproducedRow row = claim.row;
    row.network = fmt::format("{} network{}", networks.size(), networks.size() == 1 ? "" : "s");
    row.published = fmt::format("{} of {}", count.all, count.all);
    row.computed = fmt::format("{} of {}", count.holds, count.all);
    judge(row);
    if (!claim.held.empty()) hold(row, claim.held);
    return row;
}

}  // namespace

std::vector<ClaimJob> claim_rows(ConfigMap config, const ReproduceOptions& options) {
    const Claim claim = read_claim(config);
    const bool large = config.truth("large", false);
    config.finish();
    if (large && !options.large) return {};
    return {[claim](const std::vector<ReproducedRow>& rows) { return run_claim(claim, rows); }};
}

}  // namespace interlace
