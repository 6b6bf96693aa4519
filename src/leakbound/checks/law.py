"""What a law is: one sentence that every subject of a sort must satisfy, and the check that tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from leakbound.errors import LeakboundError, shown


class Violation(LeakboundError, AssertionError):
    """A subject breaks a law: the message names both and says how."""

    exit_code = 1

    def __init__(self, subject: str, law: str, how: str) -> None:
        super().__init__(f"{subject} breaks the law {law}: {how}")
        self.subject = subject
        self.law = law
        self.how = how

    def __reduce__(self) -> tuple[type[Violation], tuple[str, str, str]]:
        return type(self), (self.subject, self.law, self.how)


@dataclass(frozen=True)
class Law:
    """A law: its name, the sentence it says, which subjects it applies to, and the test, which fails by an assertion.

    >>> even = Law("even", "It is even.", lambda n: isinstance(n, int), lambda n: expect(n % 2 == 0, "it is odd"))
    >>> even.check(2)
    >>> even.check(3)
    Traceback (most recent call last):
    leakbound.checks.law.Violation: 3 breaks the law even: it is odd
    """

    name: str
    sentence: str
    applies: Callable[[Any], bool]
    test: Callable[[Any], None]

    @property
    def __name__(self) -> str:
        """The name, where pytest looks for the name of a parameter."""
        return self.name

    def check(self, subject: Any) -> None:
        """Raise a `Violation` unless the subject passes; whatever the test stumbles over is a violation too."""
        try:
            self.test(subject)
        except AssertionError as error:
            raise Violation(named(subject), self.name, str(error) or "an assertion without a message failed") from error
        except Exception as error:
            how = f"{type(error).__name__} was raised: {' '.join(str(error).split())}"
            raise Violation(named(subject), self.name, how) from error

    def __str__(self) -> str:
        return self.name


def law(applies: Callable[[Any], bool]) -> Callable[[Callable[[Any], None]], Law]:
    """Make a law of a function: its name with hyphens is the law's, the first line of its docstring the sentence.

    >>> @law(applies=lambda subject: isinstance(subject, int))
    ... def is_small(subject):
    ...     "The number is below ten."
    ...     assert subject < 10, f"it is {subject}"
    >>> is_small.name, is_small.sentence
    ('is-small', 'The number is below ten.')
    """

    def make(test: Callable[[Any], None]) -> Law:
        sentence = (test.__doc__ or "").strip().partition("\n")[0]
        return Law(test.__name__.strip("_").replace("_", "-"), sentence, applies, test)

    return make


def expect(good: bool, how: str) -> None:
    """Fail with a sentence unless a condition holds; unlike `assert` it also works under `python -O`."""
    if not good:
        raise AssertionError(how)


def named(subject: Any) -> str:
    """Return a short name of a subject.

    >>> named(int), named(3)
    ('int', '3')
    """
    name = getattr(subject, "__name__", None)
    return name if isinstance(name, str) else shown(subject)
