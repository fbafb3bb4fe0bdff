// Sockets, as far as c10d leaves them to its users.

#pragma once

#include <cstdint>
#include <string>

#include "hgnet/ranks/launch.hpp"

namespace hgnet {

/// Lets the socket of this process that listens at the port hear only this machine. Throws Error if
/// there is none or the system refuses.
void hear_loopback_only(std::uint16_t port);

/// Whether nothing listens at the port of this machine.
bool is_free(std::uint16_t port);

/// Waits until something listens there, but not longer than so many seconds. Returns why nothing
/// does; empty: it does.
std::string wait_for_listener(const std::string& address, std::uint16_t port, double seconds);

/// The address of this machine at which the other ranks reach it: that from which rank 0's is
/// reached.
std::string own_address(const Launch& launch);

}  // namespace hgnet
