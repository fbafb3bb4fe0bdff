#include "ranks/loopback.hpp"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "hgnet/core/error.hpp"

namespace hgnet {
namespace {

struct Socket {
  Socket(int family, int kind) : descriptor(::socket(family, kind | SOCK_CLOEXEC, 0)) {}
  ~Socket() {
    if (descriptor >= 0) ::close(descriptor);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  const int descriptor;
};

struct Address {
  sockaddr_storage storage;
  socklen_t length;

  int family() const { return storage.ss_family; }
  const sockaddr* pointer() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

std::vector<Address> addresses_of(const std::string& host, std::uint16_t port, int kind) {
  addrinfo hints{};
  hints.ai_socktype = kind;
  addrinfo* list = nullptr;
  const int failure = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (failure != 0) throw Error("MASTER_ADDR is '" + host + "': " + ::gai_strerror(failure));
  std::vector<Address> addresses;
  for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
    Address& address = addresses.emplace_back(Address{{}, each->ai_addrlen});
    std::memcpy(&address.storage, each->ai_addr, each->ai_addrlen);
  }
  ::freeaddrinfo(list);
  return addresses;
}

bool listens_at(int descriptor, std::uint16_t port) {
  int listens = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0)
    return false;
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length) != 0) return false;
  if (address.ss_family == AF_INET)
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port) == port;
  return address.ss_family == AF_INET6 &&
         ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port) == port;
}

/// Drops what comes from another interface than loopback, before it is a connection.
void filter(int descriptor) {
  const auto loopback = ::if_nametoindex("lo");
  std::array<sock_filter, 4> program{{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<__u32>(SKF_AD_OFF + SKF_AD_IFINDEX)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, loopback, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
      BPF_STMT(BPF_RET | BPF_K, 0),
  }};
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (loopback == 0 ||
      ::setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0)
    throw Error(std::string("cannot keep the ranks' store to this machine: ") +
                std::strerror(errno));
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

/// The address of this machine from which the host is reached.
std::string address_towards(const std::string& host) {
  constexpr std::uint16_t kAnyPort = 9;
  for (const Address& each : addresses_of(host, kAnyPort, SOCK_DGRAM)) {
    const Socket socket(each.family(), SOCK_DGRAM);
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    char text[NI_MAXHOST] = "";
    // Sends nothing: it only chooses the way.
    if (::connect(socket.descriptor, each.pointer(), each.length) == 0 &&
        ::getsockname(socket.descriptor, reinterpret_cast<sockaddr*>(&own), &length) == 0 &&
        ::getnameinfo(reinterpret_cast<sockaddr*>(&own), length, text, sizeof text, nullptr, 0,
                      NI_NUMERICHOST) == 0)
      return text;
  }
  throw Error("the rank at " + host + " cannot be reached from this machine");
}

}  // namespace

// c10d's store listens on all interfaces, and has no option for that.
void hear_loopback_only(std::uint16_t port) {
  bool found = false;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    const int descriptor = std::stoi(entry.path().filename().string());
    if (!listens_at(descriptor, port)) continue;
    filter(descriptor);
    found = true;
  }
  if (!found) throw Error("the ranks' store does not listen at port " + std::to_string(port));
}

bool is_free(std::uint16_t port) {
  const Socket socket(AF_INET, SOCK_STREAM);
  const int reuse = 1;  // as c10d does
  ::setsockopt(socket.descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  return ::bind(socket.descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 ||
         errno != EADDRINUSE;
}

std::string wait_for_listener(const std::string& address, std::uint16_t port, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  std::string why;
  do {
    for (const Address& each : addresses_of(address, port, SOCK_STREAM)) {
      const Socket socket(each.family(), SOCK_STREAM | SOCK_NONBLOCK);
      if (::connect(socket.descriptor, each.pointer(), each.length) == 0) return "";
      int failure = errno;
      pollfd ready{socket.descriptor, POLLOUT, 0};
      socklen_t size = sizeof failure;
      if (failure == EINPROGRESS && ::poll(&ready, 1, 500) > 0)
        ::getsockopt(socket.descriptor, SOL_SOCKET, SO_ERROR, &failure, &size);
      if (failure == 0) return "";
      why = std::strerror(failure == EINPROGRESS ? ETIMEDOUT : failure);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  } while (Clock::now() < until);
  return why;
}

std::string own_address(const Launch& launch) {
  return launch.on_loopback() ? "127.0.0.1" : address_towards(launch.address);
}

std::string reachable_address(const std::string& own, const std::vector<std::string>& all) {
  const auto elsewhere = std::ranges::find_if_not(all, is_loopback);
  if (!is_loopback(own) || elsewhere == all.end()) return own;
  std::string address = address_towards(*elsewhere);
  if (is_loopback(address))
    throw Error("MASTER_ADDR stands for loopback (" + own +
                ") on this machine, and no other address of it reaches the rank at " + *elsewhere +
                "; set MASTER_ADDR to the number of rank 0's address");
  return address;
}

}  // namespace hgnet
