# Installs the package into a folder of its own and builds a project outside that finds it there:
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

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR} -DCMAKE_BUILD_TYPE=Release
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix;${PREFIX_PATH}" -DTorch_DIR=${TORCH} "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
if(NOT output MATCHES "4 nodes, 3 edges, row sums 1 2 2 1")
  message(FATAL_ERROR "the consumer printed: ${output}")
endif()
if(EXISTS ${WORK}/prefix/bin/hgnet)
  run(${WORK}/prefix/bin/hgnet --version)
endif()
