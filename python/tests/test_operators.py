"""Every operator against a plain torch form, with finite differences in float64."""

import hgnet
import pytest
import torch
from graphs import edge_list
from hypothesis import given
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck

ops = torch.ops.hgnet


def plain_sum(x, index, count):
    kept = index >= 0
    return x.new_zeros(count, *x.shape[1:]).index_add(0, index[kept], x[kept])


def plain_mean(x, index, count):
    sizes = plain_sum(torch.ones_like(x), index, count).clamp(min=1)
    return plain_sum(x, index, count) / sizes


def plain_max(x, index, count):
    nothing = 0 * x.sum(0)
    return torch.stack([x[index == p].max(0).values if (index == p).any() else nothing for p in range(count)])


def plain_softmax(x, index, count):
    result = torch.zeros_like(x)
    for p in range(count):
        result[index == p] = x[index == p].softmax(0)
    return result


SEGMENTS = {
    "segment_sum": plain_sum,
    "segment_mean": plain_mean,
    "segment_max": plain_max,
    "segment_softmax": plain_softmax,
}


def generator(seed):
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("name", SEGMENTS)
@given(rows=st.integers(0, 20), count=st.integers(1, 6), width=st.integers(0, 5), seed=st.integers(0, 1000))
def test_segments_equal_their_plain_form(name, rows, count, width, seed):
    draw = generator(seed)
    shape = (rows,) if width == 0 else (rows, width)
    x = torch.randn(shape, dtype=torch.float64, generator=draw, requires_grad=True)
    index = torch.randint(-1, count, (rows,), generator=draw)
    op = getattr(ops, name)
    expected = SEGMENTS[name](x, index, count)
    result = op(x, index, count)
    assert torch.allclose(result, expected)
    weight = torch.randn(result.shape, dtype=torch.float64, generator=draw)
    if rows > 0:
        (own,) = torch.autograd.grad((result * weight).sum(), x)
        (plain,) = torch.autograd.grad((expected * weight).sum(), x)
        assert torch.allclose(own, plain)


@pytest.mark.parametrize("name", SEGMENTS)
def test_segments_have_the_gradient_of_finite_differences(name):
    x = torch.randn(9, 3, dtype=torch.float64, generator=generator(1), requires_grad=True)
    index = torch.tensor([0, 2, -1, 2, 1, 0, 4, 2, 1])
    assert gradcheck(lambda rows: getattr(ops, name)(rows, index, 5), (x,))
    assert gradgradcheck(lambda rows: getattr(ops, name)(rows, index, 5).square(), (x,))


def test_gathering_has_the_gradient_of_finite_differences():
    x = torch.randn(4, 3, dtype=torch.float64, generator=generator(1), requires_grad=True)
    index = torch.tensor([3, -1, 0, 3])
    expected = torch.stack([x[3], 0 * x[0], x[0], x[3]])
    assert torch.equal(ops.gather_rows(x, index), expected)
    assert gradcheck(lambda rows: ops.gather_rows(rows, index), (x,))


PARENT = torch.tensor([0, 2, -1, 2, 1, 0])
OF_ROWS = {  # operator, its plain form, the shapes of its arguments
    "linear": (ops.linear, lambda x, w: x @ w.t(), [(6, 3), (2, 3)]),
    "wide linear": (ops.linear, lambda x, w: x @ w.t(), [(2, 260), (1, 260)]),
    "row_products": (ops.row_products, lambda a, b: a.t() @ b, [(6, 3), (6, 2)]),
    "merge_rows": (
        lambda x, score: ops.merge_rows(x, PARENT, score),
        lambda x, score: plain_sum(x, PARENT, 4) * score[:, None],
        [(6, 3), (4,)],
    ),
}


@pytest.mark.parametrize("name", OF_ROWS)
def test_operators_of_rows_equal_their_plain_form_and_have_both_derivatives(name):
    op, plain, shapes = OF_ROWS[name]
    arguments = [
        torch.randn(shape, dtype=torch.float64, generator=generator(i), requires_grad=True)
        for i, shape in enumerate(shapes)
    ]
    assert torch.allclose(op(*arguments), plain(*arguments))
    assert gradcheck(op, arguments)
    if name != "wide linear":
        assert gradgradcheck(op, arguments)


def test_operators_of_rows_refuse_what_does_not_fit():
    x = torch.ones(6, 3)
    with pytest.raises(RuntimeError, match="weight must have shape"):
        ops.linear(x, torch.ones(3))
    with pytest.raises(RuntimeError, match="row_products"):
        ops.row_products(x, torch.ones(5, 2))
    with pytest.raises(RuntimeError, match="merge_rows"):
        ops.merge_rows(x, PARENT, torch.ones(2))
    with pytest.raises(RuntimeError, match="of one type"):
        ops.merge_rows(x, PARENT, torch.ones(4, dtype=torch.float64))


@given(nodes=st.integers(1, 12), edges=st.integers(0, 30), weighted=st.booleans(), seed=st.integers(0, 1000))
def test_spmm_sums_over_the_listed_edges(nodes, edges, weighted, seed):
    draw = generator(seed)
    listed = edge_list(nodes, edges, draw)
    x = torch.randn(nodes, 3, dtype=torch.float64, generator=draw)
    values = torch.randn(edges, dtype=torch.float64, generator=draw) if weighted else None
    matrix = torch.zeros(nodes, nodes, dtype=torch.float64)
    matrix.index_put_((listed[1], listed[0]), torch.ones(edges, dtype=torch.float64) if values is None else values, accumulate=True)
    assert torch.allclose(ops.spmm(listed, values, x), matrix @ x)
    assert torch.allclose(hgnet.Graph(listed, nodes).spmm(x, values), matrix @ x)


@pytest.mark.parametrize("kept", [False, True])
def test_spmm_has_the_gradient_of_finite_differences(kept):
    draw = generator(3)
    listed = edge_list(6, 15, draw)
    x = torch.randn(6, 2, dtype=torch.float64, generator=draw, requires_grad=True)
    values = torch.randn(15, dtype=torch.float64, generator=draw, requires_grad=True)
    graph = hgnet.Graph(listed, 6)
    product = graph.spmm if kept else lambda rows, numbers: ops.spmm(listed, numbers, rows)
    assert gradcheck(product, (x, values))
    assert gradgradcheck(product, (x, values))


@pytest.mark.parametrize("width", [(), (3,)])
def test_products_along_edges_equal_their_plain_form_and_have_both_derivatives(width):
    draw = generator(9)
    listed = edge_list(6, 15, draw)
    target, source = (
        torch.randn(6, *width, dtype=torch.float64, generator=draw, requires_grad=True) for _ in range(2)
    )
    products = target[listed[1]] * source[listed[0]]
    assert torch.allclose(ops.edge_dots(listed, target, source), products.reshape(15, -1).sum(1))
    assert gradcheck(lambda t, s: ops.edge_dots(listed, t, s), (target, source))
    assert gradgradcheck(lambda t, s: ops.edge_dots(listed, t, s), (target, source))


def test_edge_score_has_the_gradient_of_finite_differences():
    draw = generator(4)
    listed = edge_list(5, 12, draw)
    by_node = torch.randn(5, 2, dtype=torch.float64, generator=draw, requires_grad=True)
    bias = torch.randn(1, dtype=torch.float64, generator=draw, requires_grad=True)
    raw = by_node[listed[0], 0] + by_node[listed[1], 1] + bias
    expected = plain_softmax(raw, listed[1], 5) + 0.5
    assert torch.allclose(ops.edge_score(listed, by_node, bias), expected)
    assert gradcheck(lambda rows, b: ops.edge_score(listed, rows, b), (by_node, bias))
    assert gradgradcheck(lambda rows, b: ops.edge_score(listed, rows, b), (by_node, bias))
    assert torch.allclose(ops.edge_score(listed, by_node.detach()), expected.detach())


def test_the_score_of_a_merge_has_the_gradient_of_finite_differences():
    draw = generator(5)
    listed = edge_list(8, 20, draw)
    score = torch.randn(20, dtype=torch.float64, generator=draw, requires_grad=True)
    assert gradcheck(lambda s: ops.edge_contract(listed, s, 8)[1], (score,))


def test_nan_is_contracted_first_as_torch_sorts_it():
    listed = torch.tensor([[0, 1, 2], [1, 2, 3]])
    parent, _ = ops.edge_contract(listed, torch.tensor([2.0, float("nan"), 1.0]), 4)
    assert parent.tolist() == [1, 0, 0, 2]


@pytest.mark.parametrize("loops", [False, True])
def test_coarse_edges_are_the_distinct_ones_and_know_their_fine_edges(loops):
    draw = generator(6)
    listed = edge_list(10, 40, draw)
    parent = torch.randint(-1, 4, (10,), generator=draw)
    coarse, edge_of = ops.coarse_graph(listed, parent, 4, loops)
    ends = [(int(parent[u]), int(parent[v])) for u, v in listed.t().tolist()]
    kept = [(p, q) for p, q in ends if min(p, q) >= 0 and (loops or p != q)]
    assert [tuple(edge) for edge in coarse.t().tolist()] == sorted(set(kept))
    for edge, number in zip(ends, edge_of.tolist()):
        expected = edge if edge in kept else None
        assert (tuple(coarse[:, number].tolist()) if number >= 0 else None) == expected


def clique_pair():
    pairs = [(a, b) for part in (range(5), range(5, 10)) for a in part for b in part if a < b]
    return torch.tensor(pairs + [(0, 5)]).t()


def test_louvain_finds_two_cliques():
    for parent in (ops.louvain(clique_pair(), 10), hgnet.Graph(clique_pair()).louvain()):
        assert parent.tolist() == [0] * 5 + [1] * 5


@pytest.mark.parametrize("seed", range(4))
def test_methods_of_a_kept_graph_are_the_operators(seed):
    listed = edge_list(12, 30, generator(seed))
    listed = listed[:, listed[0] != listed[1]]
    weight = torch.rand(listed.size(1), generator=generator(seed))
    graph = hgnet.Graph(listed, 12, weight)
    for best in (False, True):
        assert torch.equal(graph.louvain(seed, best), ops.louvain(listed, 12, weight, seed, best))
    assert torch.equal(graph.heavy_edge(seed), ops.heavy_edge(listed, 12, weight, seed))
    for own, expected in zip(graph.squared_graph(), ops.squared_graph(listed, 12, weight)):
        assert torch.equal(own, expected)


def test_heavy_edges_are_matched():
    """In whatever order nodes are visited: each has a heavy edge to another of its own."""
    listed = torch.tensor([[0, 1, 2], [1, 2, 3]])
    for seed in range(8):
        parent = ops.heavy_edge(listed, 4, torch.tensor([9.0, 1.0, 9.0]), seed)
        assert parent.tolist() == [0, 0, 1, 1]
    light = [ops.heavy_edge(listed, 4, torch.tensor([1.0, 9.0, 1.0]), seed).tolist() for seed in range(8)]
    assert [0, 1, 1, 2] in light


def test_top_k_keeps_the_highest_of_each_graph():
    score = torch.tensor([0.1, 0.9, 0.5, 0.3, 0.2])
    batch = torch.tensor([0, 0, 0, 1, 1])
    assert ops.top_k(score, batch, 0.5).tolist() == [-1, 0, 1, 2, -1]
    assert ops.top_k(score, None, 1.0).tolist() == [0, 1, 2, 3, 4]


def test_the_squared_graph_is_the_square():
    draw = generator(7)
    listed = edge_list(8, 12, draw)
    listed = listed[:, listed[0] != listed[1]]
    adjacency = torch.zeros(8, 8)
    adjacency[listed[0], listed[1]] = adjacency[listed[1], listed[0]] = 1
    square = torch.linalg.matrix_power(adjacency + torch.eye(8), 2)
    edges, weight = ops.squared_graph(listed, 8)
    result = torch.zeros(8, 8)
    result[edges[1], edges[0]] = weight
    assert torch.equal(result, square - torch.diag(square.diagonal()))


def test_the_number_of_threads_changes_no_bit():
    draw = generator(8)
    listed = edge_list(500, 4000, draw)
    x = torch.randn(500, 33, generator=draw)
    results = []
    before = torch.get_num_threads()
    try:
        for threads in (1, 2, 5):
            torch.set_num_threads(threads)
            results.append((ops.spmm(listed, None, x), ops.segment_sum(x, listed[0, :500] % 7, 7)))
    finally:
        torch.set_num_threads(before)
    for other in results[1:]:
        assert all(torch.equal(a, b) for a, b in zip(results[0], other))


EDGES = torch.tensor([[0, 1], [1, 2]])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: ops.spmm(EDGES.t().reshape(4, 1), None, torch.ones(3, 1)), r"shape \[2, edges\] \(got \[4, 1\]\)"),
        (lambda: ops.spmm(EDGES.int(), None, torch.ones(3, 1)), "must be int64"),
        (lambda: ops.spmm(EDGES, None, torch.ones(2, 1)), "holds node 2, but there are 2 nodes"),
        (lambda: ops.spmm(EDGES, torch.ones(3), torch.ones(3, 1)), r"values must have shape \[2\]"),
        (lambda: ops.spmm(EDGES, None, torch.ones(3)), r"shape \[nodes, channels\] \(got \[3\]\)"),
        (lambda: ops.segment_sum(torch.ones(3), torch.tensor([0, 1]), 2), r"must have shape \[2\]"),
        (lambda: ops.segment_sum(torch.ones(2), torch.tensor([0, 2]), 2), "index holds 2 at 1"),
        (lambda: ops.segment_softmax(torch.ones(2), torch.tensor([0, -2]), 2), "index holds -2"),
        (lambda: ops.edge_contract(EDGES, torch.ones(3), 3), r"score must have shape \[2\]"),
        (lambda: ops.coarse_graph(EDGES, torch.tensor([0, 0, 3]), 2), "index holds 3 at 2"),
        (lambda: ops.top_k(torch.ones(2), torch.tensor([0]), 0.5), "batch must have 2 entries"),
        (lambda: hgnet.Graph(EDGES, 2), "holds node 2"),
        (lambda: hgnet.Graph(EDGES, -1), "num_nodes must be in 0"),
        (lambda: hgnet.hierarchy(EDGES, coarsening="knots"), "unknown coarsening 'knots'"),
        (lambda: hgnet.hierarchy(EDGES, coarsening="top-k"), "top-k"),
    ],
)
def test_bad_input_is_refused_by_name(call, message):
    with pytest.raises(RuntimeError, match=message):
        call()
