# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Installs the build tree BUILD of SOURCE, moves what it installed, and uses it: the example is built and run, every
# header compiled, the programs started, other versions refused. Writes below WORK only, besides CMake's manifest.
cmake_minimum_required(VERSION 3.25)

if(SANITIZE)
  message("package_test is skipped: a library built with -fsanitize=${SANITIZE} is not for other programs")
  return()
endif()

# run(NAME WANTED_RESULT command ...): runs it, with its output in ${output}; any other result ends the test.
macro(run NAME WANTED)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL ${WANTED})
    message(FATAL_ERROR "${NAME}: result ${result}, wanted ${WANTED}\n${output}")
  endif()
endmacro()

function(expect_equal WHAT ACTUAL WANTED)
  if(NOT ACTUAL STREQUAL WANTED)
    message(FATAL_ERROR "${WHAT}:\n${ACTUAL}\nwanted:\n${WANTED}")
  endif()
endfunction()

function(expect_match WHAT TEXT PATTERN)
  if(NOT TEXT MATCHES "${PATTERN}")
    message(FATAL_ERROR "${WHAT} does not match ${PATTERN}:\n${TEXT}")
  endif()
endfunction()

function(expect_absent WHAT TEXT)
  foreach(word IN LISTS ARGN)
    string(FIND "${TEXT}" "${word}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${WHAT} contains ${word}:\n${TEXT}")
    endif()
  endforeach()
endfunction()

# --- Install: once staged with everything, once the component that a library user needs.
file(REMOVE_RECURSE ${WORK})
set(prefix /opt/idemscope)
run("install with DESTDIR" 0
  ${CMAKE_COMMAND} -E env DESTDIR=${WORK}/stage ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
run("install of dev" 0
  ${CMAKE_COMMAND} -E env --unset=DESTDIR ${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/dev --component dev)
set(installed ${WORK}/moved/idemscope)
file(MAKE_DIRECTORY ${WORK}/moved)
file(RENAME ${WORK}/stage${prefix} ${installed})
file(GLOB_RECURSE elsewhere ${WORK}/stage/*)
expect_equal("files outside the prefix" "${elsewhere}" "")

# --- What is there: the programs, and beside them nothing but the component dev.
file(GLOB programs RELATIVE ${installed}/bin ${installed}/bin/*)
expect_equal("bin" "${programs}" "${PROGRAMS}")
file(GLOB_RECURSE all RELATIVE ${installed} ${installed}/*)
list(FILTER all EXCLUDE REGEX "^bin/")
file(GLOB_RECURSE dev RELATIVE ${WORK}/dev ${WORK}/dev/*)
expect_equal("all but the programs" "${all}" "${dev}")

# --- The public headers: all of the store's own folder but its internal ones, none of the engine's.
file(GLOB wanted RELATIVE ${SOURCE} ${SOURCE}/core/store/*.h)
list(REMOVE_ITEM wanted core/store/filter_scanner.h core/store/near_name.h core/store/timer_part.h)
file(GLOB_RECURSE headers RELATIVE ${installed}/include/idemscope ${installed}/include/idemscope/core/store/*)
expect_equal("headers of the store" "${headers}" "${wanted}")
file(GLOB_RECURSE headers RELATIVE ${installed}/include ${installed}/include/*)
list(FILTER headers EXCLUDE REGEX "^idemscope/core/(store|http)/[a-z_]+\\.h$")
expect_equal("other files below include" "${headers}" "")

# --- The package knows neither where it was built nor where it was installed, and hands on no setting of this tree.
file(GLOB_RECURSE scripts ${installed}/*.cmake)
list(LENGTH scripts count)
expect_match("number of CMake files" ${count} "^[4-9]$")
foreach(script IN LISTS scripts)
  file(READ ${script} text)
  expect_absent(${script} "${text}" ${BUILD} ${SOURCE} ${prefix} idem_compiler -Werror -fsanitize QT_NO_CAST
    INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_DEFINITIONS INTERFACE_LINK_OPTIONS)
endforeach()

# --- Use it.
set(consumer -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${installed}
  -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF "-D CMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")

run("configure the example" 0 ${CMAKE_COMMAND} -S ${SOURCE}/resources/examples/payment -B ${WORK}/payment ${consumer})
load_cache(${WORK}/payment READ_WITH_PREFIX found_ Idemscope_DIR)
expect_equal("place of the package" "${found_Idemscope_DIR}" "${installed}/${LIBDIR}/cmake/Idemscope")
run("build the example" 0 ${CMAKE_COMMAND} --build ${WORK}/payment)
run("run the example" 0 ${WORK}/payment/payment)
expect_equal("output of the example" "${output}" "order-1: charge 1
order-1: charge 1
order-2: charge 2
3 requests, 2 charges
")

set(configure_headers ${CMAKE_COMMAND} -S ${SOURCE}/tests/package/headers -B ${WORK}/headers ${consumer}
  -D HEADERS=${installed}/include/idemscope)
run("configure the headers" 0 ${configure_headers} -D WANTED=${VERSION} -D COMPONENT=http)
run("compile each header on its own" 0 ${CMAKE_COMMAND} --build ${WORK}/headers --parallel 2)

foreach(program IN LISTS PROGRAMS)
  run("start ${program}" 0 ${CMAKE_COMMAND} -E env QT_QPA_PLATFORM=offscreen XDG_CONFIG_HOME=${WORK}/config
    ${installed}/bin/${program} --version)
  expect_match("version of ${program}" "${output}" "${VERSION}")
endforeach()

# --- Refuse what it is not: a later version, and an earlier minor version, whose interface may have been another.
foreach(wanted IN ITEMS 9.0 0.0)
  run("version ${wanted}" 1 ${configure_headers} -D WANTED=${wanted})
  string(REGEX REPLACE "[ \n]+" " " output "${output}")
  expect_match("refusal" "${output}" "\"Idemscope\" that is compatible with requested version \"${wanted}\"")
  expect_match("refusal" "${output}" "IdemscopeConfig.cmake, version: ${VERSION}")
endforeach()
run("an unknown component" 1 ${configure_headers} -D WANTED=${VERSION} -D COMPONENT=desktop)
expect_match("refusal of a component" "${output}" "set Idemscope_FOUND to FALSE")
