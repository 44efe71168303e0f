from uuid import uuid4

import pytest

from meetdeck.present.render.failures import RecentFailures
from meetdeck.present.render.renderer import RenderingGivenUp


class Seconds:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def is_remembered(failures: RecentFailures, key: object) -> bool:
    try:
        failures.require_untried(key)
    except RenderingGivenUp as refusal:
        return str(refusal) == "too long"
    return False


def test_what_was_given_up_is_refused_in_the_same_words_for_a_while() -> None:
    clock = Seconds()
    failures = RecentFailures(seconds=900, clock=clock)
    key = (uuid4(), b"digest")
    failures.require_untried(key)
    failures.record(key, RenderingGivenUp("too long"))
    clock.now += 899
    with pytest.raises(RenderingGivenUp, match="too long"):
        failures.require_untried(key)
    failures.require_untried((uuid4(), b"digest"))  # another tenant's
    clock.now += 1
    failures.require_untried(key)


def test_only_the_newest_are_remembered() -> None:
    failures = RecentFailures(most=2, clock=Seconds())
    for key in ("a", "b", "a", "c"):
        failures.record(key, RenderingGivenUp("too long"))
    assert [key for key in "abc" if is_remembered(failures, key)] == ["a", "c"]
