import pickle

import pytest

from leakbound import errors
from leakbound.errors import (
    InvalidCertificate,
    InvalidInput,
    LeakboundError,
    MissingExtra,
    NoTheorem,
    Undecided,
    shown,
)


@pytest.mark.parametrize(
    ("error", "code", "parents"),
    [
        (LeakboundError, 70, (Exception,)),
        (InvalidInput, 2, (LeakboundError, ValueError)),
        (InvalidCertificate, 2, (InvalidInput,)),
        (NoTheorem, 2, (InvalidInput,)),
        (MissingExtra, 2, (LeakboundError, ImportError)),
        (Undecided, 3, (LeakboundError,)),
    ],
)
def test_each_error_has_its_exit_code_and_family(error, code, parents):
    assert error.exit_code == code
    assert all(issubclass(error, parent) for parent in parents)


def test_every_error_is_of_the_family():
    found = [value for value in vars(errors).values() if isinstance(value, type)]
    assert len(found) == 6
    assert all(issubclass(value, LeakboundError) for value in found)


def test_a_missing_package_names_itself_and_its_extra():
    error = MissingExtra("python-flint", "verify")
    assert (error.package, error.extra) == ("python-flint", "verify")
    assert str(error) == (
        "python-flint is needed here and is not installed; install it with pip install 'leakbound[verify]'."
    )


@pytest.mark.parametrize("error", [MissingExtra("python-flint", "verify"), InvalidInput("x"), Undecided("y")])
def test_errors_survive_pickling(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.5, "1.5"),
        ("a\n b", r"'a\n b'"),
        ("a" * 58, "'" + "a" * 58 + "'"),  # sixty characters with the quotes
        ([1, 2], "[1, 2]"),
    ],
)
def test_a_value_is_shown_on_one_line(value, text):
    assert shown(value) == text


def test_white_space_of_a_repr_is_folded():
    class Wide:
        def __repr__(self):
            return "a \n\t b"

    assert shown(Wide()) == "a b"


@pytest.mark.parametrize("length", [59, 60, 1000])
def test_a_long_value_is_cut_to_the_limit(length):
    text = shown("a" * length)
    assert text == "'" + "a" * 56 + "..."
    assert len(text) == 60


def test_the_limit_can_be_chosen():
    assert shown("a" * 100, limit=10) == "'aaaaaa..."
    assert shown(12345, limit=5) == "12345"


def test_what_cannot_be_printed_is_named():
    deep: list = []
    for _ in range(100_000):
        deep = [deep]
    assert shown(deep) == "<list>"
    assert shown(10**5000) == "<int>"
