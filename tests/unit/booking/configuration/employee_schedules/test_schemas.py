"""Hours of a week that do not overlap (docs/api/employees-and-topics.md#schedules)."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from meetdeck.booking.configuration.employee_schedules.schemas import EmployeeWorkday, Weekday, find_faults_of_hours
from meetdeck.platform.values import TimeOfDay

HOURS = st.builds(
    EmployeeWorkday,
    day_of_week=st.sampled_from([Weekday.MONDAY, Weekday.SUNDAY]),
    from_=st.builds(TimeOfDay, st.integers(0, 23)),
    to=st.builds(TimeOfDay, st.integers(0, 23)),
    is_available=st.booleans(),
)


def hours_of(workday: EmployeeWorkday) -> set[tuple[Weekday, int]]:
    """Return the hours of a workday one by one; midnight ends a day."""
    return {(workday.day_of_week, hour) for hour in range(workday.from_.hour, workday.to.hour or 24)}


@given(st.lists(HOURS, max_size=8))
def test_a_week_is_right_when_each_workday_has_hours_of_its_own(week: list[EmployeeWorkday]) -> None:
    empty = [place for place, workday in enumerate(week) if not hours_of(workday)]
    sharing = any(hours_of(one) & hours_of(other) for one, other in combinations(week, 2))
    faults = find_faults_of_hours(dict(enumerate(week)))
    assert bool(faults) == bool(empty or sharing)
    ends = [fault.pointer for fault in faults if fault.pointer.endswith("/to")]
    assert ends == [f"/workdays/{place}/to" for place in empty]
    assert (len(faults) > len(ends)) == sharing  # both are said at once


@given(st.lists(HOURS.filter(hours_of), max_size=8))
def test_each_workday_that_shares_hours_is_named_beside_another_that_does(week: list[EmployeeWorkday]) -> None:
    for fault in find_faults_of_hours(dict(enumerate(week))):
        place = int(fault.pointer.removeprefix("/workdays/"))
        other = int(fault.detail.split("/workdays/")[1].split(",")[0])
        assert hours_of(week[place]) & hours_of(week[other])
        assert str(week[other]) in fault.detail
