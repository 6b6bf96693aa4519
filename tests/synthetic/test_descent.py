import dataclasses
import math
import pickle
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from tests.oracles import descent_oracle as oracle

from leakbound.errors import InvalidInput
from leakbound.guarantees.gaussian import GaussianDP
from leakbound.synthetic import NoisyGradientDescent

GOOD = {"records": 5, "penalty": 0.2, "learning_rate": 0.6, "noise": 0.7, "row_bound": 1.0}
TRAJECTORIES = 20_000
FAR = 6.0  # standard errors; each below has probability 2e-9, and fewer than a thousand are looked at


def descent(**changes):
    return NoisyGradientDescent(**{**GOOD, **changes})


def data(seed=1, *, m=5, d=3, n=2, bound=1.0):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(m, d)) * np.array([3.0, 1.0, 0.3, 0.1][:d])
    rows *= bound / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), bound)
    return rows, rng.normal(size=(m, n))


def replaced(labels, record=0, by=1.5):
    other = np.array(labels, dtype=float)
    other[record] = other[record] + by * np.arange(1, other.shape[1] + 1)
    return other


def simulate(made, inputs, labels, steps, seed):
    """Run all trajectories, each step written with the gradient of the loss."""
    rng = np.random.default_rng(seed)
    eta, m = made.learning_rate, made.records
    weights = rng.normal(size=(TRAJECTORIES, labels.shape[1], inputs.shape[1]))
    for _ in range(steps):
        residual = weights @ inputs.T - labels.T
        gradient = (2 / m) * residual @ inputs + 2 * made.penalty * weights
        weights = weights - eta * gradient + math.sqrt(2 * eta) * made.noise * rng.normal(size=weights.shape)
    return weights


def agrees(weights, mean, covariance):
    """Say whether sample means and covariances lie within FAR standard errors: normal, and Wishart."""
    runs, n, d = weights.shape
    error = np.sqrt(np.diag(covariance) / runs)
    if not (np.abs(weights.mean(axis=0) - mean) <= FAR * error).all():
        return False
    flat = (weights - weights.mean(axis=0)).reshape(runs, n * d)
    full = np.kron(np.eye(n), covariance)  # rows are independent
    scale = np.sqrt((np.outer(np.diag(full), np.diag(full)) + full**2) / (runs - 1))
    return bool((np.abs(flat.T @ flat / (runs - 1) - full) <= FAR * scale).all())


# The law of the weights.


@pytest.mark.parametrize("steps", [1, 2, 5, 12])
def test_simulated_weights_follow_the_law_at_finite_time(steps):
    made, (rows, labels) = descent(steps=steps), data()
    weights = simulate(made, rows, labels, steps, seed=steps)
    assert agrees(weights, made.mean(rows, labels), made.covariance(rows))
    other = descent(steps=2 if steps == 1 else 1)
    assert not agrees(weights, other.mean(rows, labels), other.covariance(rows))


def test_simulated_weights_follow_the_limit_and_not_the_limit_printed_in_the_paper():
    made, (rows, labels) = descent(learning_rate=0.3), data()
    slowest = 1 - 2 * made.learning_rate * made.penalty
    steps = math.ceil(math.log(1e-5) / math.log(slowest))  # what is left of the start is far below a standard error
    weights = simulate(made, rows, labels, steps, seed=3)
    mean, covariance = made.mean(rows, labels), made.covariance(rows)
    assert agrees(weights, mean, covariance)
    sigma = rows.T @ rows / 5 + made.penalty * np.eye(3)
    inverse = np.linalg.inv(np.eye(3) - 2 * made.learning_rate * sigma)
    printed = made.noise**2 * inverse @ np.linalg.inv(sigma)
    assert not agrees(weights, mean, printed)
    assert not agrees(weights, mean, printed / made.noise)  # with sqrt(2 eta sigma), as printed once
    assert np.linalg.eigvalsh(printed - 2 * covariance).min() > 0  # more than twice too much noise


def test_the_printed_limit_can_be_no_covariance_at_all():
    made = descent(records=1, learning_rate=0.75, penalty=0.1)
    assert made.covariance([[1.0]])[0, 0] == pytest.approx(0.49 / (2 * 1.1 * (1 - 0.825)))
    assert 0.49 / (1.1 * (1 - 2 * 0.75 * 1.1)) < 0


@pytest.mark.parametrize("steps", [1, 2, 3, 8, 21, math.inf])
@pytest.mark.parametrize("rate", [0.001, 0.5, 0.8])
def test_the_law_is_that_of_the_definition(steps, rate):
    made, (rows, labels) = descent(steps=steps, learning_rate=rate), data(4)
    mean, covariance = oracle.law(made, rows, labels)
    np.testing.assert_allclose(made.mean(rows, labels), np.array(mean.tolist(), dtype=float), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(
        made.covariance(rows), np.array(covariance.tolist(), dtype=float), rtol=1e-11, atol=1e-13
    )


def test_many_steps_are_the_limit():
    rows, labels = data()
    for steps in (1000, 10**12):
        late = descent(steps=steps)
        np.testing.assert_allclose(late.mean(rows, labels), descent().mean(rows, labels), rtol=1e-12)
        np.testing.assert_allclose(late.covariance(rows), descent().covariance(rows), rtol=1e-12)
        assert late.pair_mu(rows, labels, replaced(labels)) == pytest.approx(
            descent().pair_mu(rows, labels, replaced(labels)), rel=1e-10
        )
        assert late.guarantee(label_bound=1.0).mu == pytest.approx(descent().guarantee(label_bound=1.0).mu, rel=1e-11)


@pytest.mark.parametrize("rate", [1e-2, 1e-4, 1e-6])
def test_small_learning_rates_give_the_gibbs_law(rate):
    made, (rows, labels) = descent(learning_rate=rate), data()

    def energy(w):  # of the law exp(-F / sigma^2), for one row of the weights
        return (np.sum((rows @ w - labels[:, 0]) ** 2) / 5 + made.penalty * np.sum(w**2)) / made.noise**2

    unit = np.eye(3)
    hessian = np.array([[energy(a + b) - energy(a) - energy(b) + energy(0 * a) for a in unit] for b in unit])
    gibbs = np.linalg.inv(hessian)
    # the ratio is (I - eta Sigma)^-1, and Sigma is at most 1.2
    ratios = np.linalg.eigvals(np.linalg.solve(gibbs, made.covariance(rows))).real
    assert (ratios >= 1 + rate * made.penalty - 1e-10).all()
    assert (ratios <= 1 / (1 - 1.2 * rate) + 1e-10).all()
    centre = made.mean(rows, labels)[0]
    assert all(energy(centre) < energy(centre + step) for step in 1e-3 * np.vstack([unit, -unit]))


# What two label sets differ by.


def close(found, exact, within):
    assert mpmath.mpf(found) >= exact
    assert found <= exact * (1 + mpmath.mpf(within))


@pytest.mark.parametrize("steps", [1, 2, 3, 8, 21, math.inf])
@pytest.mark.parametrize("rate", [0.001, 0.5, 0.8])
@pytest.mark.parametrize("noise", [1e-3, 0.7, 40.0])
def test_mu_is_never_below_the_definition_and_close_to_it(steps, rate, noise):
    made = descent(steps=steps, learning_rate=rate, noise=noise)
    within = 1e-9 if noise > 0.1 else 1e-7  # little noise magnifies the rounding of multipliers near zero
    for seed in range(2):
        rows, labels = data(seed)
        for other in (replaced(labels, seed), labels[::-1], labels * 1e-200):
            z = np.random.default_rng(seed).normal(size=3)
            model, answer = oracle.mus(made, rows, labels, other, [z])
            close(made.pair_mu(rows, labels, other), model, within)
            close(made.query_mu(rows, labels, other, query=z), answer, within)


def test_more_features_and_records_are_no_worse():
    rng = np.random.default_rng(11)
    rows, labels = rng.normal(size=(60, 15)) / 8, rng.normal(size=(60, 4))
    made = descent(records=60, steps=9)
    other = np.array(labels)
    other[7], other[30:] = 1.0, -1.0
    z = rng.normal(size=15)
    model, answer = oracle.mus(made, rows, labels, other, [z])
    close(made.pair_mu(rows, labels, other), model, 1e-9)
    close(made.query_mu(rows, labels, other, query=z), answer, 1e-9)


@pytest.mark.parametrize("penalty", [1e-3, 1e-6, 1e-9, 1e-13, 1e-20])
@pytest.mark.parametrize("steps", [3, 4, 31, math.inf])
def test_badly_conditioned_data_cost_closeness_and_never_safety(penalty, steps):
    rows, labels = data(5, d=4)
    rows[:, 3] = rows[:, 2] * (1 + 1e-7)
    made = descent(penalty=penalty, steps=steps, learning_rate=0.4, row_bound=1.1)
    for other in (replaced(labels), replaced(labels, 3), labels + 1e-9 * np.sin(np.arange(10)).reshape(5, 2)):
        queries = (np.array([1.0, 0, 0, 0]), np.array([0, 0, 1.0, -1.0]))
        exact, *answers = oracle.mus(made, rows, labels, other, queries)
        found = made.pair_mu(rows, labels, other)
        assert exact <= found < math.inf
        assert found <= exact * (1 + 1e-8) or penalty < 1e-4
        for query, answer in zip(queries, answers, strict=True):
            assert answer <= made.query_mu(rows, labels, other, query=query) <= found


@pytest.mark.parametrize("penalty", [1e-17, 1e-15, 1e-13])
def test_an_eigenvalue_that_rounding_changes_is_never_read_on_the_wrong_side(penalty):
    rng = np.random.default_rng(0)
    made = descent(records=2, penalty=penalty, learning_rate=0.4)
    labels, other = np.zeros((2, 1)), np.array([[1.0], [-1.0]])  # pulls along the difference of two close rows
    plain = []
    for _ in range(40):
        first = rng.uniform(0.3, 0.6, size=2)
        rows = np.array([first, first + 1e-7 * math.sqrt(penalty / 1e-15) * rng.normal(size=2)])
        exact = oracle.pair_mu(made, rows, labels, other)
        assert exact <= made.pair_mu(rows, labels, other)
        sigma = rows.T @ rows / 2 + penalty * np.eye(2)
        values, vectors = np.linalg.eigh(sigma)
        seen = (vectors.T @ rows.T @ other)[:, 0]
        plain.append(np.sqrt(np.sum((1 / np.maximum(values, penalty) - 0.4) * seen**2) / (2 * 0.49)) / float(exact))
    assert min(plain) < 1 - 1e-6 < 1 + 1e-6 < max(plain)  # what a formula in doubles gives: wrong on both sides


def test_the_limit_is_the_corrected_formula_and_above_the_printed_one():
    made, (rows, labels) = descent(learning_rate=0.3), data()
    other = replaced(labels)
    sigma = rows.T @ rows / 5 + made.penalty * np.eye(3)
    values, vectors = np.linalg.eigh(sigma)
    seen = vectors.T @ rows.T @ (labels - other)
    corrected = 2 / (25 * 0.49) * np.sum(((1 - 0.3 * values) / values)[:, None] * seen**2)
    printed = 1 / (25 * 0.49) * np.sum(((1 - 0.6 * values) / values)[:, None] * seen**2)
    assert made.pair_mu(rows, labels, other) == pytest.approx(math.sqrt(corrected), rel=1e-10)
    assert printed * 2 < corrected  # the paper claims less leakage than there is


def test_an_odd_number_of_large_steps_can_leak_more_than_the_limit():
    rows, labels = [[1.0]], [[0.0]]
    mus = {
        steps: descent(records=1, penalty=0.1, learning_rate=0.85, noise=5.0, steps=steps).pair_mu(
            rows, labels, [[1.0]]
        )
        for steps in (1, 2, 3, math.inf)
    }
    assert mus[1] > 2 * mus[math.inf]
    assert mus[3] > mus[math.inf] > mus[2]


def test_equal_labels_leak_nothing_and_rows_of_zeros_neither():
    made, (rows, labels) = descent(), data()
    assert made.pair_mu(rows, labels, labels) == 0.0
    assert made.query_mu(rows, labels, labels, query=[1.0, 0.0, 0.0]) == 0.0
    query, mu = made.best_query(rows, labels, labels)
    assert (math.hypot(*query), mu) == (pytest.approx(1), 0.0)
    assert made.pair_mu(0 * rows, labels, replaced(labels)) == 0.0
    assert made.guarantee(label_bound=1.0, inputs=0 * rows).mu == 0.0
    assert made.guarantee(label_bound=0).mu == 0.0


def test_a_zero_multiplier_reaches_the_limit_in_one_step():
    one = descent(records=1, penalty=0.5, learning_rate=0.5, row_bound=0.75, steps=1)  # Sigma = 1 for this row
    rows = [[math.sqrt(0.5)]]
    other = [[1.0]]
    limit = dataclasses.replace(one, steps=math.inf)
    assert one.pair_mu(rows, [[0.0]], other) == pytest.approx(limit.pair_mu(rows, [[0.0]], other), rel=1e-12)
    exact = dataclasses.replace(one, penalty=0.25, learning_rate=1.0, row_bound=0.5)
    assert exact.covariance([[0.5]])[0, 0] == pytest.approx(2 * 0.49, rel=1e-14)  # the multiplier is exactly zero


# Proposition 3.3.


@pytest.mark.parametrize("steps", [1, 2, 3, 8, math.inf])
def test_the_best_query_attains_the_model_when_one_label_changed(steps):
    made = descent(steps=steps)
    for seed in range(3):
        rows, labels = data(seed)
        other = replaced(labels, seed)
        query, mu = made.best_query(rows, labels, other)
        assert math.hypot(*query) == pytest.approx(1, abs=1e-12)
        assert max(query, key=abs) > 0
        model, answer = oracle.mus(made, rows, labels, other, [query])
        close(mu, model, 1e-9)
        assert float(answer) == pytest.approx(float(model), rel=1e-12)


def test_the_best_query_is_the_best_and_less_than_the_model_when_more_labels_changed():
    made, (rows, labels) = descent(), data()
    _, other = data(8)
    query, mu = made.best_query(rows, labels, other)
    assert mu < 0.999 * made.pair_mu(rows, labels, other)
    moved, spread = made.mean(rows, labels) - made.mean(rows, other), made.covariance(rows)
    queries = np.random.default_rng(0).normal(size=(5000, 3))
    tried = np.linalg.norm(queries @ moved.T, axis=1) / np.sqrt(np.einsum("qi,ij,qj->q", queries, spread, queries))
    assert 0.99 * mu < tried.max() <= mu
    assert made.query_mu(rows, labels, other, query=1e150 * np.array(query)) == pytest.approx(mu, rel=1e-12)


# Guarantees.


@pytest.mark.parametrize("steps", [1, 2, 3, 8, 21, math.inf])
@pytest.mark.parametrize("rate", [0.001, 0.5, 0.8])
def test_the_guarantee_of_given_inputs_is_the_largest_of_all_replacements(steps, rate):
    made, (rows, labels) = descent(steps=steps, learning_rate=rate), data(2)
    found = made.guarantee(label_bound=1.5, inputs=rows)
    assert found.neighbouring == "label-only"
    attained = []
    for record in range(5):
        first, second = np.array(labels), np.array(labels)
        first[record], second[record] = (0.9, 1.2), (-0.9, -1.2)  # norms of 1.5, opposite
        attained.append(oracle.pair_mu(made, rows, first, second))
    close(found.mu, max(attained), 1e-9)
    assert found.mu <= made.guarantee(label_bound=1.5).mu


def worst_inputs(made):
    """Return inputs with one row as long as is worst, and zeros."""
    a = made.records * (math.sqrt(made.penalty / made.learning_rate) - made.penalty)
    rows = np.zeros((made.records, 2))
    rows[0, 0] = min(made.row_bound, math.sqrt(a))
    return rows


@pytest.mark.parametrize("records", [1, 2, 7, 1000])
@pytest.mark.parametrize(("penalty", "rate"), [(0.2, 0.8), (1e-3, 0.9), (1e-3, 1e-3), (5.0, 0.16), (1e-8, 0.5)])
def test_the_guarantee_without_inputs_is_attained_in_the_limit(records, penalty, rate):
    made = descent(records=records, penalty=penalty, learning_rate=rate)
    labels = np.zeros((records, 1))
    first, second = labels.copy(), labels.copy()
    first[0], second[0] = 1.5, -1.5
    attained = made.pair_mu(worst_inputs(made), first, second)
    found = made.guarantee(label_bound=1.5).mu
    assert attained * (1 - 1e-9) <= found <= attained * (1 + 1e-9)


@pytest.mark.parametrize("steps", [1, 2, 3, 8, 21, math.inf])
@pytest.mark.parametrize(("penalty", "rate"), [(0.2, 0.8), (0.02, 0.97), (1e-3, 0.9), (1e-3, 1e-3), (1e-3, 0.2)])
@pytest.mark.parametrize("noise", [0.01, 1.0, 30.0])
def test_no_inputs_exceed_the_guarantee_without_inputs(steps, penalty, rate, noise):
    rng = np.random.default_rng(steps if steps < math.inf else 0)
    for records in (1, 2, 9):
        made = descent(records=records, penalty=penalty, learning_rate=rate, steps=steps, noise=noise)
        bound = made.guarantee(label_bound=0.5).mu  # so that labels differ by one
        tables = [worst_inputs(made), np.eye(records), np.ones((records, 1))]
        for _ in range(30):
            rows = rng.normal(size=(records, 2)) * rng.choice([1.0, 0.1], size=(records, 1))
            tables.append(rows / np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True)))
        for rows in tables:
            reach = np.array([made.mean(rows, row[:, None])[0] for row in np.eye(records)])  # one label each is one
            attained = np.sqrt(np.einsum("ki,ij,kj->k", reach, np.linalg.inv(made.covariance(rows)), reach).max())
            assert attained <= bound * (1 + 1e-12)


def test_the_guarantee_at_finite_time_is_the_least_of_three_proved_bounds():
    def mu(**changes):
        return descent(**{"penalty": 0.02, "learning_rate": 0.4, "records": 3, **changes}).guarantee(label_bound=1).mu

    limit = mu()
    assert mu(steps=1, learning_rate=1e-6) == pytest.approx(math.sqrt(8 * 1e-6 / (9 * 0.49)), rel=1e-9)  # step by step
    base = 1 - 2 * 0.4 * 1.02
    assert mu(steps=9) == pytest.approx(limit * math.sqrt((1 - base**9) / (1 + base**9)), rel=1e-9)
    base = 1 - 2 * 0.9 * 1.02
    limit = mu(learning_rate=0.9)
    assert mu(steps=11, learning_rate=0.9) == pytest.approx(
        limit * math.sqrt((1 - base**11) / (1 + base**11)), rel=1e-9
    )
    assert mu(steps=50, learning_rate=0.9) == limit
    # rounding leaves nothing of 1 + q: only the bound step by step is left
    edge = descent(penalty=1e-50, learning_rate=math.nextafter(1, 0), row_bound=1e-3, steps=1, records=1)
    tight = dataclasses.replace(edge, learning_rate=1e6 * (1 - 1e-11))
    expected = math.sqrt(8 * tight.learning_rate * 1e-6 / 0.49)
    assert tight.guarantee(label_bound=1).mu == pytest.approx(expected, rel=1e-9)
    assert tight.guarantee(label_bound=1, inputs=[[1e-3]]).mu <= expected * (1 + 1e-9)


def test_vacuous_shares_leave_the_bound_step_by_step():
    # 1 - 2 eta Sigma = -1 + 4e-17: a double next to it is -1
    made = descent(penalty=1.0, learning_rate=math.nextafter(1, 0), row_bound=1e-30, records=1, steps=3)
    mu = made.guarantee(label_bound=1).mu
    assert mu == pytest.approx(math.sqrt(8 * 3) * 1e-30 / 0.7, rel=1e-9)
    assert made.guarantee(label_bound=1, inputs=[[1e-30]]).mu <= mu


def test_a_guarantee_is_gaussian_dp_of_labels_and_grows_with_the_bound():
    found = descent().guarantee(label_bound=2)
    assert isinstance(found, GaussianDP)
    assert found.neighbouring == "label-only"
    assert found.mu == pytest.approx(2 * descent().guarantee(label_bound=1).mu, rel=1e-14)
    assert Fraction(found.mu) ** 2 >= 4 * descent()._worst_pull() * 4 / 25


# What is refused.


@pytest.mark.parametrize("name", ["penalty", "learning_rate", "noise", "row_bound"])
@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf, True, np.True_, "1", None, 1j, 1e51, 1e-51])
def test_parameters_are_positive_and_finite(name, bad):
    with pytest.raises(InvalidInput, match=rf"^{name} must .*, but got {name}=") as error:
        descent(**{name: bad})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("bad", [0, -1, 2.5, math.nan, math.inf, True, "3", None])
def test_records_are_counted(bad):
    with pytest.raises(InvalidInput, match=r"^records must be a whole number of at least 1.*, but got records="):
        descent(records=bad)


@pytest.mark.parametrize("bad", [0, -1, 2.5, math.nan, -math.inf, True, "3", None, 10**13])
def test_steps_are_counted_or_endless(bad):
    with pytest.raises(InvalidInput, match=r"^steps \(or math.inf\) must be a whole number of at least 1"):
        descent(steps=bad)
    assert descent(steps=np.int64(3)).steps == 3
    assert descent(steps=np.float64(math.inf)).steps == math.inf


@pytest.mark.parametrize("rate", [1 / 1.2, 1.0, 5.0])
@pytest.mark.parametrize("steps", [1, math.inf])
def test_a_learning_rate_that_does_not_contract_is_refused(rate, steps):
    with pytest.raises(InvalidInput, match=r"^learning_rate must contract: .*, but got learning_rate=.*; give at most"):
        descent(learning_rate=rate, steps=steps)


def test_the_learning_rate_that_the_refusal_names_is_taken():
    with pytest.raises(InvalidInput) as error:
        descent(learning_rate=2.0)
    rate = float(str(error.value).split("give at most ")[1].split(",")[0])
    assert 0.8333 < descent(learning_rate=rate).learning_rate < 1 / 1.2


def test_the_condition_printed_in_the_paper_does_not_contract():
    records, penalty, rate = 10, 0.1, 4.0
    assert rate * (penalty + 1 / records) < 1  # eta (lam + M_x^2 / m) < 1
    multiplier = 1 - 2 * rate * (1 + penalty)  # ten times the same row of norm one
    assert multiplier < -1
    with pytest.raises(InvalidInput, match="must contract"):
        descent(records=records, penalty=penalty, learning_rate=rate)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.zeros((4, 3)), r"^inputs must have records=5 rows, but has shape \(4, 3\)"),
        (np.full((5, 3), math.nan), "^inputs must be finite"),
        (np.zeros((5, 3), dtype=bool), "^inputs must be a table .* holds bool"),
        (np.zeros((5, 3, 1)), "^inputs must be a table"),
        (
            np.eye(5) * (1 + 1e-11),
            r"^inputs must have rows of norm at most row_bound=1, but one has norm 1.00000000001",
        ),
        (np.eye(5) * 1e200, "^inputs must have rows of norm at most row_bound=1, but one has norm inf; clip"),
    ],
)
def test_inputs_are_a_table_of_bounded_rows(bad, message):
    _, labels = data()
    for call in (
        lambda: descent().mean(bad, labels),
        lambda: descent().covariance(bad),
        lambda: descent().pair_mu(bad, labels, labels),
        lambda: descent().query_mu(bad, labels, labels, query=[1.0, 0.0, 0.0]),
        lambda: descent().best_query(bad, labels, labels),
        lambda: descent().guarantee(label_bound=1.0, inputs=bad),
    ):
        with pytest.raises(InvalidInput, match=message):
            call()


def test_rows_clipped_to_the_bound_are_taken():
    rows = np.random.default_rng(0).normal(size=(200, 40))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert descent(records=200).covariance(rows).shape == (40, 40)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.zeros((4, 2)), r"must have records=5 rows, but has shape \(4, 2\)"),
        (np.full((5, 2), math.inf), "must be finite"),
        ([[True, False]] * 5, "holds bool"),
        (np.full((5, 2), -1e101), r"must lie within -1e\+100 and 1e\+100, but one has size 1e\+101; rescale"),
    ],
)
def test_labels_are_a_table_with_a_row_for_each_record(bad, message):
    rows, labels = data()
    with pytest.raises(InvalidInput, match="^labels .*" + message):
        descent().mean(rows, bad)
    with pytest.raises(InvalidInput, match="^labels .*" + message):
        descent().pair_mu(rows, bad, labels)
    with pytest.raises(InvalidInput, match="^other_labels .*" + message):
        descent().best_query(rows, labels, bad)


def test_both_label_sets_have_one_shape():
    rows, labels = data()
    with pytest.raises(
        InvalidInput, match=r"^other_labels must have the shape of labels, \(5, 2\), but has .*\(5, 1\)"
    ):
        descent().pair_mu(rows, labels, labels[:, 0])


@pytest.mark.parametrize("bad", [[1.0], [0.0, 0.0, 0.0], [[1.0, 2.0, 3.0]], [math.nan, 1, 1], [True, False, True]])
def test_a_query_has_an_entry_for_each_column_and_is_not_zero(bad):
    rows, labels = data()
    with pytest.raises(InvalidInput, match=r"^query must "):
        descent().query_mu(rows, labels, labels, query=bad)


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf, True, "1", None])
def test_label_bounds_are_not_negative(bad):
    with pytest.raises(InvalidInput, match=r"^label_bound must .*, but got label_bound="):
        descent().guarantee(label_bound=bad)


def test_it_is_frozen_hashes_and_pickles():
    with pytest.raises(dataclasses.FrozenInstanceError):
        descent().noise = 3.0
    assert len({descent(), descent(), descent(steps=6)}) == 2
    assert pickle.loads(pickle.dumps(descent())) == descent()
