import math
from dataclasses import dataclass, field

import pytest

from leakbound.checks import values
from leakbound.errors import InvalidInput
from leakbound.guarantees import ApproxDP, PureDP


@dataclass
class Loose:
    """What laws of values are there to catch: it can be changed."""

    size: float


@dataclass(frozen=True)
class Forgetful:
    """It does not come back from a pickle as it was."""

    size: float
    secret: float = field(default=0.0)

    def __reduce__(self):
        return Forgetful, (self.size,)


@dataclass(frozen=True)
class Odd:
    """It is equal to nothing, not even to itself."""

    size: float

    def __eq__(self, other):
        return False

    def __hash__(self):
        return 1


@dataclass(frozen=True, eq=False)
class Printed:
    """It prints as it is told."""

    text: str

    def __str__(self):
        return self.text


def test_good_values_pass():
    good = (PureDP(1.0), ApproxDP(1.0, 1e-5))
    for law in (values.do_not_change, values.hash_alike, values.pickle_alike, values.print_one_line):
        law(good)


@pytest.mark.parametrize(
    ("law", "bad", "how"),
    [
        (values.do_not_change, Loose(1.0), "size of .* can be changed; make the dataclass frozen"),
        (values.do_not_change, 3, "3 is not a dataclass"),
        (values.hash_alike, Odd(1.0), "a copy of .* is not equal to it"),
        (values.pickle_alike, Forgetful(1.0, 2.0), "comes back as"),
        (values.print_one_line, Printed(" "), "prints as nothing"),
        (values.print_one_line, Printed("two\nlines"), "not as one line"),
        (values.print_one_line, Printed("<Printed object at 0x7f>"), "prints its address; write a __str__"),
    ],
)
def test_bad_values_fail(law, bad, how):
    with pytest.raises(AssertionError, match=how):
        law([bad])


def test_equal_examples_fail():
    with pytest.raises(AssertionError, match="two of its examples are equal"):
        values.hash_alike([PureDP(1.0), PureDP(1.0)])


def raising(error):
    def make(_):
        raise error

    return make


@pytest.mark.parametrize("bad", values.NOT_NUMBERS)
def test_a_refusal_in_a_sentence_passes(bad):
    values.refuses(PureDP, "epsilon", bad)


@pytest.mark.parametrize(
    ("make", "how"),
    [
        (lambda _: "anything", "epsilon=nan is accepted and gives 'anything'"),
        (raising(ZeroDivisionError()), "epsilon=nan ends in ZeroDivisionError, not in InvalidInput"),
        (raising(InvalidInput("epsilon is\nnan")), "in more than one line"),
        (raising(InvalidInput("that is nan")), "the message does not name epsilon"),
        (raising(InvalidInput("epsilon is wrong")), "the message does not show it"),
    ],
)
def test_what_is_not_refused_in_a_sentence_fails(make, how):
    with pytest.raises(AssertionError, match=how):
        values.refuses(make, "epsilon", math.nan)


def test_a_value_is_taken_or_refused():
    values.takes_or_refuses(PureDP, "epsilon", math.inf)
    values.takes_or_refuses(PureDP, "epsilon", -1.0)
    for make, how in (
        (raising(ZeroDivisionError()), "epsilon=inf ends in ZeroDivisionError, not in InvalidInput"),
        (raising(InvalidInput("it is wrong")), "epsilon=inf is refused without its name"),
        (lambda _: math.nan, "epsilon=inf prints as 'nan'"),
    ):
        with pytest.raises(AssertionError, match=how):
            values.takes_or_refuses(make, "epsilon", math.inf)
