# Debian 12's z3 ships no Z3Config.cmake. Provides z3::z3.
find_path(Z3_INCLUDE_DIR z3++.h)
find_library(Z3_LIBRARY z3)
if(Z3_INCLUDE_DIR AND EXISTS "${Z3_INCLUDE_DIR}/z3_version.h")
  file(STRINGS "${Z3_INCLUDE_DIR}/z3_version.h" _z3 REGEX "Z3_(MAJOR|MINOR|BUILD)_")
  string(REGEX REPLACE ".*MAJOR_VERSION *([0-9]+).*MINOR_VERSION *([0-9]+).*BUILD_NUMBER *([0-9]+).*"
         "\\1.\\2.\\3" Z3_VERSION "${_z3}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Z3 REQUIRED_VARS Z3_LIBRARY Z3_INCLUDE_DIR
                                  VERSION_VAR Z3_VERSION)
if(Z3_FOUND AND NOT TARGET z3::z3)
  add_library(z3::z3 UNKNOWN IMPORTED)
  set_target_properties(z3::z3 PROPERTIES IMPORTED_LOCATION "${Z3_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Z3_INCLUDE_DIR}")
endif()
