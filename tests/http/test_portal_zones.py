"""The time zone of a portal's page: changing it changes what a time is called, and never the time."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from support.factories import Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor

pytestmark = pytest.mark.usefixtures("no_meetings")

ZONES = [
    "Europe/Copenhagen",
    "America/New_York",  # changes its clocks on other days
    "Asia/Kathmandu",  # a quarter of an hour aside
    "Australia/Lord_Howe",  # changes by half an hour, the other way round
    "Pacific/Kiritimati",  # another day
]
NAMES = dict(
    zip(
        ZONES,
        ("Danish time", "New York time", "Kathmandu time", "Lord Howe Island time", "Kiritimati time"),
        strict=True,
    )
)
# The days around a change of clocks in Copenhagen, and when one looks at them.
SPRING = (datetime(2026, 3, 16, 6, tzinfo=UTC), "2026-03-26")
AUTUMN = (datetime(2026, 10, 12, 6, tzinfo=UTC), "2026-10-22")


async def open_at(api: Api, clock: HandClock, now: datetime) -> Api:
    """Move the clock and make a portal; return the API with a token of that time."""
    clock.moment = now
    api = await api.of(api.firm)
    body = {"name": "Ours", "address": "ours", "authenticationType": "Anonymous"}
    assert (await api.post("v3/booking/config/portals", body)).status_code == 201
    return api


async def look_at_times(api: Api, zone: str, day: str) -> FormVisitor:
    visitor = FormVisitor(api.http, "ours")
    topic = api.id_of("topic", "Annual review")
    return await visitor.open(topic=topic, type="online", date=day, zone=zone)


def read_button(button: Any) -> tuple[datetime, str]:
    """Return the instant of a button, and what it is called."""
    return datetime.fromisoformat(button.get("value").partition("~")[0]), button.get("aria-label")


def say(moment: datetime, zone: str) -> str:
    """Return how a page calls an hour from a moment on."""
    begin, end = moment.astimezone(ZoneInfo(zone)), (moment + timedelta(hours=1)).astimezone(ZoneInfo(zone))
    next_day = f"{end:%A} {end.day} {end:%B}, " if end.date() > begin.date() else ""
    return f"{begin:%A} {begin.day} {begin:%B, %H:%M} to {next_day}{end:%H:%M}, online, with "


@pytest.mark.parametrize(("now", "day"), [SPRING, AUTUMN], ids=["spring", "autumn"])
async def test_a_zone_names_the_same_instants_over_a_change_of_clocks(
    now: datetime, day: str, api: Api, clock: HandClock
) -> None:
    api = await open_at(api, clock, now)
    first = datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=1)
    last = first + timedelta(days=5)
    offered: dict[str, set[datetime]] = {}
    for zone in ZONES:
        page = await look_at_times(api, zone, day)
        times = [read_button(button) for button in page.times]
        for moment, called in times:
            assert called.startswith(say(moment, zone)), zone
        offered[zone] = {moment.astimezone(UTC) for moment, _ in times if first <= moment < last}
        assert f"Times are shown in {NAMES[zone]}." in page.text
    assert len(offered[ZONES[0]]) > 30
    for zone in ZONES[1:]:
        assert offered[zone] == offered[ZONES[0]], zone
    local = {moment.astimezone(ZoneInfo(ZONES[0])).hour for moment in offered[ZONES[0]]}
    assert min(local) >= 8, "opening hours are those of the firm's clock, before the change and after"


@pytest.mark.parametrize(("now", "day"), [SPRING, AUTUMN], ids=["spring", "autumn"])
async def test_what_is_booked_in_another_zone_is_the_time_that_was_chosen(
    now: datetime, day: str, api: Api, clock: HandClock
) -> None:
    api = await open_at(api, clock, now)
    for zone in ZONES:
        visitor = await look_at_times(api, zone, day)
        monday = [button for button in visitor.times if read_button(button)[0].isoweekday() == 1]
        moment, called = read_button(monday[0])
        known = {meeting["id"] for meeting in (await api.get("v3/booking/meetings")).json()}
        await visitor.choose_time(sentence=called)
        assert say(moment, zone).rpartition(", online")[0].partition(", ")[2] in visitor.text
        clock.advance(seconds=10)
        await visitor.press("Continue", name="Freja", email="freja@example.com")
        await visitor.press("Book")
        assert visitor.heading == "Your meeting is booked", visitor.text
        (meeting,) = (m for m in (await api.get("v3/booking/meetings")).json() if m["id"] not in known)
        assert datetime.fromisoformat(meeting["startDate"]) == moment, zone
