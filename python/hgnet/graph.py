"""Graphs that are kept, and their hierarchies."""

from __future__ import annotations

from typing import Any, List, NamedTuple, Optional, Tuple, Union

import torch
from torch import Tensor

from . import _checks, _load  # noqa: F401


class Graph:
    """An edge list and the rows of neighbours made of it, once.

    Operators and models take it in place of `edge_index`; a training loop then does not sort the
    edges again in each step. The graph is undirected: an edge that the list has in one direction
    counts in both for models and coarsenings; `spmm` follows the list as it stands.

    Args:
        edge_index: int64 [2, edges] in any order, as PyTorch Geometric has it.
        num_nodes: by default, the largest id plus one.
        edge_weight: float [edges]. Of weights of the same edge the mean counts.
        edge_attr: float [edges, width], features of edges.

    >>> path = Graph(torch.tensor([[0, 1], [1, 2]]))
    >>> path.num_nodes, path.edge_index.tolist()
    (3, [[1, 0, 2, 1], [0, 1, 1, 2]])
    """

    _pickled: Optional[Tuple[Any, ...]] = None

    def __init__(
        self,
        edge_index: Tensor,
        num_nodes: Optional[int] = None,
        edge_weight: Optional[Tensor] = None,
        edge_attr: Optional[Tensor] = None,
    ) -> None:
        if not isinstance(edge_index, Tensor):
            _checks.wrong_type("Graph", "edge_index", "a torch.Tensor [2, edges]", edge_index)
        _checks.tensors("Graph", [("edge_weight", edge_weight), ("edge_attr", edge_attr)])
        if num_nodes is None:
            num_nodes = int(edge_index.max()) + 1 if edge_index.numel() > 0 else 0
        self._object = torch.classes.hgnet.Graph(edge_index, num_nodes, edge_weight, edge_attr)

    @classmethod
    def _of(cls, script_object: Any) -> Graph:
        graph = cls.__new__(cls)
        graph._object = script_object
        return graph

    @classmethod
    def from_networkx(cls, graph: Any, weight: Optional[str] = None) -> Graph:
        """The graph of a networkx graph, its nodes numbered in their order there.

        Args:
            weight: the name of the edges' attribute that is their weight.

        >>> import networkx
        >>> Graph.from_networkx(networkx.path_graph(3)).num_edges
        4
        """
        number = {node: place for place, node in enumerate(graph.nodes)}
        ends = [(number[u], number[v]) for u, v in graph.edges()]
        edge_index = torch.tensor(ends, dtype=torch.long).reshape(-1, 2).t()
        weights = None
        if weight is not None:
            values = [float(data) for _, _, data in graph.edges(data=weight, default=1.0)]
            weights = torch.tensor(values, dtype=torch.float32)
        return cls(edge_index, graph.number_of_nodes(), weights)

    def to_networkx(self) -> Any:
        """A `networkx.Graph` with an attribute `weight` on the edges, if they have one.

        >>> Graph(torch.tensor([[0], [1]])).to_networkx().edges
        EdgeView([(0, 1)])
        """
        import networkx

        result = networkx.Graph()
        result.add_nodes_from(range(self.num_nodes))
        source, target = self.edge_index.tolist()
        weight = self.edge_weight
        if weight is None:
            result.add_edges_from(zip(source, target))
        else:
            result.add_weighted_edges_from(zip(source, target, weight.tolist()))
        return result

    @property
    def num_nodes(self) -> int:
        return int(self._object.num_nodes())

    @property
    def num_edges(self) -> int:
        """Directed edges: both directions count."""
        return int(self._object.num_edges())

    @property
    def edge_index(self) -> Tensor:
        """Both directions of every edge, sorted by target and source."""
        edges: Tensor = self._object.edge_index()
        return edges

    @property
    def edge_weight(self) -> Optional[Tensor]:
        """By edge of `edge_index`; None if there are none."""
        weight: Tensor = self._object.edge_weight()
        return weight if weight.numel() == self.num_edges and self.num_edges > 0 else None

    @property
    def edge_attr(self) -> Optional[Tensor]:
        """By edge of `edge_index`; None if there are none."""
        rows: Tensor = self._object.edge_rows()
        return rows if rows.numel() > 0 else None

    def spmm(self, x: Tensor, values: Optional[Tensor] = None) -> Tensor:
        """y_v = sum of values_uv x_u over the listed edges u -> v, differentiable in both.

        >>> Graph(torch.tensor([[0, 1], [1, 2]])).spmm(torch.tensor([[1.0], [2.0], [4.0]])).tolist()
        [[0.0], [1.0], [2.0]]
        """
        product: Tensor = torch.ops.hgnet.spmm(self._object, values, x)
        return product

    def louvain(self, seed: int = 0, best: bool = False) -> Tensor:
        """The community of each node.

        Args:
            best: the best partition, not the communities of the first pass.

        >>> Graph(torch.tensor([[0, 1, 2, 3], [1, 2, 0, 4]])).louvain().tolist()
        [0, 0, 0, 1, 1]
        """
        community: Tensor = torch.ops.hgnet.louvain(self._object, seed, best)
        return community

    def heavy_edge(self, seed: int = 0) -> Tensor:
        """The parent of each node after a matching of heavy edges.

        >>> Graph(torch.tensor([[0, 2], [1, 3]])).heavy_edge().tolist()
        [0, 0, 1, 1]
        """
        parent: Tensor = torch.ops.hgnet.heavy_edge(self._object, seed)
        return parent

    def squared_graph(self) -> Tuple[Tensor, Tensor]:
        """Edges and weights of (A + I)^2 without its diagonal.

        >>> edges, weight = Graph(torch.tensor([[0, 1], [1, 2]])).squared_graph()
        >>> edges.tolist(), weight.tolist()
        ([[1, 2, 0, 2, 0, 1], [0, 0, 1, 1, 2, 2]], [2.0, 1.0, 2.0, 2.0, 1.0, 2.0])
        """
        edges, weight = torch.ops.hgnet.squared_graph(self._object)
        return edges, weight

    def _listed(self) -> Tuple[Any, ...]:
        """The list as it was given, which spmm follows: one-way edges and repeated ones count."""
        slot: Tensor = self._object.slot()
        weight, rows = self.edge_weight, self.edge_attr
        return (
            self.edge_index[:, slot],
            self.num_nodes,
            None if weight is None else weight[slot],
            None if rows is None else rows[slot],
        )

    def __reduce__(self) -> Tuple[Any, Tuple[Any, ...]]:
        # A process that is spawned opens the tensors' memory after this call: they are kept as
        # long as the graph is.
        if self._pickled is None:
            self._pickled = self._listed()
        return Graph, self._pickled

    def __repr__(self) -> str:
        return f"Graph(num_nodes={self.num_nodes}, num_edges={self.num_edges})"


class Hierarchy(NamedTuple):
    """The graphs G_0 .. G_L and, between two of them, the parent of each node."""

    graphs: List[Graph]
    parents: List[Tensor]

    def parent_from_input(self, level: int) -> Tensor:
        """The node of G_level that each node of G_0 belongs to; -1: none.

        >>> square = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]])
        >>> hierarchy(square, seed=1).parent_from_input(1).unique().tolist()
        [0, 1]
        """
        parent = torch.arange(self.graphs[0].num_nodes)
        for above in self.parents[:level]:
            parent = torch.where(parent < 0, parent, above[parent.clamp(min=0)])
        return parent


def as_graph(
    edges: Union[Tensor, Graph],
    num_nodes: Optional[int] = None,
    edge_weight: Optional[Tensor] = None,
    edge_attr: Optional[Tensor] = None,
    where: str = "as_graph",
) -> Graph:
    """The graph itself, or the graph of an edge list; `where` is the caller, for errors.

    >>> path = as_graph(torch.tensor([[0, 1], [1, 2]]))
    >>> path.num_nodes, as_graph(path) is path
    (3, True)
    """
    if isinstance(edges, Graph):
        given = [("edge_weight", edge_weight), ("edge_attr", edge_attr)]
        _checks.nothing_beside(where, "Graph", [("num_nodes", num_nodes), *given])
        return edges
    if not isinstance(edges, Tensor):
        _checks.wrong_type(where, "edge_index", "a torch.Tensor [2, edges] or a Graph", edges)
    return Graph(edges, num_nodes, edge_weight, edge_attr)


def hierarchy(
    edge_index: Union[Tensor, Graph],
    num_nodes: Optional[int] = None,
    coarsening: str = "edgepool",
    levels: Optional[int] = None,
    edge_weight: Optional[Tensor] = None,
    seed: int = 0,
    best: bool = False,
) -> Hierarchy:
    """Coarser and coarser graphs, as an untrained model makes them.

    Args:
        coarsening: edgepool (with scores drawn from the seed), louvain, heavy-edge or random.
        levels: how many; by default until nothing more can be merged.
        best: louvain: the best partition, not the communities of the first pass.

    >>> levels = hierarchy(torch.tensor([[0, 1, 2], [1, 2, 3]]))
    >>> levels.graphs[0].num_nodes, levels.graphs[-1].num_nodes
    (4, 1)
    """
    graph = as_graph(edge_index, num_nodes, edge_weight, where="hierarchy")
    depth = -1 if levels is None else levels
    graphs, parents = torch.ops.hgnet.hierarchy(graph._object, coarsening, depth, seed, best)
    return Hierarchy([graph] + [Graph._of(above) for above in graphs[1:]], list(parents))
