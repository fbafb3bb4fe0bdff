# The modules of the two libraries. Each lists its sources and the modules it uses; it sees only
# their headers, so that an include against the order of docs/architecture.md does not compile.

# hgnet_module(name [NO_TORCH] SOURCES ... USES module ... LINKS target ... HEADERS target ...)
# One object library, hgnet_<name>. Others see a folder of links to include/hgnet/<name> and
# src/<name>, and nothing else. LINKS are libraries that the result links, HEADERS those of which
# only headers are used.
function(hgnet_module name)
  cmake_parse_arguments(arg "NO_TORCH" "" "SOURCES;USES;LINKS;HEADERS" ${ARGN})
  set(target hgnet_${name})
  set(view ${PROJECT_BINARY_DIR}/modules/${name})
  file(MAKE_DIRECTORY ${view}/hgnet)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/hgnet/${name} ${view}/hgnet/${name} SYMBOLIC)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${view}/${name} SYMBOLIC)

  add_library(${target} OBJECT ${arg_SOURCES})
  hgnet_target(${target})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON HGNET_LINKS "${arg_LINKS}")
  target_include_directories(${target} PUBLIC ${view})
  list(TRANSFORM arg_USES PREPEND hgnet_ OUTPUT_VARIABLE used)
  target_link_libraries(${target} PUBLIC ${used} PRIVATE ${arg_LINKS} ${arg_HEADERS})
  set(torch no)
  if(NOT arg_NO_TORCH)
    set(torch yes)
    target_link_libraries(${target} PUBLIC ${TORCH_LIBRARIES})
    target_precompile_headers(${target} REUSE_FROM hgnet_torch_header)
  endif()
  list(JOIN arg_USES " " uses)
  set_property(GLOBAL APPEND PROPERTY HGNET_MODULES "${name} | ${torch} | ${uses}")
endfunction()

# hgnet_take_modules(target module ...): the objects of the modules become part of the target.
function(hgnet_take_modules target)
  foreach(module ${ARGN})
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:hgnet_${module}>)
    get_target_property(links hgnet_${module} HGNET_LINKS)
    target_link_libraries(${target} PRIVATE ${links})
  endforeach()
endfunction()

# hgnet_torch_free_modules(result): the names of the modules without torch.
function(hgnet_torch_free_modules result)
  get_property(names GLOBAL PROPERTY HGNET_MODULES)
  list(FILTER names INCLUDE REGEX " \\| no ")
  list(TRANSFORM names REPLACE " .*" "")
  set(${result} ${names} PARENT_SCOPE)
endfunction()

# hgnet_library(name EXPORT exported MODULES module ... PUBLIC target ...): a library of these
# modules, with the header hgnet/<exported>.hpp, installed as a component of the package.
function(hgnet_library name)
  cmake_parse_arguments(arg "" "EXPORT" "MODULES;PUBLIC" ${ARGN})
  add_library(${name})
  add_library(hgnet::${arg_EXPORT} ALIAS ${name})
  hgnet_take_modules(${name} ${arg_MODULES})
  foreach(module ${arg_MODULES})
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hgnet/${module}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hgnet COMPONENT ${arg_EXPORT})
  endforeach()
  set(rpath $ORIGIN ${hgnet_torch_rpath})
  set_target_properties(
    ${name}
    PROPERTIES VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}
               LINKER_LANGUAGE CXX
               EXPORT_NAME ${arg_EXPORT}
               INSTALL_RPATH "${rpath}"
               INSTALL_RPATH_USE_LINK_PATH ON)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE $<BUILD_INTERFACE:hgnet_flags>)
  install(FILES ${PROJECT_SOURCE_DIR}/include/hgnet/${arg_EXPORT}.hpp
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hgnet COMPONENT ${arg_EXPORT})
  install(TARGETS ${name} EXPORT hgnet-${arg_EXPORT}-targets COMPONENT ${arg_EXPORT})
  install(EXPORT hgnet-${arg_EXPORT}-targets NAMESPACE hgnet:: COMPONENT ${arg_EXPORT}
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/hgnet)
endfunction()
