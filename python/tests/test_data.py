"""Data sets, splits, hierarchies, records; networkx, pandas and PyTorch Geometric where they are."""

import copy
import gzip
import pickle
from pathlib import Path

import hgnet
import pytest
import torch
from graphs import edge_list


def a_grid(side=6):
    return hgnet.datasets.grid(side, side)


@pytest.mark.parametrize("coarsening", ["edgepool", "louvain", "heavy-edge", "random"])
def test_levels_of_a_hierarchy_are_contractions(coarsening):
    levels = hgnet.hierarchy(a_grid(), coarsening=coarsening, seed=3)
    assert len(levels.graphs) == len(levels.parents) + 1 > 1
    for fine, parent, coarse in zip(levels.graphs, levels.parents, levels.graphs[1:]):
        ends = parent[fine.edge_index]
        expected = {(u, v) for u, v in ends.t().tolist() if u != v}
        assert {tuple(edge) for edge in coarse.edge_index.t().tolist()} == expected
        assert parent.unique().tolist() == list(range(coarse.num_nodes))
    assert levels.parent_from_input(0).tolist() == list(range(36))
    assert len(hgnet.hierarchy(a_grid(), coarsening=coarsening, levels=1).parents) == 1


def test_a_graph_survives_pickling_and_copying():
    draw = torch.Generator().manual_seed(1)
    listed = edge_list(6, 12, draw)
    graph = hgnet.Graph(listed, 6, torch.rand(12, generator=draw), torch.rand(12, 2, generator=draw))
    for other in (pickle.loads(pickle.dumps(graph)), copy.deepcopy(graph)):
        assert torch.equal(other.edge_index, graph.edge_index)
        assert torch.equal(other.edge_weight, graph.edge_weight)
        assert torch.equal(other.edge_attr, graph.edge_attr)


def test_a_copied_graph_sums_over_the_same_list():
    """One-way edges stay one-way, and an edge that is listed twice counts twice."""
    one_way = hgnet.Graph(torch.tensor([[0, 0, 1], [1, 1, 2]]))
    x = torch.tensor([[1.0], [2.0], [4.0]])
    for other in (one_way, pickle.loads(pickle.dumps(one_way)), copy.deepcopy(one_way)):
        assert other.spmm(x).tolist() == [[0.0], [2.0], [2.0]]


def test_networkx_goes_in_and_out():
    networkx = pytest.importorskip("networkx")
    given = networkx.Graph()
    given.add_weighted_edges_from([("a", "b", 2.0), ("b", "c", 3.0)])
    graph = hgnet.Graph.from_networkx(given, weight="weight")
    back = graph.to_networkx()
    assert networkx.utils.graphs_equal(networkx.relabel_nodes(given, {"a": 0, "b": 1, "c": 2}), back)


def components(graph, red):
    """Of the red nodes, by search."""
    edges = graph.edge_index.t().tolist()
    seen, count = set(), 0
    for start in red:
        if start in seen:
            continue
        count += 1
        queue = [start]
        while queue:
            node = queue.pop()
            if node not in seen:
                seen.add(node)
                queue += [v for u, v in edges if u == node and v in red]
    return count


def test_labels_of_color_connectivity_count_the_islands():
    data = hgnet.datasets.color_connectivity(width=8, height=8, samples=10, seed=2)
    for sample in range(10):
        red = set(data[sample].x.view(-1).nonzero().view(-1).tolist())
        assert components(data.graph(sample), red) == int(data.y[sample]) + 1


def test_a_data_set_goes_through_dataloader_workers():
    data = hgnet.datasets.load("cc-grid8", samples=8)
    loader = torch.utils.data.DataLoader(data, batch_size=None, num_workers=2)
    assert [sample.y.item() for sample in loader] == data.y.tolist()
    other = pickle.loads(pickle.dumps(data))
    assert torch.equal(other.x, data.x)


class Rows(torch.utils.data.Dataset):
    """What a worker needs a model, a graph and a data set for."""

    def __init__(self):
        self.data = hgnet.datasets.color_connectivity(width=8, height=8, samples=2)
        self.graph = hgnet.Graph(self.data[0].edge_index, edge_weight=torch.ones(self.data[0].edge_index.size(1)))
        self.model = hgnet.nn.Model("gcn", 1, 2, hidden=8, norm="batch", seed=1).eval()

    def __len__(self):
        return 2

    def __getitem__(self, number):
        with torch.no_grad():
            return self.model(self.data[number].x, self.graph)


spawn = pytest.param(
    "spawn",
    marks=pytest.mark.skipif(
        torch.__version__ < "2", reason="PyTorch 1.13 cannot spawn with two tensors that share memory"
    ),
)


@pytest.mark.parametrize("start", [spawn, "forkserver"])
def test_models_graphs_and_data_reach_workers_of_another_start(start):
    rows = Rows()
    loader = torch.utils.data.DataLoader(rows, batch_size=None, num_workers=1, multiprocessing_context=start)
    assert all(torch.equal(found, rows[number]) for number, found in enumerate(loader))


def test_graphs_of_a_data_set_are_counted_from_the_end_too():
    data = hgnet.datasets.color_connectivity(width=8, height=8, samples=4)
    assert torch.equal(data[-1].x, data[3].x) and torch.equal(data[-4].x, data[0].x)
    assert data[-1].y == data[3].y


@pytest.mark.parametrize("samples", [[], torch.empty(0, dtype=torch.long)], ids=["list", "tensor"])
@pytest.mark.parametrize("shuffle", [False, True])
def test_an_empty_part_has_no_batches(samples, shuffle):
    data = hgnet.datasets.load("cc-grid8", samples=4)
    loader = data.loader(hgnet.nn.Model("gcn", 1, 2, task="graph"), samples, shuffle=shuffle)
    assert len(loader) == 0 and list(loader) == []


def test_samples_may_be_a_list():
    data = hgnet.datasets.load("cc-grid8", samples=4)
    loader = data.loader(hgnet.nn.Model("gcn", 1, 2, task="graph"), [3, 0, 2], batch_size=2)
    assert [batch.samples.tolist() for batch in loader] == [[3, 0], [2]]


def test_batches_are_the_samples():
    data = hgnet.datasets.load("cc-grid8", samples=8)
    model = hgnet.nn.HGNet(1, 2, task="graph", seed=1).eval()
    loader = data.loader(model, torch.tensor([5, 2, 7]), batch_size=2)
    assert len(loader) == 2
    for batch in loader:
        alone = [model(data[int(s)].x, data.graph(int(s))) for s in batch.samples]
        assert torch.allclose(model(batch.x, batch.graphs), torch.cat(alone), atol=1e-6)
        assert torch.equal(batch.y, data.y[batch.samples])


def test_ones_own_tables_are_read(tmp_path):
    (tmp_path / "nodes.csv").write_text("id,label,size\n0,a,1.5\n1,b,2.5\n2,a,3.5\n")
    (tmp_path / "edges.csv").write_text("source,target\n0,1\n1,2\n")
    data = hgnet.datasets.load(str(tmp_path)).encoded(torch.tensor([0, 1]), standardise=False)
    assert data.task == "node" and data.class_names == ["a", "b"] and data.y.tolist() == [0, 1, 0]
    assert data.x.view(-1).tolist() == [1.5, 2.5, 3.5]


def test_sanitized_samples_are_far_apart():
    graph = a_grid(12)
    labels = torch.arange(144) % 2
    parts = hgnet.splits.sanitized(graph, labels, hops=2, train_per_class=3, num_val=4, num_test=50)
    drawn = torch.cat(parts).tolist()
    adjacent = torch.zeros(144, 144)
    adjacent[graph.edge_index[0], graph.edge_index[1]] = 1
    near = torch.linalg.matrix_power(adjacent + torch.eye(144), 2) > 0
    assert all(not near[a, b] for a in drawn for b in drawn if a != b)
    assert torch.bincount(labels[parts.train]).tolist() == [3, 3]


def test_folds_are_stratified():
    labels = torch.tensor([0] * 10 + [1] * 20)
    folds = hgnet.splits.folds(labels, 5, seed=1)
    assert torch.cat(folds).sort().values.tolist() == list(range(30))
    assert all(torch.bincount(labels[fold]).tolist() == [2, 4] for fold in folds)


def test_records_become_a_frame(tmp_path):
    pandas = pytest.importorskip("pandas")
    for seed in (0, 1):
        folder = tmp_path / f"seed{seed}"
        folder.mkdir()
        (folder / "result.json").write_text(f'{{"seed": {seed}, "metrics": {{"test": {{"accuracy": 0.5}}}}}}')
    assert [record["seed"] for record in hgnet.records.read(tmp_path)] == [0, 1]
    frame = hgnet.records.frame(tmp_path)
    assert isinstance(frame, pandas.DataFrame) and frame["metrics.test.accuracy"].mean() == 0.5
    with pytest.raises(FileNotFoundError, match="no result.json, "):
        (tmp_path / "empty").mkdir()
        hgnet.records.read(tmp_path / "empty")


def test_records_are_found_in_files_of_lines_each_once(tmp_path):
    one, two, three = ('{"seed": %d}\n' % seed for seed in (1, 2, 3))
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "result.json").write_text(one)
    (tmp_path / "run" / "epochs.jsonl").write_text('{"epoch": 1}\n')  # a log of one fit
    (tmp_path / "some.jsonl").write_text(two)
    (tmp_path / "all.jsonl.gz").write_bytes(gzip.compress((one + two + three).encode()))
    assert sorted(record["seed"] for record in hgnet.records.read(tmp_path)) == [1, 2, 3]


def test_the_projects_own_records_become_a_frame():
    pytest.importorskip("pandas")
    results = Path(__file__).parents[2] / "results"
    if not results.is_dir():
        pytest.skip("not in the project's folder")
    assert hgnet.records.frame(results)["metrics.test.accuracy"].notna().any()


def test_pytorch_geometric_gets_the_same_graphs():
    pytest.importorskip("torch_geometric")
    data = hgnet.datasets.load("cc-grid8", samples=4)
    pyg = data.to_pyg()
    assert len(pyg) == 4
    for ours, theirs in zip(data, pyg):
        assert torch.equal(ours.x, theirs.x) and torch.equal(ours.edge_index, theirs.edge_index)
        assert int(ours.y) == int(theirs.y)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: hgnet.datasets.load("no-such-set"), RuntimeError, "no-such-set"),
        (lambda: hgnet.datasets.color_connectivity(width=8, height=8, samples=2)[2], IndexError, "graph 2 of 2"),
        (lambda: hgnet.datasets.color_connectivity(width=8, height=8, samples=2)[-3], IndexError, "graph -3 of 2"),
        (lambda: hgnet.hierarchy(a_grid(), num_nodes=36), TypeError, "hierarchy: num_nodes beside a Graph"),
        (lambda: hgnet.hierarchy([[0], [1]]), TypeError, r"hierarchy: edge_index must be .* \(got list\)"),
        (lambda: hgnet.Graph([[0], [1]]), TypeError, r"Graph: edge_index must be .* \(got list\); torch.as_tensor"),
        (lambda: hgnet.Graph(torch.tensor([[0], [1]]), edge_weight=[1.0]), TypeError, r"edge_weight must be .* \(got list\)"),
        (lambda: hgnet.splits.sanitized(a_grid(), torch.zeros(36).long(), num_nodes=9), TypeError, "num_nodes beside"),
        (lambda: hgnet.datasets.load("cc-grid8", samples=4).split("sanitized:1"), RuntimeError, "sanitized"),
        (lambda: hgnet.splits.sanitized(a_grid(), torch.zeros(3).long()), RuntimeError, "holds node|36 entries"),
        (lambda: hgnet.splits.folds(torch.tensor([0, 1]), 5), RuntimeError, "folds"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()
