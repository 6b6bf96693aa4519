"""The ridge generator: what it counts, what it refuses, what it publishes, on scikit-learn's diabetes data."""

import copy
import logging
import math
import pickle
import threading

import numpy as np
import pytest
from scipy import stats
from tests.oracles.ridge_oracle import weights

from leakbound.certificate import document, verify
from leakbound.errors import InvalidInput
from leakbound.guarantees import ApproxDP, RenyiDP
from leakbound.synthetic import HiddenSeeds, Publication, PublicSeeds, RidgeGenerator, account, largest_rows
from leakbound.synthetic import ridge as module
from leakbound.synthetic.account import bounded_delta
from leakbound.synthetic.ridge_sensitivity import norm_bound, ridge_sensitivity

GOOD = {"noise": 0.05, "penalty": 0.01, "row_bound": 1.0, "label_bound": 1.0}
BUDGET = ApproxDP(1.0, 1e-3)
GRID = 2.0**-20


@pytest.fixture(scope="module")
def diabetes():
    """Return features of about unit norm and labels around zero, by public constants."""
    datasets = pytest.importorskip("sklearn.datasets")
    rows, labels = datasets.load_diabetes(return_X_y=True)
    return rows * 6, (labels - 150) / 200


@pytest.fixture
def small():
    rng = np.random.default_rng(1)
    return rng.uniform(-0.5, 0.5, size=(20, 3)), rng.uniform(-0.5, 0.5, size=20)


def fitted(data, **changes):
    return RidgeGenerator(**{**GOOD, **changes}).fit(*data)


# The fit


def test_the_fit_is_ridge_regression_of_clipped_records(diabetes, monkeypatch):
    monkeypatch.setattr(module, "_normal", lambda shape: np.eye(*shape) if shape[0] == 10 else np.zeros(shape))
    rows, labels = diabetes
    _, outputs = fitted(diabetes).sample(10)
    short = rows * np.minimum(1.0, 1 / np.linalg.norm(rows, axis=1, keepdims=True))
    expected = weights(short, np.clip(labels, -1, 1)[:, None], 0.01)[0]
    assert np.linalg.norm(rows, axis=1).max() > 1.0
    assert outputs == pytest.approx(expected, abs=GRID)


def test_the_sensitivity_is_that_of_the_declared_bounds(diabetes):
    generator = fitted(diabetes)
    bounds = {"penalty": 0.01, "row_bound": 1.0, "label_bound": 1.0}
    assert generator.sensitivity_ == ridge_sensitivity(records=442, **bounds)
    certificate = generator.certificate(5, orders=[2.0])
    assert certificate.inputs["sensitivity"] == generator.sensitivity_
    assert certificate.inputs["norm_bound"] == norm_bound(**bounds)


def test_more_features_than_records_and_several_outputs():
    rng = np.random.default_rng(2)
    rows, labels = rng.uniform(-0.1, 0.1, size=(4, 9)), rng.uniform(-0.3, 0.3, size=(4, 2))
    generator = fitted((rows, labels), noise=1e-9)
    seeds, outputs = generator.sample(30)
    assert outputs == pytest.approx(seeds @ weights(rows, labels, 0.01).T, abs=1e-4)
    assert outputs.shape == (30, 2)
    assert generator.sample(3, seeds="hidden").shape == (3, 2)


def test_outputs_have_the_shape_of_the_labels(small):
    rows, labels = small
    assert fitted(small).sample(4)[1].shape == (4,)
    assert fitted((rows, labels[:, None])).sample(4)[1].shape == (4, 1)
    assert fitted((rows.tolist(), labels.tolist())).sample(4, seeds="hidden").shape == (4,)


# Clipping


@pytest.mark.parametrize("size", [1e-3, 0.5, 1.0, 2.0, 1e5, 1e200, 1e308])
@pytest.mark.parametrize("bound", [1e-100, 0.3, 1.0, 7.0, 1e100])
def test_no_record_is_longer_than_its_bound_and_directions_stay(size, bound):
    records = np.array([[3.0, -4.0], [0.0, 1.0], [0.0, 0.0], [1e-300, 0.0]]) * (size / 5)
    clipped = module._clipped("rows", records, bound)
    for before, after in zip(records, clipped, strict=True):
        length, longest = math.hypot(*(before / size)), bound / size
        assert math.hypot(*(after / bound)) <= 1.0
        if length <= longest * (1 - 1e-11):
            assert (after == before).all()
        else:
            assert after / bound == pytest.approx(before / size / length, rel=1e-11)


def test_the_owner_is_told_how_many_were_clipped_and_nobody_else(caplog):
    rows, labels = [[3.0, 4.0], [0.6, 0.8], [0.1, 0.0]], [5.0, 0.1, 0.2]
    with caplog.at_level(logging.INFO, logger="leakbound.synthetic.ridge"):
        generator = fitted((rows, labels))
    assert [(r.levelname, r.getMessage()) for r in caplog.records] == [
        ("WARNING", "1 of 3 rows were clipped to norm 1."),
        ("WARNING", "1 of 3 labels were clipped to norm 1."),
    ]
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="leakbound.synthetic.ridge"):
        assert "clip" not in document.dumps(generator.certificate(1))
        fitted((rows[1:], labels[1:]))
    assert {r.levelname for r in caplog.records} == {"INFO"}


def test_what_one_record_moves_never_exceeds_the_sensitivity(small):
    rows, labels = small
    before = None
    for longer in (1.0, 1e3, -1e9):
        rows[0], labels[0] = [longer, 0.0, longer], longer
        generator = fitted((rows, labels), noise=1e-100, grid=2.0**-60)
        seeds, outputs = generator.sample(3)
        model = np.linalg.solve(seeds, outputs)
        assert before is None or np.linalg.norm(model - before) <= generator.sensitivity_ * (1 + 1e-9)
        before = model


# Noise


def test_every_fit_has_fresh_noise_of_the_declared_size(small):
    state = np.random.get_state()
    found = []
    for _ in range(400):
        np.random.seed(0)
        seeds, outputs = fitted(small, noise=10.0).sample(3)
        found.append(np.linalg.solve(seeds, outputs))
    np.random.set_state(state)
    noise = np.array(found)
    assert len({tuple(row) for row in noise.round(6)}) == 400
    clean = weights(*(np.asarray(part).reshape(20, -1) for part in small), 0.01)[0]
    assert stats.kstest(((noise - clean) / 10).ravel(), "norm").pvalue > 1e-6


def test_the_noise_is_added_once(small):
    generator = fitted(small, noise=10.0)
    models = [np.linalg.solve(*generator.sample(3)) for _ in range(5)]
    assert all(model == pytest.approx(models[0], rel=1e-2, abs=1e-2) for model in models)


def test_draws_are_standard_normal_on_both_sides_and_in_the_tail():
    drawn = module._normal((200_000,))
    assert stats.kstest(drawn, "norm").pvalue > 1e-6
    assert abs((drawn > 0).mean() - 0.5) < 5 * 0.5 / math.sqrt(drawn.size)
    assert np.isfinite(drawn).all()
    assert 4.0 < np.abs(drawn).max() < 8.4


@pytest.mark.parametrize(("byte", "expected"), [(b"\x00", -stats.norm.isf(2.0**-55)), (b"\xff", 0.0)])
def test_the_ends_of_the_entropy_are_finite_draws(byte, expected, monkeypatch):
    monkeypatch.setattr(module.secrets, "token_bytes", lambda count: byte * count)
    assert module._normal((2, 1)) == pytest.approx(expected, abs=1e-3)


def test_hidden_outputs_follow_the_law_of_the_weights(small):
    generator = fitted(small, noise=2.0)
    seeds, outputs = generator.sample(3)
    size = np.linalg.norm(np.linalg.solve(seeds, outputs))
    hidden = generator.sample(50_000, seeds="hidden")
    assert stats.kstest(hidden / size, "norm").pvalue > 1e-6
    assert stats.kstest(generator.sample(50_000)[0].ravel(), "norm").pvalue > 1e-6


@pytest.mark.parametrize("grid", [2.0**-20, 0.25, 4.0])
def test_everything_published_is_on_the_grid(small, grid):
    generator = fitted(small, noise=20.0, grid=grid)
    seeds, outputs = generator.sample(500)
    for published in (seeds, outputs, generator.sample(500, seeds="hidden")):
        assert (published / grid == np.rint(published / grid)).all()
        assert not np.signbit(published[published == 0]).any()
        assert np.unique(published).size > (1 if grid == 4.0 else 5)


# Counting


def test_rows_count_across_calls_and_one_public_row_makes_all_public(small):
    generator = fitted(small)
    generator.sample(2, seeds="hidden")
    generator.sample(3, seeds="hidden")
    assert generator.rows_ == 5
    assert generator.certificate(orders=[2.0]).method == "account-hidden"
    assert generator.certificate(9, orders=[2.0], seeds="public").method == "account-public"
    generator.sample(1)
    generator.sample(2, seeds="hidden")
    certificate = generator.certificate(orders=[2.0])
    assert (generator.rows_, certificate.inputs["rows"], certificate.method) == (8, 8, "account-public")
    assert generator.certificate(orders=[2.0], seeds="hidden").method == "account-public"
    assert fitted(small).certificate(2, orders=[2.0], seeds="hidden").method == "account-hidden"


@pytest.mark.parametrize(
    ("seeds", "noise", "steps"), [("public", 3.0, 1), ("public", 3.0, 3), ("public", 3.0, 50), ("hidden", 1.8, 2)]
)
def test_a_budget_is_refused_before_the_row_that_exceeds_it(diabetes, seeds, noise, steps):
    generator = fitted(diabetes, noise=noise, budget=BUDGET)
    setting = {"features": 10, "outputs": 1, "noise": noise, "sensitivity": generator.sensitivity_}
    setting["norm_bound"] = norm_bound(penalty=0.01, row_bound=1.0, label_bound=1.0)
    most = largest_rows(BUDGET, **setting, seeds=seeds, limit=60)
    assert 1 < most < 60
    if seeds == "public":  # for hidden seeds every step of the search takes a second
        assert generator.remaining_rows(seeds) == most
    while (left := most - generator.rows_) >= steps:
        generator.sample(steps, seeds=seeds)
    with pytest.raises(InvalidInput, match=rf"^rows must keep .*, but got rows={steps} after .*; {left} more rows"):
        generator.sample(steps, seeds=seeds)
    if left and steps > 1:
        generator.sample(left, seeds=seeds)
        with pytest.raises(InvalidInput, match="; 0 more rows keep it"):
            generator.sample(1, seeds=seeds)
    claim = generator.guarantee()
    assert (claim.epsilon, generator.rows_) == (1.0, most)
    assert claim.delta <= 1e-3
    model = {"public": PublicSeeds(), "hidden": HiddenSeeds()}[seeds]
    assert bounded_delta(Publication(rows=most + 1, **setting), model, 1.0).value > 1e-3


def test_hidden_rows_beyond_the_public_budget_leave_no_public_row(diabetes):
    generator = fitted(diabetes, noise=2.2, budget=BUDGET)
    public = generator.remaining_rows("public")
    generator.sample(public, seeds="hidden")
    with pytest.raises(InvalidInput, match=rf"rows=1 after {public} published, with public seeds; 0 more"):
        generator.sample(1)
    generator.sample(1, seeds="hidden")
    assert (generator.rows_, generator.remaining_rows("public")) == (public + 1, 0)
    assert generator.guarantee().delta <= 1e-3


def test_a_budget_that_the_model_itself_keeps_allows_every_row(small):
    generator = fitted(small, noise=1e3, budget=BUDGET)
    assert generator.remaining_rows() == 10**6
    generator.sample(100)
    assert generator.remaining_rows() == 10**6 - 100


def test_a_budget_too_small_for_one_row_publishes_none(small):
    generator = fitted(small, noise=1e-6, budget=ApproxDP(0.1, 1e-9))
    with pytest.raises(InvalidInput, match="rows=1 after 0 published"):
        generator.sample(1)
    assert generator.rows_ == 0


def test_rows_count_even_if_drawing_them_fails(small, monkeypatch):
    generator = fitted(small)
    monkeypatch.setattr(module, "_normal", lambda shape: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        generator.sample(7)
    assert generator.rows_ == 7


def test_threads_do_not_spend_the_same_rows(diabetes):
    generator = fitted(diabetes, noise=3.0, budget=BUDGET)
    most, got = generator.remaining_rows(), []

    def publish():
        for _ in range(most):
            try:
                got.append(generator.sample(1))
            except InvalidInput:
                return

    workers = [threading.Thread(target=publish) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(got) == generator.rows_ == most


def test_parameters_changed_after_the_fit_change_nothing_of_its_release(diabetes, caplog):
    generator = fitted(diabetes, noise=2.2, budget=BUDGET)
    left = generator.remaining_rows()
    before = generator.certificate(3)
    generator.set_params(budget=None, noise=1e-3)
    generator.row_bound = 50.0
    assert generator.remaining_rows() == left
    assert generator.certificate(3) == before
    generator.sample(1)
    generator.fit(*diabetes)
    assert "Rows published from an earlier fit, a release of its own: 1." in caplog.text
    assert generator.rows_ == 0
    assert generator.remaining_rows() == 10**6


# Certificates


def test_the_certificate_is_that_of_account_with_what_the_generator_takes_care_of(small):
    generator = fitted(small)
    generator.sample(2)
    certificate = generator.certificate(delta=1e-5)
    publication = generator._release.publication(2)
    plain = account(**publication.inputs(), seeds="public", delta=1e-5)
    assert certificate.claim == plain.claim
    by = {assumption.id: assumption.checked_by for assumption in certificate.assumptions}
    assert {name for name, checker in by.items() if checker == "library"} == set(module.ENFORCED)
    assert by["single-copy"] == by["declared-parameters"] == by["unselected-rows"] == "caller"
    assert by["real-arithmetic"] == "nobody"
    assert verify(certificate).status == "confirmed"
    assert document.loads(document.dumps(certificate)) == (certificate,)
    assert certificate.provenance["ridge"]["records"] == 20
    assert certificate.provenance["ridge"]["grid"] == GRID


def test_hidden_certificates_verify_too(small):
    generator = fitted(small, noise=1.0)
    generator.sample(2, seeds="hidden")
    assert verify(generator.certificate(epsilon=0.5)).status == "confirmed"


def test_what_is_answered_when_nothing_is_asked(small):
    assert isinstance(fitted(small).guarantee(3), RenyiDP)
    assert fitted(small).guarantee(3).orders == module.ORDERS
    answer = fitted(small, budget=BUDGET).guarantee(3)
    assert isinstance(answer, ApproxDP)
    assert answer.epsilon == BUDGET.epsilon
    assert fitted(small, budget=BUDGET).guarantee(3, delta=0.1).delta == 0.1


def test_a_certificate_holds_no_data_and_a_pickle_no_bare_weights(small):
    generator = fitted(small, noise=5.0)
    clean = weights(*(np.asarray(part).reshape(20, -1) for part in small), 0.01)[0]
    stored = pickle.dumps(generator)
    for secret in (*clean, *small[0].ravel(), *small[1]):
        assert np.float64(secret).tobytes() not in stored


def test_a_copy_counts_on_its_own_and_the_certificate_says_so(small):
    generator = fitted(small)
    generator.sample(2)
    for twin in (pickle.loads(pickle.dumps(generator)), copy.deepcopy(generator)):
        assert twin.rows_ == 2
        assert np.linalg.solve(*twin.sample(3)) == pytest.approx(np.linalg.solve(*generator.sample(3)), abs=1e-3)
    assert any(a.id == "single-copy" and a.severity == "void" for a in generator.certificate().assumptions)


# scikit-learn's manners


def test_it_clones_as_an_estimator_of_scikit_learn(small):
    base = pytest.importorskip("sklearn.base")
    generator = fitted(small, budget=BUDGET, grid=2.0**-10)
    twin = base.clone(generator)
    assert twin.get_params() == generator.get_params() == {**GOOD, "budget": BUDGET, "grid": 2.0**-10}
    with pytest.raises(InvalidInput, match="must be fitted"):
        twin.sample(1)


def test_parameters_are_set_all_or_none():
    generator = RidgeGenerator(**GOOD)
    assert generator.set_params(noise=2.0) is generator
    with pytest.raises(InvalidInput, match=r"^penalty must"):
        generator.set_params(noise=3.0, penalty=-1.0)
    with pytest.raises(InvalidInput, match=r"parameter must be one of noise, .*, but got parameter='sigma'"):
        generator.set_params(sigma=1.0)
    assert generator.get_params(deep=False)["noise"] == 2.0
    expected = f"noise=2.0, penalty=0.01, row_bound=1.0, label_bound=1.0, budget=None, grid={GRID!r}"
    assert repr(generator) == f"RidgeGenerator({expected})"


def test_remaining_rows_are_counted_up_to_a_limit_that_is_asked_first():
    loose = RidgeGenerator(noise=1.0, penalty=1.0, row_bound=1.0, label_bound=1.0, budget=ApproxDP(0.0, 0.9))
    generator = loose.fit(np.eye(3), np.ones(3))
    generator.sample(2, "hidden")
    assert generator.remaining_rows("hidden") == 10**6 - 2
    assert generator.remaining_rows("hidden", limit=50) == 48
    assert generator.remaining_rows("hidden", limit=1) == 0
