import pickle

import pytest

from leakbound import checks
from leakbound.checks.law import Law, Violation, expect, named
from leakbound.errors import LeakboundError


@checks.law(applies=lambda subject: isinstance(subject, int))
def is_small_(subject):
    """The number is below ten.

    Nothing else is asked.
    """
    expect(subject < 10, "it is large")


def failing(error):
    def test(_):
        raise error

    return Law("never", "It never holds.", lambda _: True, test)


def test_a_law_takes_its_name_and_sentence_from_its_function():
    assert (is_small_.name, is_small_.sentence) == ("is-small", "The number is below ten.")
    assert str(is_small_) == is_small_.__name__ == "is-small"
    assert is_small_.applies(3)
    assert not is_small_.applies("3")


def test_a_subject_passes_or_is_named_with_the_law_and_how():
    is_small_.check(3)
    with pytest.raises(Violation) as error:
        is_small_.check(30)
    assert str(error.value) == "30 breaks the law is-small: it is large"
    assert (error.value.subject, error.value.law, error.value.how) == ("30", "is-small", "it is large")
    assert isinstance(error.value, LeakboundError)
    assert error.value.exit_code == 1


@pytest.mark.parametrize(
    ("error", "how"),
    [
        (AssertionError(), "an assertion without a message failed"),
        (AssertionError("it leaks"), "it leaks"),
        (ZeroDivisionError("division\n by zero"), "ZeroDivisionError was raised: division by zero"),
        (KeyError("mu"), "KeyError was raised: 'mu'"),
    ],
)
def test_whatever_a_test_stumbles_over_is_a_violation(error, how):
    with pytest.raises(Violation) as caught:
        failing(error).check(int)
    assert str(caught.value) == f"int breaks the law never: {how}"
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit()])
def test_an_interruption_is_none(error):
    with pytest.raises(type(error)):
        failing(error).check(int)


def test_a_violation_comes_back_from_another_process():
    violation = pickle.loads(pickle.dumps(Violation("int", "never", "it leaks")))
    assert (str(violation), violation.law) == ("int breaks the law never: it leaks", "never")


def test_a_condition_fails_with_its_sentence():
    expect(True, "never seen")
    with pytest.raises(AssertionError, match=r"^seen$"):
        expect(False, "seen")


def test_a_law_without_a_docstring_has_no_sentence():
    assert checks.law(bool)(lambda _: None).sentence == ""


def test_subjects_are_named_or_shown():
    assert named(int) == "int"
    assert named([1, 2]) == "[1, 2]"
