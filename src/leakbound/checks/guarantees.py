"""Laws of guarantees, for every installed kind and every example it gives of itself; curves are checked as well."""

from __future__ import annotations

import dataclasses
import importlib.util
import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

from leakbound.certificate import document, issue
from leakbound.certificate.standing import Standing
from leakbound.certificate.verify import methods, verify
from leakbound.checks import curves, values
from leakbound.checks.claims import changed, numbers, readings, weakened
from leakbound.checks.law import Law, expect, law
from leakbound.errors import InvalidInput, NoTheorem, shown
from leakbound.guarantees.arrows import ARROWS, Arrow
from leakbound.guarantees.base import NEIGHBOURING, Guarantee
from leakbound.guarantees.registry import curve_families, kinds

_COUNTS = (1, 2, 3, 7)
_CLOSE = 1e-12
_MONOTONE = 1e-9
_OPTIONS: dict[str, tuple[object, ...]] = {
    "orders": ((1.0, 1.5, 8.0, math.inf), (2.0,)),
    "epsilons": ((0.0, 1.0), (0.5,)),
    "records": (1, 3),
    "independent": (False, True),
    "kernel": ("rbf(bandwidth=1.0)",),
    "order": (1.5, 2.0),
    "regularization": (0.01,),
}
_TARGETS: tuple[dict[str, object], ...] = ({"epsilon": 0.0}, {"epsilon": 0.5}, {"delta": 1e-5})


def subjects() -> Iterator[type]:
    """Yield every installed kind of guarantee and every installed family of curves."""
    yield from kinds().values()
    yield from curve_families().values()


def is_guarantee(subject: Any) -> bool:
    """Whether a subject is a class of guarantees."""
    return isinstance(subject, type) and issubclass(subject, Guarantee)


def is_verifiable(subject: Any) -> bool:
    """Whether a subject is a class of guarantees, and python-flint is there to verify what follows from it."""
    return is_guarantee(subject) and importlib.util.find_spec("flint") is not None


@law(is_guarantee)
def introduces_itself(subject: type[Guarantee]) -> None:
    """The class has a kind, a title, and examples of itself, of which one at least has a number."""
    for name in ("kind", "title"):
        text = getattr(subject, name, None)
        expect(isinstance(text, str) and bool(text.strip()), f"its {name} must be a text, but is {shown(text)}")
    examples = subject.examples()
    expect(isinstance(examples, tuple) and len(examples) > 0, "examples() must return a tuple of its values")
    wrong = [example for example in examples if type(example) is not subject]
    expect(not wrong, f"examples() has {shown(wrong[0]) if wrong else ''}, which is of another class")
    expect(any(numbers(example) for example in examples), "no example has a number in its claim")


@law(is_guarantee)
def is_frozen(subject: type[Guarantee]) -> None:
    """A guarantee cannot be changed once made."""
    values.do_not_change(subject.examples())


@law(is_guarantee)
def hashes(subject: type[Guarantee]) -> None:
    """A guarantee hashes and equals its copies."""
    values.hash_alike(subject.examples())


@law(is_guarantee)
def pickles(subject: type[Guarantee]) -> None:
    """A guarantee comes back from a pickle as it was."""
    values.pickle_alike(subject.examples())


@law(is_guarantee)
def prints(subject: type[Guarantee]) -> None:
    """A guarantee prints as one line that says something."""
    values.print_one_line(subject.examples())


@law(is_guarantee)
def states_its_claim(subject: type[Guarantee]) -> None:
    """A guarantee is made again from its claim under every relation; a claim with other fields is refused."""
    for example, relation in itertools.product(subject.examples(), NEIGHBOURING):
        made = dataclasses.replace(example, neighbouring=relation)
        again = subject.from_claim(made.claim(), relation)
        expect(again == made, f"{shown(made)} comes back from its claim as {shown(again)}")
        for name in made.claim():
            less = {key: value for key, value in made.claim().items() if key != name}
            _refused(lambda: subject.from_claim(less, relation), f"a claim without {name}")  # noqa: B023 - at once
        _refused(lambda: subject.from_claim({**made.claim(), "no_such_field": 1.0}, relation), "an unknown field")  # noqa: B023 - at once


@law(is_guarantee)
def survives_json(subject: type[Guarantee]) -> None:
    """A certificate that declares the guarantee comes back from its JSON as it was."""
    known = kinds().get(subject.kind)
    expect(
        known is subject,
        f"the entry-point group leakbound.guarantees has {shown(known)} under {subject.kind!r}, so that no file with"
        " this kind can be read; enter the class there and install the package again",
    )
    for example, relation in itertools.product(subject.examples(), NEIGHBOURING):
        certificate = issue.declare(dataclasses.replace(example, neighbouring=relation))
        (back,) = document.loads(document.dumps(certificate))
        expect(back == certificate, f"{certificate} comes back from JSON as {back}")


@law(is_guarantee)
def refuses_bad_numbers(subject: type[Guarantee]) -> None:
    """NaN, minus infinity, negatives, booleans, texts and None are refused wherever a number belongs, by name."""
    for example in subject.examples():
        for number in numbers(example):

            def make(value: object) -> Guarantee:
                return changed(example, number, value)  # noqa: B023 - called at once

            for bad in values.NOT_NUMBERS:
                values.refuses(make, number.field, bad)
            values.takes_or_refuses(make, number.field, math.inf)
            values.takes_or_refuses(make, number.field, 10**400)
        for field in dataclasses.fields(example):
            for bad in (math.nan, None, object):
                values.refuses(lambda value: _with(example, field.name, value), field.name, bad)  # noqa: B023 - at once


@law(is_guarantee)
def says_what_weakens(subject: type[Guarantee]) -> None:
    """`larger_is_weaker` names every number of the claim, and says truly which way is weaker."""
    for example in subject.examples():
        before = readings(example)
        for number in numbers(example):
            name = number.name
            larger = subject.larger_is_weaker.get(name)
            expect(isinstance(larger, bool), f"larger_is_weaker must say True or False of {name}, but says {larger}")
            for weaker in weakened(example, number, larger=bool(larger)):
                after = readings(weaker)
                fine = all(w >= b * (1 - _MONOTONE) for w, b in zip(after, before, strict=True))
                word = "larger" if larger else "smaller"
                expect(fine, f"a {word} {name} leads from {example} to {weaker}, which is stronger: {after} < {before}")


@law(is_guarantee)
def composes_by_count(subject: type[Guarantee]) -> None:
    """n uses at once equal n single uses, are weaker than one, keep the relation, or are refused as NoTheorem."""
    held = [_with(example, "neighbouring", NEIGHBOURING[0]) for example in subject.examples()]
    for example, count in itertools.product(held, _COUNTS):
        at_once = _composed(lambda: example.compose(count))  # noqa: B023 - called at once
        singly = _composed(lambda: subject.total([(example, 1)] * count))  # noqa: B023 - called at once
        expect((at_once is None) == (singly is None), f"{count} uses of {example} compose only in one of two ways")
        if at_once is None or singly is None:
            continue
        expect(
            _close(at_once, singly),
            f"{count} uses of {example} at once are {at_once}, but one by one they are {singly}; is the count ignored?",
        )
        expect(at_once.neighbouring == example.neighbouring, f"{count} uses of {example} have another relation")
        expect(
            count == 1 or at_once != example or _is_at_an_end(example),
            f"{count} uses of {example} are no weaker than one; is the count ignored?",
        )


@law(is_guarantee)
def grows_with_count(subject: type[Guarantee]) -> None:
    """No (epsilon, delta) that many uses give is stronger than what one use gives."""
    for example in subject.examples():
        many = _composed(lambda: example.compose(_COUNTS[-1]))  # noqa: B023 - called at once
        if many is not None and many != example:
            after, before = readings(many), readings(example)
            fine = all(a >= b * (1 - _MONOTONE) for a, b in zip(after, before, strict=True))
            expect(fine, f"{_COUNTS[-1]} uses of {example} are stronger than one: {after} < {before}")


@law(is_guarantee)
def refuses_bad_composition(subject: type[Guarantee]) -> None:
    """Counts that are no whole numbers of at least one, and parts of different relations, are refused."""
    one, other = (dataclasses.replace(subject.examples()[0], neighbouring=relation) for relation in NEIGHBOURING[:2])
    for count in (0, -1, 1.5, math.nan, True, "2", None):
        values.refuses(lambda value: subject.compose(one, value), "count", count)  # type: ignore[arg-type]  # on purpose
    _refused(lambda: subject.total([(one, 1), (other, 1)]), "a mix of relations")
    _refused(lambda: subject.total([]), "nothing")


@law(is_verifiable)
def converts_as_verified(subject: type[Guarantee]) -> None:
    """What a conversion says is on the safe side of an enclosure by another route, as `verify` finds."""
    for arrow in (arrow for (source, _), arrow in ARROWS.items() if source == subject.kind):
        for example, chosen in itertools.product(subject.examples(), _options(arrow)):
            try:
                certificate = issue.convert(example, arrow.target, **chosen)
            except NoTheorem:
                continue
            verification = verify(certificate)
            expect(verification.status == "confirmed", f"{arrow.method} of {example} with {chosen}: {verification}")
            method = methods()[certificate.method]
            expect(
                method.firmest is not Standing.PROVED or all(check.safe for check in verification.checks),
                f"{arrow.method} of {example} with {chosen} errs to the optimistic side: {verification}",
            )


def _options(arrow: Arrow) -> Iterator[dict[str, Any]]:
    """Yield every combination of options for a conversion; none where it takes options that are not known here."""
    asked = {"epsilon", "delta"}
    others = [name for name in arrow.options if name not in asked]
    if any(name not in _OPTIONS for name in others):
        return
    targets = _TARGETS if asked <= set(arrow.options) else ({},)
    for chosen in itertools.product(*(_OPTIONS[name] for name in others)):
        for target in targets:
            yield {**target, **dict(zip(others, chosen, strict=True))}


def _with(example: Guarantee, name: str, value: Any) -> Guarantee:
    return dataclasses.replace(example, **{name: value})


def _composed(compose: Callable[[], Guarantee]) -> Guarantee | None:
    try:
        return compose()
    except NoTheorem:
        return None


def _close(one: Guarantee, other: Guarantee) -> bool:
    pairs = zip(numbers(one), numbers(other), strict=True)
    return all(
        a.path == b.path and (a.value == b.value or math.isclose(a.value, b.value, rel_tol=_CLOSE)) for a, b in pairs
    )


def _is_at_an_end(example: Guarantee) -> bool:
    """Whether every number that composition could raise is zero or as weak as can be."""
    return all(
        number.value in (0.0, 1.0, math.inf) or not example.larger_is_weaker.get(number.name, False)
        for number in numbers(example)
    )


def _refused(make: Callable[[], object], what: str) -> None:
    try:
        made = make()
    except InvalidInput:
        return
    raise AssertionError(f"{what} is accepted and gives {shown(made)}")


LAWS: tuple[Law, ...] = (
    introduces_itself,
    is_frozen,
    hashes,
    pickles,
    prints,
    states_its_claim,
    survives_json,
    refuses_bad_numbers,
    says_what_weakens,
    composes_by_count,
    grows_with_count,
    refuses_bad_composition,
    converts_as_verified,
    *curves.LAWS,
)
