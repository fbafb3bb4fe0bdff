// What is shown of a search for settings.

#pragma once

#include <string>

#include "hgnet/settings/search.hpp"

namespace hgnet::app {

/// One line per trial, best first: its settings, epochs and validation score.
std::string table_text(const Search& search);
/// One line per fit: trial, model, settings, round, epochs, fold, val.
std::string to_csv(const Search& search);
/// Validation score against each setting, a point per trial.
std::string to_svg(const Search& search);

}  // namespace hgnet::app
