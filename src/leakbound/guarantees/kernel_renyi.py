"""Regularised kernel Renyi differential privacy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from leakbound.errors import InvalidInput, shown
from leakbound.guarantees.base import Guarantee
from leakbound.numerics.rounding import exact
from leakbound.numerics.validate import real


@dataclass(frozen=True)
class KernelRenyiDP(Guarantee):
    """The regularised kernel Renyi divergence of the output's embeddings is at most epsilon.

    `kernel` names a kernel with k(x, x) = 1. Reference: Domingo-Enrich and Mroueh (2022).

    >>> str(KernelRenyiDP("rbf(bandwidth=1.0)", 2.0, 0.01, 0.5))
    '0.5 kernel Renyi DP (order 2, regularization 0.01, rbf(bandwidth=1.0))'
    """

    kernel: str
    order: float
    regularization: float
    epsilon: float

    kind: ClassVar[str] = "kernel-renyi"
    title: ClassVar[str] = "kernel Renyi differential privacy"
    larger_is_weaker: ClassVar[dict[str, bool]] = {"order": False, "regularization": True, "epsilon": True}

    def _clean(self) -> dict[str, Any]:
        if not isinstance(self.kernel, str) or not self.kernel.strip() or len(self.kernel) > 500:
            raise InvalidInput(f"kernel must be a kernel's name of 1 to 500 characters, but got {shown(self.kernel)}.")
        if self.kernel in ("inf", "-inf"):
            raise InvalidInput(f"kernel must be a kernel's name, but got {self.kernel!r}, a number; give the name.")
        return {
            "kernel": self.kernel,
            "order": real("order", self.order, above=0, infinite=True),
            "regularization": real("regularization", self.regularization, low=0),
            "epsilon": real("epsilon", self.epsilon, low=0, infinite=True),
        }

    @classmethod
    def examples(cls) -> tuple[KernelRenyiDP, ...]:
        """Return a regularised and an unregularised one."""
        return cls("rbf(bandwidth=1.0)", 2.0, 1e-3, 0.4), cls("laplace(bandwidth=2.0)", 0.5, 0.0, float("inf"))

    def __str__(self) -> str:
        return (
            f"{exact(self.epsilon)} kernel Renyi DP"
            f" (order {exact(self.order)}, regularization {exact(self.regularization)}, {self.kernel})"
        )
