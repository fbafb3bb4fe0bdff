# What every target of this project has in common.

# Flags for our own code only; users of the library do not inherit them.
add_library(hgnet_flags INTERFACE)
target_compile_features(hgnet_flags INTERFACE cxx_std_20)
target_compile_options(hgnet_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
# Rows are dealt out to OpenMP's threads, or to threads of our own where a sanitizer has to see them.
set(HGNET_PARALLEL "")
if(HGNET_OPENMP)
  set(HGNET_PARALLEL OpenMP::OpenMP_CXX)
  target_compile_definitions(hgnet_flags INTERFACE HGNET_OPENMP)
endif()
if(HGNET_WERROR)
  target_compile_options(hgnet_flags INTERFACE -Werror)
endif()
if(HGNET_SANITIZE)
  target_compile_options(hgnet_flags INTERFACE -fsanitize=${HGNET_SANITIZE} -fno-omit-frame-pointer
                                               -fno-sanitize-recover=all)
  target_link_options(hgnet_flags INTERFACE -fsanitize=${HGNET_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 with sanitizers takes the other member of an assigned variant for one that is read.
    target_compile_options(hgnet_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
  # One vector instruction set is enough to find a wrong access, and the kernels take minutes for each. Highway's own
  # list, of instruction sets that other machines have, makes way.
  target_compile_options(hgnet_flags INTERFACE -UHWY_DISABLED_TARGETS
                                               "-DHWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3)")
endif()

find_program(HGNET_CCACHE ccache)
mark_as_advanced(HGNET_CCACHE)

# hgnet_target(name): our flags, and ccache where it is installed.
function(hgnet_target name)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:hgnet_flags>)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  if(HGNET_CCACHE)
    # Precompiled headers need to be told to ccache; see its manual.
    set_target_properties(
      ${name}
      PROPERTIES
        CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${HGNET_CCACHE}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${name} PRIVATE -fpch-preprocess)
    endif()
  endif()
endfunction()

# hgnet_reuse_torch_header(name): for programs that include torch. Code for the precompiled header has to be compiled as
# that was, so it is position-independent in the way of libraries.
function(hgnet_reuse_torch_header name)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM hgnet_torch_header)
endfunction()
