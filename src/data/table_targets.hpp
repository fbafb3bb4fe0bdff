#pragma once

#include <string>
#include <vector>

#include "data/text_table.hpp"
#include "hgnet/data/dataset.hpp"
#include "hgnet/data/load.hpp"

namespace hgnet {

/// The targets in the columns of labels, as `targets` or the cells say: one column gives classes or
/// numbers, several give yes-or-no tasks or numbers. Row r of the table is sample sample_of_row[r];
/// the data set has the names of its samples already. Throws AmbiguousTask where neither says.
void read_targets(const TextTable& table, const std::vector<const TextColumn*>& labels,
                  Targets targets, const std::vector<std::uint32_t>& sample_of_row,
                  Dataset& dataset);

/// The split called own, from cells train, val (or valid, validation), test or nothing, in any
/// case.
Split read_split(const TextTable& table, const TextColumn& parts,
                 const std::vector<std::uint32_t>& sample_of_row);

}  // namespace hgnet
