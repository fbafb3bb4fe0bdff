#pragma once

#include <torch/types.h>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <memory>
#include <vector>

#include "hgnet/ranks/launch.hpp"

namespace gloo {
class Context;
namespace transport {
class Buffer;
}
}  // namespace gloo

namespace hgnet {

/// Sums of few values between ranks, over connections of Gloo that the calling thread reads and
/// writes itself. c10d's all-reduce wakes three threads on each side, which takes many times as
/// long as the values do.
class Pairs {
 public:
  /// Connects this rank, at its address, with every other. An exchange that takes longer than
  /// `timeout` fails.
  Pairs(const c10::intrusive_ptr<c10d::Store>& store, const Launch& launch,
        const std::string& address, std::chrono::milliseconds timeout);
  ~Pairs();
  Pairs(const Pairs&) = delete;
  Pairs& operator=(const Pairs&) = delete;

  /// The sum over ranks, in place, with the same bits on every rank. Throws an exception of Gloo
  /// where another rank is gone.
  void sum(const at::Tensor& values);

  /// Ends the exchanges of ranks that wait for this one: they throw.
  void close();

 private:
  void send(int to, const char* bytes, std::size_t size);
  void receive(int from, char* bytes, std::size_t size);
  /// Sends `values` to a rank and adds what it sends.
  void add(int other, const at::Tensor& values);

  const int rank_;
  const int size_;
  const bool one_machine_;
  std::vector<char> outgoing_;
  std::vector<char> incoming_;
  std::shared_ptr<gloo::Context> context_;
  std::vector<std::unique_ptr<gloo::transport::Buffer>> to_;    // by rank
  std::vector<std::unique_ptr<gloo::transport::Buffer>> from_;  // by rank
};

}  // namespace hgnet
