// hgnet train: fits a model, over seeds and folds if asked.

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "commands.hpp"
#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/interrupt.hpp"
#include "hgnet/data/split_choice.hpp"
#include "hgnet/models/model.hpp"
#include "hgnet/train/run.hpp"
#include "hgnet/train/summary.hpp"
#include "progress.hpp"
#include "train_options.hpp"

namespace hgnet::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kPlan = "plan.json";

struct Options {
  TrainOptions train;
  std::string preset;
  fs::path config_file;
  std::string seeds;
  std::string folds;
  int jobs = 0;
  double checkpoint_seconds = 10;
  fs::path out;
  fs::path resume;
  bool json = false;
  bool quiet = false;
  std::string command;
};

/// "3" means 0, 1, 2; "0,4" means those.
std::vector<std::int64_t> numbers(const std::string& text, const std::string& option) {
  std::vector<std::int64_t> result;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    std::size_t end = 0;
    std::int64_t number = -1;
    try {
      number = std::stoll(item, &end);
    } catch (const std::exception&) {
      end = 0;
    }
    if (end == 0 || end != item.size() || number < 0)
      throw CLI::ValidationError(option, "expected a count such as 10, or a list such as 0,3,4; got '" + text + "'");
    result.push_back(number);
  }
  if (result.size() != 1 || text.find(',') != std::string::npos) return result;
  result.resize(static_cast<std::size_t>(result.front()));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<std::int64_t>(i);
  return result;
}

/// The fits of a protocol: one configuration over seeds and folds.
struct Protocol {
  TrainConfig config;
  std::vector<std::int64_t> seeds;
  std::vector<std::int64_t> folds;

  std::string to_json() const {
    return ordered_json{{"seeds", seeds}, {"folds", folds}, {"config", to_toml(config)}}.dump(2);
  }

  static Protocol from_json(const fs::path& file) {
    try {
      const auto json = nlohmann::json::parse(read_whole(file));
      return {train_config_from_toml(json.at("config").get<std::string>(), file.string()),
              json.at("seeds"), json.at("folds")};
    } catch (const nlohmann::json::exception& error) {
      throw InvalidFile(file.string(), 0, error.what());
    }
  }

  std::vector<PlannedFit> fits(const fs::path& out) const {
    std::vector<PlannedFit> result;
    for (const std::int64_t seed : seeds) {
      for (const std::int64_t fold : folds) {
        PlannedFit fit{config, out, config.model, "", false};
        fit.config.seed = static_cast<std::uint64_t>(seed);
        fit.config.fold = static_cast<int>(fold);
        std::string name;
        if (seeds.size() > 1) name += "seed " + std::to_string(seed);
        if (folds.size() > 1) name += (name.empty() ? "fold " : " fold ") + std::to_string(fold);
        if (!name.empty()) fit.label += " " + name;
        std::replace(name.begin(), name.end(), ' ', '-');
        if (!name.empty()) fit.folder /= name;
        result.push_back(std::move(fit));
      }
    }
    return result;
  }
};

/// Built-in defaults of the model, then the preset, then the file, then the command line.
TrainConfig effective_config(const Options& options, InputStore& store) {
  TrainConfig named;  // enough to find the data set and the model
  const std::string file =
      options.config_file.empty() ? "" : read_whole(options.config_file);
  if (!file.empty()) {
    named.model = model_in_toml(file, options.config_file.string()).value_or(named.model);
    apply_toml(named, file, options.config_file.string());
  }
  options.train.apply(named);
  if (named.dataset.empty()) throw CLI::RequiredError("--dataset");
  const auto dataset = store.dataset(named);

  TrainConfig config;
  config.model = named.model;
  config.network = model_defaults(named.model);
  apply_preset(config, options.preset.empty() ? preset_for(*dataset) : options.preset);
  if (!file.empty()) apply_toml(config, file, options.config_file.string());
  options.train.apply(config);
  if (fs::exists(config.dataset)) config.dataset = fs::absolute(config.dataset).string();
  if (!config.root.empty()) config.root = fs::absolute(config.root).string();
  return config;
}

Protocol make_protocol(const Options& options, InputStore& store) {
  Protocol protocol;
  protocol.config = effective_config(options, store);
  TrainConfig& config = protocol.config;
  const std::vector<std::int64_t> folds = options.folds.empty()
                                              ? std::vector<std::int64_t>{}
                                              : numbers(options.folds, "--folds");
  const bool counted = !folds.empty() && options.folds.find(',') == std::string::npos;
  if (!folds.empty() && config.split.empty())
    config.split = "folds:" + std::to_string(counted ? folds.size() : std::size_t{10});
  complete(config, *store.dataset(config));
  protocol.seeds = options.seeds.empty()
                       ? std::vector<std::int64_t>{static_cast<std::int64_t>(config.seed)}
                       : numbers(options.seeds, "--seeds");
  protocol.folds = folds.empty() ? std::vector<std::int64_t>{config.fold} : folds;
  check(config);
  Model(config.network, 0);  // refuses what no model can be made of
  return protocol;
}

/// runs/cora-gcn, or with the first number behind it that is free.
fs::path free_folder(const TrainConfig& config) {
  const std::string name = fs::path(config.dataset).stem().string() + "-" + config.model;
  fs::path folder = fs::path("runs") / name;
  for (int number = 2; fs::exists(folder); ++number)
    folder = fs::path("runs") / (name + "-" + std::to_string(number));
  return folder;
}

ordered_json without_curve(const std::string& result) {
  ordered_json json = ordered_json::parse(result);
  json.erase("curve");
  return json;
}

std::string percent_or_number(const std::string& metric, double value) {
  char text[32];
  const bool share = metric != "loss" && metric != "rmse" && metric != "mae";
  std::snprintf(text, sizeof text, share ? "%.2f %%" : "%.4f", share ? 100 * value : value);
  return text;
}

void print_fit(const ordered_json& result) {
  const std::string metric = result.at("metric");
  std::cout << result.at("model").get<std::string>() << " on "
            << result.at("dataset").get<std::string>() << ": " << metric;
  for (const char* part : {"test", "val"}) {
    const auto& metrics = result.at("metrics").at(part);
    if (metrics.contains(metric))
      std::cout << (std::string(part) == "test" ? " " : ", validation ")
                << percent_or_number(metric, metrics.at(metric));
  }
  std::cout << " (best epoch " << result.at("best_epoch") << " of " << result.at("epochs") << ", "
            << result.at("parameters") << " parameters)\n";
}

void print_summary(const ordered_json& summary) {
  const std::string metric = summary.at("metric");
  const auto& test = summary.at("metrics").at("test");
  std::cout << summary.at("model").get<std::string>() << " on "
            << summary.at("dataset").get<std::string>() << ", " << summary.at("done") << " of "
            << summary.at("fits") << " fits: ";
  if (!test.contains(metric)) {
    std::cout << "no test " << metric << "\n";
    return;
  }
  std::cout << "test " << metric << " "
            << percent_or_number(metric, test.at(metric).at("mean")) << ", standard deviation "
            << percent_or_number(metric, test.at(metric).at("std")) << "\n ";
  for (const double value : test.at(metric).at("values"))
    std::cout << " " << percent_or_number(metric, value);
  std::cout << "\n";
}

void report(const Options& options, const std::vector<FitOutcome>& outcomes, const fs::path& out) {
  if (outcomes.size() == 1) {
    ordered_json result = without_curve(outcomes.front().result);
    result["folder"] = out.string();
    if (options.json) {
      std::cout << result.dump(2) << "\n";
    } else {
      print_fit(result);
    }
  } else {
    ordered_json summary = ordered_json::parse(summarise(outcomes));
    write_atomically(out / "summary.json", summary.dump(2) + "\n");
    summary["folder"] = out.string();
    if (options.json) {
      std::cout << summary.dump(2) << "\n";
    } else {
      print_summary(summary);
    }
  }
  if (!options.json && !options.quiet) std::cout << "Run folder: " << out.string() << "\n";
}

void fail_if_any(const std::vector<FitOutcome>& outcomes, const std::vector<PlannedFit>& fits,
                 const fs::path& out) {
  bool stopped = false;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].kind == FitOutcome::Kind::kFailed)
      throw Error((fits.size() > 1 ? fits[i].label + ": " : "") + outcomes[i].error);
    stopped = stopped || outcomes[i].kind == FitOutcome::Kind::kStopped;
  }
  if (stopped)
    throw Failed("stopped; everything is saved. Go on with: hgnet train --resume " + out.string());
}

Protocol resumed(const fs::path& folder) {
  if (fs::exists(folder / kPlan)) return Protocol::from_json(folder / kPlan);
  const TrainConfig config = RunFolder::open(folder).config();
  return {config, {static_cast<std::int64_t>(config.seed)}, {config.fold}};
}

void run(const Options& options) {
  const InterruptGuard interrupt;
  InputStore store;
  const bool resuming = !options.resume.empty();
  const Protocol protocol =
      resuming ? resumed(options.resume) : make_protocol(options, store);
  const fs::path out = resuming               ? options.resume
                       : options.out.empty() ? free_folder(protocol.config)
                                             : options.out;
  const std::vector<PlannedFit> fits = protocol.fits(out);
  if (!resuming && fits.size() > 1) {
    std::error_code failure;
    fs::create_directories(out, failure);
    if (failure) throw Error("cannot make the folder " + out.string() + ": " + failure.message());
    if (!fs::is_empty(out))
      throw Error("the folder " + out.string() + " is not empty; --resume goes on with a run");
    write_atomically(out / kPlan, protocol.to_json() + "\n");
  }
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  RunOptions how;
  how.jobs = options.jobs > 0 ? options.jobs : std::max(1, cores / protocol.config.threads);
  how.checkpoint_seconds = options.checkpoint_seconds;
  how.command = options.command;
  const auto sink = make_progress(static_cast<int>(fits.size()), options.quiet);
  how.sink = sink.get();
  how.stop = [&] { return interrupt.requested(); };
  const std::vector<FitOutcome> outcomes = run_fits(fits, store, how);
  const bool any = std::any_of(outcomes.begin(), outcomes.end(), [](const FitOutcome& outcome) {
    return outcome.kind == FitOutcome::Kind::kDone;
  });
  if (any) report(options, outcomes, out);
  fail_if_any(outcomes, fits, out);
}

}  // namespace

void add_train(CLI::App& program, const std::string& command_line) {
  auto options = std::make_shared<Options>();
  options->command = command_line;
  CLI::App* command = program.add_subcommand("train", "Train a model on a data set");
  options->train.add_to(*command);
  command->add_option("--preset", options->preset, "Settings of configs/ (default: by the data set)")
      ->check(CLI::IsMember(preset_names()))
      ->group("Protocol");
  command->add_option("--config", options->config_file, "A TOML file with settings, such as a run's config.toml")
      ->check(CLI::ExistingFile)
      ->group("Protocol");
  command->add_option("--seeds", options->seeds, "A count, or a list such as 0,3: one fit for each")
      ->group("Protocol");
  command->add_option("--folds", options->folds, "A count, or a list such as 0,3: one fit for each")
      ->group("Protocol");
  command->add_option("--jobs", options->jobs, "Fits side by side (default: one for each core)")
      ->check(CLI::PositiveNumber)
      ->group("Protocol");
  CLI::Option* out = command->add_option("--out", options->out, "Folder of the run (default: runs/DATASET-MODEL)");
  out->group("Run");
  command->add_option("--resume", options->resume, "Go on with the run in this folder")
      ->check(CLI::ExistingDirectory)
      ->excludes(out)
      ->group("Run");
  command
      ->add_option("--checkpoint-seconds", options->checkpoint_seconds, "Least time between two checkpoints")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group("Run");
  command->add_flag("--json", options->json, "Print one JSON object instead of text")->group("Run");
  command->add_flag("--quiet", options->quiet, "No progress")->group("Run");
  command->footer(
      "Examples:\n"
      "  hgnet train --dataset cora --model hgnet-edgepool\n"
      "  hgnet train --dataset ENZYMES --model gin --folds 10 --jobs 2\n"
      "  hgnet train --dataset cora --model gcn --preset kipf --seeds 10\n"
      "  hgnet train --dataset ./my_graph --model hgnet --coarsening louvain --levels 2 --out run\n"
      "  hgnet train --resume run");
  command->callback([options] { run(*options); });
}

}  // namespace hgnet::app
