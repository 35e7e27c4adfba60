#!/usr/bin/env bash
# Interlace: which names a generated routine may have, by what the compilers say, and what of others stands in its text
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: names.sh INTERLACE CLUSTER.yaml
set -euo pipefail
export LC_ALL=C
interlace=$1 figure1=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { echo "$@" >&2; exit 1; }
cxx=(mpicxx -x c++ -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX)
accepts() { "$interlace" generate broadcast cluster:figure1 --algorithm binomial --function "$1" -o "accepted.c" 2> says; }

# Every word of the headers and every keyword: one that no function of the headers' users can have must be refused.
cat > words <<'END'
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl concept const
consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else
enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
operator or or_eq private protected public register reinterpret_cast requires restrict return short signed sizeof static
static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof union unsigned
using virtual void volatile wchar_t while xor xor_eq _Bool _Generic __func__ linux unix main
END
tr ' ' '\n' < words > list
printf '#include <limits.h>\n#include <mpi.h>\n#include <stdlib.h>\n' > headers.c
mpicc -std=gnu17 -E headers.c | grep -v '^#' | grep -oE '[A-Za-z_][A-Za-z0-9_]*' >> list
mpicc -std=gnu17 -E -dM headers.c | sed -E 's/^#define ([A-Za-z0-9_]+).*/\1/' >> list
# Of names that begin alike, every fortieth.
sort -u list > all
{ grep -vE '^(_|P?MPI_|OMPI_|ompi_)|^[A-Z0-9_]+$' all; grep -E '^(_|P?MPI_|OMPI_|ompi_)|^[A-Z0-9_]+$' all | sed -n '1~40p'; } > list
sed 's/.*/int &(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);/' list | cat headers.c - > all.c
wrong_lines() { "$@" -fsyntax-only -fmax-errors=0 all.c 2>&1 | sed -nE 's/^all\.c:([0-9]+):[0-9]+: error.*/\1/p' || true; }
{ wrong_lines mpicc -std=c11; wrong_lines mpicc -std=gnu17; } | sort -un | while read -r line; do
    sed -n "$((line - 3))p" list
done > taken
# C++ keywords have no meaning in C: each alone.
for word in $(cat words); do
    printf 'extern "C" int %s(int count);\n' "$word" > one.cpp
    g++ -std=c++20 -fsyntax-only one.cpp 2> /dev/null || echo "$word" >> taken
done
(($(wc -l < taken) > 250)) || fail "only $(wc -l < taken) names of headers and keywords are taken: nothing was tested"
sort -u taken | while read -r name; do
    if accepts "$name"; then fail "--function $name is accepted"; fi
    grep -q "^interlace: cannot use function '$name'; expected" says || fail "--function $name: $(cat says)"
done
# What the routine has for something of its own, and what is no name at all.
for name in machines collective start run operation_of malloc printf strlen 9lives a-b 'a b' $'a\nb' été MPI_Bcast PMPI_x __x x__y _x x_t MAX ''; do
    if accepts "$name"; then fail "--function '$name' is accepted"; fi
done
# Any other compiles.
for name in bcast Rank0 x my_own_broadcast inter_lace intx _ended_; do
    name=${name#_}
    accepts "$name" || fail "--function $name: $(cat says)"
    mpicc -std=c11 -Wall -Wextra -Wconversion -pedantic -Werror -c accepted.c
    "${cxx[@]}" -std=c++17 -Wall -Wextra -Wconversion -pedantic -Werror -c accepted.c
done

# The header, alone, twice and before anything else, in both languages.
"$interlace" generate alltoall cluster:figure1 -o exchange.c
printf '#include "exchange.h"\n#include "exchange.h"\nint main(int argc, char **argv) {\n    (void)argv;\n    return argc > 1 ? interlace_alltoall(0, 0, MPI_INT, 0, 0, MPI_INT, MPI_COMM_WORLD) : 0;\n}\n' > user.c
mpicc -std=c11 -Wall -Wextra -pedantic -Werror -c exchange.c
mpicc -std=c11 -Wall -Wextra -pedantic -Werror user.c exchange.o -o user
"${cxx[@]}" -std=c++17 -Wall -Wextra -pedantic -Werror -c user.c && mpicxx user.o exchange.o -o user
# A header by another hand is not written over, nor a file that is read or written already; one of ours is.
"$interlace" generate alltoall cluster:figure1 -o exchange.c
echo '/* mine */' > mine.h
for files in "-o mine.c" "-o mine.h" "-o exchange.c --goal exchange.c" "-o a.c --goal ./a.h" "-o b.c --goal $PWD/b.c"; do
    # shellcheck disable=SC2086
    if "$interlace" generate alltoall cluster:figure1 $files 2> says; then fail "$files is accepted"; fi
    [[ $(wc -l < says) == 1 ]] || fail "$files: $(cat says)"
done
[[ $(cat mine.h) == '/* mine */' && ! -e mine.c && ! -e a.c && ! -e a.h && ! -e b.c ]] || fail "something was written"
[[ $("$interlace" generate alltoall cluster:figure1 -o /dev/stdout) == "$(cat exchange.c)" ]] || fail "/dev/stdout has another text"

# Names of others in comments: a path that ends the comment and adds a function, lines that C joins, letters beyond ASCII.
for name in '*/ int added; /*' 'a*/ int added; /* x' $'*\\\n/ int added; /*' $'x\n#error added' '\' $'\xe2\x80\xae' '??/' '/*'; do
    mkdir -p "odd/$name"
    cp "$figure1" "odd/$name/x.yaml"
    "$interlace" generate allgather "cluster:odd/$name/x.yaml" -o odd.c 2> says || fail "$name: $(cat says)"
    grep -q '[^ -~]' odd.c odd.h && fail "$name stands in the text as it is"
    mpicc -std=c11 -Wall -Wextra -Wcomment -pedantic -Werror -c odd.c
    [[ $(nm --defined-only odd.o | grep -c ' [TDBRC] ') == 1 ]] || fail "$name added a symbol: $(nm --defined-only odd.o)"
    mpicc -std=c11 -fpreprocessed -E -P odd.c | grep -q added && fail "$name is code"
done
echo "$(sort -u taken | wc -l) names are taken"
