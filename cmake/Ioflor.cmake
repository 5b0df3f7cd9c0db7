# Helpers of ioflor's own CMake files.

# ioflor_library(NAME sources... [LIBS libs...] [PCH headers...])
# A static library with position independent code; PCH speeds up the heavy
# LLVM headers.
function(ioflor_library name)
  cmake_parse_arguments(ARG "" "" "LIBS;PCH" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_LIBS)
    target_link_libraries(${name} PUBLIC ${ARG_LIBS})
  endif()
  if(ARG_PCH)
    target_precompile_headers(${name} PRIVATE ${ARG_PCH})
  endif()
endfunction()

# ioflor_pass(LIBRARY)
# LIBRARY implements passes of passes/Passes.td; the pipeline links it.
function(ioflor_pass library)
  add_dependencies(${library} IoflorPassesIncGen IoflorDialectIncGen)
  set_property(GLOBAL APPEND PROPERTY IOFLOR_PASS_LIBRARIES ${library})
endfunction()
