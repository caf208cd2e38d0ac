# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` installs, in two components:
#   dev       static libraries, public headers and the CMake package Idemscope
#   programs  idemctl and, with IDEM_GUI, idemscope
# Nothing installed knows where it was built or installed: the prefix may be moved.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(IDEM_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/Idemscope)

# TARGET becomes Idemscope::NAME. Its headers keep their path below the root of the sources, so that an #include reads
# the same there and here.
function(idem_install_library TARGET NAME)
  target_compile_features(${TARGET} PUBLIC cxx_std_20)
  target_sources(${TARGET} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARGN})
  set_target_properties(${TARGET} PROPERTIES EXPORT_NAME ${NAME} OUTPUT_NAME idemscope_${NAME})
  install(TARGETS ${TARGET} EXPORT IdemscopeTargets
    ARCHIVE COMPONENT dev
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/idemscope # for users with a CMake before file sets (3.23)
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/idemscope COMPONENT dev)
endfunction()

function(idem_install_program TARGET)
  install(TARGETS ${TARGET} RUNTIME COMPONENT programs)
endfunction()

# The package of all libraries installed before, and the licences.
function(idem_install_package)
  install(EXPORT IdemscopeTargets NAMESPACE Idemscope:: DESTINATION ${IDEM_INSTALL_CMAKEDIR} COMPONENT dev)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/IdemscopeConfig.cmake.in
    ${PROJECT_BINARY_DIR}/IdemscopeConfig.cmake
    INSTALL_DESTINATION ${IDEM_INSTALL_CMAKEDIR} NO_SET_AND_CHECK_MACRO)
  # Before 1.0 a minor version may break the interface.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/IdemscopeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/IdemscopeConfig.cmake ${PROJECT_BINARY_DIR}/IdemscopeConfigVersion.cmake
    DESTINATION ${IDEM_INSTALL_CMAKEDIR} COMPONENT dev)
  foreach(component IN ITEMS dev programs)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE TYPE DOC COMPONENT ${component})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/LICENSES TYPE DOC COMPONENT ${component})
  endforeach()
endfunction()
