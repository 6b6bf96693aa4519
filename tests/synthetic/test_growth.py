import pytest

from leakbound.synthetic import Publication, account, growth
from leakbound.synthetic.growth import Question

PUBLISHED = Publication(features=12, outputs=1, rows=30, noise=1.0, sensitivity=1.0)


@pytest.mark.parametrize(("rows", "steps"), [(1, (1,)), (2, (1, 2)), (7, (1, 2, 5, 7)), (50, (1, 2, 5, 10, 20, 50))])
def test_counts_grow_to_the_number_asked_for(rows, steps):
    assert growth.counts(rows) == steps


@pytest.mark.parametrize(
    ("question", "asked", "answered"),
    [
        (Question("delta", 1e-5), {"delta": 1e-5}, "epsilon"),
        (Question("epsilon", 0.5), {"epsilon": 0.5}, "delta"),
        (Question("order", 3.0), {"orders": 3.0}, "Renyi divergence"),
    ],
)
def test_the_table_has_the_numbers_of_account(question, asked, answered):
    assert question.answered == answered
    names = {"model": "fixed", "public": "public", "hidden": "hidden"}
    for rows, bounds in growth.growth(Publication(12, 1, 2, 1.0, 1.0), question):
        assert list(bounds) == list(names)
        for name, value in bounds.items():
            claim = account(
                features=12, outputs=1, rows=rows, noise=1.0, sensitivity=1.0, seeds=names[name], **asked
            ).claim
            found = {"delta": "epsilon", "epsilon": "delta"}.get(question.name)
            assert value == (getattr(claim, found) if found else claim.epsilons[0])


def test_public_seeds_stop_paying_where_they_span_everything():
    question = Question("order", 2.0)
    seen = list(growth.growth(PUBLISHED, question))
    assert growth.stops_paying(PUBLISHED, question, "public", seen) == 12
    assert growth.stops_paying(PUBLISHED, question, "hidden", seen) is None
    assert growth.stops_paying(PUBLISHED, question, "model", seen) == 1


def test_curves_are_one_per_seed_model():
    seen = [(1, {"model": 2.0, "public": 1.0}), (5, {"model": 2.0, "public": 1.5})]
    assert growth.curves(Question("epsilon", 1.0), seen) == {
        "delta against rows: model": {"x": [1.0, 5.0], "y": [2.0, 2.0]},
        "delta against rows: public": {"x": [1.0, 5.0], "y": [1.0, 1.5]},
    }
