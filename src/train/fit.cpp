#include "hgnet/train/fit.hpp"

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "hgnet/data/split_choice.hpp"
#include "hgnet/nn/tail.hpp"
#include "models/safetensors.hpp"
#include "models/state.hpp"

namespace hgnet {
namespace {

using torch::Tensor;

constexpr std::uint64_t kShuffleStream = 2;  // 0 and 1 are the model's own

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::vector<bool> decayed(const Model& model, DecayOn on) {
  const std::vector<Tensor> all = model.parameters();
  std::vector<bool> result(all.size(), on == DecayOn::kAll);
  if (on == DecayOn::kAll) return result;
  const std::vector<Tensor> first = model.first_layer_parameters();
  for (std::size_t i = 0; i < all.size(); ++i) {
    result[i] =
        std::any_of(first.begin(), first.end(), [&](const Tensor& p) { return p.is_same(all[i]); });
  }
  return result;
}

void clip_gradients(const Model& model, double most) {
  double squares = 0;
  for (const Tensor& p : model.parameters()) {
    if (p.grad().defined()) squares += p.grad().square().sum(torch::kFloat64).item<double>();
  }
  const double norm = std::sqrt(squares);
  if (!(norm > most)) return;
  for (const Tensor& p : model.parameters()) {
    if (p.grad().defined()) p.grad().mul_(most / norm);
  }
}

bool all_finite(const Tensor& tensor) { return tensor.isfinite().all().item<bool>(); }

/// The first place at which numbers stop being finite, from the features on.
std::string where_not_finite(Model& model, const Input& input) {
  if (!input.x.is_sparse() && !all_finite(input.x.dense())) return "the features";
  for (const auto& item : model.named_parameters()) {
    if (!all_finite(item.value())) return "parameter " + item.key();
  }
  std::string place;
  const auto modules = model.named_modules();
  const auto observe = [&](bool on) {
    for (const auto& item : modules) {
      auto* tail = dynamic_cast<TailImpl*>(item.value().get());
      if (tail == nullptr) continue;
      tail->observer = nullptr;
      if (!on) continue;
      tail->observer = [&place, name = item.key()](const Tensor& result) {
        if (place.empty() && !all_finite(result)) place = "layer " + name;
      };
    }
  };
  const torch::NoGradGuard no_grad;
  observe(true);
  model.forward(input);
  observe(false);
  return place.empty() ? "the loss" : place;
}

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

Fit::Fit(TrainConfig config, std::shared_ptr<const FitInputs> inputs)
    : config_(std::move(config)),
      inputs_(std::move(inputs)),
      split_(choose_split(inputs_->dataset(), config_.split, config_.split_seed, config_.fold)),
      model_(make_model(config_.network, config_.seed)),
      adam_(model_->parameters(),
            {.learning_rate = config_.lr, .weight_decay = config_.weight_decay},
            decayed(*model_, config_.decay_on)),
      shuffle_(config_.seed, kShuffleStream) {
  check(config_);
  inputs_->objective().check_metric(config_.metric);
  if (inputs_->objective().num_targets(to_indices(split_.train)) == 0)
    throw Error("no training sample of " + config_.dataset + " (split " + config_.split +
                ") has a label");
}

bool Fit::finished() const {
  const Progress& p = progress_;
  return p.epoch >= config_.epochs ||
         (config_.patience > 0 && p.best_epoch > 0 && p.epoch - p.best_epoch >= config_.patience);
}

double Fit::learning_rate() const {
  if (config_.lr_decay_every == 0) return config_.lr;
  return config_.lr *
         std::pow(config_.lr_decay, static_cast<double>(progress_.epoch / config_.lr_decay_every));
}

std::optional<EpochRecord> Fit::run_epoch(const AfterBatch& after_batch) {
  const Stopwatch watch;
  model_->train();
  adam_.options().learning_rate = learning_rate();
  const bool node_task = inputs_->dataset().task == Task::kNode;
  const bool done = node_task ? train_whole(after_batch) : train_batches(after_batch);
  progress_.train_seconds += watch.seconds();
  if (!done) return std::nullopt;
  EpochRecord record = close_epoch();
  record.train_seconds = watch.seconds() - record.evaluate_seconds;
  note_best(record);
  return record;
}

bool Fit::train_whole(const AfterBatch& after_batch) {
  if (progress_.batch == 0) {
    const Tensor samples = to_indices(split_.train);
    step(inputs_->whole(), samples, samples);
  }
  return !after_batch || after_batch(1, 1, progress_.loss_sum / progress_.targets);
}

bool Fit::train_batches(const AfterBatch& after_batch) {
  Generator shuffle = shuffle_;
  auto plan = plan_batches(split_.train, config_.batch, &shuffle);
  const auto batches = static_cast<std::int64_t>(plan.size());
  plan.erase(plan.begin(), plan.begin() + progress_.batch);
  BatchStream stream(inputs_->source(), std::move(plan));
  while (std::optional<SampleBatch> batch = stream.next()) {
    const Tensor samples = to_indices(batch->samples);
    step(to_input(*std::move(batch)), {}, samples);
    const double loss = progress_.loss_sum / std::max(1.0, progress_.targets);
    if (after_batch && !after_batch(progress_.batch, batches, loss)) return false;
  }
  return true;
}

void Fit::step(const Input& input, const Tensor& rows, const Tensor& samples) {
  adam_.zero_grad();
  Tensor logits = model_->forward(input);
  if (rows.defined()) logits = logits.index_select(0, rows);
  const Tensor loss = inputs_->objective().loss(logits, samples);
  const double value = loss.item<double>();
  if (!std::isfinite(value)) fail_not_finite(input, value);
  loss.backward();
  if (config_.clip > 0) clip_gradients(*model_, config_.clip);
  adam_.step();
  const double targets = inputs_->objective().num_targets(samples);
  progress_.loss_sum += value * targets;
  progress_.targets += targets;
  ++progress_.batch;
  if (!rows.defined()) epoch_logits_.push_back(logits.detach());
}

void Fit::fail_not_finite(const Input& input, double loss) {
  throw NotFinite("the loss is " + std::to_string(loss) + " in epoch " +
                  std::to_string(progress_.epoch + 1) + ", batch " +
                  std::to_string(progress_.batch + 1) +
                  "; the first number that is not finite is in " +
                  where_not_finite(*model_, input) + ". A smaller --lr or --clip may help.");
}

EpochRecord Fit::close_epoch() {
  const Stopwatch watch;
  const Objective& objective = inputs_->objective();
  EpochRecord record;
  record.epoch = progress_.epoch + 1;
  record.lr = adam_.options().learning_rate;
  if (inputs_->dataset().task == Task::kNode) {
    const torch::NoGradGuard no_grad;
    model_->eval();
    const Tensor logits = model_->forward(inputs_->whole());
    const auto part = [&](const std::vector<std::int64_t>& samples) {
      return objective.metrics_among(logits, samples);
    };
    record.train = part(split_.train);
    record.val = part(split_.val);
    record.test = part(split_.test);
  } else {
    const auto part = [&](const std::vector<std::int64_t>& samples) {
      return objective.metrics(evaluate(*model_, *inputs_, samples, config_.batch), samples);
    };
    std::vector<std::int64_t> order;
    for (const auto& samples : plan_batches(split_.train, config_.batch, &shuffle_))
      order.insert(order.end(), samples.begin(), samples.end());
    record.train = objective.metrics(torch::cat(epoch_logits_), order);
    record.train["loss"] = progress_.loss_sum / progress_.targets;
    record.val = part(split_.val);
    record.test = part(split_.test);
  }
  record.evaluate_seconds = watch.seconds();
  progress_.evaluate_seconds += record.evaluate_seconds;
  ++progress_.epoch;
  progress_.batch = 0;
  progress_.loss_sum = progress_.targets = 0;
  epoch_logits_.clear();
  return record;
}

void Fit::note_best(const EpochRecord& record) {
  const auto found = record.val.find(config_.metric);
  const bool without = split_.val.empty();
  if (!without && (found == record.val.end() || std::isnan(found->second))) return;
  const double value = without ? 0 : found->second;
  const bool better =
      less_is_better(config_.metric) ? value < progress_.best_value : value > progress_.best_value;
  if (progress_.best_epoch > 0 && !better && !without) return;
  progress_.best_epoch = record.epoch;
  progress_.best_value = value;
  const torch::NoGradGuard no_grad;
  for (const auto& [name, tensor] : model_state(*model_)) {
    Tensor& kept = best_[name];
    if (kept.defined()) {
      kept.copy_(tensor);
    } else {
      kept = tensor.detach().clone();
    }
  }
}

std::shared_ptr<Model> Fit::best_model() const {
  auto model = make_model(config_.network, config_.seed);
  if (!best_.empty()) set_model_state(*model, best_);
  model->eval();
  return model;
}

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
    const auto numbers = nlohmann::json::parse(content.metadata.at("fit"));
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
