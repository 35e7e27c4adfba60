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
  verilate(${target} PREFIX Vil_node_${name} TOP_MODULE il_node
    SOURCES ${rtl}/lint/waivers.vlt ${rtl}/pkg/il_pkg.sv ${sources} OPT_FAST -O2 OPT_SLOW -O1
    VERILATOR_ARGS --assert --x-initial unique -Wall -GPorts=${ports} -GInjections=${injections}
                   -GReceptions=${receptions} -GVcDepth=${depth} -GInjectionDepth=${depth}
                   -GReceptionDepth=${depth} ${ARGN})
endfunction()
