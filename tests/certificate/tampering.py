"""What a forger might do to a certificate: a claim a little too good, or inputs from which it no longer follows.

Whether a changed input makes the claim untrue is decided by the fast route: the claim is made again from the changed
inputs, and counts as untrue when that is weaker in one of its numbers. `verify` must see it without that help.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from leakbound.certificate import Certificate, issue
from leakbound.checks.claims import changed, numbers
from leakbound.errors import LeakboundError
from leakbound.guarantees import Events, Guarantee, RenyiDP, Statements, ZeroConcentratedDP, compose, restate
from leakbound.guarantees.registry import kinds
from leakbound.numerics import joint_range, polygon

CLOSED_FORM = 2e-6
"""How much too good a claim is made; the tolerance of a closed form is 1e-9."""
SMALLEST = 1e-290
"""Below this a relative change is lost in the absolute slack of 1e-300."""
CLEAR = 1e-6
"""A claim that is weaker by more than this, relatively, is weaker beyond all rounding."""


def too_good(certificate: Certificate, by: float = CLOSED_FORM) -> Iterator[tuple[str, Certificate]]:
    """Yield the certificate with each number of its claim in turn, and its confidence, more optimistic by a factor."""
    for number in numbers(certificate.claim):
        better = _better(number.value, by, larger=not certificate.claim.larger_is_weaker[number.name])
        claim = None if better is None else _made(certificate.claim, number, better)
        if claim is not None and _is_better(certificate, claim):
            yield number.name, certificate.with_(claim=claim)
    vacuous = getattr(certificate.claim, "bound", None) == 1  # a risk of at most one is sure
    uses_confidence = certificate.method.startswith(("compose-", "holdout-")) and not vacuous
    if uses_confidence and certificate.confidence * (1 + by) <= 1:
        yield "confidence", certificate.with_(confidence=certificate.confidence * (1 + by))


def falsified(certificate: Certificate) -> Iterator[tuple[str, Certificate]]:
    """Yield the certificate with one number of its inputs or evidence changed so that the claim no longer follows."""
    inputs = _plain(certificate.inputs)
    for path, value in _leaves((), inputs):
        for other in _others(path, value):
            moved = _put(inputs, path, other)
            if _is_weaker(certificate, moved):
                name = ".".join(map(str, path))
                yield f"{name}: {value} -> {other}", certificate.with_(inputs=moved)
    if "order" in certificate.evidence:
        order = float(certificate.evidence["order"])
        for other in (1 + (order - 1) * 2, 1 + (order - 1) / 2, order + 1) if order < math.inf else (2.0,):
            if _is_worse_at(certificate, other):
                evidence = {**certificate.evidence, "order": other}
                yield f"evidence.order: {order} -> {other}", certificate.with_(evidence=evidence)


def _better(value: float, by: float, *, larger: bool) -> float | None:
    if value == math.inf:
        return None if larger else 1e3
    if larger:
        return by if value == 0 else value * (1 + by)
    return None if value < SMALLEST else value * (1 - by)


def _made(claim: Guarantee, number: Any, value: float) -> Guarantee | None:
    try:
        return changed(claim, number, value)
    except LeakboundError:  # beyond one, or out of order
        return None


def _is_better(certificate: Certificate, claim: Guarantee) -> bool:
    """Whether a claim of lines became better as a curve: some lines matter less than they were moved by."""
    given = certificate.inputs.get("given")
    if certificate.method not in ("profile-to-tradeoff", "tradeoff-to-profile") or "lines" not in given:
        return True
    return _above(guarantee(given), claim, 10 * float(certificate.evidence["tolerance"]))


def guarantee(given: Mapping[str, Any]) -> Guarantee:
    """Return the guarantee that inputs state."""
    claim = {key: value for key, value in given.items() if key != "kind"}
    return kinds()[given["kind"]].from_claim(claim, "as-stated")


def again(certificate: Certificate, inputs: Mapping[str, Any]) -> tuple[Guarantee, float]:
    """Make the claim and the confidence again, from other inputs, by the fast route."""
    method, options = (
        certificate.method,
        {k: v for k, v in inputs.items() if k not in ("given", "parts", "neighbouring")},
    )
    if method == "declared":
        return guarantee(inputs["given"]), certificate.confidence
    if method == "holdout-clopper-pearson":
        return issue.holdout(inputs["errors"], inputs["records"], confidence=certificate.confidence).claim, 1.0
    if "parts" in inputs:
        parts = [(guarantee(part["claim"]), part["count"]) for part in inputs["parts"]]
        sure = issue.ceiling_failure(part["confidence"] for part in inputs["parts"])
        if method == "compose-same-kind":
            return compose.total(parts), sure
        return compose.compose(parts, **options, routes=(method.removeprefix("compose-"),)).guarantee, sure
    relation = inputs["neighbouring"]
    given = guarantee(inputs["given"])
    stated = type(given).from_claim(given.claim(), relation)
    return restate(stated, certificate.claim.kind, **options), certificate.confidence


def _is_weaker(certificate: Certificate, inputs: Mapping[str, Any]) -> bool:
    try:
        claim, confidence = again(certificate, inputs)
    except LeakboundError:
        return False
    if confidence < certificate.confidence * (1 - CLEAR):
        return True
    old, new = numbers(certificate.claim), numbers(claim)
    if isinstance(getattr(claim, "curve", None), (Events, Statements)) and certificate.method != "declared":
        return _above(guarantee(inputs["given"]), certificate.claim, CLEAR)
    if [number.path for number in old] != [number.path for number in new]:
        return True
    for before, after in zip(old, new, strict=True):
        larger = claim.larger_is_weaker[before.name]
        strong, weak = (before.value, after.value) if larger else (after.value, before.value)
        if weak > strong * (1 + CLEAR) + SMALLEST:
            return True
    return False


def _above(exact: Guarantee, claim: Guarantee, margin: float) -> bool:
    """Whether the profile of what was given is clearly above the profile that is claimed, at some corner of either."""
    if isinstance(exact, RenyiDP):
        return any(
            restate(exact, "approx-dp", epsilon=e).delta > d * (1 + margin) + SMALLEST for e, d in claim.curve.lines
        )
    epsilons = {0.0}
    for curve in (exact.curve, claim.curve):
        lines = curve.lines if isinstance(curve, Statements) else polygon.statements_of_events(curve.lines)
        epsilons |= {e for e, _ in lines if e < 700}
    if isinstance(claim.curve, Statements):  # each statement is a claim of its own
        return any(exact.curve.hockey_stick(e) > d * (1 + margin) + SMALLEST for e, d in claim.curve.lines)
    return any(exact.curve.hockey_stick(e) > claim.curve.hockey_stick(e) * (1 + margin) + SMALLEST for e in epsilons)


def _is_worse_at(certificate: Certificate, order: float) -> bool:
    """Whether the bound at another order does not give what is claimed."""
    divergence = _divergence(certificate, order)
    if divergence is None:
        return True
    bound = joint_range.largest_hockey_stick(order, divergence, certificate.claim.epsilon)
    return bound > certificate.claim.delta * 1.001 + SMALLEST


def _divergence(certificate: Certificate, order: float) -> float | None:
    """Return the total Renyi divergence of an order; None where the inputs do not know it."""
    if "given" in certificate.inputs:
        parts: list[tuple[Guarantee, int]] = [(guarantee(certificate.inputs["given"]), 1)]
    else:
        parts = [(guarantee(part["claim"]), part["count"]) for part in certificate.inputs["parts"]]
    if certificate.method == "compose-zcdp":
        whole = compose.concentrated_total(parts, "as-stated")
        return None if whole is None else order * whole.rho
    total = 0.0
    for part, count in parts:
        if isinstance(part, RenyiDP):
            table = dict(zip(part.orders, part.epsilons, strict=True))
            if order not in table:
                return None
            total += count * table[order]
        elif isinstance(part, ZeroConcentratedDP):
            total += count * order * part.rho
        else:
            curve = compose.curve_of(part)
            assert curve is not None
            total += count * curve.renyi(order)
    return total


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    return tuple(_plain(entry) for entry in value) if isinstance(value, tuple) else value


def _leaves(path: tuple[str | int, ...], value: Any) -> Iterator[tuple[tuple[str | int, ...], float]]:
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _leaves((*path, key), entry)
    elif isinstance(value, tuple):
        for index, entry in itertools.islice(enumerate(value), 3):
            yield from _leaves((*path, index), entry)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def _others(path: tuple[str | int, ...], value: float) -> tuple[float, ...]:
    if path[-1] == "confidence":
        return ((1 + value) / 2 - 0.05,) if value > 0.2 else ()
    if isinstance(value, int):
        return tuple(n for n in (2 * value, value + 1, value // 2) if n >= (0 if path[-1] == "errors" else 1))
    if value == math.inf:
        return (1.5,)
    return (value * 1.5, value / 1.5) if value else (0.5,)


def _put(holder: Any, path: tuple[str | int, ...], value: float) -> Any:
    if not path:
        return value
    if isinstance(holder, dict):
        return {key: _put(entry, path[1:], value) if key == path[0] else entry for key, entry in holder.items()}
    return tuple(_put(entry, path[1:], value) if i == path[0] else entry for i, entry in enumerate(holder))
