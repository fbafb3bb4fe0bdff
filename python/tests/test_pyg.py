"""Layers against PyTorch Geometric's, with the same weights."""

import hgnet
import pytest
import torch
from graphs import edge_list
from hgnet.nn import HGNet, Model

pyg = pytest.importorskip("torch_geometric.nn")


def a_graph():
    draw = torch.Generator().manual_seed(1)
    listed = edge_list(12, 25, draw)
    graph = hgnet.Graph(listed[:, listed[0] != listed[1]], 12)
    return graph, torch.randn(12, 5, dtype=torch.float64, generator=draw)


def compare(model, layer, weights):
    """Both get the model's weights; rows and gradients of x must agree."""
    with torch.no_grad():
        for bias in (p for name, p in model.named_parameters() if name.endswith("bias")):
            bias.normal_()
        for theirs, ours in weights.items():
            layer.get_parameter(theirs).copy_(ours)
    graph, x = a_graph()
    first, second = x.clone().requires_grad_(), x.clone().requires_grad_()
    rows, expected = model(first, graph), layer(second, graph.edge_index)
    assert torch.allclose(rows, expected)
    rows.sin().sum().backward()
    expected.sin().sum().backward()
    assert torch.allclose(first.grad, second.grad)


def one_layer(name, **settings):
    model = Model(name, 5, 4, layers=1, seed=1, **settings).double()
    return model, model.network.block0.layer


def test_gcn_rows_are_the_same():
    model, own = one_layer("gcn")
    compare(model, pyg.GCNConv(5, 4).double(), {"lin.weight": own.weight, "bias": own.bias})


def test_gat_rows_are_the_same():
    model, own = one_layer("gat", heads=3, last_heads=1)
    layer = pyg.GATConv(5, 4, heads=1).double()
    names = {"att_src": own.source[None], "att_dst": own.target[None], "bias": own.bias}
    weight = "lin.weight" if "lin.weight" in dict(layer.named_parameters()) else "lin_src.weight"
    compare(model, layer, {weight: own.weight, **names})


def test_gin_rows_are_the_same():
    model, own = one_layer("gin")
    inner = torch.nn.Sequential(torch.nn.Linear(5, 4), torch.nn.ReLU(), torch.nn.Linear(4, 4))
    weights = {"nn.0.weight": own.first.weight, "nn.0.bias": own.first.bias}
    weights.update({"nn.2.weight": own.second.weight, "nn.2.bias": own.second.bias})
    compare(model, pyg.GINConv(inner).double(), weights)


def test_cheb_rows_are_the_same():
    model, own = one_layer("cheb", cheb_order=3)
    parts = own.weight.detach().view(3, 4, 5)
    weights = {f"lins.{k}.weight": parts[k] for k in range(3)}
    compare(model, pyg.ChebConv(5, 4, K=3).double(), {**weights, "bias": own.bias})


class Levels(torch.nn.Module):
    """HGNet with one level of communities, of PyTorch Geometric's layers."""

    def __init__(self):
        super().__init__()
        self.coarsen0 = pyg.GCNConv(5, 6)
        self.coarsen1 = pyg.GCNConv(6, 6)
        self.refine0 = pyg.RGCNConv(6, 4, num_relations=2, aggr="add")

    def forward(self, x, edge_index):
        levels = hgnet.hierarchy(edge_index, x.size(0), coarsening="louvain", levels=1)
        parent, above = levels.parents[0], levels.graphs[1]
        fine = torch.nn.functional.elu(self.coarsen0(x, edge_index))
        pooled = mean_of_members(fine, parent, above.num_nodes)
        coarse = torch.nn.functional.elu(self.coarsen1(pooled, above.edge_index))
        nodes = torch.arange(x.size(0))
        own, up = torch.stack([nodes, nodes]), torch.stack([parent + x.size(0), nodes])
        edges = torch.cat([edge_index, own, up], dim=1)
        kinds = (torch.arange(edges.size(1)) >= edges.size(1) - x.size(0)).long()
        return self.refine0(torch.cat([fine, coarse]), edges, kinds)[: x.size(0)]


def mean_of_members(x, index, count):
    sums = x.new_zeros(count, x.size(1)).index_add(0, index, x)
    return sums / torch.bincount(index, minlength=count).view(-1, 1)


def test_a_level_with_an_rgcn_join_is_the_same():
    model = HGNet(5, 4, levels=1, coarsening="louvain", hidden=6, seed=1).double()
    net = model.network
    join = net.refine0.block.layer
    weights = {
        "coarsen0.lin.weight": net.coarsen0.layer.weight,
        "coarsen0.bias": net.coarsen0.layer.bias,
        "coarsen1.lin.weight": net.coarsen1.layer.weight,
        "coarsen1.bias": net.coarsen1.layer.bias,
        "refine0.root": join.weight[:4].t(),
        "refine0.weight": torch.stack([join.weight[4:].t(), join.parent_weight.t()]),
        "refine0.bias": join.bias,
    }
    compare(model, Levels().double(), weights)
