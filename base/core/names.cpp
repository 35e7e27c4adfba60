// Interlace: what users choose by name: one list, from which parsing, help, completion and errors come
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/names.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "interlace/core/text.h"

namespace interlace {

std::string bar_list(const Choices& choices) {
    std::string list;
    for (const Choice& choice : choices) list += (list.empty() ? "" : "|") + choice.name;
    return list;
}

std::string or_list(const Choices& choices) {
    std::string list;
    for (std::size_t i = 0; i < choices.size(); ++i)
        list += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i].name;
    return list;
}

std::string explained(const Choices& choices) {
    std::string text;
    for (const Choice& choice : choices)
        if (!choice.text.empty()) text += (text.empty() ? "" : "; ") + choice.name + ": " + choice.text;
    return text;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> two_before, before, row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        two_before = std::exchange(before, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = before[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({replaced, before[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], two_before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

InputError unknown_name(const std::string& what, const std::string& text, const Choices& choices) {
    std::vector<std::string> names;
    for (const Choice& choice : choices) names.emplace_back(before_colon(choice.name));
    return {"cannot use " + what + " '" + text + "'" + did_you_mean(std::string(before_colon(text)), names),
            or_list(choices)};
}

std::string did_you_mean(const std::string& text, const std::vector<std::string>& names) {
    std::size_t fewest = text.size() / 3 + 1;
    std::string closest;
    for (const std::string& name : names) {
        const std::size_t longer = std::max(text.size(), name.size()),
                          shorter = std::min(text.size(), name.size());
        if (longer - shorter >= fewest) continue;  // which that many letters tell apart
        if (const std::size_t distance = edit_distance(text, name); distance < fewest) {
            fewest = distance;
            closest = name;
        }
    }
    return closest.empty() ? "" : " (did you mean " + closest + "?)";
}

}  // namespace interlace
