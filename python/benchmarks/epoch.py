"""A training epoch of HGNet on cc-grid16: of PyTorch Geometric's layers, through hgnet, and in C++.

    PYTHONPATH=... python python/benchmarks/epoch.py build/release/apps/hgnet/hgnet

All three have the paper's settings (three levels, 32 channels, batch norm, batches of 32, Adam), the
same training samples and as many threads. Before anything is timed, the first and the second must give
the same rows with the same weights. Of PyTorch Geometric's epoch only the first batches are run.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import hgnet
import torch

SETTINGS = dict(levels=3, hidden=32, norm="batch", activation="relu")
PYG_BATCHES = 10


class OfLayers(torch.nn.Module):
    """HGNet-EdgePool of PyTorch Geometric's layers, with the weights of one of ours."""

    def __init__(self, model):
        super().__init__()
        from torch_geometric.nn import EdgePooling, GCNConv, RGCNConv

        net = model.network
        self.convs = torch.nn.ModuleList()
        self.pools = torch.nn.ModuleList(EdgePooling(32) for _ in range(3))
        self.joins = torch.nn.ModuleList()
        self.norms = torch.nn.ModuleDict()
        with torch.no_grad():
            for level in range(4):
                own = getattr(net, f"coarsen{level}")
                conv = GCNConv(own.layer.weight.size(1), 32)
                conv.lin.weight.copy_(own.layer.weight)
                conv.bias.copy_(own.layer.bias)
                self.convs.append(conv)
                self.norms[f"coarsen{level}"] = norm_of(own)
            for level in range(3):
                pool = getattr(net, f"pool{level}")
                self.pools[level].lin.weight.copy_(pool.weight.view(1, -1))
                self.pools[level].lin.bias.copy_(pool.bias)
                own = getattr(net, f"refine{level}").block
                join = RGCNConv(32, 32, num_relations=2, aggr="add")
                join.root.copy_(own.layer.weight[:32].t())
                join.weight.copy_(torch.stack([own.layer.weight[32:].t(), own.layer.parent_weight.t()]))
                join.bias.copy_(own.layer.bias)
                self.joins.append(join)
                self.norms[f"refine{level}"] = norm_of(own)
        self.first, self.second = linear_of(model.classifier_first), linear_of(model.classifier_second)

    def forward(self, x, edge_index, batch):
        from torch_geometric.nn import global_mean_pool
        from torch_geometric.utils import remove_self_loops

        graphs, rows, parents = batch, [], []
        edges = [edge_index]
        for level in range(4):
            x = self.norms[f"coarsen{level}"](self.convs[level](x, edges[-1])).relu()
            if level == 3:
                break
            rows.append(x)
            x, above, batch, info = self.pools[level](x, edges[-1], batch)
            edges.append(remove_self_loops(above)[0])
            parents.append(info.cluster)
        for level in (2, 1, 0):
            count = rows[level].size(0)
            nodes = torch.arange(count)
            own, up = torch.stack([nodes, nodes]), torch.stack([parents[level] + count, nodes])
            listed = torch.cat([edges[level], own, up], dim=1)
            kinds = (torch.arange(listed.size(1)) >= listed.size(1) - count).long()
            both = self.joins[level](torch.cat([rows[level], x]), listed, kinds)
            x = self.norms[f"refine{level}"](both[:count]).relu()
        return self.second(torch.nn.functional.elu(self.first(global_mean_pool(x, graphs))))


def norm_of(block):
    norm = torch.nn.BatchNorm1d(32)
    norm.weight.copy_(block.tail.weight)
    norm.bias.copy_(block.tail.bias)
    return norm


def linear_of(own):
    layer = torch.nn.Linear(own.weight.size(1), own.weight.size(0))
    layer.load_state_dict({"weight": own.weight, "bias": own.bias})
    return layer


def train(model, batches, forward):
    """Seconds for these batches with Adam."""
    optimiser = torch.optim.Adam(model.parameters(), lr=0.001)
    model.train()
    begin = time.perf_counter()
    for batch in batches:
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(forward(batch), batch.y).backward()
        optimiser.step()
    return time.perf_counter() - begin


def verify(model, layers, batch, edges):
    """On random features: those of the data set are 0 and 1, and then most scores are equal."""
    x = torch.randn(batch.x.size(0), 1, dtype=torch.float64)
    with torch.no_grad():
        own = model.double().eval()(x, batch.graphs)
        other = layers.double().eval()(x, edges, batch.graphs.batch)
    assert torch.allclose(own, other), "the two models differ"
    model.float(), layers.float()


def edges_of(data, batch):
    """The edges of a batch whose samples share one graph."""
    one = data.graph(0)
    shifts = torch.arange(batch.samples.numel()) * one.num_nodes
    return (one.edge_index[:, None, :] + shifts[None, :, None]).reshape(2, -1)


def in_cpp(program):
    """Seconds of the training part of an epoch in C++, the least of two."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "train", "--dataset", "cc-grid16", "--model", "hgnet-edgepool"]
        command += ["--epochs", "2", "--threads", str(torch.get_num_threads()), "--out", f"{folder}/run"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        lines = next(Path(folder).glob("**/epochs.jsonl")).read_text().splitlines()
    return min(json.loads(line)["seconds"]["train"] for line in lines)


def main():
    torch.manual_seed(1)
    data = hgnet.datasets.load("cc-grid16")
    train_samples = data.split().train
    model = hgnet.nn.HGNet(1, 2, task="graph", seed=1, **SETTINGS)
    loader = data.loader(model, train_samples, batch_size=32, shuffle=True)
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, {len(loader)} batches an epoch")

    first = [batch for batch, _ in zip(loader, range(PYG_BATCHES))]
    try:
        layers = OfLayers(model)
        verify(model, layers, first[0], edges_of(data, first[0]))
        part = train(layers, first, lambda b: layers(b.x, edges_of(data, b), b.graphs.batch))
        print(f"PyTorch Geometric's layers: {part / PYG_BATCHES * len(loader):.0f} s, from {PYG_BATCHES} batches")
    except ImportError:
        print("PyTorch Geometric is not installed")
    door = min(train(model, loader, lambda b: model(b.x, b.graphs)) for _ in range(2))
    print(f"through hgnet: {door:.2f} s")
    cpp = in_cpp(sys.argv[1])
    print(f"in C++: {cpp:.2f} s; through hgnet {100 * (door / cpp - 1):+.0f} %")


if __name__ == "__main__":
    main()
