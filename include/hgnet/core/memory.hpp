#pragma once

namespace hgnet {

/// Memory that is freed stays with the process (glibc; elsewhere nothing happens). Training asks for the same sizes in every step: otherwise each
/// large tensor pays for fresh pages from the system. For programs to call, first thing in main(); the library never does.
void keep_freed_memory();

}  // namespace hgnet
