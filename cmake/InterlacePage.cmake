# Interlace: the report's page, made by npm, becomes part of a library
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
#
# As a script (cmake -DWORK=... -DNODE=... -DNPM=... -P) it is what the build runs: in the folder WORK, a copy of the page's
# source, it writes bundle.cpp; what npm installs stays until the lock changes. Where that is not to be had, bundle.cpp holds
# empty texts, no_page.txt says why, the build goes on, and the next one tries again.

# interlace_page(SOURCE WORK VARIABLE)
# VARIABLE is set to a C++ file that defines what host/report/bundle.h declares.
function(interlace_page source work variable)
  find_program(INTERLACE_NODE NAMES node nodejs DOC "Node.js, for the page of interlace report")
  find_program(INTERLACE_NPM npm DOC "npm, for the page of interlace report")
  if(NOT INTERLACE_NODE OR NOT INTERLACE_NPM)
    message(STATUS "interlace report will have no page: no npm (Debian: npm)")
  endif()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${source} ${source}/*)
  set(copies "")
  foreach(file IN LISTS files)
    configure_file(${source}/${file} ${work}/${file} COPYONLY)
    list(APPEND copies ${work}/${file})
  endforeach()
  add_custom_command(OUTPUT ${work}/bundle.cpp ${work}/made
    COMMAND ${CMAKE_COMMAND} -DWORK=${work} -DNODE=${INTERLACE_NODE} -DNPM=${INTERLACE_NPM} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${copies} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    COMMENT "Making the page of interlace report")
  set(${variable} ${work}/bundle.cpp PARENT_SCOPE)
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

file(REMOVE ${WORK}/made)
set(lock ${WORK}/package-lock.json)
set(installed ${WORK}/node_modules/installed-package-lock.json)
set(why "no npm (Debian: npm)")
execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${lock} ${installed} RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(NPM AND failed)
  execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --prefer-offline --fetch-retries=1
                  WORKING_DIRECTORY ${WORK} RESULT_VARIABLE failed OUTPUT_FILE npm.log ERROR_FILE npm.log)
  if(failed)
    file(STRINGS ${WORK}/npm.log reasons REGEX "^npm (error|ERR!) ")
    list(FILTER reasons EXCLUDE REGEX "^npm [^ ]+ errno ")
    list(SUBLIST reasons 0 2 reasons)
    list(TRANSFORM reasons REPLACE "^npm (error|ERR!) " "")
    list(JOIN reasons ", " reason)
    set(why "npm could not install what makes it: ${reason} (${WORK}/npm.log)")
  else()
    file(COPY_FILE ${lock} ${installed})
  endif()
endif()
if(NODE AND NOT failed)
  # A mistake in the page's source, unlike a missing network, stops the build.
  execute_process(COMMAND ${NODE} build.mjs bundle.cpp WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
endif()
file(REMOVE ${WORK}/no_page.txt)
if(failed OR NOT NODE)
  message(WARNING "interlace report will have no page: ${why}")
  file(WRITE ${WORK}/no_page.txt "interlace: interlace report will have no page: ${why}\n")
  set(empty "")
  foreach(text page_head page_tail figures_script)
    string(APPEND empty "const char* const ${text} = \"\";\n")
  endforeach()
  file(WRITE ${WORK}/bundle.cpp "#include \"bundle.h\"\nnamespace interlace {\n${empty}}  // namespace interlace\n")
endif()
if(NOT failed)
  file(TOUCH ${WORK}/made)
endif()
