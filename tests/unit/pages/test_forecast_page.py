"""The forecast's page leaves out days of the week on which nobody works, and places with enough times."""

from datetime import date, timedelta

from meetdeck.pages.console.reports.forecast import (
    Place,
    PlaceRow,
    TopicRows,
    choose_scarcest,
    find_weekdays_off,
    fit_topics,
    shade_weeks,
)

MONDAY = date(2026, 3, 2)
WEEKEND = (5, 6)
HOURS = frozenset({"WorkingHours"})
WEEKENDS = [MONDAY + timedelta(days=number) for number in (5, 6, 12, 13)]


def test_a_weekday_is_off_when_each_one_of_the_days_ahead_is() -> None:
    assert find_weekdays_off(MONDAY, 14, [(WEEKENDS, HOURS)]) == {5, 6}
    assert find_weekdays_off(MONDAY, 14, [(WEEKENDS[:3], HOURS)]) == {5}


def test_a_weekday_that_something_else_takes_is_a_gap() -> None:
    assert find_weekdays_off(MONDAY, 14, [(WEEKENDS, HOURS | {"Busy"})]) == set()
    assert find_weekdays_off(MONDAY, 14, [(WEEKENDS, frozenset())]) == set()
    assert find_weekdays_off(MONDAY, 14, [(WEEKENDS[:2], HOURS), (WEEKENDS[2:], HOURS | {"ClosingDay"})]) == set()


def test_of_many_places_those_with_the_fewest_free_times_are_shown_in_their_order() -> None:
    places = [Place(name, 1, [free, free], [], "") for name, free in (("A", 9), ("B", 0), ("C", 4), ("D", 2))]
    assert [place.location for place in choose_scarcest(places, 3)] == ["B", "C", "D"]
    assert choose_scarcest(places, 20) == places


def test_a_page_has_as_many_topics_as_their_places_fit() -> None:
    place = PlaceRow("Aarhus", 1, [], [], 0, "")
    topics = [TopicRows(name, [], [place] * places, 0) for name, places in (("A", 20), ("B", 5), ("C", 1))]
    assert [topic.name for topic in fit_topics(topics)] == ["A", "B"]
    assert [topic.name for topic in fit_topics([TopicRows("A", [], [place] * 50, 0), *topics])] == ["A"]
    assert fit_topics([]) == []


def test_weeks_as_usual_have_no_color_whatever_the_usual_is() -> None:
    for usual in (2, 90):
        week = [usual] * 5 + [0, 0]
        assert shade_weeks(week * 4, MONDAY, WEEKEND) == [4, 4, 4, 4]


def test_fewer_free_times_than_usual_have_a_color() -> None:
    daily = [10, 10, 10, 7, 4, 1, 0]
    assert shade_weeks([free for day in daily for free in [day] * 5 + [0, 0]], MONDAY, WEEKEND)[3:] == [4, 2, 1, 0]
    assert shade_weeks([free for day in daily[:5] for free in [day] * 5 + [0, 0]], MONDAY, WEEKEND) == [4, 4, 4, 3, 2]


def test_a_week_that_is_cut_is_measured_by_its_days() -> None:
    assert shade_weeks([10] * 5 + [0, 0] + [10] * 2, MONDAY, WEEKEND) == [4, 4]


def test_nothing_free_at_all_is_no_division_by_zero() -> None:
    assert shade_weeks([0] * 14, MONDAY, range(7)) == [0, 0]
