"""The library's models as modules: their parameters are the very tensors that it computes with."""

from __future__ import annotations

import copy
import json
import operator
import weakref
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Type, TypeVar, Union

import torch
from torch import Tensor, nn

from . import _checks, _load  # noqa: F401
from .graph import Graph, as_graph

M = TypeVar("M", bound="Model")


class Prepared:
    """A graph, or a batch of graphs, prepared for a model: see `Model.prepare`.

    It cannot be pickled: it is made where it is used, of a `Graph`, which can be.

    >>> path = torch.tensor([[0, 1], [1, 2]])
    >>> Model("gcn", 1, 2).prepare(path, batch=torch.zeros(3, dtype=torch.long)).batch.tolist()
    [0, 0, 0]
    """

    def __init__(self, script_object: Any) -> None:
        self._object = script_object

    @property
    def num_nodes(self) -> int:
        return int(self._object.num_nodes())

    @property
    def num_graphs(self) -> int:
        return int(self._object.num_graphs())

    @property
    def batch(self) -> Tensor:
        """The graph of each node."""
        graphs: Tensor = self._object.graph_of_node()
        return graphs

    def __repr__(self) -> str:
        return f"Prepared(num_nodes={self.num_nodes}, num_graphs={self.num_graphs})"


class Parameter(nn.Parameter):
    """A tensor of a library's model. It is copied and pickled as that model's tensor.

    An optimiser that is copied or pickled along with a model so has the new model's tensors. A
    model that is gone leaves an ordinary parameter.

    >>> weight = next(Model("gcn", 1, 2).parameters())
    >>> isinstance(weight, torch.nn.Parameter)
    True
    """

    # Weak: the tensors would keep the model, and it keeps them.
    _core: Callable[[], Optional[_Core]]
    _name: str

    def _owner(self) -> Optional[_Core]:
        return self._core() if hasattr(self, "_core") else None

    def __deepcopy__(self, memo: Dict[int, Any]) -> Any:
        if id(self) not in memo:
            core = self._owner()
            if core is None:
                memo[id(self)] = nn.Parameter(self.data.clone(), self.requires_grad)
            else:
                memo[id(self)] = copy.deepcopy(core, memo).parameters[self._name]
        return memo[id(self)]

    def __reduce_ex__(self, protocol: Any) -> Any:
        core = self._owner()
        if core is None:
            return nn.Parameter(self.data, self.requires_grad).__reduce_ex__(protocol)
        return _parameter_of, (core, self._name)

    def __repr__(self) -> str:
        return repr(nn.Parameter(self.data, self.requires_grad))


class _Core:
    """The library's model and its tensors, copied and pickled as one."""

    def __init__(self, script_object: Any) -> None:
        self.object = script_object
        self.parameters: Dict[str, Any] = dict(script_object.parameters().items())
        self.buffers: Dict[str, Tensor] = dict(script_object.buffers().items())
        for name, tensor in self.parameters.items():
            # The same tensor, as a parameter: a copy would not be what the library computes with.
            tensor.__class__ = Parameter
            tensor._core, tensor._name = weakref.ref(self), name

    def tensors(self) -> Iterator[Tuple[str, Tensor]]:
        yield from self.parameters.items()
        yield from self.buffers.items()

    def __reduce__(self) -> Tuple[Any, Tuple[Any, ...]]:
        # Tensors that share the memory of lasting ones: a process that is spawned opens it after
        # this call.
        data = {name: (tensor.detach(), tensor.requires_grad) for name, tensor in self.tensors()}
        return _core_of, (self.object.settings(), self.object.generator_state().tolist(), data)


def _core_of(settings: str, state: List[int], data: Dict[str, Tuple[Tensor, bool]]) -> _Core:
    script_object = torch.classes.hgnet.Model(settings, 0)
    script_object.set_generator_state(torch.tensor(state, dtype=torch.long))
    core = _Core(script_object)
    for name, tensor in core.tensors():
        given, requires_grad = data[name]
        tensor.requires_grad_(requires_grad)
        tensor.data = given
    return core


def _parameter_of(core: _Core, name: str) -> Any:
    return core.parameters[name]


def model_names() -> List[str]:
    """The names that `Model` takes.

    >>> "hgnet-edgepool" in model_names()
    True
    """
    return list(torch.ops.hgnet.model_names())


class Model(nn.Module):
    """A model of the library by name.

    Optimisers, `state_dict`, `deepcopy` and pickling work as for any module, also of a model and
    its optimiser together. Values go into the parameters (`copy_` under `torch.no_grad()`,
    `load_state_dict`); other tensors in their place are refused. Dropout is drawn from the model's
    own seed.

    Args:
        name: see `model_names`.
        in_channels: width of the node features.
        out_channels: classes, labels or targets.
        task: "node" or "graph".
        seed: of weights and dropout; by default drawn from torch's generator.
        settings: every other setting by the name that `hgnet train` has for it, with underscores:
            hidden, layers, levels, dropout, ...

    >>> model = Model("gcn", 3, 2, hidden=8)
    >>> model(torch.ones(3, 3), torch.tensor([[0, 1], [1, 2]])).shape
    torch.Size([3, 2])
    """

    def __init__(
        self,
        name: str,
        in_channels: int,
        out_channels: int,
        task: str = "node",
        seed: Optional[int] = None,
        **settings: Any,
    ) -> None:
        super().__init__()
        config = json.loads(torch.ops.hgnet.model_settings(name))
        config.update(inputs=in_channels, outputs=out_channels, task=task)
        for key, value in settings.items():
            if key.replace("_", "-") not in config:
                known = ", ".join(sorted(other.replace("-", "_") for other in config))
                raise TypeError(f"{name} has no setting {key}; there are {known}")
            config[key.replace("_", "-")] = value
        if seed is None:
            seed = int(torch.randint(2**62, ()))
        self._take(_Core(torch.classes.hgnet.Model(json.dumps(config), seed)))

    @classmethod
    def _of(cls: Type[M], script_object: Any) -> M:
        model = cls.__new__(cls)
        nn.Module.__init__(model)
        model._take(_Core(script_object))
        return model

    def _take(self, core: _Core) -> None:
        """Registers the library's tensors, and notes where each one and each folder stands."""
        self._core = core
        places = []
        for name, parameter in core.parameters.items():
            folder, leaf = self._folder(name)
            folder._parameters[leaf] = parameter
            places.append((folder._parameters, leaf, parameter, name))
        for name, buffer in core.buffers.items():
            folder, leaf = self._folder(name)
            folder._buffers[leaf] = buffer
            places.append((folder._buffers, leaf, buffer, name))
        for name in sorted({".".join(path) for path in _folders(core)}):
            parent, leaf = self._folder(name)
            places.append((parent._modules, leaf, parent._modules[leaf], name))
        self._places: Tuple[Tuple[Any, ...], ...] = tuple(zip(*places))

    @property
    def _object(self) -> Any:
        return self._core.object

    def _check_places(self) -> None:
        """Raises RuntimeError if another tensor stands in the place of the library's own."""
        if not self._places:
            return
        holders, leaves, own, names = self._places
        # Before every forward pass, so without a loop in Python.
        moved = list(map(operator.is_not, map(dict.get, holders, leaves), own))
        if any(moved):
            raise RuntimeError(
                f"{names[moved.index(True)]} is not the library's own any more, so it would have "
                "no effect. Put values into the tensor instead: copy_() under torch.no_grad(), or "
                "load_state_dict() without assign. Pruning, weight_norm, parametrizations and "
                "functional_call replace tensors and do not work here."
            )

    def _folder(self, name: str) -> Tuple[nn.Module, str]:
        """The module that holds a tensor of this dotted name, and the last part of the name."""
        *path, leaf = name.split(".")
        module: nn.Module = self
        for part in path:
            if part not in module._modules:
                module._modules[part] = nn.Module()
            child = module._modules[part]
            assert child is not None
            module = child
        return module, leaf

    @property
    def settings(self) -> Dict[str, Any]:
        """All settings by name, as in a run's files."""
        settings: Dict[str, Any] = json.loads(self._object.settings())
        return settings

    def prepare(
        self,
        edge_index: Union[Tensor, Graph],
        num_nodes: Optional[int] = None,
        batch: Optional[Tensor] = None,
        edge_weight: Optional[Tensor] = None,
        edge_attr: Optional[Tensor] = None,
    ) -> Prepared:
        """What is computed once per graph: rows of neighbours, levels of a static coarsening.

        Args:
            num_nodes: by default, the length of `batch`, or else the largest id plus one.
            batch: the graph of each node, ascending.

        >>> model = Model("gcn", 1, 2)
        >>> model.prepare(torch.tensor([[0], [1]]))
        Prepared(num_nodes=2, num_graphs=1)
        """
        _checks.tensors("prepare", [("batch", batch)])
        if num_nodes is None and batch is not None and isinstance(edge_index, Tensor):
            num_nodes = batch.numel()
        graph = as_graph(edge_index, num_nodes, edge_weight, edge_attr, where="prepare")
        graphs = 1
        if batch is not None:
            graphs = int(batch.max()) + 1 if batch.numel() > 0 else 0
        return Prepared(self._object.prepare(graph._object, batch, graphs))

    def _prepared(
        self,
        x: Tensor,
        edges: Union[Tensor, Graph, Prepared],
        batch: Optional[Tensor],
        edge_weight: Optional[Tensor],
        edge_attr: Optional[Tensor],
    ) -> Any:
        self._check_places()
        if not isinstance(x, Tensor):
            _checks.wrong_type("model", "x", "a torch.Tensor [nodes, channels]", x)
        if isinstance(edges, Prepared):
            given = [("batch", batch), ("edge_weight", edge_weight), ("edge_attr", edge_attr)]
            _checks.nothing_beside("model", "Prepared", given)
            return edges._object
        nodes = x.size(0) if isinstance(edges, Tensor) else None
        return self.prepare(edges, nodes, batch, edge_weight, edge_attr)._object

    def forward(
        self,
        x: Tensor,
        edge_index: Union[Tensor, Graph, Prepared],
        batch: Optional[Tensor] = None,
        edge_weight: Optional[Tensor] = None,
        edge_attr: Optional[Tensor] = None,
    ) -> Tensor:
        """Logits or targets, a row for each node or, for graph tasks, for each graph."""
        prepared = self._prepared(x, edge_index, batch, edge_weight, edge_attr)
        result: Tensor = self._object.forward(x, prepared, self.training)
        return result

    def embed(
        self,
        x: Tensor,
        edge_index: Union[Tensor, Graph, Prepared],
        batch: Optional[Tensor] = None,
        edge_weight: Optional[Tensor] = None,
        edge_attr: Optional[Tensor] = None,
    ) -> Tensor:
        """The rows of the nodes before readout and classifier.

        >>> model = Model("gcn", 1, 2, task="graph", hidden=8)
        >>> model.embed(torch.ones(2, 1), torch.tensor([[0], [1]])).shape
        torch.Size([2, 8])
        """
        prepared = self._prepared(x, edge_index, batch, edge_weight, edge_attr)
        rows: Tensor = self._object.node_rows(x, prepared, self.training)
        return rows

    def describe(self) -> str:
        """Structure, number of parameters and receptive field.

        >>> print(Model("gcn", 3, 2, hidden=8).describe().splitlines()[0])
        gcn, node task
        """
        return str(self._object.describe())

    def _apply(self: M, fn: Callable[[Tensor], Tensor], *args: Any, **keywords: Any) -> M:
        super()._apply(fn, *args, **keywords)
        # A parameter keeps its tensor and gets other data; a buffer is replaced, which the library
        # would not see.
        for name, tensor in self._core.buffers.items():
            folder, leaf = self._folder(name)
            replaced = folder._buffers[leaf]
            assert replaced is not None
            if replaced is not tensor:
                tensor.data = replaced
                folder._buffers[leaf] = tensor
        return self

    def __copy__(self: M) -> M:
        """Shares all tensors and the library's model, as a shallow copy of any module does."""
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def __getstate__(self) -> Dict[str, Any]:
        self._check_places()
        state = self.__dict__.copy()
        del state["_places"]
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        super().__setstate__(state)
        self._take(self._core)

    def __repr__(self) -> str:
        return f"{type(self).__name__}: {self.describe().rstrip()}"


def _folders(core: _Core) -> Iterator[Tuple[str, ...]]:
    """The dotted paths of the modules that hold the tensors, with those of their parents."""
    for name, _ in core.tensors():
        path = tuple(name.split(".")[:-1])
        for length in range(1, len(path) + 1):
            yield path[:length]


class HGNet(Model):
    """Hierarchical Graph Net: messages through coarser graphs and back.

    Args:
        levels: coarse levels.
        coarsening: edgepool, louvain, heavy-edge, random or top-k.
        settings: see `Model`.

    >>> HGNet(1, 2, levels=3, hidden=8).settings["levels"]
    3
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        levels: int = 1,
        coarsening: str = "edgepool",
        task: str = "node",
        seed: Optional[int] = None,
        **settings: Any,
    ) -> None:
        settings.update(levels=levels, coarsening=coarsening)
        super().__init__("hgnet", in_channels, out_channels, task, seed, **settings)


def _best_file(path: Path, fit: Optional[str]) -> Path:
    if path.is_file():
        return path
    if fit is not None:
        path = path / fit
    files = sorted(path.glob("**/best.safetensors"))
    if not files:
        raise FileNotFoundError(f"{path}: neither a .safetensors file nor a run with a model in it")
    if len(files) > 1:
        names = ", ".join(str(file.parent.relative_to(path)) for file in files)
        raise ValueError(f"{path} holds {len(files)} fits; choose one with fit=...: {names}")
    return files[0]


def load(path: Union[str, Path], fit: Optional[str] = None) -> Model:
    """The model in a .safetensors file, or the best one of a run, in evaluation mode.

    Args:
        path: what `save`, `hgnet::save_model` or `hgnet train` wrote.
        fit: of a run over several seeds or folds, the folder of one of them.

    >>> import tempfile
    >>> file = tempfile.mkdtemp() + "/model.safetensors"
    >>> save(HGNet(1, 2, seed=1), file)
    >>> load(file).settings["model"]
    'hgnet'
    """
    model = Model._of(torch.ops.hgnet.load_model(str(_best_file(Path(path), fit))))
    return model.eval()


def save(model: Model, path: Union[str, Path]) -> None:
    """Writes settings and weights as safetensors, which `hgnet::load_model` reads.

    >>> import tempfile
    >>> save(Model("gcn", 1, 2), tempfile.mkdtemp() + "/model.safetensors")
    """
    model._check_places()
    model._object.save(str(path))


def keep_freed_memory() -> None:
    """Makes this process keep the memory that tensors free, as `hgnet train` does (glibc only).

    Training frees and allocates the same sizes in every step; by default glibc returns the large
    ones to the system, and each costs fresh pages. Here they go to the next tensor of their size.
    Call it once, before training.

    >>> keep_freed_memory()
    """
    torch.ops.hgnet.keep_freed_memory()
