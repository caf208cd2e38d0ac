# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Language level, warnings, sanitizers and output folders for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_AUTORCC ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g -DNDEBUG")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # The presets compile much of the tree alike: without the folder in the hash they share their objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
endif()

add_library(idem_compiler INTERFACE)
target_include_directories(idem_compiler INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(idem_compiler INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough -Wsuggest-override
  -Werror)
target_compile_definitions(idem_compiler INTERFACE QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING)
if(IDEM_SANITIZE)
  # -O1 keeps stack traces readable and the tests quick; a sanitizer's own inlining sets off g++'s
  # flow-based warnings, which the other presets check already.
  target_compile_options(idem_compiler INTERFACE -fsanitize=${IDEM_SANITIZE} -fno-omit-frame-pointer -O1
    -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-tsan)
  target_link_options(idem_compiler INTERFACE -fsanitize=${IDEM_SANITIZE})
endif()
