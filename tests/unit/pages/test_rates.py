"""Limits of visits and holds, by the minute."""

import pytest

from meetdeck.pages.rates import Rates, TooManyVisits


def make_rates(**limits: int) -> Rates:
    return Rates(**{"visits": 0, "holds": 0, "portal_holds": 0, **limits})


def test_an_address_that_asks_too_often_is_refused_and_others_are_not() -> None:
    rates = make_rates(visits=2)
    rates.count_visit("192.0.2.1")
    rates.count_visit("192.0.2.1")
    with pytest.raises(TooManyVisits) as refused:
        rates.count_visit("192.0.2.1")
    assert refused.value.retry_after_seconds == 60
    rates.count_visit("192.0.2.2")


def test_holds_are_counted_for_the_address_and_for_the_portal() -> None:
    rates = make_rates(holds=2, portal_holds=3)
    for visitor in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
        rates.count_hold(visitor, "portal")
    with pytest.raises(TooManyVisits):
        rates.count_hold("192.0.2.3", "portal")
    rates.count_hold("192.0.2.3", "another")
    with pytest.raises(TooManyVisits):
        rates.count_hold("192.0.2.1", "another")


def test_zero_is_no_limit() -> None:
    rates = make_rates()
    for _ in range(1_000):
        rates.count_visit("192.0.2.1")
