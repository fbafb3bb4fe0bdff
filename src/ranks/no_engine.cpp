// For builds without Gloo's headers.

#include "hgnet/core/error.hpp"
#include "ranks/engine.hpp"

namespace hgnet {

std::unique_ptr<Engine> make_engine(const Launch& launch) {
  throw Error(
      "cannot train with " + std::to_string(launch.size) +
      " processes: this hgnet was built without Gloo (Debian's libgloo-dev and libtorch-dev)");
}

}  // namespace hgnet
