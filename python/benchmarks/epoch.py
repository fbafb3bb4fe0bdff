"""A training epoch of HGNet on cc-grid16: through hgnet, in the C++ program and in PyTorch Geometric, in one run.

    PYTHONPATH=build/release/python /usr/bin/python3 python/benchmarks/epoch.py build/release/apps/hgnet/hgnet

All have the paper's settings (three levels, 32 channels, batch norm, batches of 32, Adam) and as many threads;
OMP_NUM_THREADS chooses them. Logits and gradients of PyTorch Geometric's form are compared with the model's
before anything is timed. Of it only some batches are timed, because its epoch takes minutes.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import hgnet
import torch

LEVELS, HIDDEN, BATCH = 3, 32, 32
ROUNDS = 5
PYG_BATCHES = 4


def hgnet_model():
    return hgnet.nn.HGNet(1, 2, levels=LEVELS, task="graph", seed=1, hidden=HIDDEN, norm="batch", activation="relu")


def seconds(model, optimiser, batches):
    """Of an epoch; `batches` gives the arguments of the model and the classes."""
    model.train()
    begin = time.perf_counter()
    for *arguments, y in batches:
        optimiser.zero_grad(set_to_none=True)  # as the program does, and PyTorch 2 by default
        torch.nn.functional.cross_entropy(model(*arguments), y).backward()
        optimiser.step()
    return time.perf_counter() - begin


def arguments(loader):
    return ((batch.x, batch.graphs, batch.y) for batch in loader)


def in_cpp(program):
    """Seconds of the training part of an epoch in C++, the least of two."""
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "train", "--dataset", "cc-grid16", "--model", "hgnet-edgepool"]
        command += ["--epochs", "2", "--threads", str(torch.get_num_threads()), "--out", f"{folder}/run"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        lines = next(Path(folder).glob("**/epochs.jsonl")).read_text().splitlines()
    return min(json.loads(line)["seconds"]["train"] for line in lines)


def in_pyg():
    """The same model of PyTorch Geometric's layers."""
    import torch_geometric.nn as pyg
    from torch_geometric.utils import remove_self_loops

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            widths = [1] + LEVELS * [HIDDEN]
            self.coarsen = torch.nn.ModuleList(pyg.GCNConv(width, HIDDEN) for width in widths)
            self.coarsen_norm = torch.nn.ModuleList(torch.nn.BatchNorm1d(HIDDEN) for _ in widths)
            self.pool = torch.nn.ModuleList(pyg.EdgePooling(HIDDEN) for _ in range(LEVELS))
            self.refine = torch.nn.ModuleList(
                pyg.RGCNConv(HIDDEN, HIDDEN, num_relations=2, aggr="add") for _ in range(LEVELS)
            )
            self.refine_norm = torch.nn.ModuleList(torch.nn.BatchNorm1d(HIDDEN) for _ in range(LEVELS))
            self.classifier = torch.nn.Sequential(
                torch.nn.Linear(HIDDEN, 128), torch.nn.ELU(), torch.nn.Linear(128, 2)
            )

        def forward(self, x, edge_index, batch):
            graphs, levels = batch, []
            for level in range(LEVELS + 1):
                x = torch.relu(self.coarsen_norm[level](self.coarsen[level](x, edge_index)))
                if level == LEVELS:
                    break
                pooled, edges, batch, info = self.pool[level](x, edge_index, batch)
                levels.append((x, edge_index, info.cluster))
                x, edge_index = pooled, remove_self_loops(edges)[0]
            for level in reversed(range(LEVELS)):
                fine, edge_index, parent = levels[level]
                x = self.refine_norm[level](self.join(level, fine, edge_index, parent, x))
                x = torch.relu(x) if level > 0 else x
            return self.classifier(pyg.global_mean_pool(x, graphs))

        def join(self, level, fine, edge_index, parent, above):
            """Messages from neighbours and oneself, and of another kind from the parent."""
            nodes = torch.arange(fine.size(0))
            own, up = torch.stack([nodes, nodes]), torch.stack([parent + fine.size(0), nodes])
            edges = torch.cat([edge_index, own, up], dim=1)
            kinds = (torch.arange(edges.size(1)) >= edges.size(1) - fine.size(0)).long()
            return self.refine[level](torch.cat([fine, above]), edges, kinds)[: fine.size(0)]

    return Net()


def take_weights(net, model):
    """Gives PyTorch Geometric's form the model's weights; returns the pairs of tensors."""
    own = dict(model.named_parameters())
    pairs = []
    for level in range(LEVELS + 1):
        name = f"network.coarsen{level}"
        pairs += [(net.coarsen[level].lin.weight, own[f"{name}.layer.weight"])]
        pairs += [(net.coarsen[level].bias, own[f"{name}.layer.bias"])]
        pairs += [(net.coarsen_norm[level].weight, own[f"{name}.tail.weight"])]
        pairs += [(net.coarsen_norm[level].bias, own[f"{name}.tail.bias"])]
    for level in range(LEVELS):
        pairs += [(net.pool[level].lin.weight, own[f"network.pool{level}.weight"].view(1, -1))]
        pairs += [(net.pool[level].lin.bias, own[f"network.pool{level}.bias"])]
        name = f"network.refine{level}.block"
        root, neighbours = own[f"{name}.layer.weight"].chunk(2)
        kinds = torch.stack([neighbours.t(), own[f"{name}.layer.parent_weight"].t()])
        pairs += [(net.refine[level].root, root.t()), (net.refine[level].weight, kinds)]
        pairs += [(net.refine[level].bias, own[f"{name}.layer.bias"])]
        pairs += [(net.refine_norm[level].weight, own[f"{name}.tail.weight"])]
        pairs += [(net.refine_norm[level].bias, own[f"{name}.tail.bias"])]
    for number, name in ((0, "classifier_first"), (2, "classifier_second")):
        pairs += [(net.classifier[number].weight, own[f"{name}.weight"])]
        pairs += [(net.classifier[number].bias, own[f"{name}.bias"])]
    with torch.no_grad():
        for theirs, ours in pairs:
            theirs.copy_(ours)
    return pairs


def verify(net, model):
    """In float64 on grids with random features, which have no equal scores."""
    net.double(), model.double()
    pairs = take_weights(net, model)
    grid = hgnet.datasets.grid(16, 16).edge_index
    edges = torch.cat([grid + 256 * graph for graph in range(4)], dim=1)
    batch = torch.arange(4).repeat_interleave(256)
    x = torch.randn(1024, 1, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    ours, theirs = model(x, edges, batch), net(x, edges, batch)
    assert torch.allclose(ours, theirs), (ours, theirs)
    names = [(theirs, ours) for theirs, ours in pairs if ours.is_leaf]
    own = torch.autograd.grad(ours.sin().sum(), [ours for _, ours in names])
    other = torch.autograd.grad(theirs.sin().sum(), [theirs for theirs, _ in names])
    for first, second in zip(own, other):
        assert torch.allclose(first, second, atol=1e-9), (first, second)
    net.float(), model.float()


def pyg_batches(data, samples):
    from torch_geometric.data import Data
    from torch_geometric.loader import DataLoader

    listed = [Data(x=s.x, edge_index=s.edge_index, y=s.y.view(1)) for s in (data[int(n)] for n in samples)]
    return [(batch.x, batch.edge_index, batch.batch, batch.y) for batch in DataLoader(listed, batch_size=BATCH)]


def main():
    hgnet.keep_freed_memory()  # as the program does
    torch.manual_seed(1)
    data = hgnet.datasets.load("cc-grid16")
    model = hgnet_model()
    train = data.split().train
    loader = data.loader(model, train, batch_size=BATCH, shuffle=True)
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, {len(loader)} batches an epoch")
    optimiser = hgnet.optim.Adam(model.parameters(), lr=0.001)
    doors, programs = [], []
    for _ in range(ROUNDS):
        doors.append(min(seconds(model, optimiser, arguments(loader)) for _ in range(2)))
        programs.append(in_cpp(sys.argv[1]))
        print(f"through hgnet {doors[-1]:.2f} s, in C++ {programs[-1]:.2f} s")
    ratio = statistics.median(door / cpp for door, cpp in zip(doors, programs)) - 1
    least = min(doors) / min(programs) - 1
    print(f"through hgnet {100 * ratio:+.0f} % in the median round, {100 * least:+.0f} % the best of each")
    try:
        net = in_pyg()
    except ImportError:
        return
    verify(net, hgnet_model())
    optimiser = torch.optim.Adam(net.parameters(), lr=0.001)
    some = seconds(net, optimiser, pyg_batches(data, train[: PYG_BATCHES * BATCH])) / PYG_BATCHES * len(loader)
    print(f"in PyTorch Geometric {some:.0f} s by {PYG_BATCHES} batches: {some / min(doors):.0f} times through hgnet")


if __name__ == "__main__":
    main()
