#include "fits.hpp"

#include <algorithm>

#include "commands.hpp"
#include "hgnet/data/load.hpp"
#include "hgnet/models/archive.hpp"
#include "notes.hpp"

namespace hgnet::app {
namespace fs = std::filesystem;
namespace {

/// Numbers the classes as in `names`. A class that is not in `names` gets the next number after
/// them.
void order_classes(Dataset& dataset, std::vector<std::string> names) {
  std::vector<std::int32_t> number;
  for (const std::string& name : dataset.class_names) {
    auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) found = names.insert(names.end(), name);
    number.push_back(static_cast<std::int32_t>(found - names.begin()));
  }
  for (std::int32_t& label : dataset.classes) {
    if (label != kUnlabelled) label = number[label];
  }
  dataset.class_names = std::move(names);
}

/// Without targets, a data set says nothing about their kind.
bool has_targets(const Dataset& dataset) {
  return dataset.num_tasks > 0 || dataset.num_classes() > 0;
}

}  // namespace

void FitUse::add_to(CLI::App& command) {
  command.add_option("--root", root, "Folder of named data sets (HGNET_DATA)")->type_name("FOLDER");
  command.add_option("--threads", threads, "Number of threads")
      ->check(up_to(kMostThreads))
      ->capture_default_str();
}

void add_allow_nonfinite(CLI::App& command, NonFinite& choice) {
  command.add_flag_callback(
      "--allow-nonfinite", [&choice] { choice = NonFinite::kAllow; },
      "Mark samples whose answer is not finite, instead of failing");
}

std::vector<FitFolder> fits_in(const fs::path& folder) {
  if (FitFolder::is_fit(folder)) return {FitFolder::open(folder)};
  std::vector<fs::path> places;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, ignored)) {
    if (entry.is_directory() && FitFolder::is_fit(entry.path())) places.push_back(entry.path());
  }
  if (places.empty()) throw Error("no fit in " + folder.string());
  std::sort(places.begin(), places.end());
  std::vector<FitFolder> fits;
  for (const fs::path& place : places) fits.push_back(FitFolder::open(place));
  return fits;
}

FitFolder only_fit_in(const fs::path& folder) {
  const std::vector<FitFolder> fits = fits_in(folder);
  if (fits.size() == 1) return fits.front();
  throw Error(folder.string() + " holds " + std::to_string(fits.size()) +
              " fits; choose one of them, such as " + fits.front().path().string());
}

std::shared_ptr<const Dataset> dataset_for(const FitFolder& fit, const TrainConfig& config) {
  Dataset dataset = load_dataset(config.dataset, load_options(config));
  const Task task = fit.config().network.task;
  if (dataset.task != task) {
    throw Error(dataset.name + " has a " + std::string(enum_name(dataset.task)) +
                " task; the model was trained for a " + std::string(enum_name(task)) + " task");
  }
  const ColumnNames columns = fit.columns();
  if (dataset.target_kind != columns.kind && has_targets(dataset)) {
    throw Error("the targets of " + dataset.name + " are " +
                std::string(enum_name(dataset.target_kind)) + "; the model was trained on " +
                std::string(enum_name(columns.kind)));
  }
  const bool atoms = columns.features.kind == kAtoms;
  dataset = encoded(dataset, columns.encoding_for(dataset));
  if (std::holds_alternative<DenseRows>(dataset.features))
    dataset.columns.names = columns.features.names;
  print_notes(dataset.notes);
  align_features(dataset, atoms ? dataset.num_features() : fit.config().network.inputs,
                 columns.features);
  if (columns.kind == TargetKind::kClasses) {
    order_classes(dataset, columns.outputs);
  } else if (has_targets(dataset) && dataset.num_tasks != std::ssize(columns.outputs)) {
    throw Error(dataset.name + " has " + std::to_string(dataset.num_tasks) +
                " targets; the model was trained on " + std::to_string(columns.outputs.size()));
  }
  return std::make_shared<const Dataset>(std::move(dataset));
}

std::shared_ptr<Model> best_of(const FitFolder& fit) {
  if (!fs::exists(fit.best_file()))
    throw Error("the fit in " + fit.path().string() + " has no best model yet");
  fit.result();  // throws if config.toml was edited since
  auto model = load_model(fit.best_file());
  const std::string difference = first_difference(fit.config().network, model->config());
  if (!difference.empty())
    throw InvalidFile(fit.best_file().string(), 0,
                      "not the model in config.toml (there, and here): " + difference);
  return model;
}

}  // namespace hgnet::app
