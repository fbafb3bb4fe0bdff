#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "hgnet/ranks/launch.hpp"

namespace hgnet {

/// Where the ranks have met: two connections to the store.
struct Meeting {
  c10::intrusive_ptr<c10d::Store> store;
  c10::intrusive_ptr<c10d::Store> for_watch;
};

/// Opens the store (rank 0) or comes to it, and waits until all ranks have and agree on program and
/// number. Throws Error on every rank otherwise.
Meeting meet(const Launch& launch);

}  // namespace hgnet
