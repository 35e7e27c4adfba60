# Interlace: what CPack runs before it packs: looks for the programs that it needs, and compresses what Debian wants compressed
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
foreach(program IN ITEMS file:file dpkg-shlibdeps:dpkg-dev)
  string(REPLACE ":" ";" program ${program})
  list(POP_BACK program package)
  find_program(${program}_PROGRAM ${program} PATHS ENV PATH NO_DEFAULT_PATH)
  if(NOT ${program}_PROGRAM)
    list(APPEND missing ${package})
  endif()
endforeach()
if(missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "packages cannot be made without these of Debian: apt-get install ${missing}")
endif()
file(GLOB_RECURSE files ${CPACK_TEMPORARY_DIRECTORY}/interlace.1 ${CPACK_TEMPORARY_DIRECTORY}/changelog)
execute_process(COMMAND gzip --best --no-name --force ${files} COMMAND_ERROR_IS_FATAL ANY)
