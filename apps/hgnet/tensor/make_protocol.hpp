#pragma once

#include "hgnet/settings/protocol.hpp"
#include "hgnet/train/input_store.hpp"
#include "train_choice.hpp"

namespace hgnet::app {

/// The requested fits. Throws WrongUsage, or what load_dataset throws.
Protocol make_protocol(const TrainChoice& choice, InputStore& store);

/// Tells what makes the scores of these fits doubtful, before they cost any time.
void warn_of_splits(const Protocol& protocol, InputStore& store);

}  // namespace hgnet::app
