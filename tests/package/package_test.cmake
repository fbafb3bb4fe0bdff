# Installs the package into a separate folder and builds an external project that finds it there:
# cmake -DBUILD=<build folder> -DCONSUMER=<project> -DWORK=<scratch folder> -DPREFIX_PATH=<where the
# dependencies are> -DTORCH=<Torch_DIR> -DGENERATOR=<generator> -P package_test.cmake

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code EQUAL 0)
    string(JOIN " " line ${ARGN})
    message(FATAL_ERROR "${line}\n${out}")
  endif()
  set(output "${out}" PARENT_SCOPE)
endfunction()

function(build_consumer prefix components)
  string(REPLACE ";" "\\;" path "${prefix};${PREFIX_PATH}")  # one argument of run()
  run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build-${components} -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
      "-DCMAKE_PREFIX_PATH=${path}" -DTorch_DIR=${TORCH} "-DCMAKE_CXX_FLAGS=${FLAGS}"
      -DHGNET_COMPONENTS=${components})
  run(${CMAKE_COMMAND} --build ${WORK}/build-${components})
  run(${WORK}/build-${components}/consumer)
  if(NOT output MATCHES "4 nodes, 3 edges, row sums 1 2 2 1")
    message(FATAL_ERROR "the consumer printed: ${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
# The model alone: what embeds it needs nothing of the lab.
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/model --component hgnet)
file(GLOB lab ${WORK}/model/lib*/*lab* ${WORK}/model/lib*/*/*lab* ${WORK}/model/include/hgnet/lab.hpp
     ${WORK}/model/include/hgnet/train)
if(lab)
  message(FATAL_ERROR "installed with the model alone: ${lab}")
endif()
build_consumer(${WORK}/model hgnet)
# Everything.
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
build_consumer(${WORK}/prefix lab)
run(${WORK}/build-lab/lab)
if(NOT output MATCHES "10 samples")
  message(FATAL_ERROR "the consumer of the lab printed: ${output}")
endif()
if(EXISTS ${WORK}/prefix/bin/hgnet)
  run(${WORK}/prefix/bin/hgnet --version)
  run(${WORK}/prefix/bin/hgnet selfcheck)  # by the part that loads libtorch
endif()
