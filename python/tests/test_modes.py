"""Modes of torch that a whole program may be in."""

import hgnet
import pytest
import torch

EDGES = torch.tensor([[0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2]])
BATCH = torch.zeros(4, dtype=torch.long)


def small_model(name):
    settings = {} if name in ("wl", "mlp") else {"hidden": 8, "norm": "batch"}
    return hgnet.nn.Model(name, 3, 2, task="graph", seed=1, **settings)


@pytest.fixture
def double_by_default():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("name", hgnet.nn.model_names())
def test_models_are_float_whatever_the_default(double_by_default, name):
    model = small_model(name)
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}
    x = torch.ones(4, 3, dtype=torch.float32)
    assert model(x, EDGES, BATCH).dtype == torch.float32


@pytest.mark.parametrize("name", hgnet.nn.model_names())
def test_models_run_in_inference_mode(name):
    model = small_model(name).eval()
    x = torch.ones(4, 3)
    expected = model(x, EDGES, BATCH)
    with torch.inference_mode():
        assert torch.equal(model(x.clone(), EDGES, BATCH), expected)


def test_data_are_float_whatever_the_default(double_by_default):
    data = hgnet.datasets.color_connectivity(width=8, height=8, samples=20)
    assert data.x.dtype == torch.float32


def test_pooling_has_the_same_gradients_for_rows_that_need_none():
    gradients = []
    for needs in (False, True):
        torch.manual_seed(1)
        pool = hgnet.nn.EdgePooling(3)
        rows = pool(torch.randn(4, 3).requires_grad_(needs), EDGES, BATCH)[0]
        gradients.append(torch.autograd.grad(rows.square().sum(), list(pool.parameters())))
    for without, with_rows in zip(*gradients):
        assert torch.equal(without, with_rows)
