#include "fits_to_use.hpp"

#include <iostream>

#include "hgnet/core/atomic_file.hpp"
#include "hgnet/core/error.hpp"
#include "hgnet/settings/search.hpp"

namespace hgnet::app {

void note_unfinished(const std::vector<FitFolder>& fits) {
  for (const FitFolder& fit : fits) {
    if (!fit.result())
      std::cerr << "note: the fit in " << fit.path().string()
                << " is not finished; this is its best model so far\n";
  }
}

std::vector<FitFolder> fits_to_use(const std::filesystem::path& run) {
  std::vector<FitFolder> fits;
  const std::filesystem::path file = run / kSearchFile;
  if (std::filesystem::exists(file)) {
    const Search search = Search::from_json(read_whole(file), file.string());
    if (search.rounds_done() < search.rounds.size())
      throw Error(run.string() + " is a search that is not done; hgnet tune --resume " +
                  run.string() + " goes on with it");
    for (const std::filesystem::path& folder : search.chosen_folders(run))
      fits.push_back(FitFolder::open(folder));
    std::cerr << "note: " << run.string() << " is a search of " << search.trials.size()
              << " trials, of which only what validation chose is used\n";
  } else {
    fits = fits_in(run);
  }
  note_unfinished(fits);
  return fits;
}

}  // namespace hgnet::app
