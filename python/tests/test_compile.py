"""PyTorch 2: operators are registered as compilers need them."""

import pytest
import torch
from graphs import edge_list

if not hasattr(torch.library, "opcheck"):
    pytest.skip("needs PyTorch 2", allow_module_level=True)

import hgnet  # noqa: F401

ops = torch.ops.hgnet
DRAW = torch.Generator().manual_seed(1)
EDGES = edge_list(7, 20, DRAW)
INDEX = torch.tensor([0, 2, -1, 2, 1, 0, 4])


def rows(*shape):
    return torch.randn(*shape, generator=DRAW, requires_grad=True)


CALLS = {
    "gather_rows": lambda: (ops.gather_rows, (rows(5, 3), INDEX)),
    "segment_sum": lambda: (ops.segment_sum, (rows(7, 3), INDEX, 5)),
    "segment_mean": lambda: (ops.segment_mean, (rows(7, 3), INDEX, 5)),
    "segment_max": lambda: (ops.segment_max, (rows(7, 3), INDEX, 5)),
    "segment_softmax": lambda: (ops.segment_softmax, (rows(7), INDEX, 5)),
    "spmm": lambda: (ops.spmm.default, (EDGES, rows(20), rows(7, 3))),
    "spmm without values": lambda: (ops.spmm.default, (EDGES, None, rows(7, 3))),
    "linear": lambda: (ops.linear, (rows(7, 3), rows(2, 3))),
    "row_products": lambda: (ops.row_products, (rows(7, 3), rows(7, 2))),
    "merge_rows": lambda: (ops.merge_rows, (rows(7, 3), INDEX, rows(5))),
    "edge_score": lambda: (ops.edge_score, (EDGES, rows(7, 2), rows(1))),
    # opcheck adds up all results in the type of the first, here int64, if one has a gradient.
    "edge_contract": lambda: (ops.edge_contract, (EDGES, rows(20).detach(), 7)),
    "contracted_edges": lambda: (ops.contracted_edges, (EDGES, rows(20), 7)),
    "coarse_graph": lambda: (ops.coarse_graph, (EDGES, INDEX, 5)),
    "louvain": lambda: (ops.louvain.default, (EDGES, 7)),
    "heavy_edge": lambda: (ops.heavy_edge.default, (EDGES, 7)),
    "squared_graph": lambda: (ops.squared_graph.default, (EDGES, 7)),
    "top_k": lambda: (ops.top_k, (rows(7),)),
}


@pytest.mark.parametrize("name", CALLS)
def test_operators_are_registered_for_compilers(name):
    op, arguments = CALLS[name]()
    torch.library.opcheck(op, arguments)


class Flat(torch.nn.Module):
    """Two graph layers, a readout and a classifier."""

    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(3, 8)
        self.second = torch.nn.Linear(8, 2)

    def forward(self, x, edge_index, batch, num_graphs: int):
        x = torch.relu(ops.spmm(edge_index, None, self.first(x)) + x.sum())
        return ops.segment_mean(ops.spmm(edge_index, None, self.second(x)), batch, num_graphs)


def test_a_compiled_flat_model_has_no_graph_break():
    model = Flat()
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    x, batch = rows(7, 3), torch.tensor([0, 0, 0, 1, 1, 1, 1])
    expected = model(x, EDGES, batch, 2)
    result = compiled(x, EDGES, batch, 2)
    assert torch.allclose(result, expected)
    own = torch.autograd.grad(result.sum(), model.first.weight)[0]
    assert torch.allclose(own, torch.autograd.grad(expected.sum(), model.first.weight)[0])


def test_a_flat_model_is_exported():
    x, batch = torch.ones(7, 3), torch.tensor([0, 0, 0, 1, 1, 1, 1])
    exported = torch.export.export(Flat(), (x, EDGES, batch, 2))
    assert exported.module()(x, EDGES, batch, 2).shape == (2, 2)
