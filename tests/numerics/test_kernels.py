import copy
import json
import math
import pickle

import numpy as np
import pytest
from tests.oracles import kernels_oracle

from leakbound.errors import InvalidInput
from leakbound.numerics import kernels
from leakbound.numerics.kernels import (
    RBF,
    Laplace,
    Mixture,
    Product,
    RationalQuadratic,
    kernel_from_json,
    median_bandwidth,
)

RNG = np.random.default_rng(5)
X, Y = RNG.normal(size=(7, 3)), RNG.normal(size=(5, 3)) + 0.5
SIMPLE = [
    (RBF(1.5), kernels_oracle.rbf(1.5)),
    (Laplace(0.7), kernels_oracle.laplace(0.7)),
    (RationalQuadratic(1.5), kernels_oracle.rational_quadratic(1.5, 1.0)),
    (RationalQuadratic(0.7, 2.5), kernels_oracle.rational_quadratic(0.7, 2.5)),
]
COMPOUND = [
    RBF(1.0) * Laplace(2.0),
    RBF(1.0) * Laplace(2.0) * RationalQuadratic(1.0, 3.0),
    Mixture((RBF(1.0), Laplace(2.0), RBF(3.0)), (0.1, 0.2, 0.7)),
    Mixture((RBF(1.0), RBF(2.0) * Laplace(2.0)), (0.25, 0.75)) * RBF(5.0),
]
EVERY = [kernel for kernel, _ in SIMPLE] + COMPOUND


@pytest.mark.parametrize(("kernel", "twin"), SIMPLE)
def test_kernels_equal_their_formulas(kernel, twin):
    exact = kernels_oracle.matrix(twin, X.tolist(), Y.tolist())
    np.testing.assert_allclose(kernel(X, Y), exact, rtol=1e-14)


def test_products_and_mixtures_equal_their_formulas():
    np.testing.assert_allclose(
        COMPOUND[1](X, Y), RBF(1.0)(X, Y) * Laplace(2.0)(X, Y) * RationalQuadratic(1.0, 3.0)(X, Y)
    )
    mixed = 0.1 * RBF(1.0)(X, Y) + 0.2 * Laplace(2.0)(X, Y) + 0.7 * RBF(3.0)(X, Y)
    np.testing.assert_allclose(COMPOUND[2](X, Y), mixed, rtol=1e-15)


@pytest.mark.parametrize("kernel", EVERY)
def test_kernels_are_one_on_the_diagonal_and_at_most_one(kernel):
    for x in (X, 1e6 + 1e-6 * X, 1e-160 * X, 1e150 * X, np.zeros((3, 2))):
        matrix = kernel(x, x)
        assert (np.diag(matrix) == 1).all()
        assert (matrix >= 0).all()
        assert (matrix <= 1).all()
        assert np.linalg.eigvalsh(matrix).min() > -1e-12


@pytest.mark.parametrize("kernel", EVERY)
def test_blocks_are_the_rows_of_the_matrix(kernel, monkeypatch):
    for rows in (1, 2, 3, 7, 100):
        blocks = list(kernel.blocks(X, Y, rows=rows))
        assert [len(block) for block in blocks] == [min(rows, 7 - start) for start in range(0, 7, rows)]
        assert (np.concatenate(blocks) == kernel(X, Y)).all()
    assert [block.shape for block in kernel.blocks(X, Y)] == [(7, 5)]
    monkeypatch.setattr(kernels, "_ENTRIES", 10)
    assert [block.shape for block in kernel.blocks(X, Y)] == [(2, 5), (2, 5), (2, 5), (1, 5)]
    monkeypatch.setattr(kernels, "_ENTRIES", 4)
    assert [block.shape for block in kernel.blocks(X, Y)] == [(1, 5)] * 7


def test_a_block_takes_32_megabytes():
    assert kernels._ENTRIES * 8 == 2**25


def test_distances_do_not_cancel():
    x, y = np.array([1e8]), np.array([1e8 + 2.0**-20])
    assert RBF(2.0**-20)(x, y)[0, 0] == pytest.approx(math.exp(-1), rel=1e-14)


@pytest.mark.parametrize(
    ("kernel", "distance", "value"),
    [
        (RBF(1e-300), 1e100, 0.0),
        (RBF(1e300), 1e300, math.exp(-1)),
        (RBF(1e-10), 1e150, 0.0),
        (Laplace(1e-300), 1e100, 0.0),
        (Laplace(1e300), 1e-300, 1.0),
        (RationalQuadratic(1e-100, 1e-3), 1e100, math.exp(-1e-3 * (400 + 3) * math.log(10))),
        (RationalQuadratic(1.0, 1e200), 1.0, math.exp(-1)),
        (RationalQuadratic(1e-3, 1e300), 1e3, 0.0),
    ],
)
def test_extreme_parameters_do_not_overflow(kernel, distance, value):
    assert kernel.of_distance(np.array([distance]))[0] == pytest.approx(value, rel=1e-12, abs=0)


def test_the_rational_quadratic_tends_to_the_gaussian():
    np.testing.assert_allclose(RationalQuadratic(1.5, 1e9)(X, Y), RBF(1.5)(X, Y), rtol=1e-7)


def test_lists_of_numbers_are_points_on_the_line():
    matrix = Laplace(2.0)([0, 1, 3], [1.0, 2.0])
    assert matrix == pytest.approx(np.exp([[-0.5, -1.0], [0.0, -0.5], [-1.0, -0.5]]), rel=1e-15)


@pytest.mark.parametrize("kernel", EVERY)
def test_kernels_are_values(kernel):
    for twin in (copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel)), eval(repr(kernel))):
        assert twin == kernel
        assert hash(twin) == hash(kernel)
    assert kernel_from_json(json.loads(json.dumps(kernel.to_json()))) == kernel
    with pytest.raises(AttributeError):
        kernel.bandwidth = 2.0
    assert len(set(EVERY)) == len(EVERY)


def test_descriptions_and_json():
    assert RBF(2).describe() == "RBF(bandwidth=2.0)"
    assert RationalQuadratic(2).describe() == "RationalQuadratic(bandwidth=2.0, shape=1.0)"
    assert COMPOUND[0].describe() == "RBF(bandwidth=1.0) * Laplace(bandwidth=2.0)"
    mixture = Mixture([RBF(1), Laplace(2)], [0.25, 0.75])
    assert mixture.describe() == "Mixture(0.25 RBF(bandwidth=1.0) + 0.75 Laplace(bandwidth=2.0))"
    assert RationalQuadratic(2).to_json() == {"kernel": "RationalQuadratic", "bandwidth": 2.0, "shape": 1.0}
    factors = [{"kernel": "RBF", "bandwidth": 1.0}, {"kernel": "Laplace", "bandwidth": 2.0}]
    assert COMPOUND[0].to_json() == {"kernel": "Product", "factors": factors}
    assert mixture.to_json() == {"kernel": "Mixture", "kernels": factors, "weights": [0.25, 0.75]}


def test_products_are_flat():
    one, two, three = RBF(1.0), Laplace(2.0), RBF(3.0)
    assert (one * two) * three == one * (two * three) == Product((one, two, three)) == Product([one, two, three])
    assert one != two
    with pytest.raises(TypeError, match="unsupported operand"):
        one * 2


@pytest.mark.parametrize("kind", [RBF, Laplace, RationalQuadratic])
@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf, True, "1"])
def test_bad_parameters_are_refused(kind, bad):
    with pytest.raises(InvalidInput, match=f"bandwidth must be a number greater than 0, but got bandwidth={bad!r}"):
        kind(bad)
    with pytest.raises(InvalidInput, match=f"shape must be a number greater than 0, but got shape={bad!r}"):
        RationalQuadratic(1.0, bad)


def test_bad_compounds_are_refused():
    for bad in ((), "RBF", (RBF(1.0), 2), None):
        with pytest.raises(InvalidInput, match=r"factors must be a tuple of at least one kernel, but got factors="):
            Product(bad)
        with pytest.raises(InvalidInput, match=r"kernels must be a tuple of at least one kernel, but got kernels="):
            Mixture(bad, (1.0,))
    both = (RBF(1.0), RBF(2.0))
    for weights in ((0.5, 0.6), (0.5, 0.5 + 2e-12), (0.5, 0.5 - 2e-12)):
        with pytest.raises(
            InvalidInput, match=r"weights must sum to 1, but got weights=\(0.5, .* with sum .*divide them"
        ):
            Mixture(both, weights)
    assert Mixture(both, (0.5, 0.5 + 9e-13))([0.0], [0.0]) == 1
    with pytest.raises(InvalidInput, match="weights must have one entry for each of the 2 kernels, but has 1; add"):
        Mixture(both, (1.0,))
    with pytest.raises(InvalidInput, match=r"weights must be a number greater than 0, but got weights=0.0"):
        Mixture(both, (0.0, 1.0))
    with pytest.raises(InvalidInput, match="weights must be finite"):
        Mixture(both, (math.nan, 1.0))


def nested(levels: int) -> dict:
    inner = RBF(1.0).to_json() if levels == 1 else nested(levels - 1)
    return {"kernel": "Mixture", "kernels": [inner], "weights": [1.0]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("RBF", "kernel must be a JSON object with at most 16 levels, but got kernel='RBF'"),
        (nested(16), "kernel must be a JSON object with at most 16 levels, but got"),
        ({"kernel": "Kernel"}, "kernel must be one of RBF, Laplace, RationalQuadratic, Product, Mixture, but got"),
        ({"bandwidth": 1.0}, "kernel must be one of .* but got kernel=None"),
        ({"kernel": "RBF"}, r"exactly the fields bandwidth, kernel, but has \['kernel'\]"),
        (
            {"kernel": "RBF", "bandwidth": 1.0, 3: 1},
            r"the fields bandwidth, kernel, but has \['3', 'bandwidth', 'kernel'",
        ),
        ({"kernel": "RBF", "bandwidth": "nan"}, "bandwidth must be a number greater than 0"),
        ({"kernel": "Product", "factors": "RBF"}, "factors must be a list of kernels, but got factors='RBF'; give one"),
        (
            {"kernel": "Mixture", "kernels": {}, "weights": [1.0]},
            "kernels must be a list of kernels, but got kernels={}",
        ),
        ({"kernel": "Mixture", "kernels": [], "weights": [1.0]}, "kernels must be a tuple of at least one"),
    ],
)
def test_bad_json_is_refused(data, message):
    with pytest.raises(InvalidInput, match=message):
        kernel_from_json(data)


def test_deep_but_allowed_json_is_read():
    assert kernel_from_json(nested(15)).describe().startswith("Mixture(1.0 Mixture(1.0 ")


@pytest.mark.parametrize("call", [RBF(1.0), RBF(1.0).blocks, median_bandwidth])
def test_bad_samples_are_refused(call):
    with pytest.raises(
        InvalidInput, match=r"y must have as many columns as x, which has 3, but has shape \(2, 1\); give"
    ):
        call(X, [1.0, 2.0])
    with pytest.raises(InvalidInput, match="x must be finite"):
        call([math.nan], [1.0])
    with pytest.raises(InvalidInput, match="y must be finite"):
        call([1.0], [math.inf])
    with pytest.raises(
        InvalidInput, match="x and y must lie at distances that doubles hold, but some overflow; rescale"
    ):
        list(call([[1e300, 1e300]], [[-1e300, 1e300]]))


def test_bad_rows_are_refused_at_once():
    for rows in (0, -1, 1.0, math.nan, True):
        with pytest.raises(InvalidInput, match=f"rows must be a whole number of at least 1, but got rows={rows}"):
            RBF(1.0).blocks(X, Y, rows=rows)


@pytest.mark.parametrize("entries", [1, 10, 2**22])
def test_the_median_is_that_of_all_pairs(entries, monkeypatch):
    from scipy.spatial.distance import cdist

    monkeypatch.setattr(kernels, "_ENTRIES", entries)
    for x, y in [
        (X, Y),
        (X[:3], Y[:3]),
        (X[:2], Y),
        (np.zeros((1, 1)), np.array([[1e-150]])),
        (np.zeros((3, 1)), np.array([[1.0], [2.0], [2.0]])),
        (np.zeros((1, 1)), np.array([[1.0], [2.0], [2.0], [3.0]])),
        (np.zeros((1, 1)), np.array([[2.0], [1.0], [3.0], [9.0]])),
        (np.zeros((1, 1)), np.array([[1.0], [1.0 + 2**-52], [7.0]])),
        (np.zeros((1, 1)), np.array([[0.0], [4.0]])),
        (np.zeros((2, 1)), np.array([[1e150], [1e150], [1e150]])),
        (np.zeros((1, 1)), np.array([[1e-150], [1e150], [3e-150], [1e100]])),
    ]:
        assert median_bandwidth(x, y) == np.median(cdist(x, y))
        assert median_bandwidth(x, y) == pytest.approx(
            kernels_oracle.median_distance(x.tolist(), y.tolist()), rel=1e-14
        )


def test_a_median_of_zero_is_refused():
    message = "bandwidth must be positive, but the median distance between x and y is 0.0: at least half .* by hand"
    with pytest.raises(InvalidInput, match=message):
        median_bandwidth([1.0, 1.0], [1.0, 1.0])
    with pytest.raises(InvalidInput, match=message):
        median_bandwidth([1.0], [1.0, 1.0, 5.0])
    assert median_bandwidth([1.0], [1.0, 5.0]) == 2.0
