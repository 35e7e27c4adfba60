# Interlace: how every target of the project is made
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

add_library(interlace_options INTERFACE)
target_compile_features(interlace_options INTERFACE cxx_std_20)
# -pthread: some packages' flags have it, and what shares precompiled headers has to be compiled alike.
target_compile_options(interlace_options INTERFACE -pthread -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(INTERLACE_WARNINGS_AS_ERRORS)
  target_compile_options(interlace_options INTERFACE -Werror)
endif()
# Debug builds, and those under sanitizers, check what the standard library asks of its callers.
target_compile_definitions(interlace_options INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(INTERLACE_SANITIZE)
  target_compile_definitions(interlace_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_compile_options(interlace_options INTERFACE -fsanitize=${INTERLACE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(interlace_options INTERFACE -fsanitize=${INTERLACE_SANITIZE})
  if(INTERLACE_SANITIZE MATCHES undefined)
    target_compile_options(interlace_options INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()

# interlace_compile_fast(TARGET HEADERS)
# For what takes longer to compile than it ever runs, such as flags, tables and tests: little optimisation in a release, and
# the headers of the target HEADERS compiled beforehand. A source still includes what it uses: scripts/lint and the sanitizers' builds compile without.
function(interlace_compile_fast target headers)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(${target} REUSE_FROM ${headers})
endfunction()

# interlace_precompile(NAME LIBRARIES library ... HEADERS <header> ...)
# A target whose headers others compile with.
function(interlace_precompile name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;HEADERS" ${ARGN})
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} interlace_options)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(${name} PRIVATE ${ARG_HEADERS} <algorithm> <filesystem> <fstream> <functional> <map> <memory> <optional> <random> <set> <string> <vector>)
endfunction()

# interlace_shareable(TARGET)
# Its code also goes into a shared library, the Python module, and is as fast there and elsewhere: its own functions are not replaced from outside.
function(interlace_shareable target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
endfunction()

# interlace_library(NAME SOURCES a.cpp ... DEPENDS other ...)
# One static library a folder: interlace_NAME, alias interlace::NAME, its public headers in ./include. DEPENDS
# are the only folders whose headers and symbols it can see.
function(interlace_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  add_library(interlace_${name} STATIC ${ARG_SOURCES})
  add_library(interlace::${name} ALIAS interlace_${name})
  interlace_shareable(interlace_${name})
  set_target_properties(interlace_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(interlace_${name} PUBLIC cxx_std_20)
  target_include_directories(interlace_${name} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
  target_link_libraries(interlace_${name} PUBLIC ${ARG_DEPENDS}
                        PRIVATE ${ARG_PRIVATE_DEPENDS} $<BUILD_INTERFACE:interlace_options>)
  set_property(GLOBAL APPEND PROPERTY INTERLACE_LIBRARIES interlace_${name})
  set_property(GLOBAL APPEND PROPERTY INTERLACE_INCLUDES ${CMAKE_CURRENT_SOURCE_DIR}/include)
endfunction()
