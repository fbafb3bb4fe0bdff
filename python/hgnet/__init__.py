"""HGNet's library from Python: operators, layers, models, hierarchies and data sets for PyTorch.

    pool = hgnet.nn.EdgePooling(64)               # in place of torch_geometric.nn.EdgePooling
    model = hgnet.nn.HGNet(1, 2, levels=3)        # a torch.nn.Module
    model = hgnet.load("runs/cora-hgnet-edgepool")
    levels = hgnet.hierarchy(edge_index)

The operators are torch.ops.hgnet.*; docs/python.md lists them.
"""

from . import _load, _shapes, datasets, nn, optim, records, splits
from .graph import Graph, Hierarchy, hierarchy
from .models import keep_freed_memory, load, save

__version__ = "0.2.0"  # as in CMakeLists.txt

__all__ = [
    "Graph",
    "Hierarchy",
    "datasets",
    "hierarchy",
    "keep_freed_memory",
    "load",
    "nn",
    "optim",
    "records",
    "save",
    "splits",
]
