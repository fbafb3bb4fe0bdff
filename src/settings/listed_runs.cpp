#include "hgnet/settings/listed_runs.hpp"

#include <algorithm>
#include <map>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error_text.hpp"
#include "hgnet/settings/fit_folder.hpp"
#include "hgnet/settings/protocol.hpp"
#include "hgnet/settings/search.hpp"

namespace hgnet {
namespace {

namespace fs = std::filesystem;

bool is_run(const fs::path& folder) {
  return fs::exists(folder / kPlanFile) || fs::exists(folder / kSearchFile) ||
         FitFolder::is_fit(folder);
}

void find_runs(const fs::path& folder, std::vector<fs::path>& runs) {
  if (is_run(folder)) return runs.push_back(folder);
  std::vector<fs::path> inside;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) inside.push_back(entry.path());
  }
  std::sort(inside.begin(), inside.end());
  for (const fs::path& next : inside) find_runs(next, runs);
}

/// The fits that are planned for each model; where there is no plan, those that exist.
std::map<std::string, std::size_t> planned_fits(const fs::path& run,
                                                const std::vector<FitFolder>& there) {
  std::map<std::string, std::size_t> counts;
  const fs::path plan = run / kPlanFile;
  if (fs::exists(plan)) {
    const Protocol protocol = Protocol::from_json(read_whole(plan), plan.string());
    for (const PlannedFit& fit : protocol.fits(run)) ++counts[fit.config.model];
  } else {
    for (const FitFolder& fit : there) ++counts[fit.config().model];
  }
  return counts;
}

/// Whether another process is running the fit.
bool add_fit(ListedRun& run, const FitFolder& fit) {
  run.dataset = fs::path(fit.config().dataset).filename().string();
  run.metric = fit.config().metric;
  const bool locked = FitFolder::is_locked(fit.path());
  const auto record = fit.result();
  if (!record) {
    run.seconds += fit.seconds_so_far();
    return locked;
  }
  ++run.done;
  run.scores.push_back(record->score("test"));
  run.baselines.push_back(record->baseline_score("test"));
  if (const auto total = record->seconds.find("total"); total != record->seconds.end())
    run.seconds += total->second;
  return locked;
}

RunState state_of(bool locked, bool done) {
  return locked ? RunState::kRunning : done ? RunState::kDone : RunState::kStopped;
}

std::vector<ListedRun> models_of(const fs::path& folder) {
  const std::vector<FitFolder> fits = fits_in(folder);
  std::vector<ListedRun> models;
  for (const auto& [model, count] : planned_fits(folder, fits)) {
    ListedRun& run = models.emplace_back();
    run.folder = folder;
    run.model = model;
    run.fits = count;
    bool locked = false;
    for (const FitFolder& fit : fits) {
      if (fit.config().model == model) locked |= add_fit(run, fit);
    }
    run.state = state_of(locked, run.done == run.fits);
  }
  return models;
}

/// All models of the trials, each once, with commas between them.
std::string models_of(const Search& search) {
  std::string models;
  for (const Trial& trial : search.trials) {
    if (("," + models + ",").find("," + trial.config.model + ",") == std::string::npos)
      models += (models.empty() ? "" : ",") + trial.config.model;
  }
  return models;
}

ListedRun listed_search(const fs::path& folder) {
  const fs::path file = folder / kSearchFile;
  const Search search = Search::from_json(read_whole(file), file.string());
  const bool done = search.rounds_done() == search.rounds.size();
  ListedRun run;
  bool locked = false;
  for (const PlannedFit& fit : search.fits(0, folder)) {
    if (FitFolder::is_fit(fit.folder)) locked |= add_fit(run, FitFolder::open(fit.folder));
  }
  run.folder = folder;
  run.state = state_of(locked, done);
  run.done = search.scores.size();
  run.fits = search.num_fits();
  run.model = models_of(search);
  run.scores.clear();
  run.baselines.clear();
  if (!done) return run;
  run.scores = search.test_scores();
  for (const fs::path& chosen : search.chosen_folders(folder)) {
    if (const auto record = FitFolder::open(chosen).result())
      run.baselines.push_back(record->baseline_score("test"));
  }
  if (const auto best = search.best()) run.model = search.trials[*best].config.model;
  return run;
}

std::vector<ListedRun> listed(const fs::path& folder) {
  try {
    if (fs::exists(folder / kSearchFile)) return {listed_search(folder)};
    return models_of(folder);
  } catch (const std::exception& error) {
    ListedRun broken;
    broken.folder = folder;
    broken.state = RunState::kBroken;
    broken.error = error_text(error);
    return {broken};
  }
}

}  // namespace

std::vector<ListedRun> list_runs(const fs::path& folder) {
  std::vector<fs::path> folders;
  find_runs(folder, folders);
  std::vector<ListedRun> runs;
  for (const fs::path& place : folders) {
    for (ListedRun& run : listed(place)) runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace hgnet
