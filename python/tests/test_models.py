"""Models as modules: parameters, copies, files, training."""

import copy
import gc
import io
import pickle
import weakref

import hgnet
import pytest
import torch
import torch.nn.utils.prune
from graphs import batch_of
from hgnet.nn import HGNet, Model, model_names

PATH = torch.tensor([[0, 1, 2, 3], [1, 2, 3, 4]])

LAYERS = {"gcn": {}, "gat": {"heads": 2}, "cheb": {}, "gin": {}, "gcn-vn": {}}
LEVELS = {"hgnet-edgepool": {"levels": 2}, "hgnet-louvain": {"levels": 2}, "g-unet": {"levels": 1}}


def a_model(name, task="node", **settings):
    return Model(name, 3, 2, task=task, seed=1, hidden=8, **{**LAYERS, **LEVELS}.get(name, {}), **settings)


def rows_of(nodes, seed=1, dtype=torch.float32):
    return torch.randn(nodes, 3, dtype=dtype, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("name", [*LAYERS, *LEVELS])
def test_a_model_trains_with_torchs_optimisers(name):
    model = a_model(name)
    x, graph = rows_of(5), model.prepare(PATH)
    y = torch.tensor([0, 1, 0, 1, 0])
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(200):
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x, graph), y)
        loss.backward()
        optimiser.step()
        losses.append(float(loss))
    assert losses[-1] < 0.8 * losses[0], (losses[0], losses[-1])


def test_every_name_makes_a_model():
    for name in model_names():
        if name != "wl":  # which learns its colours before it is used
            assert Model(name, 3, 2, seed=1)(rows_of(5), PATH).shape == (5, 2)


@pytest.mark.parametrize("name", [*LAYERS, *LEVELS])
def test_the_gradient_is_that_of_finite_differences(name):
    model = a_model(name).double()
    x, graph = rows_of(5, dtype=torch.float64), model.prepare(PATH)
    for parameter in model.parameters():
        (own,) = torch.autograd.grad(model(x, graph).sin().sum(), parameter, allow_unused=True)
        step = torch.zeros_like(parameter)
        step.view(-1)[parameter.numel() // 2] = 1e-6
        with torch.no_grad():
            values = []
            for sign in (1, -1):
                parameter += sign * step
                values.append(float(model(x, graph).sin().sum()))
                parameter -= sign * step
        expected = (values[0] - values[1]) / 2e-6
        found = 0.0 if own is None else float(own.view(-1)[parameter.numel() // 2])
        assert found == pytest.approx(expected, abs=1e-5)


def test_the_tensors_have_the_librarys_names_and_are_its_own():
    model = a_model("hgnet-edgepool", norm="batch")
    assert set(model.state_dict()) == set(model._object.parameters()) | set(model._object.buffers())
    assert all(isinstance(parameter, torch.nn.Parameter) for parameter in model.parameters())
    before = model(rows_of(5), PATH)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    assert not torch.equal(model(rows_of(5), PATH), before)


def same(first, second):
    x = rows_of(5, dtype=next(first.parameters()).dtype)
    return torch.equal(first.eval()(x, PATH), second.eval()(x, PATH))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))], ids=["deepcopy", "pickle"])
def test_copies_are_equal_and_independent(copied, dtype):
    model = a_model("hgnet-louvain", norm="batch", dropout=0.5).to(dtype)
    x = rows_of(5, dtype=dtype)
    model(x, PATH)  # moves statistics and generator
    next(model.parameters()).requires_grad_(False)
    other = copied(model)
    assert [p.requires_grad for p in other.parameters()] == [p.requires_grad for p in model.parameters()]
    assert torch.equal(model(x, PATH), other(x, PATH))  # the same dropout
    assert same(model, other)
    with torch.no_grad():
        list(other.parameters())[-1].add_(1)
    assert not same(model, other)


def through_a_file(value):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, weights_only=False)


COPIES = [copy.deepcopy, lambda pair: pickle.loads(pickle.dumps(pair)), through_a_file]


@pytest.mark.parametrize("model_first", [True, False])
@pytest.mark.parametrize("kind", [torch.optim.Adam, hgnet.optim.Adam])
@pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle", "save"])
def test_an_optimiser_copied_along_steps_the_copied_model(copied, kind, model_first):
    model, x = a_model("gcn", norm="batch"), rows_of(5)
    optimiser = kind(model.parameters(), lr=0.1)

    def step(model, optimiser):
        optimiser.zero_grad()
        model(x, PATH).square().sum().backward()
        optimiser.step()

    step(model, optimiser)
    if model_first:
        other, stepper = copied((model, optimiser))
    else:
        stepper, other = copied((optimiser, model))
    assert all(a is b for a, b in zip(other.parameters(), stepper.param_groups[0]["params"]))
    assert same(model, other)
    before = [parameter.clone() for parameter in model.parameters()]
    step(other.train(), stepper)
    assert all(torch.equal(a, b) for a, b in zip(before, model.parameters()))
    assert not same(model, other)
    step(model.train(), optimiser)
    assert same(model, other)  # also the moments went along


def test_a_shallow_copy_shares_the_tensors_and_leaves_the_model_whole():
    model = a_model("gcn", norm="batch")
    own = list(model.parameters())
    other = copy.copy(model)
    for either in (model, other):
        assert all(a is b for a, b in zip(own, either.parameters()))
        either.zero_grad()
        either(rows_of(5), PATH).square().sum().backward()
        assert any(parameter.grad is not None and parameter.grad.any() for parameter in own)
    with torch.no_grad():
        own[0].add_(1)
    assert same(model, other)


def test_parameters_outlive_their_model_and_do_not_keep_it():
    model = a_model("gcn")
    parameters, core = list(model.parameters()), weakref.ref(model._core)
    del model
    gc.collect()
    assert core() is None
    for copied in COPIES:
        assert all(torch.equal(a, b) for a, b in zip(copied(parameters), parameters))


def weight_of(model):
    """The module that holds the first weight, its name there, and its whole name."""
    name = next(name for name, _ in model.named_parameters() if name.endswith("weight"))
    return (*model._folder(name), name)


def assign_a_state(model):
    state = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    model.load_state_dict(state, assign=True)


def set_a_parameter(model):
    folder, leaf, _ = weight_of(model)
    setattr(folder, leaf, torch.nn.Parameter(getattr(folder, leaf).detach().clone()))


def set_a_module(model):
    model.network = copy.deepcopy(model.network)


def set_a_buffer(model):
    folder, leaf = model._folder(next(name for name, _ in model.named_buffers()))
    setattr(folder, leaf, getattr(folder, leaf).clone())


def prune_a_weight(model):
    torch.nn.utils.prune.l1_unstructured(*weight_of(model)[:2], amount=0.5)


def norm_a_weight(model):
    torch.nn.utils.weight_norm(*weight_of(model)[:2])


REPLACED = [assign_a_state, set_a_parameter, set_a_module, set_a_buffer, prune_a_weight, norm_a_weight]


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("replace", REPLACED, ids=lambda replace: replace.__name__)
def test_tensors_in_the_place_of_the_librarys_are_refused_by_name(replace, tmp_path):
    model = a_model("gcn", norm="batch")
    try:
        replace(model)
    except TypeError:
        pytest.skip("load_state_dict has no assign in this PyTorch")
    calls = [
        lambda: model(rows_of(5), PATH),
        lambda: model.embed(rows_of(5), PATH),
        lambda: hgnet.save(model, tmp_path / "model.safetensors"),
        lambda: copy.deepcopy(model),
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match=r"network.* is not the library's own any more.*copy_\(\)"):
            call()


def test_a_functional_call_is_refused_and_leaves_the_model_whole():
    functional_call = pytest.importorskip("torch.func").functional_call
    model = a_model("gcn")
    before = model(rows_of(5), PATH)
    others = {name: torch.zeros_like(tensor) for name, tensor in model.named_parameters()}
    with pytest.raises(RuntimeError, match=weight_of(model)[2]):
        functional_call(model, others, (rows_of(5), PATH))
    assert torch.equal(model(rows_of(5), PATH), before)


def test_weights_go_from_model_to_model():
    first, second = a_model("gcn"), Model("gcn", 3, 2, seed=2, hidden=8)
    assert not same(first, second)
    second.load_state_dict(first.state_dict())
    assert same(first, second)


def test_double_reaches_the_running_statistics():
    model = a_model("gcn", norm="batch").double()
    model(rows_of(5, dtype=torch.float64), PATH)
    assert all(buffer.dtype == torch.float64 for buffer in model.buffers())
    assert {name: tensor.data_ptr() for name, tensor in model.named_buffers()} == {
        name: tensor.data_ptr() for name, tensor in model._object.buffers().items()
    }


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_files_give_the_same_bits(tmp_path, dtype):
    model = a_model("hgnet-edgepool", norm="batch").to(dtype)
    model(rows_of(5, dtype=dtype), PATH)
    hgnet.save(model, tmp_path / "model.safetensors")
    loaded = hgnet.load(tmp_path / "model.safetensors")
    assert not loaded.training and loaded.settings == model.settings
    for name, tensor in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], tensor)
    assert same(model, loaded)
    hgnet.save(loaded, tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").read_bytes() == (tmp_path / "model.safetensors").read_bytes()


def test_a_run_of_several_fits_needs_a_choice(tmp_path):
    for fit in ("seed0", "seed1"):
        (tmp_path / fit).mkdir()
        hgnet.save(a_model("gcn"), tmp_path / fit / "best.safetensors")
    with pytest.raises(ValueError, match="seed0, seed1"):
        hgnet.load(tmp_path)
    assert hgnet.load(tmp_path, fit="seed1").settings["model"] == "gcn"
    with pytest.raises(FileNotFoundError, match="neither a .safetensors file nor a run"):
        hgnet.load(tmp_path / "nothing")


@pytest.mark.parametrize("name", ["gcn", "hgnet-edgepool", "hgnet-louvain"])
def test_a_graph_in_a_batch_gets_the_row_it_gets_alone(name):
    model = a_model(name, task="graph").eval()
    draw = torch.Generator().manual_seed(5)
    edges, batch = batch_of(4, draw, symmetric=True)
    x = rows_of(batch.numel())
    together = model(x, edges, batch)
    for graph in range(4):
        nodes = (batch == graph).nonzero().view(-1)
        own = edges[:, batch[edges[0]] == graph] - nodes[0]
        alone = model(x[nodes], hgnet.Graph(own, nodes.numel()))
        assert torch.allclose(together[graph], alone[0], atol=1e-6)


def test_training_mode_reaches_the_library():
    model = a_model("gcn", dropout=0.5)
    x = rows_of(5)
    assert not torch.equal(model(x, PATH), model(x, PATH))
    model.eval()
    assert torch.equal(model(x, PATH), model(x, PATH))
    assert torch.equal(model.embed(x, PATH), model.embed(x, PATH))
    model.train()
    assert not torch.equal(model(x, PATH), model(x, PATH))


def test_torchs_seed_decides_where_none_is_given():
    torch.manual_seed(3)
    first = HGNet(3, 2)
    torch.manual_seed(3)
    assert same(first, HGNet(3, 2))
    assert not same(first, HGNet(3, 2))


def beside_a_graph(**given):
    return a_model("gcn")(rows_of(5), hgnet.Graph(PATH), **given)


def beside_prepared(**given):
    model = a_model("gcn")
    return model(rows_of(5), model.prepare(PATH), **given)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: Model("gnc", 3, 2), RuntimeError, "gcn"),
        (lambda: Model("gcn", 3, 2, levls=1), TypeError, "no setting levls"),
        (lambda: Model("gcn", 3, 2, levels=7), RuntimeError, "levels"),
        (lambda: a_model("gcn")(rows_of(4), PATH), RuntimeError, "node 4, but there are 4"),
        (lambda: a_model("gcn")(torch.ones(5, 7), PATH), RuntimeError, "width 7"),
        (lambda: a_model("gcn")(torch.ones(5, 3).double(), PATH), RuntimeError, "x is Double"),
        (lambda: a_model("gcn").prepare(PATH, batch=torch.tensor([0, 0, 1, 1, 1])), RuntimeError, "joins graphs"),
        (lambda: a_model("gcn").prepare(PATH, batch=torch.tensor([1, 0, 0, 0, 0])), RuntimeError, "ascend"),
        (lambda: a_model("gcn")([[1.0]], PATH), TypeError, r"x must be a torch.Tensor \[nodes, channels\] \(got list\)"),
        (lambda: a_model("gcn")(rows_of(5), PATH.tolist()), TypeError, r"edge_index must be .* or a Graph \(got list\)"),
        (lambda: a_model("gcn")(rows_of(5), PATH, [0] * 5), TypeError, r"batch must be a torch.Tensor \(got list\)"),
        (lambda: beside_a_graph(edge_weight=torch.ones(4)), TypeError, "edge_weight beside a Graph"),
        (lambda: beside_a_graph(edge_attr=torch.ones(4, 1)), TypeError, "edge_attr beside a Graph"),
        (lambda: beside_prepared(batch=torch.zeros(5).long()), TypeError, "batch beside a Prepared"),
        (lambda: beside_prepared(edge_weight=torch.ones(4)), TypeError, "edge_weight beside a Prepared"),
    ],
)
def test_bad_input_is_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_twenty_lines_learn_color_connectivity():
    torch.manual_seed(1)
    data = hgnet.datasets.color_connectivity(width=8, height=8, samples=400, seed=1)
    split = data.split("random:0.8,0.1,0.1")
    model = HGNet(1, 2, levels=3, task="graph", hidden=16, seed=1)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(15):
        for batch in data.loader(model, split.train, batch_size=32, shuffle=True):
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(model(batch.x, batch.graphs), batch.y).backward()
            optimiser.step()
    model.eval()
    with torch.no_grad():
        right = [(model(b.x, b.graphs).argmax(1) == b.y).float() for b in data.loader(model, split.train)]
    assert torch.cat(right).mean() > 0.7
