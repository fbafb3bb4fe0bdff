#include "hgnet/train/run.hpp"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/version.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "hgnet/core/version.hpp"
#include "hgnet/train/event_file.hpp"

namespace hgnet {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Six digits are plenty for a curve.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

nlohmann::json curve_of(const std::vector<EpochRecord>& epochs, Metrics EpochRecord::*part,
                        const std::string& metric) {
  nlohmann::json curve = nlohmann::json::array();
  for (const EpochRecord& epoch : epochs) {
    const auto found = (epoch.*part).find(metric);
    curve.push_back(found == (epoch.*part).end() ? nlohmann::json()
                                                 : nlohmann::json(rounded(found->second)));
  }
  return curve;
}

std::string dataset_key(const TrainConfig& config) {
  return config.root + "\n" + config.dataset + (config.node_attributes ? "\nwith attributes" : "");
}

/// One fit on its way: tells of its progress, keeps its folder.
class Run {
 public:
  Run(const PlannedFit& planned, int number, InputStore& store, const RunOptions& options)
      : planned_(planned), number_(number), options_(options) {
    TrainConfig config = planned.config;
    const auto dataset = store.dataset(config);
    load_seconds_ = store.load_seconds(config);
    complete(config, *dataset);
    dataset_name_ = dataset->name;
    const Clock::time_point loaded = Clock::now();
    fit_.emplace(config, store.inputs(config));
    prepare_seconds_ = seconds_since(loaded);
    lock_ = RunFolder::lock(planned.folder);
    const bool exists = RunFolder::is_run(planned.folder);
    folder_.emplace(exists ? RunFolder::open(planned.folder)
                           : RunFolder::create(planned.folder, config, Columns::of(*dataset)));
    if (exists) refuse_other(config);
    // Another process may have come to its end while this one was loading.
    done_elsewhere_ = folder_->result();
    if (done_elsewhere_) return;
    epochs_ = folder_->restore(*fit_);
    events_.emplace(folder_->path(), fit_->epochs_done());
  }

  FitOutcome run() {
    if (done_elsewhere_) return {FitOutcome::Kind::kDone, *done_elsewhere_, {}};
    begin_ = Clock::now();
    last_save_ = Clock::now();
    while (!fit_->finished()) {
      const Clock::time_point begin = Clock::now();
      epoch_begin_ = begin;
      auto record = fit_->run_epoch([this](std::int64_t batch, std::int64_t batches, double loss) {
        return after_batch(batch, batches, loss);
      });
      if (!record) {
        save();
        return {FitOutcome::Kind::kStopped, {}, {}};
      }
      seconds_in_epochs_ += seconds_since(begin);
      ++epochs_here_;
      note(*record);
    }
    save();
    const std::string result = result_json();
    folder_->write_result(result);
    if (!planned_.keep_checkpoint) {
      events_.reset();
      folder_->drop_checkpoint();
    }
    if (options_.sink != nullptr) options_.sink->finished(number_, progress_, summary());
    return {FitOutcome::Kind::kDone, result, {}};
  }

 private:
  void refuse_other(const TrainConfig& config) const {
    TrainConfig theirs = folder_->config();
    theirs.threads = config.threads;
    if (theirs == config) return;
    throw Error("the run in " + folder_->path().string() +
                " has another configuration: see config.toml there");
  }

  bool after_batch(std::int64_t batch, std::int64_t batches, double loss) {
    if (first_batch_seconds_ == 0) first_batch_seconds_ = seconds_since(options_.program_begin);
    if (options_.sink != nullptr) {
      progress_.label = planned_.label;
      progress_.epoch = fit_->epochs_done();
      progress_.epochs = fit_->config().epochs;
      progress_.batch = batch;
      progress_.batches = batches;
      progress_.loss = loss;
      progress_.metric = fit_->config().metric;
      fill_speed(batch, batches);
      options_.sink->update(number_, progress_);
    }
    if (options_.stop && options_.stop()) return false;
    if (batch < batches && seconds_since(last_save_) > options_.checkpoint_seconds) save();
    return true;
  }

  void fill_speed(std::int64_t batch, std::int64_t batches) {
    const bool whole = fit_->model().config().task == Task::kNode;
    const double done = static_cast<double>(epochs_here_) +
                        static_cast<double>(batch) / static_cast<double>(batches);
    const double seconds = seconds_in_epochs_ + seconds_since(epoch_begin_);
    const double per_epoch = seconds / done;
    progress_.unit = whole ? "epochs" : "graphs";
    progress_.samples_per_second =
        (whole ? 1.0 : static_cast<double>(fit_->split().train.size())) / per_epoch;
    const double left = static_cast<double>(fit_->config().epochs - fit_->epochs_done()) -
                        static_cast<double>(batch) / static_cast<double>(batches);
    progress_.seconds_left = per_epoch * left;
  }

  void note(const EpochRecord& record) {
    folder_->append(record);
    epochs_.push_back(record);
    std::vector<std::pair<std::string, double>> scalars{{"lr", record.lr}};
    for (const auto& [name, part] :
         {std::pair("train", &record.train), {"val", &record.val}, {"test", &record.test}}) {
      for (const auto& [metric, value] : *part) scalars.emplace_back(metric + "/" + name, value);
    }
    events_->add(record.epoch, wall_time(), scalars);
    if (seconds_since(last_save_) > options_.checkpoint_seconds) save();
    if (options_.sink == nullptr) return;
    progress_.epoch = record.epoch;
    const auto val = record.val.find(fit_->config().metric);
    if (val != record.val.end()) progress_.val = val->second;
    if (fit_->best_epoch() > 0) progress_.best_val = fit_->best_value();
    options_.sink->epoch(number_, progress_);
  }

  void save() {
    events_->flush();
    folder_->save(*fit_);
    last_save_ = Clock::now();
  }

  const EpochRecord* best() const {
    return fit_->best_epoch() == 0 ? nullptr : &epochs_[fit_->best_epoch() - 1];
  }

  /// Metrics aside: files, checkpoints and display, since this run was begun or gone on with.
  double other_seconds() const { return seconds_since(begin_) - seconds_in_epochs_; }

  std::string summary() const {
    const EpochRecord* record = best();
    if (record == nullptr) return "no epoch has a validation metric";
    const auto test = record->test.find(fit_->config().metric);
    char text[64] = "";
    if (test != record->test.end()) std::snprintf(text, sizeof text, "test %.4f", test->second);
    return std::string(text) + " at epoch " + std::to_string(record->epoch);
  }

  std::string result_json() const {
    const TrainConfig& config = fit_->config();
    const std::string& metric = config.metric;
    const EpochRecord none;
    const EpochRecord& at_best = best() == nullptr ? none : *best();
    nlohmann::ordered_json json{
        {"dataset", dataset_name_},
        {"model", config.model},
        {"seed", config.seed},
        {"fold", config.fold},
        {"split", config.split},
        {"best_epoch", fit_->best_epoch()},
        {"epochs", fit_->epochs_done()},
        {"parameters", fit_->model().num_parameters()},
        {"metric", metric},
        {"metrics", {{"train", at_best.train}, {"val", at_best.val}, {"test", at_best.test}}},
        {"seconds",
         {{"load", load_seconds_},
          {"prepare", prepare_seconds_},
          {"train", fit_->train_seconds()},
          {"evaluate", fit_->evaluate_seconds()},
          {"other", other_seconds()},
          {"total", load_seconds_ + prepare_seconds_ + fit_->train_seconds() +
                        fit_->evaluate_seconds() + other_seconds()},
          {"first_batch", first_batch_seconds_}}},
        {"receptive_field", fit_->model().receptive_field().text},
        {"config", nlohmann::ordered_json::parse(to_json(config))},
        {"version", "hgnet " + version() + " (libtorch " TORCH_VERSION ")"},
        {"command", options_.command},
        {"curve",
         {{"train_loss", curve_of(epochs_, &EpochRecord::train, "loss")},
          {"train", curve_of(epochs_, &EpochRecord::train, metric)},
          {"val_loss", curve_of(epochs_, &EpochRecord::val, "loss")},
          {"val", curve_of(epochs_, &EpochRecord::val, metric)},
          {"test", curve_of(epochs_, &EpochRecord::test, metric)}}}};
    if (!planned_.table.empty()) json["table"] = planned_.table;
    json["quick"] = planned_.quick;
    return json.dump();
  }

  const PlannedFit& planned_;
  int number_;
  const RunOptions& options_;
  std::optional<Fit> fit_;
  std::shared_ptr<const void> lock_;
  std::optional<RunFolder> folder_;
  std::optional<std::string> done_elsewhere_;
  std::optional<EventFile> events_;
  std::vector<EpochRecord> epochs_;
  FitProgress progress_;
  std::string dataset_name_;
  double load_seconds_ = 0;
  double prepare_seconds_ = 0;
  double first_batch_seconds_ = 0;
  Clock::time_point begin_;
  Clock::time_point last_save_;
  Clock::time_point epoch_begin_;
  double seconds_in_epochs_ = 0;
  std::int64_t epochs_here_ = 0;
};

}  // namespace

void InputStore::hold(std::shared_ptr<const void> item) {
  constexpr std::size_t kHeld = 4;
  if (std::find(recent_.begin(), recent_.end(), item) != recent_.end()) return;
  recent_.push_back(std::move(item));
  if (recent_.size() > kHeld) recent_.pop_front();
}

std::shared_ptr<const Dataset> InputStore::dataset(const TrainConfig& config) {
  const std::lock_guard lock(mutex_);
  auto& kept = datasets_[dataset_key(config)];
  std::shared_ptr<const Dataset> result = kept.lock();
  if (result == nullptr) {
    const LoadOptions options{.root = config.root, .node_attributes = config.node_attributes};
    const Clock::time_point begin = Clock::now();
    result = std::make_shared<const Dataset>(load_dataset(config.dataset, options));
    load_seconds_[dataset_key(config)] = seconds_since(begin);
    kept = result;
  }
  hold(result);
  return result;
}

double InputStore::load_seconds(const TrainConfig& config) {
  const std::lock_guard lock(mutex_);
  return load_seconds_[dataset_key(config)];
}

std::shared_ptr<const FitInputs> InputStore::inputs(const TrainConfig& config) {
  auto data = dataset(config);
  const std::lock_guard lock(mutex_);
  const Preparation preparation = preparation_of(config.network);
  auto& kept = inputs_[{dataset_key(config), preparation}];
  std::shared_ptr<const FitInputs> result = kept.lock();
  if (result == nullptr) {
    result = std::make_shared<const FitInputs>(data, preparation, config.threads);
    kept = result;
  }
  hold(result);
  return result;
}

void set_threads(int threads) {
  at::set_num_threads(threads);
  // OpenBLAS with threads of its own does not follow torch; other BLAS libraries do not have this.
  using SetThreads = void (*)(int);
  static const auto set_blas =
      reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set_blas != nullptr) set_blas(threads);
}

FitOutcome run_fit(const PlannedFit& planned, int number, InputStore& store,
                   const RunOptions& options) {
  if (RunFolder::is_run(planned.folder)) {
    if (const auto result = RunFolder::open(planned.folder).result())
      return {FitOutcome::Kind::kDone, *result, {}};
  }
  set_threads(planned.config.threads);
  return Run(planned, number, store, options).run();
}

std::vector<FitOutcome> run_fits(const std::vector<PlannedFit>& fits, InputStore& store,
                                 const RunOptions& options) {
  std::vector<FitOutcome> outcomes(fits.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < fits.size(); i = next++) {
      if (options.stop && options.stop()) return;
      try {
        outcomes[i] = run_fit(fits[i], static_cast<int>(i), store, options);
      } catch (const RunBusy& busy) {
        outcomes[i] = {FitOutcome::Kind::kBusy, {}, busy.what()};
      } catch (const c10::Error& error) {
        outcomes[i] = {FitOutcome::Kind::kFailed, {}, error.what_without_backtrace()};
      } catch (const std::exception& error) {
        outcomes[i] = {FitOutcome::Kind::kFailed, {}, error.what()};
      }
      // Of a single fit the caller tells.
      if (outcomes[i].kind == FitOutcome::Kind::kFailed && options.sink != nullptr &&
          fits.size() > 1)
        options.sink->message(fits[i].label + " failed: " + outcomes[i].error);
    }
  };
  std::vector<std::thread> threads;
  for (int j = 1; j < std::min(options.jobs, static_cast<int>(fits.size())); ++j)
    threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return outcomes;
}

}  // namespace hgnet
