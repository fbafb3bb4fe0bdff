# igraph::library, an oracle for tests and benchmarks only: igraph is GPL. Not igraph's own config file, which
# in Debian names development files of libraries that the shared library needs no more at link time.

find_path(IGRAPH_INCLUDE_DIR igraph.h PATH_SUFFIXES igraph REQUIRED)
find_library(IGRAPH_LIBRARY igraph REQUIRED)
mark_as_advanced(IGRAPH_INCLUDE_DIR IGRAPH_LIBRARY)
if(NOT TARGET igraph::library)
  add_library(igraph::library UNKNOWN IMPORTED)
  set_target_properties(igraph::library PROPERTIES IMPORTED_LOCATION ${IGRAPH_LIBRARY}
                                                   INTERFACE_INCLUDE_DIRECTORIES ${IGRAPH_INCLUDE_DIR})
endif()
