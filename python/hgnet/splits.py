"""Splits of data sets."""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Union

import torch
from torch import Tensor

from . import _checks, _load  # noqa: F401
from .graph import Graph, as_graph


class Split(NamedTuple):
    """The samples of each part, ascending."""

    train: Tensor
    val: Tensor
    test: Tensor


def sanitized(
    edge_index: Union[Tensor, Graph],
    labels: Tensor,
    hops: int = 1,
    seed: int = 0,
    train_per_class: int = 20,
    num_val: int = 500,
    num_test: int = 1000,
    num_nodes: Optional[int] = None,
) -> Split:
    """A split in which no two samples are within `hops` edges of each other.

    Args:
        labels: int64 [nodes]; nodes with a negative one are never drawn.

    >>> path = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 4]])
    >>> parts = sanitized(path, torch.zeros(5, dtype=torch.long), train_per_class=1)
    >>> drawn = torch.cat(parts).sort().values
    >>> bool((drawn.diff() > 1).all())
    True
    """
    _checks.tensors("sanitized", [("labels", labels)])
    if num_nodes is None and isinstance(edge_index, Tensor):
        num_nodes = labels.numel()
    graph = as_graph(edge_index, num_nodes, where="sanitized")
    return Split(
        *torch.ops.hgnet.sanitized_split(
            graph._object, labels, hops, seed, train_per_class, num_val, num_test
        )
    )


def folds(labels: Tensor, count: int = 10, seed: int = 0) -> List[Tensor]:
    """Stratified folds: every sample is in exactly one.

    >>> [fold.numel() for fold in folds(torch.tensor([0, 0, 0, 1, 1, 1]), 3)]
    [2, 2, 2]
    """
    return list(torch.ops.hgnet.stratified_folds(labels, count, seed))
