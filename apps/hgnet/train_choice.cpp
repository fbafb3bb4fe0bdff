#include "train_choice.hpp"

#include "commands.hpp"
#include "models.hpp"
#include "suggest.hpp"

namespace hgnet::app {
namespace {

/// Adds the options in which the fits of a run differ.
void add_repeats(CLI::App& command, TrainChoice& choice) {
  constexpr int kMost = 100'000;
  CLI::Option* model = add_list(command, "--model,--models", choice.models,
                                std::string("The model, or several, with one fit each (default: ") +
                                    kDefaultModel + ")")
                           ->type_name("MODEL,...")
                           ->transform(model_name());
  CLI::Option* seed = add_list(command, "--seed", choice.seeds,
                               "Seed of weights, dropout and sample order, or several: 0,3")
                          ->type_name("NUMBER,...")
                          ->check(not_negative());
  CLI::Option* seeds =
      command.add_option("--seeds", choice.seed_count, "Number of seeds, starting from 0")
          ->check(CLI::Range(1, kMost))
          ->excludes(seed);
  CLI::Option* fold = add_list(command, "--fold", choice.folds, "Test fold, or several: 0,3")
                          ->type_name("NUMBER,...")
                          ->check(not_negative());
  CLI::Option* folds =
      command.add_option("--folds", choice.fold_count, "Number of folds, starting from 0")
          ->check(CLI::Range(1, kMost))
          ->excludes(fold);
  for (CLI::Option* option : {model, seed, seeds, fold, folds}) option->group("Protocol");
}

}  // namespace

void TrainChoice::add_to(CLI::App& command) {
  train.add_to(command);
  command
      .add_option("--preset", preset, "Settings from configs/ (default: chosen by the data set)")
      ->check(one_of(preset_names()))
      ->group("Protocol");
  command
      .add_option("--config", config_file, "A TOML file with settings, such as a fit's config.toml")
      ->type_name("FILE")
      ->check(CLI::ExistingFile)
      ->group("Protocol");
  add_repeats(command, *this);
}

CLI::Option* add_shard(CLI::App& command, Shard& shard) {
  return command
      .add_option_function<std::string>(
          "--shard", [&shard](const std::string& text) { shard = *Shard::parsed(text); },
          "Run only this part of the fits, such as 2/8; all parts together are all fits")
      ->type_name("I/N")
      ->check(CLI::Validator(
          [](const std::string& text) {
            return Shard::parsed(text)
                       ? ""
                       : "'" + text + "'; expected a part and their number, 1/8 to 8/8";
          },
          ""));
}

}  // namespace hgnet::app
