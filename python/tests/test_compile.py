"""PyTorch 2: operators are registered as compilers need them."""

import pytest
import torch
from graphs import edge_list

if not hasattr(torch.library, "opcheck"):
    pytest.skip("needs PyTorch 2", allow_module_level=True)

import hgnet

ops = torch.ops.hgnet
DRAW = torch.Generator().manual_seed(1)
EDGES = edge_list(7, 20, DRAW)
INDEX = torch.tensor([0, 2, -1, 2, 1, 0, 4])


def rows(*shape):
    return torch.randn(*shape, generator=DRAW, requires_grad=True)


def plain(*shape):
    return rows(*shape).detach()


CALLS = {
    "gather_rows": lambda: (ops.gather_rows, (rows(5, 3), INDEX)),
    "segment_sum": lambda: (ops.segment_sum, (rows(7, 3), INDEX, 5)),
    "segment_mean": lambda: (ops.segment_mean, (rows(7, 3), INDEX, 5)),
    "segment_max": lambda: (ops.segment_max, (rows(7, 3), INDEX, 5)),
    "segment_max_backward": lambda: (ops.segment_max_backward, (rows(5, 3), plain(7, 3), INDEX, 5)),
    "segment_softmax": lambda: (ops.segment_softmax, (rows(7), INDEX, 5)),
    "spmm": lambda: (ops.spmm.default, (EDGES, rows(20), rows(7, 3))),
    "spmm without values": lambda: (ops.spmm.default, (EDGES, None, rows(7, 3))),
    "linear": lambda: (ops.linear, (rows(7, 3), rows(2, 3))),
    "row_products": lambda: (ops.row_products, (rows(7, 3), rows(7, 2))),
    "merge_rows": lambda: (ops.merge_rows, (rows(7, 3), INDEX, rows(5))),
    "merge_rows_backward": lambda: (ops.merge_rows_backward, (rows(5, 3), rows(7, 3), INDEX, rows(5), True)),
    "merge_rows_backward, scores": lambda: (ops.merge_rows_backward, (rows(5, 3), rows(7, 3), INDEX, rows(5), False)),
    "edge_dots": lambda: (ops.edge_dots, (EDGES, rows(7, 3), rows(7, 3))),
    "edge_softmax": lambda: (ops.edge_softmax, (EDGES, rows(7, 2), rows(1))),
    "edge_softmax_backward": lambda: (ops.edge_softmax_backward, (rows(20), rows(20), EDGES, 7)),
    "merge_scores": lambda: (ops.merge_scores, (rows(7), INDEX)),
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


BATCH = torch.tensor([0, 0, 0, 1, 1, 1, 1])


@pytest.mark.parametrize("dynamic", [False, True], ids=["of one size", "of any size"])
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_a_compiled_flat_model_has_no_graph_break(backend, dynamic):
    torch.compiler.reset()
    model = Flat()
    compiled = torch.compile(model, fullgraph=True, backend=backend, dynamic=dynamic)
    draw = torch.Generator().manual_seed(2)
    inputs = [(rows(7, 3), EDGES, BATCH, 2)]
    if dynamic:
        inputs += [(rows(n, 3), edge_list(n, 3 * n, draw), torch.arange(n) // 4, -(-n // 4)) for n in (9, 14)]
    for given in inputs:
        expected, result = model(*given), compiled(*given)
        assert torch.allclose(result, expected, atol=1e-5)
        own = torch.autograd.grad(result.sum(), model.first.weight)[0]
        assert torch.allclose(own, torch.autograd.grad(expected.sum(), model.first.weight)[0], atol=1e-5)


def test_graph_breaks_of_a_flat_model_are_none():
    torch.compiler.reset()
    explained = torch._dynamo.explain(Flat())(rows(7, 3), EDGES, BATCH, 2)
    assert explained.graph_count == 1 and explained.graph_break_count == 0


@torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True)  # the default of later versions
def test_a_compiled_edge_pooling_has_no_graph_break():
    torch.compiler.reset()
    pool = hgnet.nn.EdgePooling(3)
    compiled = torch.compile(pool, fullgraph=True, backend="aot_eager")
    x = rows(7, 3)
    for result, expected in zip(compiled(x, EDGES, BATCH)[:3], pool(x, EDGES, BATCH)[:3]):
        assert torch.allclose(result, expected)


def test_a_flat_model_is_exported(tmp_path):
    x = torch.ones(7, 3)
    model = Flat()
    nodes, edges = torch.export.Dim("nodes", min=2), torch.export.Dim("edges", min=2)
    sizes = {"x": {0: nodes}, "edge_index": {1: edges}, "batch": {0: nodes}, "num_graphs": None}
    exported = torch.export.export(model, (x, EDGES, BATCH, 2), dynamic_shapes=sizes)
    torch.export.save(exported, tmp_path / "flat.pt2")
    loaded = torch.export.load(tmp_path / "flat.pt2").module()
    assert torch.allclose(loaded(x, EDGES, BATCH, 2), model(x, EDGES, BATCH, 2))
    other = torch.randn(9, 3), edge_list(9, 30, torch.Generator().manual_seed(3)), torch.arange(9) // 5, 2
    assert torch.allclose(loaded(*other), model(*other), atol=1e-5)
