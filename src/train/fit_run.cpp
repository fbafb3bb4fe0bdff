#include "hgnet/train/fit_run.hpp"

#include <torch/version.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/machine.hpp"
#include "hgnet/core/memory.hpp"
#include "hgnet/core/version.hpp"
#include "hgnet/data/fingerprint.hpp"
#include "hgnet/models/archive.hpp"
#include "hgnet/records/metrics.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/settings/reading.hpp"
#include "hgnet/train/event_file.hpp"
#include "hgnet/train/fit.hpp"
#include "hgnet/train/threads.hpp"
#include "hgnet/train/trained_fit.hpp"
#include "records/json_tree.hpp"
#include "train/fit_teller.hpp"

namespace hgnet {
namespace {

double wall_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Six digits are enough for a curve.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double scale = std::pow(10, 5 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

std::vector<double> curve_of(const std::vector<EpochRecord>& epochs, Metrics EpochRecord::*part,
                             const std::string& metric) {
  std::vector<double> curve;
  for (const EpochRecord& epoch : epochs) {
    const auto found = (epoch.*part).find(metric);
    curve.push_back(found == (epoch.*part).end() ? NAN : rounded(found->second));
  }
  return curve;
}

/// Whether the folder's fit was to have fewer epochs.
bool goes_on(const PlannedFit& planned, const FitFolder& folder) {
  return planned.go_on && folder.config().epochs < planned.config.epochs;
}

/// The ranks on a machine share the fit's threads there.
int threads_here(const TrainConfig& config, const Ranks& ranks) {
  return std::max(1, config.threads / ranks.local_size());
}

/// Whether the fit is done, and its record.
std::optional<FitRecord> result_of(const PlannedFit& planned) {
  if (!FitFolder::is_fit(planned.folder)) return std::nullopt;
  const FitFolder folder = FitFolder::open(planned.folder);
  return goes_on(planned, folder) ? std::nullopt : folder.result();
}

/// One fit running in its folder.
class FitRun {
 public:
  FitRun(const PlannedFit& planned, int number, InputStore& store, const FitRunOptions& options)
      : planned_(planned),
        options_(options),
        ranks_(*options.ranks),
        teller_(options.sink, number, planned.label) {
    prepare(store);
    ranks_.meet();
    check_same_data();
    if (ranks_.leads()) open_folder();
  }

  FitOutcome run() {
    // Another process may have finished the fit while this one was loading.
    auto record = ranks_.leads() && !prolongs_ ? folder_->result() : std::nullopt;
    if (!ranks_.of_first(record ? "done" : "").empty())
      return {FitOutcome::Kind::kDone, std::move(record).value_or(FitRecord()), {}};
    go_on_from_checkpoint();
    while (!fit_->finished()) {
      const std::optional<EpochRecord> epoch = run_epoch();
      if (!epoch) {
        save();
        return {FitOutcome::Kind::kStopped, {}, {}};
      }
      note(*epoch);
    }
    save();
    return {FitOutcome::Kind::kDone, finish(), {}};
  }

 private:
  void prepare(InputStore& store) {
    TrainConfig config = planned_.config;
    dataset_ = store.dataset(config);
    load_seconds_ = store.load_seconds(config);
    complete(config, *dataset_);
    const Stopwatch watch;
    TrainConfig here = config;
    here.threads = threads_here(config, ranks_);
    inputs_ = store.inputs(here);
    fit_.emplace(config, inputs_, ranks_);
    prepare_seconds_ = watch.seconds();
  }

  /// A rank on another machine may have read other files.
  void check_same_data() const {
    if (ranks_.is_alone()) return;
    std::map<std::string, std::string> sums = inputs_->fingerprint();
    sums["split"] = fingerprint(fit_->split());
    const std::vector<std::string> all = ranks_.of_all(nlohmann::json(sums).dump());
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
      if (all[rank] == all[0]) continue;
      const auto first = nlohmann::json::parse(all[0]);
      const auto other = nlohmann::json::parse(all[rank]);
      std::string differ;
      for (const auto& [part, sum] : first.items()) {
        if (other.value(part, "") != sum) differ += (differ.empty() ? "" : ", ") + part;
      }
      throw Error("rank " + std::to_string(rank) + " and rank 0 have read different data: " +
                  differ + " of " + dataset_->name + " differ");
    }
  }

  void open_folder() {
    lock_ = FitFolder::lock(planned_.folder);
    if (!FitFolder::is_fit(planned_.folder)) {
      folder_.emplace(FitFolder::create(planned_.folder, fit_->config(),
                                        ColumnNames::of(*dataset_, inputs_->encoding())));
      return;
    }
    folder_.emplace(FitFolder::open(planned_.folder));
    prolongs_ = goes_on(planned_, *folder_);
    if (prolongs_) folder_->check_can_go_on();
    const std::string difference =
        first_difference(fit_->config(), folder_->config(),
                         prolongs_ ? std::span<const std::string_view>(kMayChange) : kOfMachine);
    if (!difference.empty())
      throw Error(
          "the fit in " + folder_->path().string() +
          " has a different configuration (asked for, and in its config.toml): " + difference);
  }

  /// Predictions read the names and the encoding, so they must be those of the data.
  void check_columns() const {
    const ColumnNames ours = ColumnNames::of(*dataset_, inputs_->encoding());
    if (to_json(folder_->columns()) != to_json(ours))
      throw Error((folder_->path() / "columns.json").string() +
                  " does not have the names and numbers of " + dataset_->name +
                  ": the file or the data have changed");
  }

  /// The record takes its metrics from these lines.
  void check_epochs() const {
    std::string history;
    for (const EpochRecord& epoch : epochs_) history = history_with(history, epoch);
    if (!fit_->history().empty() && history != fit_->history())
      throw InvalidFile((folder_->path() / "epochs.jsonl").string(), 0,
                        "does not have the metrics of the checkpoint: one of them was edited");
  }

  void go_on_from_checkpoint() {
    if (ranks_.leads()) read_checkpoint();
    if (!ranks_.is_alone()) {
      const std::string state = ranks_.of_first(ranks_.leads() ? fit_->save() : "");
      if (!ranks_.leads()) fit_->restore(state, "rank 0's state");
    }
    run_watch_ = Stopwatch();
    save_watch_ = Stopwatch();
  }

  void read_checkpoint() {
    const std::filesystem::path file = folder_->checkpoint_file();
    if (std::filesystem::exists(file)) {
      fit_->restore(read_whole(file), file.string());
    } else if (!fit_->config().init_from.empty()) {
      fit_->begin_with(*best_of(first_weights(fit_->config(), *dataset_)));
    }
    check_columns();
    epochs_ = folder_->keep_epochs(fit_->epochs_done());
    check_epochs();
    events_.emplace(folder_->path(), fit_->epochs_done());
    if (prolongs_) folder_->reopen(fit_->config());  // nothing is refused from here on
  }

  std::optional<EpochRecord> run_epoch() {
    teller_.epoch_begins();
    return fit_->run_epoch([this](std::int64_t batch, std::int64_t batches, double loss) {
      if (first_batch_seconds_ == 0)
        first_batch_seconds_ = Stopwatch(options_.program_begin).seconds();
      teller_.batch_done(*fit_, batch, batches, loss);
      if (options_.stop && options_.stop()) return false;
      if (batch < batches) save_if_due();
      return true;
    });
  }

  void note(const EpochRecord& record) {
    if (!ranks_.leads()) return;
    teller_.epoch_done(*fit_, record);
    folder_->append(record);
    epochs_.push_back(record);
    std::vector<std::pair<std::string, double>> scalars{{"lr", record.lr}};
    for (const auto& [name, part] :
         {std::pair("train", &record.train), {"val", &record.val}, {"test", &record.test}}) {
      for (const auto& [metric, value] : *part) scalars.emplace_back(metric + "/" + name, value);
    }
    events_->add(record.epoch, wall_time(), scalars);
    save_if_due();
  }

  void save_if_due() {
    if (save_watch_.seconds() > options_.checkpoint_seconds) save();
  }

  void save() {
    if (!ranks_.leads()) return;
    events_->flush();
    folder_->flush();
    if (fit_->best_epoch() > 0) save_model(*fit_->best_model(), folder_->best_file());
    write_atomically(folder_->checkpoint_file(), fit_->save());
    save_watch_ = Stopwatch();
  }

  FitRecord finish() {
    const auto recalibrated = fit_->recalibrated();  // by all ranks
    if (!ranks_.leads()) return {};
    FitRecord record = make_record();
    record.recalibrated = recalibrated;
    if (record.best_epoch > 0) record.other[kBestChecksum] = json_value(best_checksum(*folder_));
    folder_->write_result(record);
    if (!planned_.keep_checkpoint) {
      events_.reset();
      folder_->drop_checkpoint();
    }
    teller_.finished(summary_of_fit(record));
    return record;
  }

  std::string summary_of_fit(const FitRecord& record) const {
    std::string text;
    for (const std::string& part : {options_.told_part, std::string("val")}) {
      const double score = record.score(part);
      if (text.empty() && !std::isnan(score))
        text = part + " " + score_with_unit(record.metric, score) + " ";
    }
    return text + "at epoch " + std::to_string(record.best_epoch);
  }

  FitRecord make_record() const {
    const TrainConfig& config = fit_->config();
    FitRecord record;
    record.dataset = dataset_->name;
    record.model = record_model(config.model, enum_name(config.network.coarsening));
    record.seed = config.seed;
    record.fold = config.fold;
    record.split = config.split;
    record.reading = readings_differ(config) ? enum_name(config.reading) : "both";
    record.best_epoch = static_cast<int>(fit_->best_epoch());
    record.epochs = static_cast<int>(fit_->epochs_done());
    record.parameters = fit_->model().num_parameters();
    record.metric = config.metric;
    const EpochRecord best =
        record.best_epoch > 0 ? epochs_.at(record.best_epoch - 1) : EpochRecord();
    record.metrics = {{"train", best.train}, {"val", best.val}, {"test", best.test}};
    record.baseline = fit_->baseline();
    const Split& split = fit_->split();
    record.samples = {{"train", std::ssize(split.train)},
                      {"val", std::ssize(split.val)},
                      {"test", std::ssize(split.test)}};
    record.seconds = seconds();
    record.peak_memory = peak_memory();
    record.config = recorded_settings(config);
    record.table = planned_.table;
    record.quick = planned_.quick;
    record.receptive_field = fit_->model().receptive_field().text;
    record.command = options_.command;
    record.version = "hgnet " + version() + " (libtorch " TORCH_VERSION ")";
    record.machine = machine();
    if (!ranks_.is_alone()) record.other["ranks"] = json_value(ranks_.size());
    record.curve = {{"train_loss", curve_of(epochs_, &EpochRecord::train, "loss")},
                    {"train", curve_of(epochs_, &EpochRecord::train, config.metric)},
                    {"val_loss", curve_of(epochs_, &EpochRecord::val, "loss")},
                    {"val", curve_of(epochs_, &EpochRecord::val, config.metric)},
                    {"test", curve_of(epochs_, &EpochRecord::test, config.metric)}};
    if (config.recalibrate)
      record.curve["val_recalibrated"] =
          curve_of(epochs_, &EpochRecord::recalibrated, config.metric);
    return record;
  }

  /// "other" is time for files, checkpoints and display, since this process started or resumed the
  /// fit.
  std::map<std::string, double> seconds() const {
    const double other = run_watch_.seconds() - teller_.seconds_in_epochs();
    const double total =
        load_seconds_ + prepare_seconds_ + fit_->train_seconds() + fit_->evaluate_seconds() + other;
    std::map<std::string, double> result{{"load", load_seconds_},
                                         {"prepare", prepare_seconds_},
                                         {"train", fit_->train_seconds()},
                                         {"evaluate", fit_->evaluate_seconds()},
                                         {"other", other},
                                         {"total", total},
                                         {"first_batch", first_batch_seconds_}};
    if (!ranks_.is_alone()) result["exchange"] = fit_->exchange_seconds();  // of train
    return result;
  }

  const PlannedFit& planned_;
  const FitRunOptions& options_;
  const Ranks& ranks_;
  FitTeller teller_;
  std::shared_ptr<const Dataset> dataset_;
  std::shared_ptr<const FitInputs> inputs_;
  std::optional<Fit> fit_;
  std::shared_ptr<const void> lock_;
  std::optional<FitFolder> folder_;
  std::optional<EventFile> events_;
  std::vector<EpochRecord> epochs_;
  bool prolongs_ = false;  // has more epochs than when it began
  double load_seconds_ = 0;
  double prepare_seconds_ = 0;
  double first_batch_seconds_ = 0;
  Stopwatch run_watch_;
  Stopwatch save_watch_;
};

}  // namespace

FitOutcome run_fit(const PlannedFit& planned, int number, InputStore& store,
                   const FitRunOptions& options) {
  const Ranks& ranks = *options.ranks;
  auto record = ranks.leads() ? result_of(planned) : std::nullopt;
  if (!ranks.of_first(record ? "done" : "").empty())
    return {FitOutcome::Kind::kDone, std::move(record).value_or(FitRecord()), {}};
  set_threads(threads_here(planned.config, ranks));
  return FitRun(planned, number, store, options).run();
}

}  // namespace hgnet
