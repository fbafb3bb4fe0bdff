#pragma once

#include <string>

#include "hgnet/records/fit_record.hpp"
#include "hgnet/settings/config.hpp"

namespace hgnet {

struct PaperTable;

/// The paper's settings of a model of `depth` layers or levels on one of its data sets, in a
/// reading; with the norm of a table that gives all models the same.
TrainConfig paper_settings(const std::string& model, int depth, const std::string& dataset,
                           const std::string& split, Reading reading, const PaperTable* table);

/// The record with what it leaves open filled in: the names of data set and split as they are
/// written, its split, its reading, and its variant, the settings other than those of the table it
/// names or else of the paper. Epochs are no part of it. A setting that the record does not have is
/// taken to be the same. A fit whose best epoch was chosen by another metric than the paper's is a
/// variant, too, and its score is in the paper's metric.
void fill_in(FitRecord& record);

}  // namespace hgnet
