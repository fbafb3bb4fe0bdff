#include "ranks/pairs.hpp"

#include <gloo/rendezvous/context.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace hgnet {
namespace {

constexpr std::size_t kPart = std::size_t{128} << 10;
/// Ranks of two machines send each other as much before they read: the system's buffers hold it.
/// Those between processes of one machine, more than a megabyte, hold every part.
constexpr std::size_t kBothAtOnce = std::size_t{16} << 10;

template <class Body>
void for_parts(std::size_t size, const Body& body) {
  for (std::size_t begin = 0; begin < size; begin += kPart)
    body(begin, std::min(kPart, size - begin));
}

}  // namespace

Pairs::Pairs(const c10::intrusive_ptr<c10d::Store>& store, const Launch& launch,
             const std::string& address, std::chrono::milliseconds timeout)
    : rank_(launch.rank),
      size_(launch.size),
      one_machine_(launch.local_size == launch.size),
      outgoing_(kPart),
      incoming_(kPart),
      to_(launch.size),
      from_(launch.size) {
  const auto context = std::make_shared<gloo::rendezvous::Context>(rank_, size_);
  context->setTimeout(timeout);
  c10d::ProcessGroupGloo::GlooStore addresses(store);
  auto device = c10d::ProcessGroupGloo::createDeviceForHostname(address);
  context->connectFullMesh(addresses, device);
  context_ = context;
  for (int other = 0; other < size_; ++other) {
    if (other == rank_) continue;
    const auto& pair = context->getPair(other);
    pair->setSync(true, false);
    to_[other] = pair->createSendBuffer(0, outgoing_.data(), outgoing_.size());
    from_[other] = pair->createRecvBuffer(0, incoming_.data(), incoming_.size());
  }
}

Pairs::~Pairs() = default;

// By recursive doubling among the first 2^k ranks, to which the others bring their values first. In
// every round two ranks add the same two numbers, so all have the same sum.
void Pairs::sum(const at::Tensor& values) {
  const auto size = static_cast<std::size_t>(values.nbytes());
  auto* bytes = static_cast<char*>(values.data_ptr());
  const int core = static_cast<int>(std::bit_floor(static_cast<unsigned>(size_)));
  if (rank_ >= core) {
    for_parts(size, [&](std::size_t at, std::size_t n) { send(rank_ - core, bytes + at, n); });
    for_parts(size, [&](std::size_t at, std::size_t n) { receive(rank_ - core, bytes + at, n); });
    return;
  }
  const bool brings = rank_ + core < size_;
  if (brings) {
    const at::Tensor other = torch::empty_like(values);
    auto* there = static_cast<char*>(other.data_ptr());
    for_parts(size, [&](std::size_t at, std::size_t n) { receive(rank_ + core, there + at, n); });
    values.add_(other);
  }
  for (int bit = 1; bit < core; bit *= 2) add(rank_ ^ bit, values);
  if (brings)
    for_parts(size, [&](std::size_t at, std::size_t n) { send(rank_ + core, bytes + at, n); });
}

void Pairs::add(int other, const at::Tensor& values) {
  const at::Tensor there = torch::empty_like(values);
  const auto* mine = static_cast<const char*>(values.data_ptr());
  auto* bytes = static_cast<char*>(there.data_ptr());
  for_parts(static_cast<std::size_t>(values.nbytes()), [&](std::size_t at, std::size_t n) {
    const bool first = one_machine_ || rank_ < other || n <= kBothAtOnce;
    if (first) send(other, mine + at, n);
    receive(other, bytes + at, n);
    if (!first) send(other, mine + at, n);
  });
  values.add_(there);
}

void Pairs::send(int to, const char* bytes, std::size_t size) {
  std::memcpy(outgoing_.data(), bytes, size);
  to_[to]->send(0, size);
  to_[to]->waitSend();
}

void Pairs::receive(int from, char* bytes, std::size_t size) {
  from_[from]->waitRecv();
  std::memcpy(bytes, incoming_.data(), size);
}

void Pairs::close() { context_->closeConnections(); }

}  // namespace hgnet
