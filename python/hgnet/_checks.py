"""Errors that name an argument that is no tensor, before the operators speak of their own types."""

from __future__ import annotations

from typing import Any, Iterable, Tuple

from torch import Tensor


def tensors(where: str, arguments: Iterable[Tuple[str, Any]]) -> None:
    """Raises TypeError unless each named argument is a tensor or None.

    >>> tensors("Graph", [("edge_index", [[0], [1]])])
    Traceback (most recent call last):
    TypeError: Graph: edge_index must be a torch.Tensor (got list); torch.as_tensor makes one
    """
    for name, value in arguments:
        if value is not None and not isinstance(value, Tensor):
            wrong_type(where, name, "a torch.Tensor", value)


def wrong_type(where: str, name: str, expected: str, value: Any) -> None:
    """Raises TypeError: what is expected, and what came."""
    like_one = hasattr(value, "__array__") or isinstance(value, (list, tuple))
    hint = "; torch.as_tensor makes one" if like_one else ""
    raise TypeError(f"{where}: {name} must be {expected} (got {type(value).__name__}){hint}")


def nothing_beside(where: str, kept: str, arguments: Iterable[Tuple[str, Any]]) -> None:
    """Raises TypeError if an argument is given that a kept graph would leave without effect.

    >>> nothing_beside("hierarchy", "Graph", [("edge_weight", 1)])
    Traceback (most recent call last):
    TypeError: hierarchy: edge_weight beside a Graph, which has its own; give it where that is made
    """
    for name, value in arguments:
        if value is not None:
            raise TypeError(
                f"{where}: {name} beside a {kept}, which has its own; give it where that is made"
            )
