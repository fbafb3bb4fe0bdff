// The paper's models, data sets and tables, and figures published by others.

#pragma once

#include <string>
#include <string_view>
#include <vector>

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
  bool yardsticks = false;   // are fitted as well
};

/// The four tables.
const std::vector<PaperTable>& paper_tables();

/// "range", which the paper does not have: who sees far, where local counts say nothing.
const PaperTable& range_table();

/// The table that a record belongs to: the one it names, or else the one that matches its data set,
/// split and depth; empty for none.
std::string table_of(const FitRecord& record);

/// The records, grouped. Data set names are made canonical; splits and tables are filled in where a
/// record names none. A table shows fits that were not made for it only where it has none of its
/// own.
Results paper_results(Records records);

/// The paper's four tables and, if there are such fits, the one on range and a table of others.
std::vector<ResultTable> result_tables(const Results& results);
std::vector<ResultTable> result_tables(Results&&) = delete;  // cells point into the results

}  // namespace hgnet
