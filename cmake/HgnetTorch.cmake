# Finds libtorch: TORCH_LIBRARIES and Torch_VERSION. The package configuration in PyTorch's wheels
# for GPUs demands the CUDA toolkit, which nothing here uses; of such a wheel the CPU's libraries are
# taken.
if(SKBUILD)  # pip builds for the PyTorch that is installed beside this Python, isolated or not
  find_package(Python REQUIRED COMPONENTS Interpreter)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import sys, sysconfig
sys.path += [sysconfig.get_path('purelib'), sysconfig.get_path('platlib')]
import torch
print(torch.utils.cmake_prefix_path)"
                  OUTPUT_VARIABLE hgnet_prefix OUTPUT_STRIP_TRAILING_WHITESPACE
                  ERROR_VARIABLE hgnet_error RESULT_VARIABLE hgnet_result)
  if(NOT hgnet_result EQUAL 0)
    message(FATAL_ERROR "${hgnet_error}hgnet is built for the PyTorch that is installed beside "
                        "${Python_EXECUTABLE}, which has none. Install torch there first; "
                        "for python -m build, also add --no-isolation.")
  endif()
  list(PREPEND CMAKE_PREFIX_PATH ${hgnet_prefix})
endif()

set(hgnet_wheel "")
set(hgnet_torch_rpath "")  # for installed files: CMake leaves out folders below the build folder
string(REPLACE ":" ";" hgnet_prefixes "${CMAKE_PREFIX_PATH};$ENV{CMAKE_PREFIX_PATH}")
foreach(prefix ${hgnet_prefixes})
  if(EXISTS "${prefix}/Torch/TorchConfig.cmake" AND EXISTS "${prefix}/../../lib/libtorch_cuda.so")
    get_filename_component(hgnet_wheel "${prefix}/../.." ABSOLUTE)
    break()
  endif()
endforeach()

if(hgnet_wheel)
  message(STATUS "Found PyTorch's wheel for GPUs; using its CPU libraries: ${hgnet_wheel}")
  file(STRINGS "${hgnet_wheel}/version.py" hgnet_version REGEX "^__version__ *=")
  string(REGEX REPLACE ".*= *['\"]([^'\"]+)['\"].*" "\\1" Torch_VERSION "${hgnet_version}")
  if(NOT TARGET hgnet_torch_wheel)
    add_library(hgnet_torch_wheel INTERFACE IMPORTED)
    target_include_directories(hgnet_torch_wheel SYSTEM INTERFACE "${hgnet_wheel}/include"
                               "${hgnet_wheel}/include/torch/csrc/api/include")
    # Not libtorch.so, which would load gigabytes for GPUs.
    target_link_libraries(hgnet_torch_wheel INTERFACE "${hgnet_wheel}/lib/libtorch_cpu.so"
                          "${hgnet_wheel}/lib/libc10.so")
  endif()
  set(TORCH_LIBRARIES hgnet_torch_wheel)
  set(hgnet_torch_rpath "${hgnet_wheel}/lib")
  if(EXISTS "${hgnet_wheel}/lib/libgomp.so.1")  # one OpenMP in a process: the wheel brings its own
    set(OpenMP_gomp_LIBRARY "${hgnet_wheel}/lib/libgomp.so.1")
  endif()
else()
  find_package(Torch REQUIRED)
endif()
