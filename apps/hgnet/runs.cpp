#include "runs.hpp"

#include <algorithm>

#include "hgnet/models/archive.hpp"

namespace hgnet::app {
namespace fs = std::filesystem;

std::vector<RunFolder> runs_in(const fs::path& folder) {
  if (RunFolder::is_run(folder)) return {RunFolder::open(folder)};
  std::vector<fs::path> places;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (RunFolder::is_run(entry.path())) places.push_back(entry.path());
  }
  if (places.empty()) throw Error("there is no run in " + folder.string());
  std::sort(places.begin(), places.end());
  std::vector<RunFolder> runs;
  for (const fs::path& place : places) runs.push_back(RunFolder::open(place));
  return runs;
}

RunFolder only_run_in(const fs::path& folder) {
  const std::vector<RunFolder> runs = runs_in(folder);
  if (runs.size() == 1) return runs.front();
  throw Error(folder.string() + " holds " + std::to_string(runs.size()) +
              " fits; name one of them, such as " + runs.front().path().string());
}

std::shared_ptr<Model> best_of(const RunFolder& run) {
  if (!fs::exists(run.best_file()))
    throw Error("the run in " + run.path().string() + " has no best model yet");
  return load_model(run.best_file());
}

}  // namespace hgnet::app
