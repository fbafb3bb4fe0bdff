// What the commands that compute with tensors are asked for, and the functions that do it: those in
// tensor/ where libtorch is loaded, else those in hand_over.cpp.

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "commands.hpp"
#include "hgnet/data/matched.hpp"
#include "hgnet/paper/plan.hpp"
#include "hgnet/settings/shard.hpp"
#include "hgnet/train/evaluation.hpp"
#include "hgnet/train/fit_use.hpp"
#include "train_choice.hpp"

namespace hgnet::app {

struct TrainRequest {
  TrainChoice choice;
  Shard shard;
  int jobs = 0;
  int workers = 0;
  double rank_timeout = 60;
  double checkpoint_seconds = 10;
  std::filesystem::path out;
  std::filesystem::path resume;
  bool json = false;
  bool quiet = false;
  Invocation invocation;

  /// Whether a run that is resumed gets more epochs.
  bool prolongs() const { return !resume.empty() && !choice.train.given().empty(); }
};
void run_train(const TrainRequest& options);

struct TuneRequest {
  TrainChoice choice;
  std::string space = "default";
  std::string method = "halving";
  std::size_t trials = 12;
  int jobs = 0;
  std::filesystem::path out;
  std::filesystem::path resume;
  bool json = false;
  bool quiet = false;
  Invocation invocation;
};
void run_tune(const TuneRequest& options);

struct EvaluateRequest {
  std::filesystem::path run;
  EvaluationRequest evaluation;
  bool json = false;
};
void run_evaluate(const EvaluateRequest& options);

struct PredictRequest {
  std::filesystem::path run;
  std::string dataset;
  FitUse use;
  std::filesystem::path out;
  std::filesystem::path embeddings;
  NonFinite non_finite = NonFinite::kRefuse;
  bool json = false;
  bool quiet = false;
};
void run_predict(const PredictRequest& options);

struct CompareRequest {
  std::vector<std::filesystem::path> runs;
  FitUse use;
  bool json = false;
};
void run_compare(const CompareRequest& options);

struct ReproduceRequest {
  std::string table;
  PaperPlanOptions plan;
  Shard shard;
  int jobs = 0;
  bool only_plan = false;
  bool json = false;
  bool quiet = false;
  Invocation invocation;
};
/// Runs those of the fits that are not done yet.
void run_reproduce(const ReproduceRequest& options, const std::vector<PlannedFit>& fits);

struct ProbeRequest {
  std::vector<std::filesystem::path> runs;
  FitUse use;
  int graphs = 8;
  int rows = 16;
  std::uint64_t seed = 0;
  bool json = false;
};
void run_probe(const ProbeRequest& options);

struct SelfcheckRequest {
  std::uint64_t seed = 1;
  int threads = 1;
  bool json = false;
};
void run_selfcheck(const SelfcheckRequest& options);

/// For generate: judge_named.
Judge model_judge(const std::string& name, int threads);

}  // namespace hgnet::app
