"""Laws of seed models: what publishing rows is said to leak grows and shrinks as it must, and is seen by `verify`."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from leakbound.certificate import Certificate, document
from leakbound.certificate.references import citation
from leakbound.certificate.verify import methods, verify
from leakbound.checks import values
from leakbound.checks.claims import numbers
from leakbound.checks.law import Law, expect, law
from leakbound.errors import shown
from leakbound.synthetic.account import account
from leakbound.synthetic.publication import Publication
from leakbound.synthetic.seeds.base import SeedModel, seed_models
from leakbound.synthetic.seeds.fixed import FixedSeeds

_CLOSE = 1e-3
"""How much a bound may move the wrong way, relatively: the slack of a search."""
_PUBLISHED: dict[str, Any] = {"features": 3, "outputs": 1, "rows": 1, "noise": 1.0, "sensitivity": 1.0}
_LEAKS_MORE: tuple[dict[str, Any], ...] = ({"rows": 7}, {"sensitivity": 1.5}, {"noise": 0.5})
_READINGS: Mapping[str, Callable[[SeedModel, Publication], float]] = {
    "renyi at order 2": lambda model, published: model.renyi(published, 2.0).value,
    "delta at 0.5": lambda model, published: model.delta(published, 0.5).value,
}
_SETTINGS: tuple[dict[str, Any], ...] = ({}, {"outputs": 2, "norm_bound": 4.0})
_QUESTIONS: tuple[dict[str, Any], ...] = (
    {"delta": 1e-3},
    {"epsilon": 0.5},
    {"orders": (2.0,)},
    {"epsilons": (0.0, 1.0)},
)


def subjects() -> Iterator[type[SeedModel]]:
    """Yield every installed seed model."""
    yield from seed_models().values()


def is_seed_model(subject: Any) -> bool:
    """Whether a subject is a class of seed models."""
    return isinstance(subject, type) and issubclass(subject, SeedModel)


def is_verifiable(subject: Any) -> bool:
    """Whether a subject is a class of seed models, and python-flint is there to verify what it certifies."""
    return is_seed_model(subject) and importlib.util.find_spec("flint") is not None


@law(is_seed_model)
def introduces_itself_as_seeds(subject: type[SeedModel]) -> None:
    """The class has the name under which it is installed, references that resolve, and a method with a verifier."""
    for name in ("name", "method"):
        text = getattr(subject, name, None)
        expect(isinstance(text, str) and bool(text.strip()), f"its {name} must be a text, but is {shown(text)}")
    known = seed_models().get(subject.name)
    expect(known is subject, f"the entry-point group leakbound.seeds has {shown(known)} under {subject.name!r}")
    expect(len(subject.references) > 0, "it has no references")
    for key in subject.references:
        expect(bool(citation(key).strip()), f"its reference {key!r} is empty")
    method = methods().get(subject.method)
    expect(method is not None, f"no installed verifier knows its method {subject.method!r}")
    listed = {assumption.id for assumption in subject().all_assumptions(Publication(**_PUBLISHED))}
    missing = [name for name in method.assumptions if name not in listed] if method is not None else []
    expect(not missing, f"its method rests on assumptions that it does not list: {shown(missing)}")


@law(is_seed_model)
def is_a_plain_value(subject: type[SeedModel]) -> None:
    """A seed model is frozen, hashes, pickles and prints as one line."""
    model = subject()
    for test in (values.do_not_change, values.hash_alike, values.pickle_alike, values.print_one_line):
        test((model,))
    try:
        model.name = "another"  # type: ignore[misc]  # on purpose
    except (AttributeError, TypeError):
        return
    raise AssertionError(f"name of {model} can be changed; make the dataclass frozen")


@law(is_seed_model)
def leaks_more_with_more(subject: type[SeedModel]) -> None:
    """Bounds never shrink with rows or sensitivity, nor grow with noise."""
    model = subject()
    for name, read in _READINGS.items():
        before = read(model, Publication(**_PUBLISHED))
        expect(before > 0, f"{name} is {before}, but two normals are told apart by something")
        for change in _LEAKS_MORE:
            after = read(model, Publication(**{**_PUBLISHED, **change}))
            expect(after >= before * (1 - _CLOSE), f"{name} falls from {before} to {after} with {change}")


@law(is_seed_model)
def stays_within_post_processing(subject: type[SeedModel]) -> None:
    """What `account` certifies is never weaker than post-processing of the model."""
    for question in _QUESTIONS:
        own, plain = _certified(subject, question), _certified(FixedSeeds, question)
        for one, other in zip(numbers(own.claim), numbers(plain.claim), strict=True):
            fine = one.value <= other.value if own.claim.larger_is_weaker[one.name] else one.value >= other.value
            expect(fine, f"{question} gives {one.name} {one.value}, but post-processing {other.value}")


@law(is_verifiable)
def certifies_as_verified(subject: type[SeedModel]) -> None:
    """Certificates are confirmed by another route, and come back from JSON as they were."""
    for setting in _SETTINGS:
        for question in _QUESTIONS:
            certificate = _certified(subject, {**setting, **question})
            verification = verify(certificate)
            expect(verification.status == "confirmed", f"{certificate} with {setting}: {verification}")
            (back,) = document.loads(document.dumps(certificate))
            expect(back == certificate, f"{certificate} comes back from JSON as {back}")


def _certified(subject: type[SeedModel], options: Mapping[str, Any]) -> Certificate:
    return account(**{**_PUBLISHED, **options}, seeds=subject)


LAWS: tuple[Law, ...] = (
    introduces_itself_as_seeds,
    is_a_plain_value,
    leaks_more_with_more,
    stays_within_post_processing,
    certifies_as_verified,
)
