// What PyTorch Geometric's EdgePooling does with an edge list as it stands: directed, in any order,
// with repeated edges and self-loops. The library's graphs have none of these liberties.

#pragma once

#include <torch/types.h>

#include <cstdint>
#include <tuple>

namespace hgnet::python {

/// The greedy contraction: edges from the highest score down, among equal scores the earlier in the
/// list (NaN before all numbers, as torch.sort has it); an edge is contracted if neither end is
/// taken. Coarse nodes are numbered in this order, unmerged nodes follow by id.
/// Returns the coarse node of each node, and by coarse node its contracted edge, -1 for none.
std::tuple<torch::Tensor, torch::Tensor> contract_edge_list(const torch::Tensor& edge_index,
                                                            const torch::Tensor& score,
                                                            std::int64_t num_nodes);

/// The distinct edges between parents, sorted by source and target, and the number of each edge's
/// own among them, or -1: edges of nodes without a parent, and without `self_loops` those inside a
/// parent.
std::tuple<torch::Tensor, torch::Tensor> coarse_edge_list(const torch::Tensor& edge_index,
                                                          const torch::Tensor& parent,
                                                          std::int64_t num_parents,
                                                          bool self_loops);

/// Sums of the numbers with the same index, in the order of the list; those with index -1 are left
/// out. For single numbers this is faster than the library's sums of rows, which first list the
/// members of each segment.
torch::Tensor sum_by_index(const torch::Tensor& numbers, const torch::Tensor& index,
                           std::int64_t num_segments);

/// x[index]; 0 where the index is -1.
torch::Tensor rows_by_index(const torch::Tensor& x, const torch::Tensor& index);

/// exp(l_i - max) / sum, over the entries with the same index; 0 where the index is -1. Sums run in
/// the order of the list.
torch::Tensor softmax_by_index(const torch::Tensor& logits, const torch::Tensor& index,
                               std::int64_t num_segments);

}  // namespace hgnet::python
