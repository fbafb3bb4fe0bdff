"""The shapes of results, for torch.compile and torch.export (PyTorch 2)."""

from typing import Any, Tuple

import torch
from torch import Tensor

from . import _load  # noqa: F401


def new_rows(like: Tensor, count: Any) -> Tensor:
    """Rows shaped as in `like`, another number of them."""
    return like.new_empty((count, *like.shape[1:]))


def segment(x: Tensor, index: Tensor, num_segments: int) -> Tensor:
    return new_rows(x, num_segments)


def contracted_edges(edge_index: Tensor, score: Tensor, num_nodes: int) -> Tuple[Tensor, Tensor]:
    count = torch.library.get_ctx().new_dynamic_size()
    return edge_index.new_empty(num_nodes), edge_index.new_empty(count)


def coarse_graph(
    edge_index: Tensor, parent: Tensor, num_parents: int, self_loops: bool = True
) -> Tuple[Tensor, Tensor]:
    count = torch.library.get_ctx().new_dynamic_size()
    return edge_index.new_empty(2, count), edge_index.new_empty(edge_index.size(1))


def squared_graph(edge_index: Tensor, num_nodes: int, weight: Any = None) -> Tuple[Tensor, Tensor]:
    count = torch.library.get_ctx().new_dynamic_size()
    return edge_index.new_empty(2, count), edge_index.new_empty(count, dtype=torch.float32)


def parents(edge_index: Tensor, num_nodes: int, *rest: Any, **others: Any) -> Tensor:
    return edge_index.new_empty(num_nodes)


SHAPES = {
    "gather_rows": lambda x, index: new_rows(x, index.size(0)),
    "segment_sum": segment,
    "segment_mean": segment,
    "segment_max": segment,
    "segment_max_backward": lambda grad, x, index, num_segments: torch.empty_like(x),
    "segment_softmax": lambda logits, index, num_segments: torch.empty_like(logits),
    "linear": lambda x, weight: x.new_empty(x.size(0), weight.size(0)),
    "row_products": lambda a, b: a.new_empty(a.size(1), b.size(1)),
    "merge_rows": lambda x, parent, score: new_rows(x, score.size(0)),
    "merge_rows_backward": lambda grad, x, parent, score, of_rows: (
        x.new_empty(x.size(0) if of_rows else 0, x.size(1)),
        torch.empty_like(score),
    ),
    "edge_softmax": lambda edge_index, node_scores, bias: node_scores.new_empty(edge_index.size(1)),
    "edge_softmax_backward": lambda grad, p, edge_index, num_nodes: (p.new_empty(num_nodes, 2), p.new_empty(1)),
    "merge_scores": lambda score, edge: score.new_empty(edge.size(0)),
    "spmm": lambda edge_index, values, x: torch.empty_like(x),
    "edge_dots": lambda edge_index, target, source: target.new_empty(edge_index.size(1)),
    "contracted_edges": contracted_edges,
    "coarse_graph": coarse_graph,
    "squared_graph": squared_graph,
    "louvain": parents,
    "heavy_edge": parents,
    "top_k": lambda score, *rest, **others: score.new_empty(score.size(0), dtype=torch.long),
}

if hasattr(torch.library, "register_fake"):
    for name, shape in SHAPES.items():
        torch.library.register_fake(f"hgnet::{name}", shape)
