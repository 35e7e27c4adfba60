# Interlace: from rtl/ to Verilated models
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0

# interlace_verilate_node(TARGET NAME PORTS [verilator arguments ...])
# Adds Vil_node_NAME, a node with PORTS ports and the queue counts that go with them, to the library TARGET. Lint
# findings stop the build.
function(interlace_verilate_node target name ports)
  set(rtl ${PROJECT_SOURCE_DIR}/rtl)
  file(GLOB sources CONFIGURE_DEPENDS ${rtl}/prim/*.sv ${rtl}/node/*.sv)
  math(EXPR injections "${ports} + 2")
  math(EXPR receptions "2 * (${ports} + 1)")
  set(depth ${INTERLACE_QUEUE_DEPTH})
  # The data-flow graph of these versions computes what rtl/ guards by branches: nodes take up to four times as long.
  if(verilator_VERSION VERSION_GREATER_EQUAL 5.040)
    set(no_data_flow -fno-dfg)
  endif()
  interlace_verilate(${target} Vil_node_${name} TOP_MODULE il_node
    INCLUDE_DIRS ${rtl}/include
    SOURCES ${rtl}/lint/waivers.vlt ${rtl}/pkg/il_pkg.sv ${sources} OPT_FAST -O2 OPT_SLOW -O0
    VERILATOR_ARGS --assert --savable --x-initial unique -fno-split ${no_data_flow} -Wall -GPorts=${ports} -GInjections=${injections}
                   -GReceptions=${receptions} -GVcDepth=${depth} -GInjectionDepth=${depth}
                   -GReceptionDepth=${depth} ${ARGN})
endfunction()

# interlace_verilate_primitive(TARGET MODULE NAME [verilator arguments ...])
# Adds Vil_MODULE_NAME, one module of rtl/prim, to the library TARGET.
function(interlace_verilate_primitive target module name)
  interlace_verilate(${target} Vil_${module}_${name} TOP_MODULE il_${module} INCLUDE_DIRS ${PROJECT_SOURCE_DIR}/rtl/include
    SOURCES ${PROJECT_SOURCE_DIR}/rtl/prim/il_${module}.sv
    VERILATOR_ARGS --assert --x-initial unique -Wall ${ARGN})
endfunction()

# interlace_link_models(TARGET LIBRARY)
# Links Verilated models to a program, which sees their headers without their warnings.
function(interlace_link_models target library)
  get_target_property(headers ${library} INTERLACE_MODEL_HEADERS)
  if(NOT headers)
    get_target_property(headers ${library} INTERFACE_INCLUDE_DIRECTORIES)
    set_target_properties(${library} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "" INTERLACE_MODEL_HEADERS "${headers}")
  endif()
  target_include_directories(${target} SYSTEM PRIVATE ${headers})
  target_link_libraries(${target} PRIVATE ${library})
endfunction()
