# Interlace: which packages find_package(interlace) asks for
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
# cmake -DMODULES=the project's cmake/ -DWORK=a folder -P components.cmake

cmake_minimum_required(VERSION 3.21)
set(PACKAGE_INIT "macro(check_required_components)\nendmacro()")
foreach(option DUKTAPE_FOUND HTTPLIB_FOUND INTERLACE_MPI INTERLACE_SYSTEMC)
  set(${option} TRUE)
endforeach()
configure_file(${MODULES}/interlaceConfig.cmake.in ${WORK}/interlaceConfig.cmake @ONLY)
file(WRITE ${WORK}/interlaceTargets.cmake "")
file(WRITE ${WORK}/InterlaceDevice.cmake "")
# In place of CMake's own.
string(REPLACE "asked )" "asked \${name})" stub "macro(find_dependency name)\nlist(APPEND asked )\nendmacro()
macro(pkg_check_modules name)\nlist(APPEND asked )\nendmacro()\n")
file(WRITE ${WORK}/CMakeFindDependencyMacro.cmake "${stub}")
list(PREPEND CMAKE_MODULE_PATH ${WORK})

# The packages of interlace::device, interlace::verilated and what these link against (DEPENDS of their CMakeLists.txt).
set(of_device fmt yaml-cpp tinyxml2 Threads ZLIB OpenSSL)
set(interlace_FIND_COMPONENTS device)
include(${WORK}/interlaceConfig.cmake)
if(NOT asked STREQUAL of_device OR NOT interlace_device_FOUND)
  message(SEND_ERROR "component device asks for ${asked}, expected ${of_device}")
endif()

unset(asked)
unset(interlace_FIND_COMPONENTS)
include(${WORK}/interlaceConfig.cmake)
foreach(package ${of_device} nlohmann_json muparser SQLiteCpp CaDiCaL DUKTAPE HTTPLIB MPI SYSTEMC)
  if(NOT package IN_LIST asked)
    message(SEND_ERROR "without components ${package} is not asked for: ${asked}")
  endif()
endforeach()
