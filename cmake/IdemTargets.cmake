# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
#
# One declarative call for a folder:
#   idem_library(core/store [PACKAGE store [INTERNAL a_part.h ...]]
#     SOURCES a.cpp a.h ... [DEPENDS core/http ...] [LINKS Qt6::Core ...] [PRIVATE_LINKS ...])
#   idem_executable(idemctl FOLDER app/ctl [INSTALL] SOURCES ... [DEPENDS ...] [LINKS ...])
#   idem_test(store_test SOURCES ... [DEPENDS ...] [LINKS ...] [QTEST] [LABELS ...])
# A folder may depend only on folders of a lower layer (the table below); anything else ends the configuration.
# PACKAGE makes a library Idemscope::store of the installed package, INSTALL installs a program: see IdemInstall.cmake.

# Layers, lowest first, two digits each. Folders of one layer do not see each other.
set(IDEM_LAYERS
  "00:core/store"
  "10:core/backends" "10:core/http"
  "20:core/server" "20:core/client"
  "30:simulator/engine" "31:simulator/check" "32:simulator/client" "33:simulator/model" "34:simulator/scenario"
  "35:simulator/validate" "36:simulator/live"
  "40:app/plot" "40:app/models"
  "50:app/desktop" "50:app/ctl"
  "90:tests")

function(_idem_layer FOLDER OUT)
  foreach(entry IN LISTS IDEM_LAYERS)
    if(entry MATCHES "^([0-9]+):${FOLDER}$")
      set(${OUT} ${CMAKE_MATCH_1} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${FOLDER} has no layer: add it to IDEM_LAYERS in cmake/IdemTargets.cmake")
endfunction()

# core/store -> idem_core_store
function(_idem_target FOLDER OUT)
  string(REPLACE "/" "_" name ${FOLDER})
  set(${OUT} idem_${name} PARENT_SCOPE)
endfunction()

function(_idem_link TARGET FOLDER)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "DEPENDS;LINKS;PRIVATE_LINKS")
  _idem_layer(${FOLDER} own)
  set(libraries)
  foreach(dependency IN LISTS arg_DEPENDS)
    _idem_layer(${dependency} other)
    if(NOT other LESS own)
      message(FATAL_ERROR "${FOLDER} (layer ${own}) must not depend on ${dependency} (layer ${other}): "
        "dependencies go down only, see ARCHITECTURE.md")
    endif()
    _idem_target(${dependency} library)
    list(APPEND libraries ${library})
  endforeach()
  # Warnings and sanitizers are for this tree only, not for who links the installed package.
  target_link_libraries(${TARGET}
    PUBLIC $<BUILD_INTERFACE:idem_compiler> tl::expected ${libraries} ${arg_LINKS}
    PRIVATE ${arg_PRIVATE_LINKS})
endfunction()

function(idem_library FOLDER)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PACKAGE" "INTERNAL;SOURCES;DEPENDS;LINKS;PRIVATE_LINKS")
  _idem_target(${FOLDER} target)
  add_library(${target} STATIC ${arg_SOURCES})
  _idem_link(${target} ${FOLDER} DEPENDS ${arg_DEPENDS} LINKS ${arg_LINKS} PRIVATE_LINKS ${arg_PRIVATE_LINKS})
  if(arg_PACKAGE)
    # Public are the headers of the folder itself, not those of folders below it, less the ones named INTERNAL.
    set(headers ${arg_SOURCES})
    list(FILTER headers INCLUDE REGEX "^[^/]+\\.h$")
    list(REMOVE_ITEM headers ${arg_INTERNAL})
    idem_install_library(${target} ${arg_PACKAGE} ${headers})
  endif()
endfunction()

function(idem_executable NAME)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INSTALL" "FOLDER" "SOURCES;DEPENDS;LINKS;PRIVATE_LINKS")
  add_executable(${NAME} ${arg_SOURCES})
  _idem_link(${NAME} ${arg_FOLDER} DEPENDS ${arg_DEPENDS} LINKS ${arg_LINKS} PRIVATE_LINKS ${arg_PRIVATE_LINKS})
  target_compile_definitions(${NAME} PRIVATE IDEM_VERSION="${PROJECT_VERSION}")
  if(arg_INSTALL)
    idem_install_program(${NAME})
  endif()
endfunction()

# A test on GoogleTest, or with QTEST on Qt Test. Where GoogleTest is absent (preset `card`) its tests are left out;
# the summary says so.
function(idem_test NAME)
  cmake_parse_arguments(PARSE_ARGV 1 arg "QTEST" "" "SOURCES;DEPENDS;LINKS;LABELS")
  if(arg_QTEST)
    set(framework Qt6::Test)
  elseif(GTest_FOUND)
    set(framework GTest::gmock_main)
  else()
    return()
  endif()
  add_executable(${NAME} ${arg_SOURCES})
  set_target_properties(${NAME} PROPERTIES AUTOMOC ${arg_QTEST})
  _idem_link(${NAME} tests DEPENDS ${arg_DEPENDS} LINKS ${arg_LINKS} PRIVATE_LINKS ${framework})
  target_compile_definitions(${NAME} PRIVATE IDEM_SOURCE_DIR="${PROJECT_SOURCE_DIR}" IDEM_VERSION="${PROJECT_VERSION}")
  add_test(NAME ${NAME} COMMAND ${NAME})
  set_tests_properties(${NAME} PROPERTIES TIMEOUT 300 LABELS "${arg_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;XDG_CONFIG_HOME=${CMAKE_BINARY_DIR}/test-config")
endfunction()
