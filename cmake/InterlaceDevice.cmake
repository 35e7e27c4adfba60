# Interlace: a device from anyone's SystemVerilog (docs/hil.md)
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0

# interlace_device(NAME TOP module SOURCES file.sv ... [ARGUMENTS verilator argument ...])
# The program NAME, whose nodes are `module`, a router with the pins of docs/node.md (flits of 128 bits) under Verilator:
#   NAME --listen unix:/tmp/dut
#   interlace ... --device 5,6=unix:/tmp/dut
# ARGUMENTS: as in -GPorts=4.
function(interlace_device name)
  cmake_parse_arguments(ARG "" "TOP" "SOURCES;ARGUMENTS" ${ARGN})
  if(NOT ARG_TOP OR NOT ARG_SOURCES)
    message(FATAL_ERROR "interlace_device(${name}): TOP module and SOURCES file.sv ... are missing")
  endif()
  find_package(verilator REQUIRED HINTS /usr/share/verilator $ENV{VERILATOR_ROOT})
  set(INTERLACE_DEVICE_MODEL V${name})
  set(main ${CMAKE_CURRENT_BINARY_DIR}/${name}_main.cpp)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/device_main.cpp.in ${main} @ONLY)
  add_executable(${name} ${main})
  # What is Verilated is somebody else's: its findings are shown and stop nothing.
  verilate(${name} PREFIX V${name} TOP_MODULE ${ARG_TOP} SOURCES ${ARG_SOURCES} OPT_FAST -O2 OPT_SLOW -O1
           VERILATOR_ARGS --assert --x-initial unique -fno-split -Wno-fatal ${ARG_ARGUMENTS})
  target_link_libraries(${name} PRIVATE interlace::device interlace::verilated)
  target_compile_features(${name} PRIVATE cxx_std_20)
endfunction()
