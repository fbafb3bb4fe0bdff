#pragma once

#include "hgnet/train/input_store.hpp"
#include "protocol.hpp"
#include "train_choice.hpp"

namespace hgnet::app {

/// The requested fits. Throws WrongUsage, or what load_dataset throws.
Protocol make_protocol(const TrainChoice& choice, InputStore& store);

}  // namespace hgnet::app
