// Fit::save and Fit::restore: a checkpoint.

#include <cmath>

#include "core/checksum.hpp"
#include "hgnet/data/fingerprint.hpp"
#include "hgnet/train/fit.hpp"
#include "models/named_tensors.hpp"
#include "models/state.hpp"
#include "train/checkpoint.hpp"

namespace hgnet {
namespace {

constexpr const char* kModel = "model.";
constexpr const char* kBest = "best.";
constexpr const char* kFirst = "adam.first.";
constexpr const char* kSecond = "adam.second.";
constexpr const char* kLogits = "epoch.logits";

/// Those whose names begin so, without it.
ModelState part_of(const ModelState& tensors, const std::string& prefix) {
  ModelState part;
  for (const auto& [name, tensor] : tensors) {
    if (name.starts_with(prefix)) part[name.substr(prefix.size())] = tensor;
  }
  return part;
}

/// The best weights had scores; those of the last step may have to tell where numbers went wrong.
void check_finite(const ModelState& best) {
  for (const auto& [name, tensor] : best) {
    if (tensor.is_floating_point() && !torch::isfinite(tensor).all().item<bool>())
      throw Error("tensor " + (kBest + name) + " has numbers that are not finite");
  }
}

/// With the names that today's models have.
ModelState renamed(const Model& model, ModelState tensors) {
  for (const char* prefix : {kModel, kBest}) {
    const ModelState part = part_of(tensors, prefix);
    std::erase_if(tensors, [&](const auto& item) { return item.first.starts_with(prefix); });
    for (const auto& [name, tensor] : with_current_names(model, part))
      tensors[prefix + name] = tensor;
  }
  return tensors;
}

}  // namespace

std::string history_with(const std::string& before, const EpochRecord& epoch) {
  Checksum sum;
  sum.add(before);
  for (const Metrics* part : {&epoch.train, &epoch.val, &epoch.test, &epoch.recalibrated}) {
    sum.add("/");
    for (const auto& [name, value] : *part) {
      const double number = std::isfinite(value) ? value : NAN;  // as epochs.jsonl has it
      sum.add(name);
      sum.add({reinterpret_cast<const char*>(&number), sizeof number});
    }
  }
  return sum.text();
}

std::map<std::string, std::string> Fit::data_fingerprint() const {
  std::map<std::string, std::string> sums = inputs_->fingerprint();
  sums["split"] = fingerprint(split_);
  return sums;
}

Fit::State Fit::checkpoint_tensors(const FitCounters& counters) const {
  State tensors;
  for (const auto& [name, tensor] : model_state(*model_)) {
    tensors[kModel + name] = tensor;
    if (counters.best_epoch > 0) tensors[kBest + name] = tensor;
  }
  const Adam::State& adam = adam_.state();
  for (std::size_t i = 0; i < adam.first.size(); ++i) {
    tensors[kFirst + std::to_string(i)] = adam.first[i];
    tensors[kSecond + std::to_string(i)] = adam.second[i];
  }
  if (!is_node_task() && counters.batch > 0) {
    const std::int64_t rows = std::min(counters.batch * config_.batch, std::ssize(split_.train));
    tensors[kLogits] = torch::empty({rows, config_.network.outputs});
  }
  return tensors;
}

std::string Fit::save() const {
  State tensors = checkpoint_tensors(progress_);
  for (const auto& [name, tensor] : best_) tensors[kBest + name] = tensor;
  if (!epoch_logits_.empty()) tensors[kLogits] = torch::cat(epoch_logits_);
  const CheckpointNumbers numbers{progress_, adam_.state().steps, history_, shuffle_.state(),
                                  model_->generator().state()};
  return to_safetensors({std::move(tensors), to_metadata(numbers, {config_, data_fingerprint()})});
}

void Fit::restore(const std::string& bytes, const std::string& file) {
  const NamedTensors content = from_safetensors(bytes, file);
  try {
    if (!content.has_checksum) throw Error("it has no checksum");
    check_origin(content.metadata, {config_, data_fingerprint()});
    const CheckpointNumbers numbers = checkpoint_numbers(content.metadata, num_batches());
    const State tensors = renamed(*model_, content.tensors);
    check_tensors(tensors, checkpoint_tensors(numbers.counters));
    check_finite(part_of(tensors, kBest));

    set_model_state(*model_, part_of(tensors, kModel));
    best_ = part_of(tensors, kBest);
    Adam::State adam{numbers.adam_steps, {}, {}};
    for (std::size_t i = 0; i < adam_.state().first.size(); ++i) {
      adam.first.push_back(tensors.at(kFirst + std::to_string(i)));
      adam.second.push_back(tensors.at(kSecond + std::to_string(i)));
    }
    adam_.set_state(std::move(adam));
    epoch_logits_.clear();
    if (const auto logits = tensors.find(kLogits); logits != tensors.end())
      epoch_logits_.push_back(logits->second);
    progress_ = numbers.counters;
    history_ = numbers.history;
    shuffle_.set_state(numbers.shuffle);
    model_->generator().set_state(numbers.dropout);
  } catch (const Error& error) {
    throw InvalidFile(file, 0, std::string("not a checkpoint of this fit: ") + error.what());
  }
}

}  // namespace hgnet
