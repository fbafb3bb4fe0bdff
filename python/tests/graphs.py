"""Random graphs for the tests."""

import torch


def edge_list(nodes, edges, generator, symmetric=False):
    """Directed edges in any order, with repeated ones and self-loops."""
    if nodes == 0:
        return torch.empty(2, 0, dtype=torch.long)
    listed = torch.randint(nodes, (2, edges), generator=generator)
    if symmetric:
        listed = torch.cat([listed, listed.flip(0)], dim=1)
    return listed[:, torch.randperm(listed.size(1), generator=generator)]


def batch_of(graphs, generator, symmetric=False):
    """A random batch: edges and the graph of each node."""
    edges, batch, first = [], [], 0
    for number in range(graphs):
        nodes = int(torch.randint(1, 12, (), generator=generator))
        count = int(torch.randint(0, 3 * nodes, (), generator=generator))
        edges.append(edge_list(nodes, count, generator, symmetric) + first)
        batch += [number] * nodes
        first += nodes
    return torch.cat(edges, dim=1), torch.tensor(batch)


def few_values(shape, generator):
    """Multiples of 1/4: sums and products of a few of them are exact, and many are equal."""
    return torch.randint(-2, 3, shape, generator=generator).double() / 4
