// hgnet evaluate, hgnet predict: what a trained model makes of data.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/models/archive.hpp"
#include "hgnet/train/run.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct Options {
  fs::path run;
  std::string dataset;
  std::string root;
  std::string split;
  fs::path output;
  int threads = 1;
  bool json = false;
};

/// The fits below a run folder: itself, or those of a protocol.
std::vector<RunFolder> runs_in(const fs::path& folder) {
  std::vector<RunFolder> runs;
  if (RunFolder::is_run(folder)) return {RunFolder::open(folder)};
  std::vector<fs::path> places;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (RunFolder::is_run(entry.path())) places.push_back(entry.path());
  }
  std::sort(places.begin(), places.end());
  for (const fs::path& place : places) runs.push_back(RunFolder::open(place));
  if (runs.empty()) throw Error("there is no run in " + folder.string());
  return runs;
}

TrainConfig changed(TrainConfig config, const Options& options) {
  if (!options.dataset.empty()) {
    config.dataset = options.dataset;
    config.split.clear();
    config.fold = -1;
  }
  if (!options.root.empty()) config.root = options.root;
  if (!options.split.empty()) {
    config.split = options.split;
    config.fold = -1;
  }
  config.threads = options.threads;
  return config;
}

std::shared_ptr<Model> best_of(const RunFolder& run) {
  if (!fs::exists(run.best_file()))
    throw Error("the run in " + run.path().string() + " has no best model yet");
  return load_model(run.best_file());
}

ordered_json evaluate_run(const RunFolder& run, const Options& options, InputStore& store) {
  TrainConfig config = changed(run.config(), options);
  const auto model = best_of(run);
  const auto dataset = store.dataset(config);
  const ModelConfig trained = config.network;
  complete(config, *dataset);
  if (config.network.outputs != trained.outputs)
    throw Error(dataset->name + " has " + std::to_string(config.network.outputs) +
                " classes or targets; the model was trained for " + std::to_string(trained.outputs));
  config.network = trained;
  const auto inputs = store.inputs(config);
  const Split split = choose_split(*dataset, config.split, config.split_seed, config.fold);
  ordered_json metrics;
  for (const auto& [name, samples] :
       {std::pair("train", &split.train), {"val", &split.val}, {"test", &split.test}}) {
    metrics[name] = inputs->objective().metrics(evaluate(*model, *inputs, *samples, config.batch),
                                                to_indices(*samples));
    metrics[name]["samples"] = samples->size();
  }
  return {{"run", run.path().string()},   {"dataset", dataset->name}, {"model", config.model},
          {"split", config.split},        {"fold", config.fold},      {"seed", config.seed},
          {"metric", config.metric},      {"parameters", model->num_parameters()},
          {"metrics", metrics}};
}

void print(const ordered_json& result) {
  std::cout << result.at("model").get<std::string>() << " of " << result.at("run").get<std::string>()
            << " on " << result.at("dataset").get<std::string>() << "\n";
  for (const auto& [part, metrics] : result.at("metrics").items()) {
    std::printf("  %-6s", part.c_str());
    for (const auto& [name, value] : metrics.items()) {
      if (name == "samples") continue;
      std::printf(" %s %.4f ", name.c_str(), value.get<double>());
    }
    std::printf(" (%lld samples)\n", metrics.at("samples").get<long long>());
  }
  std::fflush(stdout);
}

void run_evaluate(const Options& options) {
  set_threads(options.threads);
  InputStore store;
  ordered_json results = ordered_json::array();
  for (const RunFolder& run : runs_in(options.run)) {
    results.push_back(evaluate_run(run, options, store));
    if (!options.json) print(results.back());
  }
  if (!options.json) return;
  std::cout << (results.size() == 1 ? results.front() : ordered_json{{"runs", results}}).dump(2)
            << "\n";
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// Names of the columns of probabilities: of the run's own data where it can be had.
std::vector<std::string> output_names(const TrainConfig& config, const Dataset& trained_on) {
  std::vector<std::string> names = trained_on.class_names;
  for (auto i = static_cast<std::int64_t>(names.size()); i < config.network.outputs; ++i)
    names.push_back(std::to_string(i));
  return names;
}

void write_predictions(const Options& options, const Objective& objective, TargetKind kind,
                       const torch::Tensor& logits, const std::vector<std::string>& names,
                       const Dataset& dataset) {
  const torch::Tensor rows = objective.probabilities(logits).contiguous();
  std::string text = dataset.task == Task::kNode ? "node" : "graph";
  if (kind == TargetKind::kClasses) text += ",prediction";
  const char* prefix = kind == TargetKind::kRegression ? "value_" : "p_";
  for (const std::string& name : names) text += "," + csv_field(prefix + name);
  text += "\n";
  const float* values = rows.data_ptr<float>();
  const auto width = static_cast<std::size_t>(rows.size(1));
  char number[32];
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    const float* row = values + i * static_cast<std::int64_t>(width);
    text += csv_field(sample_name(dataset, i));
    if (kind == TargetKind::kClasses)
      text += "," + csv_field(names[static_cast<std::size_t>(std::max_element(row, row + width) - row)]);
    for (std::size_t c = 0; c < width; ++c) {
      std::snprintf(number, sizeof number, ",%.6g", static_cast<double>(row[c]));
      text += number;
    }
    text += "\n";
  }
  write_atomically(options.output, text);
}

void run_predict(const Options& options) {
  set_threads(options.threads);
  const std::vector<RunFolder> runs = runs_in(options.run);
  if (runs.size() > 1)
    throw Error(options.run.string() + " holds " + std::to_string(runs.size()) +
                " fits; name one of them, such as " + runs.front().path().string());
  InputStore store;
  const TrainConfig trained = changed(runs.front().config(), Options{.root = options.root, .threads = options.threads});
  TrainConfig config = changed(runs.front().config(), options);
  const auto model = best_of(runs.front());
  const auto trained_on = store.dataset(trained);
  const auto dataset = store.dataset(config);
  const auto inputs = store.inputs(config);
  std::vector<std::int64_t> all(static_cast<std::size_t>(dataset->num_samples()));
  std::iota(all.begin(), all.end(), 0);
  const torch::Tensor logits = evaluate(*model, *inputs, all, config.batch);
  write_predictions(options, Objective(*trained_on), trained_on->target_kind, logits, output_names(trained, *trained_on),
                    *dataset);
  std::cerr << all.size() << " predictions in " << options.output.string() << "\n";
}

}  // namespace
}  // namespace hgnet::app
