"""Data sets as tensors."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Union

import torch
from torch import Tensor

from . import _load  # noqa: F401
from .graph import Graph, as_graph
from .models import Model, Prepared
from .splits import Split


class Sample(NamedTuple):
    """A graph of a data set."""

    x: Tensor
    edge_index: Tensor
    y: Tensor
    edge_attr: Optional[Tensor]


class Batch(NamedTuple):
    """Graphs joined into one, prepared for a model."""

    x: Tensor
    graphs: Prepared
    y: Tensor
    samples: Tensor


class Dataset:
    """Graphs with features and targets: what `load` and `color_connectivity` return.

    A sequence of graphs: `len(dataset)`, `dataset[3]`, `dataset[-1]`. So it is for
    `torch.utils.data.DataLoader` with `batch_size=None`; `loader` joins graphs into batches.

    >>> data = color_connectivity(width=8, height=8, samples=4)
    >>> len(data), data[0].x.shape, data.num_classes
    (4, torch.Size([64, 1]), 2)
    """

    def __init__(self, script_object: Any, arguments: Dict[str, Any]) -> None:
        self._object = script_object
        self._arguments = arguments
        self.name: str = script_object.name()
        #: "node" or "graph": what has a target.
        self.task: str = script_object.task()
        #: "classes", "multi-label" or "regression".
        self.target_kind: str = script_object.target_kind()
        self.class_names: List[str] = list(script_object.class_names())
        #: By node or graph: its class (-1: unlabelled), or a row of targets (NaN: none).
        self.y: Tensor = script_object.y()
        #: The nodes of graph g are the rows node_offsets[g] .. node_offsets[g + 1] - 1 of x.
        self.node_offsets: Tensor = script_object.node_offsets()
        self._x: Optional[Tensor] = None

    @property
    def x(self) -> Tensor:
        """One row of features for each node of all graphs."""
        if self._x is None:
            self._x = self._object.x()
        return self._x

    @property
    def num_classes(self) -> int:
        return len(self.class_names)

    @property
    def edge_index(self) -> Tensor:
        """The edges of a data set of one graph."""
        if len(self) != 1:
            raise ValueError(f"{self.name} has {len(self)} graphs; use graph(number)")
        return self.graph(0).edge_index

    def graph(self, number: int) -> Graph:
        """One of the graphs."""
        return Graph._of(self._object.graph(number))

    def __len__(self) -> int:
        return int(self._object.num_graphs())

    def __iter__(self) -> Iterator[Sample]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, number: int) -> Sample:
        if not -len(self) <= number < len(self):
            raise IndexError(f"graph {number} of {len(self)}")
        number %= len(self)
        begin, end = self.node_offsets[number : number + 2].tolist()
        graph = self.graph(number)
        y = self.y[begin:end] if self.task == "node" else self.y[number]
        return Sample(self.x[begin:end], graph.edge_index, y, graph.edge_attr)

    def split(self, text: str = "", seed: int = 0, fold: int = 0) -> Split:
        """The split that a text describes, as `hgnet train --split` takes it.

        >>> data = color_connectivity(width=8, height=8, samples=20)
        >>> [part.numel() for part in data.split("folds:10")]
        [16, 2, 2]
        """
        return Split(*self._object.split(text, seed, fold))

    @property
    def splits(self) -> Dict[str, Split]:
        """The splits that come with the data set."""
        return {name: self.split(name) for name in self._object.split_names()}

    def encoded(self, train: Tensor, standardise: bool = True) -> Dataset:
        """The columns of your own tables as numbers, by what the training samples show.

        Such a data set has `x` and batches only after this.
        """
        arguments = dict(self._arguments, encoded=(train, standardise))
        return Dataset(self._object.encoded(train, standardise), arguments)

    def loader(
        self,
        model: Model,
        samples: Union[Tensor, Sequence[int], None] = None,
        batch_size: int = 32,
        shuffle: bool = False,
    ) -> Loader:
        """Batches of graphs, each graph prepared once for the model.

        >>> data = color_connectivity(width=8, height=8, samples=4)
        >>> model = Model("gcn", 1, 2, task="graph")
        >>> [model(batch.x, batch.graphs).shape for batch in data.loader(model, batch_size=2)]
        [torch.Size([2, 2]), torch.Size([2, 2])]
        """
        return Loader(self, model, samples, batch_size, shuffle)

    def to_pyg(self) -> Any:
        """A `torch_geometric.data.InMemoryDataset` of the same graphs."""
        from torch_geometric.data import Data, InMemoryDataset

        samples = []
        for sample in self:
            y = sample.y if self.task == "node" else sample.y.unsqueeze(0)
            edges = dict(edge_index=sample.edge_index, edge_attr=sample.edge_attr)
            samples.append(Data(x=sample.x, y=y, num_nodes=sample.x.size(0), **edges))
        result = InMemoryDataset()
        result.data, result.slices = InMemoryDataset.collate(samples)
        return result

    def __reduce__(self) -> Any:
        return _again, (self._arguments,)

    def __repr__(self) -> str:
        return f"Dataset({self.name}, graphs={len(self)}, task={self.task})"


class Loader:
    """The batches of `Dataset.loader`; going through them again shuffles again.

    A thread joins the next batches meanwhile.

    >>> data = color_connectivity(width=8, height=8, samples=5)
    >>> loader = data.loader(Model("gcn", 1, 2, task="graph"), batch_size=2)
    >>> len(loader), [batch.samples.tolist() for batch in loader]
    (3, [[0, 1], [2, 3], [4]])
    """

    def __init__(
        self,
        dataset: Dataset,
        model: Model,
        samples: Union[Tensor, Sequence[int], None],
        batch_size: int,
        shuffle: bool,
    ) -> None:
        self._source = torch.classes.hgnet.Source(dataset._object, model._object)
        self._y = dataset.y
        given = torch.arange(len(dataset)) if samples is None else torch.as_tensor(samples)
        # An empty list makes an empty tensor of floats.
        self._samples = given if given.numel() > 0 else given.long()
        self._batch_size = batch_size
        self._shuffle = shuffle

    def __len__(self) -> int:
        return -(-self._samples.numel() // self._batch_size)

    def __iter__(self) -> Iterator[Batch]:
        samples = self._samples
        if samples.numel() == 0:
            return
        if self._shuffle:
            samples = samples[torch.randperm(samples.numel())]
        stream = torch.classes.hgnet.Stream(self._source, samples, self._batch_size)
        for part in samples.split(self._batch_size):
            x, prepared = stream.next()
            yield Batch(x, Prepared(prepared), self._y[part], part)


def load(
    name: str,
    root: Union[str, Path] = "",
    samples: int = 0,
    seed: int = 0,
) -> Dataset:
    """A data set by name (cora, ENZYMES, cc-grid16, ogbg-molhiv, ...) or path.

    Args:
        root: folder of data sets; by default HGNET_DATA or the user's cache folder.
        samples: color-connectivity: how many; 0: as many as the paper has.
        seed: color-connectivity: what they are drawn from.

    >>> load("cc-grid8", samples=10)
    Dataset(cc-grid8, graphs=10, task=graph)
    """
    arguments = dict(name=str(name), root=str(root), samples=samples, seed=seed)
    return Dataset(torch.ops.hgnet.load_dataset(str(name), str(root), samples, seed), arguments)


def color_connectivity(
    edge_index: Union[Tensor, Graph, None] = None,
    width: int = 16,
    height: int = 16,
    samples: int = 15000,
    seed: int = 0,
    max_islands: int = 2,
) -> Dataset:
    """Samples of the paper's benchmark on a grid, or on your own connected graph.

    >>> color_connectivity(width=8, height=8, samples=6).y.bincount().tolist()
    [3, 3]
    """
    graph = grid(width, height) if edge_index is None else as_graph(edge_index, where="color_connectivity")
    arguments = dict(edge_index=graph, samples=samples, seed=seed, max_islands=max_islands)
    made = torch.ops.hgnet.color_connectivity(graph._object, samples, seed, max_islands)
    return Dataset(made, arguments)


def grid(width: int, height: int) -> Graph:
    """A grid in rows of `width` nodes.

    >>> grid(3, 2).num_edges
    14
    """
    nodes = torch.arange(width * height).view(height, width)
    right = torch.stack([nodes[:, :-1].reshape(-1), nodes[:, 1:].reshape(-1)])
    down = torch.stack([nodes[:-1].reshape(-1), nodes[1:].reshape(-1)])
    return Graph(torch.cat([right, down], dim=1), width * height)


def _again(arguments: Dict[str, Any]) -> Dataset:
    """Loads or draws a data set again, in another process."""
    rest = dict(arguments)
    encoded = rest.pop("encoded", None)
    dataset = load(**rest) if "name" in rest else color_connectivity(**rest)
    return dataset if encoded is None else dataset.encoded(*encoded)
