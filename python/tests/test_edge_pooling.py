"""EdgePooling against PyTorch Geometric's own layer or, without it, a port of its definition."""

import functools

import pytest
import torch
from graphs import batch_of, few_values
from hgnet.nn import EdgePooling

try:
    from torch_geometric.nn import EdgePooling as Original
except ImportError:
    Original = None


class Port(torch.nn.Module):
    """The definition, step by step."""

    def __init__(self, in_channels, edge_score_method=None, dropout=0.0, add_to_edge_score=0.5):
        super().__init__()
        self.lin = torch.nn.Linear(2 * in_channels, 1)
        self.method = edge_score_method or self.softmax
        self.add = add_to_edge_score

    @staticmethod
    def softmax(raw, edge_index, num_nodes):
        largest = torch.stack(
            [raw[edge_index[1] == v].max() if (edge_index[1] == v).any() else raw.new_zeros(()) for v in range(num_nodes)]
        )
        shifted = (raw - largest[edge_index[1]]).exp()
        sums = raw.new_zeros(num_nodes).scatter_add(0, edge_index[1], shifted)
        return shifted / sums[edge_index[1]]

    def forward(self, x, edge_index, batch):
        raw = self.lin(torch.cat([x[edge_index[0]], x[edge_index[1]]], dim=-1)).view(-1)
        score = self.method(raw, edge_index, x.size(0)) + self.add
        cluster = [None] * x.size(0)
        contracted = []
        for edge in torch.argsort(score, descending=True, stable=True).tolist():
            u, v = edge_index[:, edge].tolist()
            if cluster[u] is None and cluster[v] is None:
                cluster[u] = cluster[v] = len(contracted)
                contracted.append(edge)
        count = len(contracted)
        for v in range(x.size(0)):
            if cluster[v] is None:
                cluster[v] = count
                count += 1
        cluster = torch.tensor(cluster)
        new_score = torch.cat([score[contracted], x.new_ones(count - len(contracted))])
        rows = x.new_zeros(count, x.size(1)).index_add(0, cluster, x) * new_score.view(-1, 1)
        edges = cluster[edge_index].unique(dim=1)
        new_batch = batch.new_empty(count).scatter_(0, cluster, batch)
        return rows, edges, new_batch, (edge_index, cluster, batch, new_score)

    def unpool(self, x, info):
        return (x / info[3].view(-1, 1))[info[1]], info[0], info[2]


@pytest.fixture(params=["port", "original"])
def other_layer(request, monkeypatch):
    if request.param == "port":
        return Port
    if Original is None:
        pytest.skip("PyTorch Geometric is not installed")
    # The original leaves the order of equal scores open.
    monkeypatch.setattr(torch, "argsort", functools.partial(torch.argsort, stable=True))
    return Original


def pair(other_layer, width, draw, exact, **arguments):
    """Both layers with the same weights."""
    own, other = EdgePooling(width, **arguments).double(), other_layer(width, **arguments).double()
    if exact:
        with torch.no_grad():
            own.lin.weight.copy_(few_values((1, 2 * width), draw))
            own.lin.bias.copy_(few_values((1,), draw))
    other.load_state_dict(own.state_dict())
    return own, other


def compare(own, other, x, edge_index, batch):
    ours, theirs = x.clone().requires_grad_(), x.clone().requires_grad_()
    rows, edges, graphs, info = own(ours, edge_index, batch)
    expected_rows, expected_edges, expected_graphs, expected_info = other(theirs, edge_index, batch)
    assert torch.equal(info[1], expected_info[1])
    assert torch.allclose(info[3], expected_info[3])
    assert torch.allclose(rows, expected_rows)
    assert torch.equal(edges, expected_edges)
    assert torch.equal(graphs, expected_graphs)
    fine, fine_edges, fine_batch = own.unpool(rows, info)
    expected_fine, _, _ = other.unpool(expected_rows, expected_info)
    assert torch.allclose(fine, expected_fine)
    assert fine_edges is edge_index and fine_batch is batch
    ((rows**2).sum() + fine.sin().sum()).backward()
    ((expected_rows**2).sum() + expected_fine.sin().sum()).backward()
    assert torch.allclose(ours.grad, theirs.grad)
    if edge_index.size(1) > 0:
        assert torch.allclose(own.lin.weight.grad, other.lin.weight.grad)


def decided_by_rounding(layer, x, edge_index):
    """Whether two scores are equal but for rounding, which differs from one layer to the other."""
    raw = layer.lin(torch.cat([x[edge_index[0]], x[edge_index[1]]], dim=-1)).view(-1)
    gaps = Port.softmax(raw, edge_index, x.size(0)).sort().values.diff()
    return bool(((gaps > 0) & (gaps < 1e-12)).any())


@pytest.mark.parametrize("exact", [True, False], ids=["with ties", "without ties"])
def test_the_layer_is_the_same_on_200_random_batches(other_layer, exact):
    compared = 0
    for seed in range(800):
        torch.manual_seed(seed)  # of the layers' weights
        draw = torch.Generator().manual_seed(seed)
        edge_index, batch = batch_of(1 + seed % 4, draw, symmetric=seed % 2 == 0)
        shape = (batch.numel(), 3)
        x = few_values(shape, draw) if exact else torch.randn(shape, dtype=torch.float64, generator=draw)
        own, other = pair(other_layer, 3, draw, exact)
        if not exact and decided_by_rounding(own, x, edge_index):
            continue
        compare(own, other, x, edge_index, batch)
        compared += 1
        if compared == 200:
            return
    raise AssertionError(f"only {compared} batches")


@pytest.mark.parametrize("method", ["tanh", "sigmoid"])
def test_other_scores_are_the_same(other_layer, method):
    draw = torch.Generator().manual_seed(1)
    score = getattr(EdgePooling, f"compute_edge_score_{method}")
    edge_index, batch = batch_of(3, draw)
    x = torch.randn(batch.numel(), 4, dtype=torch.float64, generator=draw)
    layers = pair(other_layer, 4, draw, False, edge_score_method=score, add_to_edge_score=0.25)
    compare(*layers, x, edge_index, batch)


def test_dropout_acts_while_training_only():
    pool = EdgePooling(3, dropout=0.5)
    draw = torch.Generator().manual_seed(2)
    edge_index, batch = batch_of(3, draw)
    x = torch.randn(batch.numel(), 3, generator=draw)
    torch.manual_seed(1)
    first = pool(x, edge_index, batch)[0]
    torch.manual_seed(1)
    assert torch.equal(pool(x, edge_index, batch)[0], first)
    pool.eval()
    assert torch.equal(pool(x, edge_index, batch)[0], pool(x, edge_index, batch)[0])


@pytest.mark.parametrize("nodes", [0, 3])
def test_graphs_without_edges_stay_as_they_are(nodes):
    x = torch.ones(nodes, 2)
    batch = torch.zeros(nodes, dtype=torch.long)
    rows, edges, graphs, info = EdgePooling(2)(x, torch.empty(2, 0, dtype=torch.long), batch)
    assert torch.equal(rows, x) and edges.shape == (2, 0) and torch.equal(graphs, batch)


@pytest.mark.parametrize(
    "x, batch, error, message",
    [
        (torch.ones(3, 2), None, TypeError, r"batch must be a torch.Tensor \(got NoneType\)"),
        (torch.ones(3, 2), [0, 0, 0], TypeError, r"batch must be a torch.Tensor \(got list\)"),
        (torch.ones(3, 2), torch.zeros(2).long(), ValueError, r"batch must have shape \[3\].* \(got \[2\]\)"),
        ([[1.0, 1.0]], torch.zeros(1).long(), TypeError, r"x must be a torch.Tensor \(got list\)"),
    ],
)
def test_bad_input_is_refused_by_name(x, batch, error, message):
    with pytest.raises(error, match=message):
        EdgePooling(2)(x, torch.tensor([[0, 1], [1, 2]]), batch)
