# Interlace: how Verilated models are compiled
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0

# interlace_verilate(TARGET PREFIX ... [OPT_FAST flag] [OPT_SLOW flag])
# verilate() of Verilator's package, its arguments as there (not DIRECTORY; VERILATOR_ARGS last), but for its many files, which are compiled as two: what runs in
# cycles, with OPT_FAST, and what makes and saves a model, with OPT_SLOW. Each alone reads the same headers, and these take half of the time.
function(interlace_verilate target prefix)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "OPT_FAST;OPT_SLOW" "")
  # Verilator 5.032 puts statements of rtl/ into a wrong order: adaptive packets took the escape channel at once (lockstep).
  if(verilator_VERSION VERSION_GREATER 5.006)
    set(in_order -fno-reorder)
  endif()
  verilate(${target} PREFIX ${prefix} ${arg_UNPARSED_ARGUMENTS} ${in_order})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/${prefix}.dir)
  include(${folder}/${prefix}_copy.cmake)  # which names the files
  foreach(part FAST SLOW)
    set(files ${${prefix}_CLASSES_${part}} ${${prefix}_SUPPORT_${part}})
    set_source_files_properties(${files} PROPERTIES HEADER_FILE_ONLY ON)
    list(TRANSFORM files REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN files "" text)
    file(CONFIGURE OUTPUT ${folder}/${prefix}_${part}.cpp CONTENT "${text}" @ONLY)
    set_source_files_properties(${folder}/${prefix}_${part}.cpp PROPERTIES COMPILE_OPTIONS "${arg_OPT_${part}};${${prefix}_USER_CFLAGS}")
    target_sources(${target} PRIVATE ${folder}/${prefix}_${part}.cpp)
  endforeach()
endfunction()
