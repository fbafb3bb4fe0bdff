#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hgnet/data/dataset.hpp"
#include "support/files.hpp"

namespace hgnet::test {

/// The first difference between two data sets; empty if they are the same.
std::string difference(const Dataset& a, const Dataset& b);

/// The samples of all three parts, ascending.
std::vector<std::int64_t> samples_of(const Split& split);

/// Two graphs in TU form: a triangle and, as graph 2, an edge whose first node has a self-loop;
/// node labels 3, 4, 6, graph labels 7 and -1.
Files tu_files(const std::string& prefix = "TINY/TINY");

/// Three molecules in OGB's format, the last without a bond; two yes-or-no tasks, one cell empty.
Files ogb_files(const std::string& prefix = "tiny/");

/// A citation graph of six nodes and three words: one training node of each of two classes, one
/// more, test nodes 5 and 3, and node 4, which is in no file.
Files planetoid_files(const std::string& name = "tiny");

/// Python 2's pickle of a two-dimensional numpy array of 32-bit integers.
std::string pickled_matrix(const std::vector<std::int32_t>& values, int rows, int columns);

/// The same for scipy's CSR matrix of 32-bit numbers.
std::string pickled_csr_matrix(int rows, int columns, const std::vector<std::int32_t>& offsets,
                               const std::vector<std::int32_t>& places,
                               const std::vector<float>& values);

/// Four nodes with ids of all kinds, two features, labels, splits and three edges.
Files csv_files();

}  // namespace hgnet::test
