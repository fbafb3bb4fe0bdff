#include "hgnet/train/fit.hpp"

#include <algorithm>
#include <cmath>

#include "hgnet/data/split_choice.hpp"
#include "hgnet/train/data_use.hpp"
#include "hgnet/train/node_batches.hpp"
#include "hgnet/train/recalibrate.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "models/state.hpp"
#include "train/not_finite.hpp"
#include "train/stopwatch.hpp"
#include "train/team.hpp"

namespace hgnet {
namespace {

using torch::Tensor;

constexpr std::uint64_t kShuffleStream = 2;  // the model uses 0 and 1

bool contains(const std::vector<Tensor>& parameters, const Tensor& p) {
  return std::any_of(parameters.begin(), parameters.end(),
                     [&](const Tensor& other) { return other.is_same(p); });
}

std::vector<bool> decayed(const Model& model, DecayOn on) {
  const std::vector<Tensor> first = model.first_layer_parameters();
  const std::vector<Tensor> directions = model.directions();
  std::vector<bool> result;
  for (const Tensor& p : model.parameters()) {
    result.push_back((on == DecayOn::kAll || contains(first, p)) && !contains(directions, p));
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

}  // namespace

Fit::Fit(TrainConfig config, std::shared_ptr<const FitInputs> inputs, const Ranks& ranks)
    : config_(std::move(config)),
      inputs_(std::move(inputs)),
      split_(choose_split(inputs_->dataset(), config_.split, config_.split_seed, config_.fold)),
      model_(make_model(config_.network, config_.seed)),
      adam_(model_->parameters(),
            {.learning_rate = config_.lr, .weight_decay = config_.weight_decay},
            decayed(*model_, config_.decay_on)),
      shuffle_(config_.seed, kShuffleStream),
      ranks_(ranks) {
  check(config_);
  if (is_node_task() && !ranks_.is_alone())
    throw Error("the samples of " + config_.dataset +
                " are nodes of one graph, which processes cannot share");
  check_weights(config_.network, inputs_->dataset());
  if (const SparseMatrix* rows = inputs_->colours()) model_->learn_colours(*rows, split_.train);
  inputs_->objective().check_metric(config_.metric);
  if (config_.recalibrate && !has_running_statistics(*model_))
    throw NoEffect("recalibrate has no effect: " + config_.model +
                   " has no norm with running statistics here");
  if (inputs_->objective().num_targets(split_.train) == 0)
    throw Error("no training sample of " + config_.dataset + " (split " + config_.split +
                ") has a label");
  if (config_.class_weights == ClassWeights::kBalanced)
    class_weights_ = inputs_->objective().balanced_weights(split_.train);
  if (config_.norm_over != NormOver::kBatch && !has_running_statistics(*model_))
    throw NoEffect("norm-over has no effect: " + config_.model + " has no batch norm here");
  check_validation();
  if (!ranks_.is_alone()) team_ = std::make_shared<Team>(ranks_, *model_, config_.norm_over);
}

double Fit::exchange_seconds() const { return team_ ? team_->exchange_seconds() : 0; }

void Fit::begin_with(const Model& trained) {
  check_first_weights(model_->config(), trained.config());
  ModelState state = model_state(*model_);
  for (const auto& [name, tensor] : model_state(trained)) {
    const bool any_length = std::ranges::count(model_->lists(), name) > 0;
    if (any_length || state.at(name).sizes() == tensor.sizes()) state.at(name) = tensor;
  }
  set_model_state(*model_, state);
}

void Fit::check_validation() const {
  const Objective& objective = inputs_->objective();
  if (split_.val.empty() || objective.defines(config_.metric, split_.val)) return;
  const std::string part = std::to_string(split_.val.size()) + " validation samples of " +
                           config_.dataset + " (split " + config_.split + ")";
  if (!objective.defines("loss", split_.val)) throw Error("none of the " + part + " has a label");
  throw Error("the " + part + " have only one label, which leaves " + config_.metric +
              " undefined; use another metric, such as loss, or another split");
}

bool Fit::finished() const {
  const FitCounters& p = progress_;
  const double hours = (p.train_seconds + p.evaluate_seconds) / 3600;
  return p.epoch >= config_.epochs || (config_.max_hours > 0 && hours >= config_.max_hours) ||
         (config_.patience > 0 && p.best_epoch > 0 && p.epoch - p.best_epoch >= config_.patience);
}

std::int64_t Fit::num_batches() const {
  if (is_node_task()) return inputs_->num_node_batches();
  return (std::ssize(split_.train) + config_.batch - 1) / config_.batch;
}

double Fit::learning_rate() const {
  if (config_.lr_decay_every == 0) return config_.lr;
  return config_.lr *
         std::pow(config_.lr_decay, static_cast<double>(progress_.epoch / config_.lr_decay_every));
}

std::optional<EpochRecord> Fit::run_epoch(const AfterBatch& after_batch) {
  const Stopwatch watch;
  const bool complete = train_epoch(after_batch);
  const double train_seconds = watch.seconds();
  progress_.train_seconds += train_seconds;
  if (!complete) return std::nullopt;
  EpochRecord record = score_epoch();
  record.train_seconds = train_seconds;
  if (team_) team_->agree(progress_);
  close_epoch();
  keep_if_best(record);
  // A checkpoint of an older version does not have the epochs before.
  if (record.epoch == 1 || !history_.empty()) history_ = history_with(history_, record);
  return record;
}

bool Fit::train_epoch(const AfterBatch& after_batch) {
  model_->train();
  adam_.options().learning_rate = learning_rate();
  if (!is_node_task()) return train_batches(after_batch);
  return inputs_->communities() ? train_communities(after_batch) : train_whole(after_batch);
}

bool Fit::train_whole(const AfterBatch& after_batch) {
  if (progress_.batch == 0) step_alone(inputs_->whole(), split_.train, split_.train);
  return goes_on(after_batch, 1);
}

bool Fit::train_communities(const AfterBatch& after_batch) {
  Generator shuffle = shuffle_;
  const auto plan = plan_communities(*inputs_->communities(), num_batches(), shuffle);
  HierarchyCutter cutter(inputs_->whole().hierarchy);
  while (progress_.batch < std::ssize(plan)) {
    const std::vector<NodeId>& nodes = plan[static_cast<std::size_t>(progress_.batch)];
    const BatchRows rows = rows_among(nodes, split_.train);
    if (inputs_->objective().num_targets(rows.samples) > 0) {
      step_alone(batch_input(inputs_->whole(), cutter, nodes), rows.rows, rows.samples);
    } else {
      ++progress_.batch;
    }
    if (!goes_on(after_batch, std::ssize(plan))) return false;
  }
  return true;
}

void Fit::step_alone(const Input& input, const std::vector<std::int64_t>& rows,
                     const std::vector<std::int64_t>& samples) {
  Share all;
  all.samples = samples;
  step(input, to_indices(rows), all, samples);
}

bool Fit::train_batches(const AfterBatch& after_batch) {
  Generator shuffle = shuffle_;
  auto plan = plan_batches(split_.train, config_.batch, &shuffle);
  const auto batches = static_cast<std::int64_t>(plan.size());
  plan.erase(plan.begin(), plan.begin() + progress_.batch);
  const std::vector<Share> shares = shares_of(plan);
  std::vector<std::vector<std::int64_t>> samples;
  for (const Share& share : shares) samples.push_back(share.samples);
  BatchStream stream(inputs_->source(), std::move(samples));
  for (std::size_t i = 0; i < plan.size(); ++i) {
    step(to_input(*stream.next()), {}, shares[i], plan[i]);
    if (!goes_on(after_batch, batches)) return false;
  }
  return true;
}

std::vector<Share> Fit::shares_of(const std::vector<std::vector<std::int64_t>>& plan) const {
  const auto cost = [&](std::int64_t sample) {
    const Graph& graph = inputs_->dataset().graphs[sample];
    return static_cast<double>(1 + graph.num_nodes() + graph.num_edges());
  };
  std::vector<Share> shares;
  for (const std::vector<std::int64_t>& batch : plan)
    shares.push_back(share_of(batch, cost, ranks_));
  return shares;
}

bool Fit::goes_on(const AfterBatch& after_batch, std::int64_t batches) {
  const double loss = progress_.loss_sum / std::max(1.0, progress_.targets);
  const bool wants_stop = after_batch && !after_batch(progress_.batch, batches, loss);
  if (!team_) return !wants_stop;
  wants_stop_ = (wants_stop_ || wants_stop) && !all_stop_;
  return !all_stop_;
}

void Fit::step(const Input& input, const Tensor& rows, const Share& share,
               const std::vector<std::int64_t>& batch) {
  const Objective& objective = inputs_->objective();
  adam_.zero_grad();
  Tensor logits = team_ ? team_->forward(input, share) : model_->forward(input);
  if (rows.defined()) logits = logits.index_select(0, rows);
  const Tensor loss = objective.loss(logits, share.samples, class_weights_);
  double value = loss.item<double>();
  if (!std::isfinite(value)) fail_not_finite(input, value);
  if (team_) {
    const double whole = objective.weight(batch, class_weights_);
    const double part = share.counts ? objective.weight(share.samples, class_weights_) : 0;
    const Team::Step step =
        team_->backward(loss * (part / std::max(whole, 1e-12)), logits, share, wants_stop_);
    value = step.loss;
    logits = step.logits;
    all_stop_ = step.stop;
  } else {
    loss.backward();
  }
  if (config_.clip > 0) clip_gradients(*model_, config_.clip);
  adam_.step();
  const double targets = objective.num_targets(batch);
  progress_.loss_sum += value * targets;
  progress_.targets += targets;
  ++progress_.batch;
  if (!rows.defined()) epoch_logits_.push_back(logits.tensor_data());
}

void Fit::fail_not_finite(const Input& input, double loss) {
  throw NotFinite("the loss is " + std::to_string(loss) + " in epoch " +
                  std::to_string(progress_.epoch + 1) + ", batch " +
                  std::to_string(progress_.batch + 1) +
                  "; the first value that is not finite is in " + where_not_finite(*model_, input) +
                  ". A smaller learning rate, or clipping the gradient, may help.");
}

EpochRecord Fit::score_epoch() {
  const Stopwatch watch;
  EpochRecord record;
  record.epoch = progress_.epoch + 1;
  record.lr = adam_.options().learning_rate;
  if (team_) team_->share_statistics();
  if (is_node_task()) {
    score_nodes(record);
  } else {
    score_graphs(record);
  }
  if (config_.recalibrate) {
    const auto model = model_of(model_state(*model_));  // a copy: the fit's own goes on as it is
    recalibrate(*model, *inputs_, split_.train, config_.batch);
    record.recalibrated = scored(*model, split_.val, NonFinite::kAllow);
  }
  record.evaluate_seconds = watch.seconds();
  progress_.evaluate_seconds += record.evaluate_seconds;
  return record;
}

void Fit::score_nodes(EpochRecord& record) {
  // Leaves the generator where the next epoch starts.
  if (inputs_->communities()) plan_communities(*inputs_->communities(), num_batches(), shuffle_);
  const torch::NoGradGuard no_grad;
  model_->eval();
  const Tensor logits = model_->forward(inputs_->whole());
  const Objective& objective = inputs_->objective();
  const auto scores = [&](const std::vector<std::int64_t>& samples) {
    Metrics metrics = objective.metrics_among(logits, samples);
    const auto loss = metrics.find("loss");
    if (loss != metrics.end() && !std::isfinite(loss->second))
      check_finite(*model_, inputs_->whole(), logits.index_select(0, to_indices(samples)), samples);
    return metrics;
  };
  record.train = scores(split_.train);
  record.val = scores(split_.val);
  record.test = scores(split_.test);
}

void Fit::score_graphs(EpochRecord& record) {
  const Objective& objective = inputs_->objective();
  // The order of the batches. Leaves the generator where the next epoch starts.
  std::vector<std::int64_t> order;
  for (const auto& samples : plan_batches(split_.train, config_.batch, &shuffle_))
    order.insert(order.end(), samples.begin(), samples.end());
  record.train = objective.metrics(torch::cat(epoch_logits_), order);
  record.train["loss"] = progress_.loss_sum / progress_.targets;
  record.val = scored(*model_, split_.val, NonFinite::kRefuse);
  record.test = scored(*model_, split_.test, NonFinite::kRefuse);
}

void Fit::close_epoch() {
  ++progress_.epoch;
  progress_.batch = 0;
  progress_.loss_sum = progress_.targets = 0;
  epoch_logits_.clear();
}

void Fit::keep_if_best(const EpochRecord& record) {
  const bool without = split_.val.empty();
  const auto found = record.val.find(config_.metric);
  if (!without && (found == record.val.end() || !std::isfinite(found->second))) return;
  const double value = without ? 0 : found->second;
  const bool better =
      lower_is_better(config_.metric) ? value < progress_.best_value : value > progress_.best_value;
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

std::shared_ptr<Model> Fit::model_of(const State& weights) const {
  auto model = make_model(config_.network, config_.seed);
  if (!weights.empty()) set_model_state(*model, weights);
  model->eval();
  return model;
}

std::map<std::string, Metrics> Fit::baseline() const {
  const Objective& objective = inputs_->objective();
  const torch::Tensor row = objective.constant_row(split_.train);
  return {{"val", objective.baseline(row, split_.val)},
          {"test", objective.baseline(row, split_.test)}};
}

std::shared_ptr<Model> Fit::best_model() const { return model_of(best_); }

Metrics Fit::scored(Model& model, const std::vector<std::int64_t>& samples,
                    NonFinite non_finite) const {
  return inputs_->objective().metrics(
      evaluate(model, *inputs_, samples, config_.batch, non_finite, ranks_), samples);
}

std::map<std::string, Metrics> Fit::recalibrated() const {
  const auto model = best_model();
  if (best_.empty() || !has_running_statistics(*model)) return {};
  recalibrate(*model, *inputs_, split_.train, config_.batch);
  return {{"val", scored(*model, split_.val, NonFinite::kAllow)},
          {"test", scored(*model, split_.test, NonFinite::kAllow)}};
}

}  // namespace hgnet
