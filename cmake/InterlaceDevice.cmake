# Interlace: a device from anyone's SystemVerilog (docs/hil.md)
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/InterlaceModel.cmake)

# interlace_device(NAME TOP module SOURCES file.sv ... [ARGUMENTS verilator argument ...] [SILENT_CYCLES n]
#                  [NO_SNAPSHOTS] [WITHOUT_REGISTERS PORTS n VCS n INJECTIONS n RECEPTIONS n VC_DEPTH n INJECTION_DEPTH n RECEPTION_DEPTH n
#                   [CYCLES_PER_FLIT n] [KINDS explicit|table|deposit|unicast ...]])
# The program NAME, whose nodes are `module`, a router with the pins of docs/node.md (flits of 128 bits) under Verilator:
#   NAME --listen unix:/tmp/dut
#   interlace ... --device 5,6=unix:/tmp/dut
# ARGUMENTS: as in -GPorts=4. SILENT_CYCLES: for how long a node may show nothing with work in hand.
# NO_SNAPSHOTS: for a module that Verilator has no --savable for; a host whose device was started again asks it everything anew.
# WITHOUT_REGISTERS: the module has the links, the credits and the host's side alone, and is built for what follows; KINDS of
# packets that it routes: explicit unless said.
function(interlace_device name)
  set(sizes PORTS VCS INJECTIONS RECEPTIONS VC_DEPTH INJECTION_DEPTH RECEPTION_DEPTH)
  cmake_parse_arguments(ARG "WITHOUT_REGISTERS;NO_SNAPSHOTS" "TOP;SILENT_CYCLES;CYCLES_PER_FLIT;${sizes}" "SOURCES;ARGUMENTS;KINDS" ${ARGN})
  if(NOT ARG_TOP OR NOT ARG_SOURCES)
    message(FATAL_ERROR "interlace_device(${name}): TOP module and SOURCES file.sv ... are missing")
  endif()
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "interlace_device(${name}): ${ARG_UNPARSED_ARGUMENTS}: expected the arguments that docs/hil.md names")
  endif()
  set(kinds explicit table deposit unicast)
  set(INTERLACE_DEVICE_KINDS 0)
  if(NOT ARG_KINDS)
    set(ARG_KINDS explicit)
  endif()
  foreach(kind ${ARG_KINDS})
    list(FIND kinds ${kind} bit)
    if(bit LESS 0)
      message(FATAL_ERROR "interlace_device(${name}): KINDS ${kind}: expected explicit, table, deposit or unicast")
    endif()
    math(EXPR INTERLACE_DEVICE_KINDS "${INTERLACE_DEVICE_KINDS} | (1 << ${bit})")
  endforeach()
  foreach(size ${sizes})
    if(ARG_WITHOUT_REGISTERS AND NOT ARG_${size})
      message(FATAL_ERROR "interlace_device(${name}): WITHOUT_REGISTERS needs ${size} and a number")
    elseif(NOT ARG_WITHOUT_REGISTERS AND ARG_${size})
      message(FATAL_ERROR "interlace_device(${name}): ${size} is said by registers, unless it is WITHOUT_REGISTERS")
    elseif(NOT ARG_${size})
      set(ARG_${size} 0)
    endif()
  endforeach()
  foreach(option SILENT_CYCLES:0 CYCLES_PER_FLIT:1)
    string(REGEX REPLACE ":.*" "" key ${option})
    string(REGEX REPLACE ".*:" "" value ${option})
    if(NOT ARG_${key})
      set(ARG_${key} ${value})
    endif()
  endforeach()
  find_package(verilator REQUIRED HINTS /usr/share/verilator $ENV{VERILATOR_ROOT})
  set(INTERLACE_DEVICE_MODEL V${name})
  set(main ${CMAKE_CURRENT_BINARY_DIR}/${name}_main.cpp)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/device_main.cpp.in ${main} @ONLY)
  add_executable(${name} ${main})
  set(savable --savable)
  if(ARG_NO_SNAPSHOTS)
    set(savable "")
  endif()
  set(header ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${name}.dir/V${name}.dir/V${name}.h)
  # What is Verilated is somebody else's: its findings are shown and stop nothing.
  interlace_verilate(${name} V${name} TOP_MODULE ${ARG_TOP} SOURCES ${ARG_SOURCES} OPT_FAST -O2 OPT_SLOW -O0
           RUNTIME verilated_dpi verilated_probdist
           CHECK ${CMAKE_COMMAND} -DNAME=${name} -DTOP=${ARG_TOP} -DHEADER=${header} -DWITHOUT_REGISTERS=${ARG_WITHOUT_REGISTERS}
                 -DPORTS=${ARG_PORTS} -DVCS=${ARG_VCS} -DINJECTIONS=${ARG_INJECTIONS} -DRECEPTIONS=${ARG_RECEPTIONS}
                 -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/InterlacePins.cmake
           VERILATOR_ARGS --assert --x-initial unique -fno-split -Wno-fatal ${savable} ${ARG_ARGUMENTS})
  target_link_libraries(${name} PRIVATE interlace::device interlace::verilated)
  target_compile_features(${name} PRIVATE cxx_std_20)
endfunction()
