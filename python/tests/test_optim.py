"""Adam against torch's own."""

import copy

import hgnet
import pytest
import torch


def weights(dtype):
    draw = torch.Generator().manual_seed(1)
    shapes = [(5, 3), (7,), (1,), (33,)]
    return [torch.nn.Parameter(torch.randn(shape, dtype=dtype, generator=draw)) for shape in shapes]


def train(optimiser, parameters, steps, begin=0):
    schedule = torch.optim.lr_scheduler.StepLR(optimiser, 3, gamma=0.5)
    for number in range(begin, begin + steps):
        optimiser.zero_grad()
        draw = torch.Generator().manual_seed(number)
        for parameter in parameters[: 3 if number % 2 else 4]:  # the last has a gradient now and then
            factor = torch.randn(parameter.shape, dtype=parameter.dtype, generator=draw)
            (parameter.sin() * factor).sum().backward()
        optimiser.step()
        schedule.step()


def same(first, second):
    return all(torch.allclose(a, b, rtol=1e-5) for a, b in zip(first, second))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("decay", [0.0, 0.1])
def test_the_steps_are_those_of_torchs_adam(dtype, decay):
    own, other = weights(dtype), weights(dtype)
    settings = dict(lr=0.05, betas=(0.8, 0.99), eps=1e-6, weight_decay=decay)
    train(hgnet.optim.Adam(own, **settings), own, 10)
    train(torch.optim.Adam(other, **settings), other, 10)
    assert same(own, other) and not same(own, weights(dtype))


@pytest.mark.parametrize("kinds", [(torch.optim.Adam, hgnet.optim.Adam), (hgnet.optim.Adam, torch.optim.Adam)])
def test_a_state_goes_to_and_from_torchs_adam(kinds):
    begun = weights(torch.float32)
    first = kinds[0](begun, lr=0.05)
    train(first, begun, 5)
    went_on, changed = copy.deepcopy(begun), copy.deepcopy(begun)
    again, other = kinds[0](went_on, lr=0.05), kinds[1](changed, lr=0.05)
    again.load_state_dict(copy.deepcopy(first.state_dict()))
    state = copy.deepcopy(first.state_dict()["state"])
    other.load_state_dict({"state": state, "param_groups": other.state_dict()["param_groups"]})
    for group in again.param_groups + other.param_groups:
        group["lr"] = group["initial_lr"] = 0.05
    train(again, went_on, 5, begin=5)
    train(other, changed, 5, begin=5)
    assert same(went_on, changed)


@pytest.fixture
def doubles_by_default():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_default_type_of_torch_does_not_matter(doubles_by_default, dtype):
    own, other = weights(dtype), weights(dtype)
    optimiser, original = hgnet.optim.Adam(own, lr=0.05), torch.optim.Adam(other, lr=0.05)
    train(optimiser, own, 3)
    train(original, other, 3)
    assert same(own, other)
    went_on = copy.deepcopy(other)
    optimiser = hgnet.optim.Adam(went_on, lr=0.05)
    optimiser.load_state_dict({**optimiser.state_dict(), "state": copy.deepcopy(original.state_dict()["state"])})
    train(optimiser, went_on, 2, begin=3)
    assert [float(optimiser.state[parameter]["step"]) for parameter in went_on[:3]] == [5, 5, 5]


def test_a_closure_has_gradients_where_they_are_off():
    weight = torch.nn.Parameter(torch.ones(2))
    optimiser = hgnet.optim.Adam([weight], lr=0.5)

    def closure():
        optimiser.zero_grad()
        loss = weight.sum()
        loss.backward()
        return loss

    with torch.no_grad():
        loss = optimiser.step(closure)
    assert float(loss.detach()) == 2 and torch.allclose(weight, torch.tensor(0.5))


def test_a_step_without_gradients_changes_nothing():
    weight = torch.nn.Parameter(torch.ones(2))
    hgnet.optim.Adam([weight]).step()
    assert torch.equal(weight, torch.ones(2))


def test_a_changed_parameter_is_noticed_by_autograd():
    weight = torch.nn.Parameter(torch.ones(2))
    optimiser = hgnet.optim.Adam([weight])
    loss = (weight * weight).sum()
    loss.backward(retain_graph=True)
    optimiser.step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()


def test_bad_input_is_refused_by_name():
    with pytest.raises(ValueError, match="lr=-1"):
        hgnet.optim.Adam([torch.nn.Parameter(torch.ones(2))], lr=-1)
    with pytest.raises(ValueError, match="betas"):
        hgnet.optim.Adam([torch.nn.Parameter(torch.ones(2))], betas=(0.9, 1))
    column = torch.nn.Parameter(torch.ones(2, 3).t())
    column.sum().backward()
    with pytest.raises(RuntimeError, match="contiguous"):
        hgnet.optim.Adam([column]).step()
