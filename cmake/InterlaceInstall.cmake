# Interlace: cmake --install and find_package(interlace)
# Copyright (c) 2026 the interlace authors
# SPDX-License-Identifier: Apache-2.0
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

get_property(libraries GLOBAL PROPERTY INTERLACE_LIBRARIES)
get_property(includes GLOBAL PROPERTY INTERLACE_INCLUDES)

add_library(interlace_interlace INTERFACE)
set_target_properties(interlace_interlace PROPERTIES EXPORT_NAME interlace)
target_link_libraries(interlace_interlace INTERFACE ${libraries})

# Two components: the command, with its manual, and the libraries to build against.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME command)
install(TARGETS interlace_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_BINARY_DIR}/manual/interlace.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/manual/interlace
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)
install(TARGETS ${libraries} interlace_interlace EXPORT interlaceTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
# Headers in folders detail that interlace_device() does not compile.
set(not_installed PATTERN pins/detail/pin_region.h EXCLUDE PATTERN region/detail/rest.h EXCLUDE PATTERN device/detail/state.h EXCLUDE)
foreach(dir IN LISTS includes)
  if(IS_DIRECTORY ${dir})
    install(DIRECTORY ${dir}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${not_installed})
  endif()
endforeach()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/interlace)
install(EXPORT interlaceTargets NAMESPACE interlace:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/interlaceConfig.cmake.in
  ${PROJECT_BINARY_DIR}/interlaceConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/interlaceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/interlaceConfig.cmake ${PROJECT_BINARY_DIR}/interlaceConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/FindCaDiCaL.cmake ${CMAKE_CURRENT_LIST_DIR}/InterlaceDevice.cmake
              ${CMAKE_CURRENT_LIST_DIR}/InterlaceModel.cmake ${CMAKE_CURRENT_LIST_DIR}/InterlacePins.cmake
              ${CMAKE_CURRENT_LIST_DIR}/InterlaceTwoFiles.cmake ${CMAKE_CURRENT_LIST_DIR}/device_main.cpp.in
        DESTINATION ${package_dir})
