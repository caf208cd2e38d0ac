# SPDX-FileCopyrightText: 2026 The Idemscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Every find_package of the project, each with its purpose: what idem_summary() prints at the end of configure.
include(FeatureSummary)

find_package(Qt6 6.4 COMPONENTS Core)
set_package_properties(Qt6Core PROPERTIES TYPE REQUIRED DESCRIPTION "qt6-base-dev" PURPOSE "everything")

find_package(tl-expected CONFIG)
set_package_properties(tl-expected PROPERTIES TYPE REQUIRED DESCRIPTION "libexpected-dev"
  PURPOSE "expected failures as values")

find_package(valijson CONFIG)
set_package_properties(valijson PROPERTIES TYPE REQUIRED DESCRIPTION "libvalijson-dev" PURPOSE "scenario schema")

if(IDEM_GUI)
  # PrintSupport: QCustomPlot's package names it in its link interface, but does not find it.
  find_package(Qt6 6.4 COMPONENTS Gui Widgets PrintSupport)
  set_package_properties(Qt6Widgets PROPERTIES TYPE REQUIRED DESCRIPTION "qt6-base-dev" PURPOSE "desktop")
  find_package(QCustomPlotQt6)
  set_package_properties(QCustomPlotQt6 PROPERTIES TYPE REQUIRED DESCRIPTION "libqcustomplot-dev" PURPOSE "plots")
endif()

if(IDEM_TESTS)
  find_package(Qt6 6.4 COMPONENTS Test)
  set_package_properties(Qt6Test PROPERTIES TYPE REQUIRED DESCRIPTION "qt6-base-dev" PURPOSE "tests")
  if(IDEM_OPTIONAL_LIBRARIES)
    find_package(GTest)
    set_package_properties(GTest PROPERTIES TYPE OPTIONAL DESCRIPTION "libgtest-dev, libgmock-dev"
      PURPOSE "tests of core and simulator (without it only the tests on Qt Test are built)")
    find_package(rapidcheck CONFIG)
    set_package_properties(rapidcheck PROPERTIES TYPE OPTIONAL DESCRIPTION "librapidcheck-dev"
      PURPOSE "tests of the store by random histories (left out without it)")
    find_package(absl CONFIG)
    set_package_properties(absl PROPERTIES TYPE OPTIONAL DESCRIPTION "libabsl-dev"
      PURPOSE "a rival in the store's benchmark, absl::flat_hash_map")
    find_package(TBB CONFIG)
    set_package_properties(TBB PROPERTIES TYPE OPTIONAL DESCRIPTION "libtbb-dev"
      PURPOSE "a rival in the store's benchmark, tbb::concurrent_hash_map")
    find_package(Python3 COMPONENTS Interpreter)
    set_package_properties(Python3 PROPERTIES TYPE OPTIONAL DESCRIPTION "python3"
      PURPOSE "the store's comparison, tests/bench/compare.sh, and its test")
  endif()
endif()

add_feature_info("Desktop (IDEM_GUI)" IDEM_GUI "idemscope, its models and plots")
add_feature_info("Tests (IDEM_TESTS)" IDEM_TESTS "ctest")
add_feature_info("Optional libraries (IDEM_OPTIONAL_LIBRARIES)" IDEM_OPTIONAL_LIBRARIES
  "libraries beyond Qt, QCustomPlot and header-only ones")

# A missing required package ends the configuration here, so that one run names all of them.
feature_summary(WHAT REQUIRED_PACKAGES_NOT_FOUND OPTIONAL_PACKAGES_NOT_FOUND FATAL_ON_MISSING_REQUIRED_PACKAGES)

function(idem_summary)
  message(STATUS "Idemscope ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}")
  feature_summary(WHAT REQUIRED_PACKAGES_FOUND OPTIONAL_PACKAGES_FOUND OPTIONAL_PACKAGES_NOT_FOUND
    ENABLED_FEATURES DISABLED_FEATURES)
endfunction()
