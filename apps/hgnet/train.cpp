// hgnet train: fits a model, over several seeds and folds if requested.

#include <memory>
#include <set>

#include "commands.hpp"
#include "help.hpp"
#include "hgnet/config/model_table.hpp"
#include "models.hpp"
#include "requests.hpp"
#include "train_options.hpp"

namespace hgnet::app {
namespace {

/// Rejects options that would change the settings of a resumed run.
const std::set<std::string> kChangeOnResume{"--checkpoint-seconds", "--epochs",  "--patience",
                                            "--max-hours",          "--workers", "--shard",
                                            "--rank-timeout"};

}  // namespace

void add_train(CLI::App& program, const Invocation& invocation) {
  auto options = std::make_shared<TrainRequest>();
  options->invocation = invocation;
  CLI::App* command = program.add_subcommand("train", "Train a model on a data set");
  command->group(kModelGroup);
  options->choice.add_to(*command);
  command->add_option("--jobs", options->jobs, "Fits at the same time (default: one per core)")
      ->check(up_to(kMostThreads))
      ->group("Protocol");
  command
      ->add_option("--workers", options->workers,
                   "Processes on this machine that share each batch of graphs (docs/scaling.md)")
      ->check(up_to(kMostThreads))
      ->group("Protocol");
  command
      ->add_option("--rank-timeout", options->rank_timeout,
                   "Seconds after which a process that does not answer is given up")
      ->check(CLI::Range(1.0, 86400.0))
      ->capture_default_str()
      ->group("Protocol");
  add_shard(*command, options->shard)->group("Protocol");
  command->add_option("--out", options->out, "Folder of the run (default: runs/DATASET-MODEL)")
      ->type_name("FOLDER")
      ->group("Run");
  command
      ->add_option("--resume", options->resume,
                   "Continue the run in this folder; with --epochs, a finished one, too")
      ->type_name("FOLDER")
      ->group("Run");
  command
      ->add_option("--checkpoint-seconds", options->checkpoint_seconds,
                   "Minimum time between checkpoints")
      ->check(not_negative())
      ->capture_default_str()
      ->group("Run");
  command->add_flag("--json", options->json, "Print one JSON object instead of text")->group("Run");
  command->add_flag("--quiet", options->quiet, "Do not show progress")->group("Run");
  std::string models;
  for (const std::string& name : model_names()) models += (models.empty() ? "" : ", ") + name;
  command->footer(
      "Models ('hgnet models' tells more):\n  " + wrapped(models, 100, 2) + "\n\nDefaults of " +
      kDefaultModel + " in each preset ('hgnet models " + kDefaultModel + "' shows all):\n" +
      defaults_table(kDefaultModel, {"epochs", "batch", "lr", "weight-decay", "hidden", "levels",
                                     "norm", "dropout"}) +
      "\nExamples:\n"
      "  hgnet train --dataset cora\n"
      "  hgnet train --dataset ENZYMES --model gin --folds 10 --jobs 2\n"
      "  hgnet train --dataset cora --model gcn --preset kipf --seeds 10\n"
      "  hgnet train --dataset cc-grid32 --workers 2\n"
      "  hgnet train --dataset ./my_graphs --model gcn,gin,hgnet-edgepool\n"
      "  hgnet train --dataset ./my_graph --model hgnet --coarsening louvain --levels 2 --out run\n"
      "  hgnet train --resume run\n"
      "  hgnet train --resume run --epochs 400\n"
      "  hgnet train --dataset ./more_graphs --init-from run --lr 0.0001");
  command->callback([options, command] {
    if (!options->resume.empty())
      check_resume(*command, kChangeOnResume, "the run keeps its settings");
    if (!options->shard.is_all() && options->resume.empty() && options->out.empty())
      throw WrongUsage("--shard needs --out: the folder that the parts share");
    run_train(*options);
  });
}

}  // namespace hgnet::app
