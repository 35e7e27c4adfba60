# Interlace: what interlace_device() says of modules that are no routers
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
# cmake -DMODULES=the project's cmake/ -DWORK=a folder -P pins.cmake

# A node of 2 ports with 1 channel, 3 injection and 4 reception queues, as Verilator declares it.
set(good "VL_IN8(&clk_i,0,0);\nVL_IN8(&rst_ni,0,0);\nVL_IN8(&link_valid_i,1,0);\nVL_IN8(&link_vc_i,3,0);\nVL_INW(&link_flit_i,259,0,9);\n\
VL_IN16(&credit_i,13,0);\nVL_OUT8(&link_valid_o,1,0);\nVL_OUT8(&link_vc_o,3,0);\nVL_OUTW(&link_flit_o,259,0,9);\nVL_OUT16(&credit_o,13,0);\n\
VL_IN8(&inj_valid_i,2,0);\nVL_INW(&inj_flit_i,389,0,13);\nVL_OUT(&inj_credit_o,20,0);\nVL_IN8(&rx_ready_i,3,0);\nVL_OUT8(&rx_valid_o,3,0);\n\
VL_OUTW(&rx_flit_o,519,0,17);\n")

# What is said of the good module with `from` in place of `to`; where it is built for what `options` set.
function(says sentence from to options)
  string(REPLACE "${from}" "${to}" header "${good}")
  file(WRITE ${WORK}/header.h "${header}")
  execute_process(COMMAND ${CMAKE_COMMAND} -DNAME=mine -DTOP=top -DHEADER=${WORK}/header.h ${options} -P ${MODULES}/InterlacePins.cmake RESULT_VARIABLE code ERROR_VARIABLE said)
  string(REGEX REPLACE "[ \n]+" " " said "${said}")
  string(FIND "${said}" "${sentence}" at)
  if(sentence STREQUAL "" AND NOT said STREQUAL "")
    message(SEND_ERROR "expected nothing, but: ${said}")
  elseif(at LESS 0 OR (NOT sentence STREQUAL "" AND code EQUAL 0))
    message(SEND_ERROR "expected '${sentence}' in '${said}'")
  endif()
endfunction()

set(bare -DWITHOUT_REGISTERS=TRUE -DPORTS=2 -DVCS=1 -DINJECTIONS=3 -DRECEPTIONS=4)
says("" "" "" "")
says("" "" "" "${bare}")
says("interlace_device(mine): top has no pin rst_ni" "rst_ni" "reset_n" "")
says("interlace_device(mine): link_flit_i of top has 516 bits, expected 260: 2 of 130" "link_flit_i,259" "link_flit_i,515" "")
says("interlace_device(mine): credit_o of top has 28 bits, expected 14: 2 of 7*1" "credit_o,13" "credit_o,27" "")
says("interlace_device(mine): rx_ready_i of top has 5 bits, expected 4: 4 of 1" "rx_ready_i,3" "rx_ready_i,4" "")
foreach(size PORTS:2 VCS:1 INJECTIONS:3 RECEPTIONS:4)
  string(REPLACE ":" ";" size ${size})
  list(GET size 0 name)
  list(GET size 1 built)
  says("interlace_device(mine): ${name} 9, but top is built with ${built}" "" "" "${bare};-D${name}=9")
endforeach()
