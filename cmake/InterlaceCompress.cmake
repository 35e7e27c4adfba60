# Interlace: compresses what Debian wants compressed in a package; CPack runs it before it packs
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
file(GLOB_RECURSE files ${CPACK_TEMPORARY_DIRECTORY}/interlace.1 ${CPACK_TEMPORARY_DIRECTORY}/changelog)
execute_process(COMMAND gzip --best --no-name --force ${files} COMMAND_ERROR_IS_FATAL ANY)
