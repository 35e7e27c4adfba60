# Interlace: the files of a Verilated model as two, and what they were made of
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
# cmake -DFOLDER=where Verilator wrote -DPREFIX=the model -P InterlaceTwoFiles.cmake
include(${FOLDER}/${PREFIX}.cmake)  # which names the files
foreach(part FAST SLOW)
  set(files ${${PREFIX}_CLASSES_${part}} ${${PREFIX}_SUPPORT_${part}})
  list(TRANSFORM files REPLACE "(.+)" "#include \"\\1\"\n")
  list(JOIN files "" text)
  file(WRITE ${FOLDER}/${PREFIX}_${part}.cpp "${text}")
endforeach()
# Its other headers change with it, and nothing else would say so.
file(TOUCH ${FOLDER}/${PREFIX}.h)
set(text)
foreach(file ${FOLDER}/${PREFIX}_FAST.cpp ${${PREFIX}_DEPS})
  get_filename_component(file ${file} ABSOLUTE)  # of the folder where Verilator ran, which is this script's, too
  string(REPLACE " " "\\ " file "${file}")
  list(APPEND text "${file}")
endforeach()
list(POP_FRONT text made)
list(JOIN text " \\\n  " text)
file(WRITE ${FOLDER}/${PREFIX}_two.d "${made}: ${text}\n")
