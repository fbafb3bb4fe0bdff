#pragma once

#include <functional>
#include <memory>
#include <string>

#include "hgnet/ranks/launch.hpp"

namespace at {
class Tensor;
}

namespace hgnet {

/// What exchanges between processes; see Ranks.
class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::function<void()> begin(const at::Tensor& values) = 0;
  virtual void sum(const at::Tensor& values) = 0;
  virtual void meet() = 0;
  virtual void report(const std::string& error) = 0;
  /// Whether this rank or another has failed.
  virtual bool failed() const = 0;
  /// Returns when this rank can end without the others noticing.
  virtual void leave() = 0;
};

/// Throws Error if this build has none.
std::unique_ptr<Engine> make_engine(const Launch& launch);

}  // namespace hgnet
