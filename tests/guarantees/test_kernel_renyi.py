import math

import pytest

from leakbound.errors import InvalidInput, NoTheorem
from leakbound.guarantees import KernelRenyiDP

GOOD = {"kernel": "rbf(bandwidth=1.0)", "order": 2.0, "regularization": 0.01, "epsilon": 0.5}


def test_fields():
    assert KernelRenyiDP(**GOOD).claim() == GOOD
    for name, value in (("order", 5e-324), ("order", math.inf), ("regularization", 0.0), ("epsilon", math.inf)):
        assert getattr(KernelRenyiDP(**{**GOOD, name: value}), name) == value
    assert KernelRenyiDP(**{**GOOD, "kernel": "k" * 500}).kernel == "k" * 500


@pytest.mark.parametrize("kernel", ["", "  \n", "k" * 501, None, 1, True, b"rbf"])
def test_a_kernel_is_a_short_name(kernel):
    with pytest.raises(InvalidInput, match=r"^kernel must be a kernel's name of 1 to 500 characters, but got "):
        KernelRenyiDP(**{**GOOD, "kernel": kernel})


@pytest.mark.parametrize(
    ("name", "bads"),
    [
        ("order", (0.0, -1.0, math.nan, True, "2")),
        ("regularization", (-1e-9, math.inf, math.nan, True, "2")),
        ("epsilon", (-1e-9, math.nan, -math.inf, True, "2")),
    ],
)
def test_numbers_are_checked(name, bads):
    for bad in bads:
        with pytest.raises(InvalidInput, match=rf"^{name} must be a number .* but got {name}="):
            KernelRenyiDP(**{**GOOD, name: bad})


def test_text():
    text = "0.5 kernel Renyi DP (order 2, regularization 0.01, rbf(bandwidth=1.0))"
    assert str(KernelRenyiDP(**GOOD)) == text


def test_no_composition():
    with pytest.raises(NoTheorem, match=r"^kernel Renyi differential privacy has no composition theorem"):
        KernelRenyiDP(**GOOD).compose(2)
