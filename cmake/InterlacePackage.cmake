# Interlace: packages for Debian (cmake --build BUILD --target package)
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
set(INTERLACE_MAINTAINER "The interlace authors <authors@interlace.invalid>" CACHE STRING "Who answers for a package")

set(CPACK_GENERATOR DEB)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/InterlaceCompress.cmake)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "emulator of torus and interlaced-bypass-torus networks")
set(CPACK_COMPONENTS_ALL command development)
if(INTERLACE_HAS_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${INTERLACE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME interlace)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)
# Figures as PNG and PDF; interlace capacity.
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "librsvg2-2, coinor-libclp1")
# A network on many ranks; `interlace area`.
set(CPACK_DEBIAN_COMMAND_PACKAGE_SUGGESTS "openmpi-bin, yosys")
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "Computes, runs and proves collective operations on torus and
interlaced-bypass-torus networks and on Ethernet clusters: measures networks,
runs published algorithms, finds schedules that meet a proven lower bound,
replays schedules, and prints published numbers beside its own.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libinterlace-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libfmt-dev, libyaml-cpp-dev, nlohmann-json3-dev, libsqlitecpp-dev, libcadical-dev, zlib1g-dev, libssl-dev, libtinyxml2-dev, libmuparser-dev, pkg-config")
foreach(part INTERLACE_SYSTEMC:libsystemc-dev INTERLACE_MPI:libopenmpi-dev DUKTAPE_FOUND:duktape-dev HTTPLIB_FOUND:libcpp-httplib-dev)
  string(REPLACE ":" ";" part ${part})
  list(POP_FRONT part built)
  if(${built})
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", ${part}")
  endif()
endforeach()
# interlace_device() runs it.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "verilator")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "librsvg2-2, coinor-libclp1")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Headers, static libraries and the CMake package (find_package(interlace)) of
interlace, which computes, runs and proves collective operations on torus and
interlaced-bypass-torus networks and on Ethernet clusters.")

# Of Debian's interpreter; what is compiled from the sources is made and removed as Debian does it.
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-interlace)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= ${INTERLACE_PYTHON_VERSION}), python3 (<< ${INTERLACE_NEXT_PYTHON_VERSION}), python3-numpy")
# load() reads sweeps with pandas, whose own recommendations are 1.7 GB.
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "interlace, python3-pandas, jupyter-notebook, python3-ipykernel, python3-matplotlib")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "Runs experiments on torus and interlaced-bypass-torus networks and on Ethernet
clusters from Python: results as dictionaries, networks and schedules as numpy
arrays, sweeps as pandas tables.")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/postinst @ONLY CONTENT [[
#!/bin/sh
set -e
if [ "$1" = configure ] && command -v py3compile > /dev/null; then
    py3compile -p python3-interlace
fi
]])
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/prerm @ONLY CONTENT [[
#!/bin/sh
set -e
if command -v py3clean > /dev/null; then
    py3clean -p python3-interlace
fi
]])
file(CHMOD ${PROJECT_BINARY_DIR}/package/postinst ${PROJECT_BINARY_DIR}/package/prerm
     PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/postinst ${PROJECT_BINARY_DIR}/package/prerm)

# What Debian asks of every package: whose it is, and what changed.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/changelog @ONLY CONTENT
"interlace (@PROJECT_VERSION@) unstable; urgency=medium

  * The changes are listed in CHANGELOG.md.

 -- @INTERLACE_MAINTAINER@  @now@
")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/copyright @ONLY CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: interlace

Comment: The program has code of libraries in it that have no library of their own
 on Debian (their notices stand beside this file, copyright.NAME), and makes
 pages with a plotting library whose notices are in every page.

Files: *
Copyright: 2026 the interlace authors
License: Apache-2.0
 On Debian systems the text of the Apache License, Version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
")
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES ${PROJECT_BINARY_DIR}/package/changelog ${PROJECT_BINARY_DIR}/package/copyright
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} COMPONENT ${component})
endforeach()

# interlace_notices(COMPONENT PACKAGE ...)
# Headers and static libraries whose code is in the component: Debian's notices of them.
function(interlace_notices component)
  string(TOUPPER ${component} upper)
  foreach(library IN LISTS ARGN)
    if(EXISTS /usr/share/doc/${library}/copyright)
      install(FILES /usr/share/doc/${library}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
              RENAME copyright.${library} COMPONENT ${component})
    endif()
  endforeach()
endfunction()
interlace_notices(command libcli11-dev nlohmann-json3-dev libsqlitecpp-dev libcadical-dev libxxhash-dev libboost${Boost_VERSION_MAJOR}.${Boost_VERSION_MINOR}-dev verilator)
if(INTERLACE_HAS_PYTHON)
  interlace_notices(python pybind11-dev nlohmann-json3-dev libsqlitecpp-dev libcadical-dev libxxhash-dev libboost${Boost_VERSION_MAJOR}.${Boost_VERSION_MINOR}-dev verilator)
endif()

include(CPack)
