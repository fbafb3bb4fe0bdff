// Options of every command that applies a trained model.

#pragma once

#include <CLI/CLI.hpp>

#include "hgnet/train/fit_use.hpp"
#include "hgnet/train/not_finite.hpp"

namespace hgnet::app {

void add_fit_use(CLI::App& command, FitUse& use);

/// The option of commands that show a model's answers.
void add_allow_nonfinite(CLI::App& command, NonFinite& choice);

}  // namespace hgnet::app
