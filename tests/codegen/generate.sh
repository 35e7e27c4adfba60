# Interlace: generates one routine of a list (sourced)
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# NAME.c and NAME.h in the current folder; headers.h gets an #include of NAME.h, routines.h the line, which is GATHER(NAME),
# EXCHANGE(NAME), SHUFFLE(NAME) or BROADCAST(NAME, ROOT).
generate() { # LINE NAME ARGUMENTS...
    "$interlace" generate "${@:3}" --function "$2" -o "$2.c" 2> notes || { cat notes; exit 1; }
    echo "$1" >> routines.h
    echo "#include \"$2.h\"" >> headers.h
}
