// Fit::save and Fit::restore: a checkpoint.

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/nested_text.hpp"
#include "hgnet/train/fit.hpp"
#include "models/safetensors.hpp"
#include "models/state.hpp"

namespace hgnet {
namespace {

std::string state_text(const Generator& generator) {
  std::string text;
  for (const std::uint64_t word : generator.state()) text += std::to_string(word) + " ";
  return text;
}

void set_state(Generator& generator, const std::string& text) {
  std::istringstream stream(text);
  Generator::State state{};
  for (std::uint64_t& word : state) stream >> word;
  if (!stream) throw Error("the state of a random generator is damaged");
  generator.set_state(state);
}

}  // namespace

std::string Fit::save() const {
  NamedTensors content;
  for (const auto& [name, tensor] : model_state(*model_)) content.tensors["model." + name] = tensor;
  for (const auto& [name, tensor] : best_) content.tensors["best." + name] = tensor;
  const Adam::State& adam = adam_.state();
  for (std::size_t i = 0; i < adam.first.size(); ++i) {
    const std::string number = std::to_string(i);
    content.tensors["adam.first." + number] = adam.first[i];
    content.tensors["adam.second." + number] = adam.second[i];
  }
  if (!epoch_logits_.empty()) content.tensors["epoch.logits"] = torch::cat(epoch_logits_);
  const Progress& p = progress_;
  const nlohmann::json numbers{{"epoch", p.epoch},
                               {"batch", p.batch},
                               {"best_epoch", p.best_epoch},
                               {"best_value", p.best_value},
                               {"loss_sum", p.loss_sum},
                               {"targets", p.targets},
                               {"train_seconds", p.train_seconds},
                               {"evaluate_seconds", p.evaluate_seconds},
                               {"adam_steps", adam.steps},
                               {"shuffle", state_text(shuffle_)},
                               {"dropout", state_text(model_->generator())}};
  content.metadata = {{"fit", numbers.dump()}, {"config", to_toml(config_)}};
  return to_safetensors(content);
}

void Fit::restore(const std::string& bytes, const std::string& file) {
  const NamedTensors content = from_safetensors(bytes, file);
  const auto tensors_of = [&](const std::string& prefix) {
    State result;
    for (const auto& [name, tensor] : content.tensors) {
      if (name.starts_with(prefix)) result[name.substr(prefix.size())] = tensor;
    }
    return result;
  };
  try {
    const auto numbers = parse_json(content.metadata.at("fit"), file);
    set_model_state(*model_, with_current_names(*model_, tensors_of("model.")));
    best_ = with_current_names(*model_, tensors_of("best."));
    Adam::State adam;
    adam.steps = numbers.at("adam_steps");
    for (std::size_t i = 0; i < model_->parameters().size(); ++i) {
      adam.first.push_back(content.tensors.at("adam.first." + std::to_string(i)));
      adam.second.push_back(content.tensors.at("adam.second." + std::to_string(i)));
    }
    adam_.set_state(std::move(adam));
    epoch_logits_.clear();
    if (const auto logits = content.tensors.find("epoch.logits"); logits != content.tensors.end())
      epoch_logits_.push_back(logits->second);
    Progress& p = progress_;
    p.epoch = numbers.at("epoch");
    p.batch = numbers.at("batch");
    p.best_epoch = numbers.at("best_epoch");
    p.best_value = numbers.at("best_value");
    p.loss_sum = numbers.at("loss_sum");
    p.targets = numbers.at("targets");
    p.train_seconds = numbers.at("train_seconds");
    p.evaluate_seconds = numbers.at("evaluate_seconds");
    set_state(shuffle_, numbers.at("shuffle"));
    set_state(model_->generator(), numbers.at("dropout"));
  } catch (const InvalidFile&) {
    throw;
  } catch (const std::exception& error) {
    throw InvalidFile(file, 0, std::string("not a checkpoint of this fit: ") + error.what());
  }
}

}  // namespace hgnet
