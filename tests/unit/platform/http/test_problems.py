import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module

import pytest

import meetdeck
from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.http.answers import STATUS_BY_KIND


@pytest.fixture(scope="module")
def refusals() -> list[type[MeetdeckError]]:
    """Return every subclass of MeetdeckError in the whole product."""
    for module in pkgutil.walk_packages(meetdeck.__path__, "meetdeck."):
        if not module.name.startswith(("meetdeck.__main__", "meetdeck.present.render.office_")):
            import_module(module.name)

    def below(kind: type[MeetdeckError]) -> Iterator[type[MeetdeckError]]:
        for each in kind.__subclasses__():
            yield each
            yield from below(each)

    # One that a test makes is none of the product's.
    return sorted({one for one in below(MeetdeckError) if one.__module__.startswith("meetdeck.")}, key=str)


def test_every_refusal_of_the_product_has_one_status(refusals: list[type[MeetdeckError]]) -> None:
    assert len(refusals) > 100
    for refusal in refusals:
        statuses = [status for kind, status in STATUS_BY_KIND.items() if issubclass(refusal, kind)]
        assert len(statuses) == 1, f"{refusal}: add its kind to STATUS_BY_KIND, or make it a subclass of one there"
        assert 400 <= statuses[0] <= 507, refusal


def test_every_refusal_has_a_code_that_programs_can_switch_on(refusals: list[type[MeetdeckError]]) -> None:
    for refusal in refusals:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", refusal.code), refusal
        assert refusal.code != MeetdeckError.code, refusal


def test_one_code_never_means_two_statuses(refusals: list[type[MeetdeckError]]) -> None:
    statuses = {
        (refusal.code, status)
        for refusal in refusals
        for kind, status in STATUS_BY_KIND.items()
        if issubclass(refusal, kind)
    }
    assert len(statuses) == len({code for code, _ in statuses})
