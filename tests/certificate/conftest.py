"""Every test ends within two minutes: what hangs fails. And the certificates that several tests look at."""

import random
import signal

import pytest

from tests.certificate.generated import RECIPES

SLOW = ("composed by pld",)
"""Recipes whose certificates take seconds to make and to verify; they have tests of their own."""

LONGEST = 120.0  # seconds; the slowest takes a few


@pytest.fixture(autouse=True)
def _no_hang():
    def stop(*_):
        raise AssertionError(f"the test hangs: it took more than {LONGEST:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="session")
def issued():
    """Five certificates of every recipe but the slow ones, always the same."""
    return {
        name: [make(rng) for _ in range(5)]
        for name, make in RECIPES.items()
        if name not in SLOW
        for rng in [random.Random(f"{name} in tests")]
    }
