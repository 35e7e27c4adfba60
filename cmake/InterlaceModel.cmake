# Interlace: Verilated models as steps of a build
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
cmake_policy(SET CMP0116 NEW)  # paths in dependency files, whatever policies a user's project has

# interlace_verilate(TARGET PREFIX TOP_MODULE module SOURCES file ... [INCLUDE_DIRS folder ...] [OPT_FAST flag] [OPT_SLOW flag]
#                    [CHECK command ...] [RUNTIME part ...] VERILATOR_ARGS argument ...)
# Adds the class PREFIX, which Verilator makes of `module` during the build, to the library TARGET. The many files that Verilator
# writes are compiled as two: PREFIX_FAST.cpp, what runs in cycles, with OPT_FAST, and PREFIX_SLOW.cpp, what makes and saves a
# model, with OPT_SLOW. (Each alone reads the same headers, which take half of the time.) CHECK runs after Verilator; where it
# fails, the build stops. RUNTIME: parts of Verilator's runtime beside those that the arguments ask for. Sources in C and C++ are compiled
# with it. Verilator's own verilate() runs it while CMake configures, one model after the other.
function(interlace_verilate target prefix)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "TOP_MODULE;OPT_FAST;OPT_SLOW" "SOURCES;INCLUDE_DIRS;CHECK;RUNTIME;VERILATOR_ARGS")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/${prefix}.dir)
  file(MAKE_DIRECTORY ${folder})
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)  # its two files are that already
  set(compiler gcc)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    set(compiler clang)
  endif()
  set(arguments --cc --compiler ${compiler} --prefix ${prefix} --Mdir ${folder} --make cmake --top ${arg_TOP_MODULE})
  foreach(include IN LISTS arg_INCLUDE_DIRS)
    list(APPEND arguments -y ${include})
  endforeach()
  list(APPEND arguments ${arg_VERILATOR_ARGS})
  # Verilator 5.032 puts statements of rtl/ into a wrong order: adaptive packets took the escape channel at once (lockstep).
  if(verilator_VERSION VERSION_GREATER 5.006)
    list(APPEND arguments -fno-reorder)
  endif()
  set(code ${arg_SOURCES})
  list(FILTER code INCLUDE REGEX "\\.(c|cc|cpp|cxx)$")
  target_sources(${target} PRIVATE ${code})
  list(FILTER arg_SOURCES EXCLUDE REGEX "\\.(c|cc|cpp|cxx)$")
  set(check)
  if(arg_CHECK)
    set(check COMMAND ${arg_CHECK})
  endif()
  add_custom_command(
    OUTPUT ${folder}/${prefix}_FAST.cpp ${folder}/${prefix}_SLOW.cpp ${folder}/${prefix}.h
    COMMAND ${CMAKE_COMMAND} -E env VERILATOR_ROOT=${VERILATOR_ROOT} ${VERILATOR_BIN} ${arguments} ${arg_SOURCES}
    ${check}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DPREFIX=${prefix} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/InterlaceTwoFiles.cmake
    DEPENDS ${arg_SOURCES} ${VERILATOR_BIN} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/InterlaceTwoFiles.cmake ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/InterlacePins.cmake
    DEPFILE ${folder}/${prefix}_two.d
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Verilating ${prefix}" VERBATIM)
  string(REGEX MATCHALL "-CFLAGS;[^;]+" c_flags "${arg_VERILATOR_ARGS}")
  list(REMOVE_ITEM c_flags -CFLAGS)
  foreach(part FAST SLOW)
    set_source_files_properties(${folder}/${prefix}_${part}.cpp PROPERTIES COMPILE_OPTIONS "${arg_OPT_${part}};${c_flags}")
    target_sources(${target} PRIVATE ${folder}/${prefix}_${part}.cpp)
  endforeach()
  string(REGEX MATCHALL "-LDFLAGS;[^;]+" link_flags "${arg_VERILATOR_ARGS}")
  list(REMOVE_ITEM link_flags -LDFLAGS)
  target_link_libraries(${target} PUBLIC ${link_flags})
  _interlace_verilator_runtime(${target} "${arguments}" "${arg_RUNTIME}")
  target_include_directories(${target} PUBLIC ${folder})
endfunction()

# What every program with a model of those arguments needs of Verilator: a library, one for all models whose arguments ask for the same.
function(_interlace_verilator_runtime target arguments more)
  set(parts ${more})
  set(enabled)
  if(";${arguments}" MATCHES ";--coverage")
    list(APPEND parts verilated_cov)
    list(APPEND enabled VM_COVERAGE)
  endif()
  if(";${arguments}" MATCHES ";--sc")
    list(APPEND enabled VM_SC)
  endif()
  if(";${arguments};" MATCHES ";--trace-fst;")
    list(APPEND parts verilated_fst_c)
    list(APPEND enabled VM_TRACE VM_TRACE_FST)
  elseif(";${arguments};" MATCHES ";--trace;")
    list(APPEND parts verilated_vcd_c)
    list(APPEND enabled VM_TRACE VM_TRACE_VCD)
  endif()
  if(";${arguments};" MATCHES ";--timing;")
    list(APPEND parts verilated_timing)
    target_compile_options(${target} PRIVATE -fcoroutines)
  endif()
  set(definitions)
  foreach(definition VM_COVERAGE VM_SC VM_TRACE VM_TRACE_VCD VM_TRACE_FST)
    if(definition IN_LIST enabled)
      list(APPEND definitions ${definition}=1)
    else()
      list(APPEND definitions ${definition}=0)
    endif()
  endforeach()
  set(runtime interlace_verilator ${parts} ${enabled})
  list(JOIN runtime _ runtime)
  if(NOT TARGET ${runtime})
    list(APPEND parts verilated verilated_threads verilated_save)
    list(TRANSFORM parts REPLACE "(.+)" "${VERILATOR_ROOT}/include/\\1.cpp")
    add_library(${runtime} STATIC ${parts})
    string(REPLACE interlace_ "" exported ${runtime})
    set_target_properties(${runtime} PROPERTIES EXPORT_NAME ${exported} POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF)
    target_link_libraries(${runtime} PUBLIC ${VERILATOR_MT_CFLAGS})
    _interlace_use_verilator(${runtime} PRIVATE "${definitions}")
    if("${runtime}" MATCHES timing)
      target_compile_options(${runtime} PRIVATE -fcoroutines)
    endif()
    if("VM_TRACE_FST" IN_LIST enabled)
      target_link_libraries(${runtime} PUBLIC z)
    endif()
  endif()
  target_link_libraries(${target} PUBLIC ${runtime})
  _interlace_use_verilator(${target} PUBLIC "${definitions}")
endfunction()

# `definitions` and Verilator's headers, which are told on where `scope` says so.
function(_interlace_use_verilator target scope definitions)
  target_compile_definitions(${target} PRIVATE ${definitions})
  target_include_directories(${target} ${scope} ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
endfunction()
