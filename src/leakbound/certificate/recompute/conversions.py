"""Recomputation of every conversion."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from leakbound.certificate.check import Check
from leakbound.certificate.method import Method, Problem
from leakbound.certificate.recompute import answers, laws
from leakbound.certificate.record import Record
from leakbound.errors import InvalidCertificate
from leakbound.numerics.ball import ball, crossing, enclose, normal_tail

_WEAKER: dict[str, dict[str, bool]] = {
    "pure-dp": {"epsilon": True},
    "approx-dp": {"epsilon": True, "delta": True},
    "gdp": {"mu": True},
    "zcdp": {"rho": True},
    "mutual-information": {"nats": True},
    "max-information": {"nats": True, "failure": True},
    "kernel-renyi": {"order": False, "regularization": True, "epsilon": True},
    "risk": {"bound": True},
}


def declared(problem: Problem) -> Iterator[Check]:
    """The claim repeats the guarantee that was given."""
    given, kind = problem.inputs.record("given"), problem.inputs.record("given").text("kind")
    if kind in _WEAKER:
        if kind == "kernel-renyi" and problem.claim.text("kernel") != given.text("kernel"):
            raise InvalidCertificate("The claim names another kernel than its inputs; it does not fit.")
        yield from answers.copied(problem, kind, given, weaker=_WEAKER[kind])
    elif kind == "renyi":
        table = dict(zip(given.numbers("orders"), given.numbers("epsilons"), strict=False))
        yield from renyi_claim(problem, tuple(table), lambda a: ball(table[a]))
    else:
        yield from curve_claim(problem, kind, given)


def curve_claim(problem: Problem, kind: str, given: Record) -> Iterator[Check]:
    """The claim repeats a curve."""
    if "lines" not in given:
        parameters = given.record("parameters")
        values = {name: parameters.number(name) for name in parameters.entries}
        yield from answers.family(problem, kind, given.text("family"), values)
        return
    answers.expect_kind(problem, kind)
    claimed, lines = problem.claim.pairs("lines"), given.pairs("lines")
    if len(claimed) != len(lines):
        raise InvalidCertificate(f"The claim has {len(claimed)} lines, its inputs {len(lines)}; it does not fit.")
    second_weaker = kind == "tradeoff"
    for (a, b), (c, d) in zip(claimed, lines, strict=True):
        yield Check("first number of a line", a, c, c, problem.tolerance, True)
        yield Check("second number of a line", b, d, d, problem.tolerance, second_weaker)


def renyi_claim(problem: Problem, orders: tuple[float, ...], divergence: Any) -> Iterator[Check]:
    """The claim lists Renyi divergences at the orders asked for."""
    answers.expect_kind(problem, "renyi")
    yield from answers.listed(problem, "epsilons", "orders", orders, divergence)


def to_renyi(problem: Problem) -> Iterator[Check]:
    """Renyi divergences of a curve at the orders asked for."""
    divergence = laws.renyi(problem.inputs.record("given"))
    yield from renyi_claim(problem, problem.inputs.numbers("orders", low=1.0), divergence)


def to_approx(problem: Problem) -> Iterable[Check]:
    """(epsilon, delta) of a curve."""
    return answers.approximate(problem, laws.profile(problem.inputs.record("given")))


def renyi_to_approx(problem: Problem) -> Iterator[Check]:
    """(epsilon, delta) from the Renyi divergence at the order of the evidence."""
    answers.expect_kind(problem, "approx-dp")
    given, order = problem.inputs.record("given"), problem.evidence.number("order", low=1.0)
    yield from at_order(problem, order, enclose(lambda: laws.renyi(given)(order))[1])


def at_order(problem: Problem, order: float, divergence: float) -> Iterator[Check]:
    """(epsilon, delta) from a Renyi divergence of one order."""
    return answers.approximate_between(problem, lambda e: laws.joint_range(order, divergence, e))


def renyi_to_tradeoff(problem: Problem) -> Iterator[Check]:
    """Statements (epsilon, delta(epsilon)), each from the best order."""
    answers.expect_kind(problem, "tradeoff")
    given, asked = problem.inputs.record("given"), problem.inputs.numbers("epsilons")
    pairs = list(zip(given.numbers("orders"), given.numbers("epsilons"), strict=False))
    claimed = problem.claim.pairs("lines")
    if len(claimed) != len(asked):
        raise InvalidCertificate(f"The claim has {len(claimed)} lines for {len(asked)} epsilons; it does not fit.")
    for (epsilon, delta), wanted in zip(claimed, asked, strict=True):
        yield Check("epsilon of a line", epsilon, wanted, wanted, problem.tolerance, True)
        ends = [laws.joint_range(order, bound, wanted) for order, bound in pairs]
        least = min(low for low, _ in ends), min(high for _, high in ends)
        yield Check(f"delta at {wanted:g}", delta, *least, problem.tolerance, True)


def to_gdp(problem: Problem) -> Iterator[Check]:
    """mu with P(N > mu/2) = 1 / (1 + e^eps)."""
    answers.expect_kind(problem, "gdp")
    epsilon = problem.inputs.record("given").number("epsilon")
    if epsilon in (0.0, math.inf):
        yield answers.exactly(problem, "mu", epsilon)
        return
    yield answers.number(problem, "mu", crossing(lambda mu: _corner(epsilon) - normal_tail(ball(mu) / 2), 0.0, 1e160))


def _corner(epsilon: float) -> Any:
    return (-ball(epsilon)).exp() / (1 + (-ball(epsilon)).exp())


def to_zcdp(problem: Problem) -> Iterator[Check]:
    """eps tanh(eps/2) or mu^2/2."""
    answers.expect_kind(problem, "zcdp")
    given = problem.inputs.record("given")
    yield answers.formula(problem, "rho", lambda: laws.renyi(given)(1.0))


def to_profile(problem: Problem) -> Iterator[Check]:
    """The profile of the hardest pair of a pure, approximate or Gaussian guarantee."""
    return _hardest_pair(problem, "profile")


def to_tradeoff(problem: Problem) -> Iterator[Check]:
    """The trade-off curve of that pair."""
    return _hardest_pair(problem, "tradeoff")


def _hardest_pair(problem: Problem, target: str) -> Iterator[Check]:
    given = problem.inputs.record("given")
    kind = given.text("kind")
    if kind == "gdp":
        return answers.family(problem, target, "gaussian", {"mu": given.number("mu")})
    delta = given.number("delta") if kind == "approx-dp" else 0.0
    return answers.family(problem, target, "dp", {"epsilon": given.number("epsilon"), "delta": delta})


def conjugate(problem: Problem) -> Iterator[Check]:
    """A profile as a trade-off curve or the reverse: a family keeps its parameters, lines are compared as profiles."""
    given = problem.inputs.record("given")
    target = "tradeoff" if given.text("kind") == "profile" else "profile"
    if "lines" not in given:
        yield from curve_claim(problem, target, given)
        return
    answers.expect_kind(problem, target)
    exact = laws.profile(given)
    if target == "tradeoff":
        for epsilon, delta in problem.claim.pairs("lines"):
            value = answers.probability(lambda: exact(epsilon))
            yield Check(f"delta at {epsilon:.6g}", delta, *value, problem.tolerance, True)
        return
    # Both curves are convex polygons in e^eps: one is above the other where it is so at the corners of both.
    lines, statements = problem.claim.pairs("lines"), given.pairs("lines")
    corners = {e for e, _ in laws.corners_of_events(lines)} | {e for e, _ in statements if e <= 1e18} | {0.0}
    for epsilon in sorted(corners):
        claimed = enclose(lambda: laws.events_profile(lines, epsilon))
        value = answers.probability(lambda: exact(epsilon))
        yield Check(f"delta at {epsilon:.6g}", claimed[1], *value, problem.tolerance, True)


def to_information(problem: Problem) -> Iterator[Check]:
    """Mutual information from the Kullback-Leibler divergence of neighbours at the distance of two secrets."""
    answers.expect_kind(problem, "mutual-information")
    given, relation = problem.inputs.record("given"), problem.inputs.text("neighbouring")
    kind = given.text("kind")
    records = problem.inputs.whole("records", low=1) if "records" in problem.inputs else 1
    independent = "independent" in problem.inputs and problem.inputs.flag("independent")
    steps = (2 if relation == "add-or-remove-one" else 1) * (1 if independent else records)
    times = records if independent else 1
    if kind == "pure-dp":
        epsilon = given.number("epsilon")
        yield answers.formula(problem, "nats", lambda: _scaled(times, _pure_divergence(steps, epsilon)))
    elif kind == "renyi":
        if steps > 1:
            raise InvalidCertificate("Renyi guarantees have no group bound here, but the relation needs one.")
        yield answers.exactly(problem, "nats", times * min(given.numbers("epsilons")))
    else:
        rho = laws.renyi(given)
        yield answers.formula(problem, "nats", lambda: _scaled(times * steps**2, rho(1.0)))


def secret_relation(inputs: Record) -> str:
    """What the information is about: all records together are a secret of their own."""
    relation = inputs.text("neighbouring")
    several = "records" in inputs and inputs.whole("records", low=1) > 1
    return "declared-secret" if several and relation not in ("as-stated", "label-only") else relation


def _pure_divergence(steps: int, epsilon: float) -> Any:
    if epsilon == math.inf:
        return ball(math.inf)
    return steps * ball(epsilon) * (steps * ball(epsilon) / 2).tanh()


def _scaled(factor: int, value: Any) -> Any:
    return value if factor == 1 else factor * value


def to_max_information(problem: Problem) -> Iterator[Check]:
    """n eps nats, with no failure."""
    answers.expect_kind(problem, "max-information")
    records, epsilon = problem.inputs.whole("records", low=1), problem.inputs.record("given").number("epsilon")
    yield answers.exactly(problem, "failure", 0.0)
    yield answers.formula(problem, "nats", lambda: _scaled(records, ball(epsilon)))


def to_kernel(problem: Problem) -> Iterator[Check]:
    """The least classical divergence at an order of at least the one asked for."""
    answers.expect_kind(problem, "kernel-renyi")
    given, order = problem.inputs.record("given"), problem.inputs.number("order", low=1.0)
    if problem.claim.text("kernel") != problem.inputs.text("kernel"):
        raise InvalidCertificate("The claim names another kernel than its inputs; it does not fit.")
    yield answers.exactly(problem, "order", order, larger_is_weaker=False)
    yield answers.exactly(problem, "regularization", problem.inputs.number("regularization"))
    pairs = zip(given.numbers("orders"), given.numbers("epsilons"), strict=False)
    yield answers.exactly(problem, "epsilon", min((e for a, e in pairs if a >= order), default=math.inf))


_BASIC = ("stated-guarantee", "symmetric-relation")

METHODS = {
    "declared": Method(declared),
    **{
        f"{source}-to-{target}": Method(recompute, assumptions=_BASIC)
        for recompute, arrows in {
            to_approx: (("pure-dp", "approx-dp", "profile", "tradeoff", "gdp"), ("approx-dp",)),
            to_renyi: (("pure-dp", "profile", "tradeoff", "gdp", "zcdp"), ("renyi",)),
            to_profile: (("pure-dp", "approx-dp", "gdp"), ("profile",)),
            to_tradeoff: (("pure-dp", "approx-dp", "gdp"), ("tradeoff",)),
            to_gdp: (("pure-dp",), ("gdp",)),
            to_zcdp: (("pure-dp", "gdp"), ("zcdp",)),
            renyi_to_approx: (("renyi", "zcdp"), ("approx-dp",)),
            renyi_to_tradeoff: (("renyi",), ("tradeoff",)),
        }.items()
        for source in arrows[0]
        for target in arrows[1]
    },
    **{
        f"{source}-to-mutual-information": Method(to_information, assumptions=_BASIC, relation=secret_relation)
        for source in ("pure-dp", "gdp", "renyi", "zcdp")
    },
    "profile-to-tradeoff": Method(conjugate, assumptions=_BASIC),
    "tradeoff-to-profile": Method(conjugate, assumptions=_BASIC),
    "pure-dp-to-max-information": Method(to_max_information, assumptions=(*_BASIC, "fixed-size")),
    "renyi-to-kernel-renyi": Method(to_kernel, assumptions=(*_BASIC, "unit-kernel")),
}
