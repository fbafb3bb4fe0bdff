#pragma once

namespace hgnet {

/// Every TCPStore of c10d 1.13 has a thread that throws when the connection to the store is reset,
/// and nothing catches that. From the first call on, such a thread stops where it is instead of
/// ending the process. What waits for it, as the destructor of its store does, waits for ever.
/// This is the process's terminate handler, so it holds every other thread, too, that ends by an
/// uncaught std::errc::connection_reset; anything else goes to the handler before it.
void hold_reset_threads();

}  // namespace hgnet
