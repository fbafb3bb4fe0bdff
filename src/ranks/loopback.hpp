// Sockets, as far as c10d leaves them to its users.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

/// The address of this machine from which rank 0's is reached. Of loopback if rank 0 is here and its
/// name stands for that, as Debian writes it into /etc/hosts.
std::string own_address(const Launch& launch);

/// The address at which the other ranks reach this one, whose own_address is `own`; `all` are those
/// of all ranks. One of loopback only if all are on this machine. Throws Error if there is none.
std::string reachable_address(const std::string& own, const std::vector<std::string>& all);

}  // namespace hgnet
