// Interlace: what users choose by name: one list, from which parsing, help, completion and errors come
// Copyright (c) 2026 the interlace authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "interlace/core/error.h"

namespace interlace {

/// A name, what it stands for, and a phrase on it for help and documentation.
template <class Value>
struct Named {
    const char* name;
    Value value;
    const char* text = "";
};

template <class Value, std::size_t count>
using Names = std::array<Named<Value>, count>;

/// A list without its values, for whoever shows it.
struct Choice {
    std::string name, text;
};
using Choices = std::vector<Choice>;

/// Of any list whose items have a name and a text.
template <class List>
Choices choices_of(const List& list) {
    Choices choices;
    for (const auto& item : list) choices.push_back({item.name, item.text});
    return choices;
}

/// "a|b|c" as in help, "a, b or c" as in sentences.
std::string bar_list(const Choices& choices);
std::string or_list(const Choices& choices);
/// "a: what it is; b: ...", of those that have a text.
std::string explained(const Choices& choices);

/// Letters to insert, leave out, replace or exchange with their neighbour to make one word the other, none of
/// them twice (the optimal string alignment distance).
std::size_t edit_distance(const std::string& a, const std::string& b);

/// " (did you mean NAME?)" for the closest name, where at most one letter in three differs; "" where none is.
std::string did_you_mean(const std::string& text, const std::vector<std::string>& names);

/// "cannot use WHAT 'TEXT'", with the closest of the choices where one is meant, and the list of all. What
/// stands behind a name's colon ("torus:8x8") is not compared.
InputError unknown_name(const std::string& what, const std::string& text, const Choices& choices);

/// The item of `list` that `text` names. Throws InputError that calls it `what` and lists the names.
template <class List>
const auto& item_of(const List& list, const std::string& text, const std::string& what) {
    for (const auto& item : list)
        if (text == item.name) return item;
    throw unknown_name(what, text, choices_of(list));
}

/// Its value.
template <class List>
auto value_of(const List& list, const std::string& text, const std::string& what) {
    return item_of(list, text, what).value;
}

template <class List>
bool has_name(const List& list, const std::string& text) {
    for (const auto& item : list)
        if (text == item.name) return true;
    return false;
}

template <class Value, std::size_t count>
std::string name_of(const Names<Value, count>& names, Value value) {
    for (const auto& item : names)
        if (value == item.value) return item.name;
    return {};
}

}  // namespace interlace
