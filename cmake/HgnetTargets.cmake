# Settings shared by all targets of this project.

# Flags for our own code only; users of the library do not inherit them.
add_library(hgnet_flags INTERFACE)
target_compile_features(hgnet_flags INTERFACE cxx_std_20)
target_compile_options(hgnet_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
# Rows are distributed over OpenMP's threads, or over std::thread if a sanitizer has to see them.
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
    # GCC 12 with sanitizers wrongly reports that the other member of an assigned variant is read.
    target_compile_options(hgnet_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
  # One vector instruction set is enough to find a wrong access, and the kernels take minutes to
  # compile for each. This replaces Highway's list of instruction sets that other machines have.
  target_compile_options(hgnet_flags INTERFACE -UHWY_DISABLED_TARGETS
                                               "-DHWY_DISABLED_TARGETS=(HWY_SSSE3|HWY_SSE4|HWY_AVX3)")
endif()

find_program(HGNET_CCACHE ccache)
mark_as_advanced(HGNET_CCACHE)

# hgnet_target(name): our flags, and ccache if it is installed.
function(hgnet_target name)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:hgnet_flags>)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF)
  if(HGNET_CCACHE)
    # ccache needs extra settings for precompiled headers; see its manual.
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

# hgnet_light(name): for code whose speed does not matter. With -O3, headers such as CLI11's and
# nlohmann's take half of the build.
function(hgnet_light name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# hgnet_reuse_torch_header(name): for programs that include torch. Code that uses the precompiled
# header must be compiled with the same flags, so it is position-independent as in libraries.
function(hgnet_reuse_torch_header name)
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM hgnet_torch_header)
endfunction()
