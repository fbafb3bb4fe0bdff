"""A training epoch of HGNet on cc-grid16 through hgnet, beside the C++ program's, in one run.

    PYTHONPATH=build/release/python /usr/bin/python3 python/benchmarks/epoch.py build/release/apps/hgnet/hgnet

Both have the paper's settings (three levels, 32 channels, batch norm, batches of 32, Adam), the same
training samples and as many threads; OMP_NUM_THREADS chooses them.
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


def adam(model):
    """In one call for all parameters, where PyTorch has that for the CPU."""
    fused = tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (2, 4)
    return torch.optim.Adam(model.parameters(), lr=0.001, **(dict(fused=True) if fused else {}))


def through_hgnet(model, loader):
    """Seconds of an epoch."""
    optimiser = adam(model)
    model.train()
    begin = time.perf_counter()
    for batch in loader:
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(model(batch.x, batch.graphs), batch.y).backward()
        optimiser.step()
    return time.perf_counter() - begin


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
    model = hgnet.nn.HGNet(1, 2, task="graph", seed=1, **SETTINGS)
    loader = data.loader(model, data.split().train, batch_size=32, shuffle=True)
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, {len(loader)} batches an epoch")
    door = min(through_hgnet(model, loader) for _ in range(2))
    cpp = in_cpp(sys.argv[1])
    print(f"through hgnet {door:.2f} s, in C++ {cpp:.2f} s: {100 * (door / cpp - 1):+.0f} %")


if __name__ == "__main__":
    main()
