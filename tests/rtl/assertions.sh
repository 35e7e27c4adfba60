#!/usr/bin/env bash
# Interlace: every assertion of rtl/ has a name, which is once in its module, and a sentence (rtl/include/il_assert.svh)
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "$0")/../../rtl"
failed=0
complain() { echo "assertions.sh: $*" >&2; failed=1; }
while read -r place; do complain "$place: expected \`IL_ASSERT"; done < <(grep -rnE --include='*.sv' '\bass(ert|ume)\b *(property *)?\(' .)
count=0
for file in */*.sv; do
    calls=$(tr '\n' ' ' < "$file" | grep -oE '`IL_ASSERT(_KNOWN)?\([^;]*;' || true)
    [ "$calls" ] || continue
    names=$(sed -E 's/^`IL_ASSERT(_KNOWN)?\(([^,]*),.*/\2/' <<< "$calls")
    while read -r name; do [[ $name =~ ^[a-z]+(_[a-z]+)+$ ]] || complain "$file: $name: expected words in snake_case"; done <<< "$names"
    while read -r name; do complain "$file: $name: a name of several assertions"; done < <(sort <<< "$names" | uniq -d)
    while read -r call; do complain "$file: $call: expected a sentence"; done < <(grep -vE '"[a-z]+( [a-z,]+)+"\);$' <<< "$calls")
    count=$((count + $(wc -l <<< "$names")))
done
echo "$count assertions"
((count > 0)) || complain "no assertion is found"
exit $failed
