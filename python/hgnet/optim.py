"""Adam in one call for all parameters."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Optional, Tuple

import torch

from . import _load  # noqa: F401


class Adam(torch.optim.Optimizer):
    """The steps of `torch.optim.Adam`, in one pass over each parameter, as in `hgnet train`.

    Schedulers, groups of parameters and `state_dict` work as usual; a state of `torch.optim.Adam`
    can be loaded, and the other way round. Parameters are on the CPU.

    Args:
        params: parameters, or groups of them.
        weight_decay: L2: added to the gradient.

    >>> weight = torch.nn.Parameter(torch.ones(2))
    >>> optimiser = Adam([weight], lr=0.5)
    >>> weight.sum().backward()
    >>> optimiser.step()
    >>> torch.allclose(weight, torch.tensor(0.5))
    True
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: Tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        if not (lr >= 0 and eps >= 0 and weight_decay >= 0):
            raise ValueError(f"Adam: negative among lr={lr}, eps={eps}, weight_decay={weight_decay}")
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"Adam: betas={betas}; both must be in [0, 1)")
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    def step(self, closure: Optional[Callable[[], Any]] = None) -> Any:
        """A step; parameters without a gradient stay as they are."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            given = [p for p in group["params"] if p.grad is not None]
            if not given:
                continue
            states = [self.state[p] or self._start(p) for p in given]
            with torch.no_grad():
                torch.ops.hgnet.adam_(
                    given,
                    [p.grad for p in given],
                    [state["exp_avg"] for state in states],
                    [state["exp_avg_sq"] for state in states],
                    [state["step"] for state in states],
                    float(group["lr"]),
                    *group["betas"],
                    group["eps"],
                    group["weight_decay"],
                )
        return loss

    def _start(self, parameter: Any) -> Any:
        state = self.state[parameter]
        state["step"] = torch.zeros((), dtype=torch.float32)
        state["exp_avg"] = torch.zeros_like(parameter, requires_grad=False)
        state["exp_avg_sq"] = torch.zeros_like(parameter, requires_grad=False)
        return state

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        for own in self.state.values():
            if "step" in own:  # torch.optim.Adam has it in torch's default type
                own["step"] = torch.as_tensor(own["step"], dtype=torch.float32)
