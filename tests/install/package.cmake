# Interlace: makes the packages and looks into them
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
foreach(tool dpkg-deb dpkg-shlibdeps file gzip)
  find_program(${tool} ${tool})
  if(NOT ${tool})
    message("skipped: there is no ${tool} here")
    return()
  endif()
endforeach()
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${CPACK} --config ${BUILD}/CPackConfig.cmake -B ${WORK} -D CPACK_DEBIAN_COMPRESSION_TYPE=none
                COMMAND_ERROR_IS_FATAL ANY)

# expect(PACKAGE ARGUMENT PATTERN...): what `dpkg-deb ARGUMENT` prints of the package matches every pattern.
function(expect package argument)
  file(GLOB file ${WORK}/${package}_*.deb)
  execute_process(COMMAND ${dpkg-deb} ${argument} ${file} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  foreach(pattern IN LISTS ARGN)
    if(NOT text MATCHES "${pattern}")
      message(SEND_ERROR "${package} has no '${pattern}':\n${text}")
    endif()
  endforeach()
endfunction()

# Where a program is missing that packages are made with, it says so before anything else.
execute_process(COMMAND ${CMAKE_COMMAND} -E env PATH=${WORK} ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/../../cmake/InterlaceCompress.cmake
                ERROR_VARIABLE text RESULT_VARIABLE failed)
if(NOT failed OR NOT text MATCHES "apt-get install file[ \n]+dpkg-dev")
  message(SEND_ERROR "without file and dpkg-dev packages say: ${text}")
endif()

expect(interlace --info "Package: interlace\n" "Suggests: openmpi-bin, yosys\n" "Depends: [^\n]*libc6" "Depends: [^\n]*libfmt" "Maintainer: ")
expect(interlace --contents "-rwxr-xr-x root/root [^\n]* ./usr/bin/interlace\n" "./usr/share/man/man1/interlace.1.gz\n"
       "./usr/share/bash-completion/completions/interlace\n" "./usr/share/doc/interlace/copyright\n"
       "./usr/share/doc/interlace/copyright.libcli11-dev\n" "./usr/share/doc/interlace/copyright.libcadical-dev\n"
       "./usr/share/doc/interlace/changelog.gz\n" "./usr/share/doc/interlace/docs/experiments.md\n"
       "./usr/share/doc/interlace/configs/sizing/depth.yaml\n")
expect(libinterlace-dev --info "Package: libinterlace-dev\n" "Depends: [^\n]*libfmt-dev")
expect(libinterlace-dev --contents "./usr/lib/libinterlace_core.a\n" "./usr/include/interlace/core/error.h\n"
       "./usr/lib/cmake/interlace/interlaceConfig.cmake\n" "./usr/share/doc/libinterlace-dev/copyright\n")
if(PYTHON)
  expect(python3-interlace --info "Package: python3-interlace\n" "Depends: [^\n]*libc6" "Depends: [^\n]*python3-numpy" "Suggests: [^\n]*python3-pandas" " postinst " " prerm ")
  expect(python3-interlace --contents "./usr/lib/python3/dist-packages/interlace/__init__.py\n" "./usr/lib/python3/dist-packages/interlace/py.typed\n"
         "./usr/lib/python3/dist-packages/interlace/_native.pyi\n" "./usr/share/doc/python3-interlace/copyright.pybind11-dev\n"
         "./usr/share/doc/python3-interlace/notebook/queues.ipynb\n")
  # What it says where it is, on the interpreter that it was built for: not what the build has.
  file(GLOB file ${WORK}/python3-interlace_*.deb)
  execute_process(COMMAND ${dpkg-deb} -x ${file} ${WORK}/root COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${WORK}/root/usr/lib/python3/dist-packages ${PYTHON} -c
    "import interlace; print(interlace.run({'network': 'mesh:3', 'broadcast': {'packets': 5}})['lower_bound'], interlace.__file__)"
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  if(NOT text STREQUAL "6 ${WORK}/root/usr/lib/python3/dist-packages/interlace/__init__.py\n")
    message(SEND_ERROR "the package for Python says: ${text}")
  endif()
endif()
