"""EdgePooling with PyTorch Geometric's signature and results."""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional, Tuple

import torch
from torch import Tensor, nn

from . import _checks, _load  # noqa: F401


class UnpoolInfo(NamedTuple):
    """What `EdgePooling.unpool` needs."""

    edge_index: Tensor
    cluster: Tensor
    batch: Tensor
    new_edge_score: Tensor


ScoreMethod = Callable[[Tensor, Tensor, int], Tensor]


class EdgePooling(nn.Module):
    """Contracts edges from the highest score down (Diehl et al.).

    Takes the place of `torch_geometric.nn.EdgePooling`: the same arguments, weights, results and
    `unpool`. Edges of equal score are contracted in the order of the list.

    Args:
        in_channels: width of the node rows.
        edge_score_method: makes scores of raw scores, `edge_index` and the number of nodes: one of
            `compute_edge_score_softmax` (the default), `compute_edge_score_tanh`,
            `compute_edge_score_sigmoid`, or your own function.
        dropout: on the raw scores, while training.
        add_to_edge_score: added to every score, so that coarse rows do not vanish.

    >>> pool = EdgePooling(2)
    >>> edges = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    >>> x, edge_index, batch, info = pool(torch.ones(3, 2), edges, torch.zeros(3, dtype=torch.long))
    >>> x.shape, pool.unpool(x, info)[0].shape
    (torch.Size([2, 2]), torch.Size([3, 2]))
    """

    unpool_description = UnpoolInfo

    def __init__(
        self,
        in_channels: int,
        edge_score_method: Optional[ScoreMethod] = None,
        dropout: float = 0.0,
        add_to_edge_score: float = 0.5,
    ) -> None:
        super().__init__()
        self.in_channels = in_channels
        self.compute_edge_score = edge_score_method or self.compute_edge_score_softmax
        self.add_to_edge_score = add_to_edge_score
        self.dropout = dropout
        self.lin = nn.Linear(2 * in_channels, 1)

    def reset_parameters(self) -> None:
        """Draws new weights."""
        self.lin.reset_parameters()

    @staticmethod
    def compute_edge_score_softmax(
        raw_edge_score: Tensor, edge_index: Tensor, num_nodes: int
    ) -> Tensor:
        """Softmax over the edges into a node."""
        score: Tensor = torch.ops.hgnet.segment_softmax(raw_edge_score, edge_index[1], num_nodes)
        return score

    @staticmethod
    def compute_edge_score_tanh(
        raw_edge_score: Tensor,
        edge_index: Optional[Tensor] = None,
        num_nodes: Optional[int] = None,
    ) -> Tensor:
        """Between -1 and 1."""
        return torch.tanh(raw_edge_score)

    @staticmethod
    def compute_edge_score_sigmoid(
        raw_edge_score: Tensor,
        edge_index: Optional[Tensor] = None,
        num_nodes: Optional[int] = None,
    ) -> Tensor:
        """Between 0 and 1."""
        return torch.sigmoid(raw_edge_score)

    def forward(
        self, x: Tensor, edge_index: Tensor, batch: Tensor
    ) -> Tuple[Tensor, Tensor, Tensor, UnpoolInfo]:
        """Rows, edges and batch of the coarse nodes, and what `unpool` needs."""
        _check_batch(x, batch)
        by_node = torch.ops.hgnet.linear(x, self.lin.weight.view(2, self.in_channels))
        score = self._score(by_node, edge_index, x.size(0))
        cluster, new_score = torch.ops.hgnet.edge_contract(edge_index, score, x.size(0))
        count = new_score.size(0)
        rows = torch.ops.hgnet.merge_rows(x, cluster, new_score)
        edges, _ = torch.ops.hgnet.coarse_graph(edge_index, cluster, count)
        new_batch = batch.new_empty(count).scatter_(0, cluster, batch)
        return rows, edges, new_batch, UnpoolInfo(edge_index, cluster, batch, new_score)

    def _score(self, by_node: Tensor, edge_index: Tensor, num_nodes: int) -> Tensor:
        drops = self.training and self.dropout > 0
        if self.compute_edge_score is EdgePooling.compute_edge_score_softmax and not drops:
            score: Tensor = torch.ops.hgnet.edge_score(
                edge_index, by_node, self.lin.bias, self.add_to_edge_score
            )
            return score
        source, target = by_node.unbind(1)
        raw = torch.ops.hgnet.gather_rows(source, edge_index[0])
        raw = raw + torch.ops.hgnet.gather_rows(target, edge_index[1]) + self.lin.bias
        raw = nn.functional.dropout(raw, p=self.dropout, training=self.training)
        return self.compute_edge_score(raw, edge_index, num_nodes) + self.add_to_edge_score

    def unpool(self, x: Tensor, unpool_info: UnpoolInfo) -> Tuple[Tensor, Tensor, Tensor]:
        """The rows of the fine nodes: those of their coarse node, divided by its score."""
        rows = x / unpool_info.new_edge_score.view(-1, 1)
        return rows[unpool_info.cluster], unpool_info.edge_index, unpool_info.batch

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}({self.in_channels})"


def _check_batch(x: Tensor, batch: Tensor) -> None:
    for name, value in (("x", x), ("batch", batch)):
        if not isinstance(value, Tensor):
            _checks.wrong_type("EdgePooling", name, "a torch.Tensor", value)
    if batch.dim() != 1 or batch.size(0) != x.size(0):
        nodes, shape = x.size(0), list(batch.shape)
        raise ValueError(f"EdgePooling: batch must have shape [{nodes}], as x has rows (got {shape})")
