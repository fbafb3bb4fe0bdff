// The paper's models, data sets and tables, and figures published by others.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hgnet/config/kinds.hpp"
#include "hgnet/report/html.hpp"
#include "hgnet/report/tables.hpp"

namespace hgnet {

/// The only list of the paper's models and data sets, with their labels, splits, metrics and
/// epochs.
const Catalogue& paper_catalogue();

// Data sets by kind, in the order of the paper's columns.
inline const std::vector<std::string> kCitationSets = {"citeseer", "cora", "pubmed"};
inline const std::vector<std::string> kTuSets = {"COLLAB", "IMDB-BINARY", "IMDB-MULTI", "DD",
                                                 "NCI1",   "ENZYMES",     "PROTEINS"};
inline const std::vector<std::string> kOgbSets = {"ogbg-molpcba", "ogbg-molhiv"};
inline const std::vector<std::string> kColorSets = {"cc-grid16", "cc-grid32", "cc-euroroad",
                                                    "cc-minnesota"};
/// Colourings that local counts do not solve, by matching and by construction.
inline const std::vector<std::string> kMatchedSets = {
    "cc-grid16:matched", "cc-grid32:matched", "cc-euroroad:matched", "cc-minnesota:matched"};
inline const std::vector<std::string> kCrossingSets = {"cc-crossing32:4", "cc-crossing64:8"};
inline constexpr const char* kRangeTable = "range";
/// What the models of Tables 1 and 4 have to beat. No claim of the paper is about them.
inline const std::vector<std::string> kYardsticks = {"wl", "mlp"};
/// The models of Tables 1, 2 and 4.
inline const std::vector<std::string> kEightModels = {
    "gcn", "gcn-vn", "gat", "cheb", "gin", "g-unet", "hgnet-edgepool", "hgnet-louvain"};

/// The model's depth where the paper does not vary it; for molecules, the depth of claim 5.
int paper_depth(std::string_view model, std::string_view dataset);

/// The name as this library spells it, ignoring case: "Cora" -> "cora", "D&D" -> "DD".
std::string canonical_dataset(std::string_view dataset);

/// A table of the paper: its layout, and how often each fit is repeated.
struct PaperTable {
  TableLayout layout;
  int repeats = 10;          // seeds or folds
  bool depths_once = false;  // depths other than the preferred one are for the first of them only
  std::optional<Norm> norm = {};  // of all models, instead of the paper's
  bool of_paper = true;           // else only fitted when asked for by name
  bool yardsticks = false;        // are fitted as well
};

/// The paper's four tables, then three of ours: Table 1's graph classification with BatchNorm in
/// all models, and in none; and kRangeTable, where local counts say nothing.
const std::vector<PaperTable>& paper_tables();

/// The table that a record belongs to: the one it names, or else the one that matches its data set,
/// split and depth; empty for none.
std::string table_of(const FitRecord& record);

/// The records, grouped; see fill_in. Tables are filled in where a record names none. A table shows
/// fits that were not made for it only where it has none of its own, and no fits with other
/// settings.
Results paper_results(Records records);

/// Table A.1: the data sets, with what the paper counts otherwise.
FactTable dataset_facts();

/// The paper's four tables, those of ours that have fits and, if there are other fits, a table of
/// those.
std::vector<ResultTable> result_tables(const Results& results);
std::vector<ResultTable> result_tables(Results&&) = delete;  // cells point into the results

}  // namespace hgnet
