// Interlace: what users choose by name: one list, from which parsing, help, completion and errors come
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#include "interlace/core/names.h"

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

}  // namespace interlace
