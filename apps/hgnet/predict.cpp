// hgnet predict: writes a trained model's predictions for data, labelled or not.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "commands.hpp"
#include "core/text.hpp"
#include "fits.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/train/inputs.hpp"
#include "hgnet/train/threads.hpp"

namespace hgnet::app {
namespace {

struct Options {
  std::filesystem::path run;
  std::string dataset;
  FitUse use;
  std::filesystem::path out;
  NonFinite non_finite = NonFinite::kRefuse;
  bool json = false;
  bool quiet = false;
};

/// In place of the class of a sample whose answer is not finite.
constexpr const char* kNotFinite = "not finite";

/// One line per sample: its name or number, the most probable class, and a column for every class,
/// label or target.
std::string to_csv(const torch::Tensor& rows, const Dataset& dataset, const ColumnNames& columns) {
  const bool classes = columns.kind == TargetKind::kClasses;
  std::string text(enum_name(dataset.task));
  if (classes) text += ",prediction";
  const std::string prefix = columns.kind == TargetKind::kRegression ? "value " : "p ";
  for (const std::string& name : columns.outputs) text += "," + csv_cell(prefix + name);
  text += "\n";
  const std::int64_t width = rows.size(1);
  char number[32];
  for (std::int64_t i = 0; i < rows.size(0); ++i) {
    const float* row = rows.data_ptr<float>() + i * width;
    text += dataset.sample_names.empty() ? std::to_string(i) : csv_cell(dataset.sample_names[i]);
    const bool finite = std::all_of(row, row + width, [](float p) { return std::isfinite(p); });
    if (classes) {
      text += ",";
      text += finite ? csv_cell(columns.outputs.at(std::max_element(row, row + width) - row))
                     : kNotFinite;
    }
    for (std::int64_t c = 0; c < width; ++c) {
      std::snprintf(number, sizeof number, ",%.6g", static_cast<double>(row[c]));
      text += std::isnan(row[c]) ? ",nan" : number;  // a NaN may have a sign
    }
    text += "\n";
  }
  return text;
}

void run(const Options& options) {
  set_threads(options.use.threads);
  const FitFolder fit = only_fit_in(options.run);
  TrainConfig config = fit.config();
  const auto model = best_of(fit);
  config.dataset = options.dataset;
  if (!options.use.root.empty()) config.root = options.use.root;
  config.threads = options.use.threads;
  const auto dataset = dataset_for(fit, config);
  const ColumnNames columns = fit.columns();
  const FitInputs inputs(dataset, preparation_of(model->config()), options.use.threads);
  std::vector<std::int64_t> all(static_cast<std::size_t>(dataset->num_samples()));
  std::iota(all.begin(), all.end(), 0);
  const torch::Tensor rows =
      probabilities(evaluate(*model, inputs, all, config.batch, options.non_finite), columns.kind,
                    columns.encoding.targets)
          .contiguous();
  const std::string csv = to_csv(rows, *dataset, columns);
  if (options.out == "-") {
    std::cout << csv;
    return;
  }
  write_atomically(options.out, csv);
  if (options.json) {
    const nlohmann::ordered_json result{
        {"folder", fit.path().string()}, {"dataset", dataset->name},  {"model", config.model},
        {"out", options.out.string()},   {"predictions", all.size()}, {"columns", columns.outputs}};
    std::cout << result.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              << "\n";
  } else if (!options.quiet) {
    std::cerr << all.size() << " predictions written to " << options.out.string() << "\n";
  }
}

}  // namespace

void add_predict(CLI::App& program) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("predict", "Write a trained model's predictions for data");
  command->group(kModelGroup);
  command->add_option("run", options->run, "Folder of a run")
      ->type_name("FOLDER")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->add_option("--dataset", options->dataset, "Name or path of the data set")
      ->type_name("DATASET|FILE")
      ->required();
  command->add_option("--out", options->out, "CSV file, one line per node or graph; - for stdout")
      ->required();
  options->use.add_to(*command);
  add_allow_nonfinite(*command, options->non_finite);
  command->add_flag("--json", options->json, "Print one JSON object about the predictions");
  command->add_flag("--quiet", options->quiet, "Print nothing");
  command->footer(
      "Examples:\n"
      "  hgnet predict runs/cora-gcn --dataset cora --out predictions.csv\n"
      "  hgnet predict run --dataset ./my_graphs --out predictions.csv");
  command->callback([options] {
    if (options->json && options->out == "-")
      throw WrongUsage("--json and --out -: both would go to stdout");
    run(*options);
  });
}

}  // namespace hgnet::app
