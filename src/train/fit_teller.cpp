#include "train/fit_teller.hpp"

#include <algorithm>

namespace hgnet {

FitTeller::FitTeller(ProgressSink* sink, int number, std::string label)
    : sink_(sink), number_(number) {
  progress_.label = std::move(label);
}

void FitTeller::batch_done(const Fit& fit, std::int64_t batch, std::int64_t batches, double loss) {
  if (sink_ == nullptr) return;
  progress_.epoch = fit.epochs_done();
  progress_.epochs = fit.config().epochs;
  progress_.batch = batch;
  progress_.batches = batches;
  progress_.loss = loss;
  progress_.metric = fit.config().metric;
  if (!batches_before_) batches_before_ = batch - 1;
  fill_speed(fit);
  sink_->update(number_, progress_);
}

void FitTeller::fill_speed(const Fit& fit) {
  const bool whole = fit.model().config().task == Task::kNode;
  const auto share = [&](std::int64_t batches) {
    return static_cast<double>(batches) / static_cast<double>(progress_.batches);
  };
  const double of_this = share(progress_.batch);
  const double seconds = seconds_in_epochs_ + epoch_.seconds();
  const double per_epoch = seconds / (epochs_ + share(progress_.batch - *batches_before_));
  const double per_pass = whole ? 1.0 : static_cast<double>(fit.split().train.size());
  progress_.unit = whole ? "epochs" : "graphs";
  progress_.samples_per_second = per_pass / per_epoch;
  progress_.seconds_left =
      per_epoch * (static_cast<double>(progress_.epochs - progress_.epoch) - of_this);
}

void FitTeller::epoch_done(const Fit& fit, const EpochRecord& record) {
  seconds_in_epochs_ += epoch_.seconds();
  if (sink_ == nullptr) return;
  const double before = static_cast<double>(batches_before_.value_or(0));
  epochs_ += 1 - before / static_cast<double>(std::max<std::int64_t>(1, progress_.batches));
  progress_.epoch = record.epoch;
  const auto val = record.val.find(fit.config().metric);
  if (val != record.val.end()) progress_.val = val->second;
  if (fit.best_epoch() > 0) progress_.best_val = fit.best_value();
  sink_->epoch(number_, progress_);
}

void FitTeller::finished(const std::string& summary) {
  if (sink_ != nullptr) sink_->finished(number_, progress_, summary);
}

}  // namespace hgnet
