from meetdeck.platform.database.errors import Outage


def test_callers_wait_half_as_long_as_the_database_is_away_but_no_longer_than_five_seconds() -> None:
    outage = Outage()
    assert [outage.record_failure(now) for now in (0, 1, 2, 4, 6, 9, 12, 20)] == [1, 1, 1, 2, 3, 4, 5, 5]
    outage.end()
    assert outage.record_failure(21) == 1
