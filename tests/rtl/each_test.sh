#!/usr/bin/env bash
# Interlace: every test of a GoogleTest program in a process of its own: a process has one SystemC kernel, which elaborates once
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/rtl/each_test.sh PROGRAM
set -euo pipefail
if [ ! -x "$1" ]; then
    echo "interlace: there is no '$1'; cmake --build --preset release --target rtl_tests makes it" >&2
    exit 1
fi
# Lines without a blank in front are suites.
mapfile -t tests < <("$1" --gtest_list_tests | sed 's/ *#.*//' | awk '/^[^ ]/ { suite = $1 } /^ / { print suite $1 }')
[ ${#tests[@]} -gt 0 ]
failed=
for test in "${tests[@]}"; do
    "$1" --gtest_filter="$test" --gtest_brief=1 || failed=yes
done
[ ! $failed ]
