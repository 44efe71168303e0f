"""Messages about series of meetings: one mail each, with one appointment that repeats (docs/messages.md#series)."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from dateutil.rrule import rrulestr
from icalendar import Calendar

from meetdeck.booking.scheduling.retention.schemas import Periods
from meetdeck.booking.scheduling.retention.service import Retention
from meetdeck.demo.firm import NORDLYS
from meetdeck.messages.carriers.carrier import MessageDeferred
from meetdeck.messages.carriers.kept import KeptMail
from meetdeck.messages.replies.reading import read_reply
from meetdeck.messages.replies.service import _answer  # pyright: ignore[reportPrivateUsage]
from meetdeck.messages.replies.store import identify_meeting
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Database
from support.factories import Api
from support.fakes import MONDAY_MORNING as NOW
from support.meetings import ANNA, book, patch, replace
from support.messages import Post

FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}
SERIES: dict[str, Any] = {
    "employeeId": ANNA,
    "type": "Online",
    "recurrence": "FREQ=MONTHLY;INTERVAL=3;COUNT=4",
    "externalAttendees": [FREJA],
}
STARTS = ["2026-03-03T09:00", "2026-06-03T08:00", "2026-09-03T08:00", "2026-12-03T09:00"]


@pytest.fixture
async def post(api: Api, database: Database, tmp_path: Path) -> Post:
    """Lend the messages of the demo firms, of whose own meetings everybody has been told."""
    assert api
    post = Post(database, tmp_path)
    await post.send(NOW)
    return post


async def read_new(post: Post, since: int) -> list[KeptMail]:
    await post.send(NOW)
    return (await post.read())[since:]


def expand(calendar: str | None) -> list[str]:
    """Return the starts that a mail program shows, in UTC: those of the rule, each changed one at its own time."""
    assert calendar is not None
    read: Any = Calendar.from_ical(calendar.encode())
    events = read.walk("VEVENT")
    assert len({str(one["UID"]) for one in events}) == 1
    (master,) = [one for one in events if "RECURRENCE-ID" not in one]
    begin = master["DTSTART"].dt
    rule = rrulestr(master["RRULE"].to_ical().decode(), dtstart=begin)
    left_out = master.get("EXDATE")
    without: set[datetime] = {one.dt for one in left_out.dts} if left_out is not None else set()
    own = {one["RECURRENCE-ID"].dt: one["DTSTART"].dt for one in events if "RECURRENCE-ID" in one}
    shown = [own.get(each, each) for each in rule if each not in without]
    return [f"{each.astimezone(UTC):%Y-%m-%dT%H:%M}" for each in shown]


async def test_a_series_is_one_mail_to_each_with_a_rule_across_summer_time(api: Api, post: Post) -> None:
    before = len(await post.read())
    series = await book(api, **SERIES)
    mails = await read_new(post, before)
    assert sorted(mail.to for mail in mails) == [["anna@nordlys.example"], [FREJA["email"]]]
    (mail,) = [one for one in mails if one.to == [FREJA["email"]]]
    assert "4 meetings" in mail.text
    assert all(day in mail.text for day in ("3 March 2026", "3 June 2026", "3 September 2026", "3 December 2026"))
    assert expand(mail.calendar) == STARTS
    calendar: Any = Calendar.from_ical((mail.calendar or "").encode())
    (event,) = calendar.walk("VEVENT")
    assert event["DTSTART"].params["TZID"] == "Europe/Copenhagen"
    assert (calendar["METHOD"], str(event["UID"])) == ("REQUEST", f"{series['seriesId']}@meetdeck")
    assert await read_new(post, before + 2) == []


async def test_times_that_were_left_out_are_exceptions_of_the_rule(api: Api, post: Post) -> None:
    await book(api, startDate="2026-06-03T08:00Z", endDate="2026-06-03T09:00Z", externalAttendees=[])
    await post.send(NOW)
    before = len(await post.read())
    await book(api, **SERIES, skipConflicts=True)
    (mail,) = [one for one in await read_new(post, before) if one.to == [FREJA["email"]]]
    assert expand(mail.calendar) == [STARTS[0], *STARTS[2:]]


async def test_one_moved_or_cancelled_is_told_by_its_original_start(api: Api, post: Post) -> None:
    series = await book(api, **SERIES)
    await post.send(NOW)
    before = len(await post.read())
    _, second, third, _ = series["meetings"]
    times = {"startDate": "2026-06-04T08:00:00Z", "endDate": "2026-06-04T09:00:00Z"}
    assert (await patch(api, second, replace(**times))).status_code == 200
    (moved,) = [one for one in await read_new(post, before) if one.to == [FREJA["email"]]]
    calendar: Any = Calendar.from_ical((moved.calendar or "").encode())
    (event,) = calendar.walk("VEVENT")
    assert (calendar["METHOD"], str(event["UID"])) == ("REQUEST", f"{series['seriesId']}@meetdeck")
    assert event["RECURRENCE-ID"].dt.astimezone(UTC) == datetime(2026, 6, 3, 8, tzinfo=UTC)
    assert event["RECURRENCE-ID"].params["TZID"] == "Europe/Copenhagen"
    assert event["DTSTART"].dt.astimezone(UTC) == datetime(2026, 6, 4, 8, tzinfo=UTC)
    moved_sequence = int(event["SEQUENCE"])
    assert (await api.request("DELETE", f"v3/booking/meetings/{third['id']}")).status_code == 204
    (gone,) = [one for one in await read_new(post, before + 2) if one.to == [FREJA["email"]]]
    calendar = Calendar.from_ical((gone.calendar or "").encode())
    (event,) = calendar.walk("VEVENT")
    assert calendar["METHOD"] == "CANCEL"
    assert event["RECURRENCE-ID"].dt.astimezone(UTC) == datetime(2026, 9, 3, 8, tzinfo=UTC)
    assert int(event["SEQUENCE"]) > moved_sequence > 0


async def test_all_from_here_on_is_one_mail_with_the_whole_series(api: Api, post: Post) -> None:
    series = await book(api, **SERIES)
    await post.send(NOW)
    before = len(await post.read())
    second = series["meetings"][1]
    times = {"startDate": "2026-06-04T10:00:00Z", "endDate": "2026-06-04T11:00:00Z"}
    moved = await api.request("PATCH", f"v3/booking/meetings/{second['id']}?series=true", json=replace(**times))
    assert moved.status_code == 200, moved.text
    mails = await read_new(post, before)
    assert len(mails) == 2
    (mail,) = [one for one in mails if one.to == [FREJA["email"]]]
    assert "3 meetings" in mail.text
    assert expand(mail.calendar) == [STARTS[0], "2026-06-04T10:00", "2026-09-04T10:00", "2026-12-04T11:00"]
    third = series["meetings"][2]
    assert (await api.request("DELETE", f"v3/booking/meetings/{third['id']}?series=true")).status_code == 204
    (mail,) = [one for one in await read_new(post, before + 2) if one.to == [FREJA["email"]]]
    assert "METHOD:REQUEST" in (mail.calendar or ""), "the series goes on, and ends earlier"
    assert expand(mail.calendar) == [STARTS[0], "2026-06-04T10:00"]
    first = series["meetings"][0]
    assert (await api.request("DELETE", f"v3/booking/meetings/{first['id']}?series=true")).status_code == 204
    (mail,) = [one for one in await read_new(post, before + 4) if one.to == [FREJA["email"]]]
    assert "METHOD:CANCEL" in (mail.calendar or "")


async def test_a_meeting_cancelled_before_the_mail_is_sent_is_not_in_it(api: Api, post: Post) -> None:
    before = len(await post.read())
    series = await book(api, **SERIES)
    await post.route(NOW)
    for place in (0, 2):
        gone = series["meetings"][place]
        assert (await api.request("DELETE", f"v3/booking/meetings/{gone['id']}")).status_code == 204
    mails = [one for one in await read_new(post, before) if one.to == [FREJA["email"]]]
    assert [one.subject for one in mails] == ["Your meeting on Wednesday 3 June 2026"]
    assert expand(mails[0].calendar) == [STARTS[1], STARTS[3]]


def make_reply(series: dict[str, Any], partstat: str, more: str = "") -> bytes:
    return (
        "From: Freja <freja@example.com>\r\nContent-Type: text/calendar; method=REPLY\r\n\r\n"
        "BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nBEGIN:VEVENT\r\n"
        f"UID:{series['seriesId']}@meetdeck\r\n{more}"
        f"ATTENDEE;PARTSTAT={partstat}:mailto:freja@example.com\r\n"
        "END:VEVENT\r\nEND:VCALENDAR\r\n"
    ).encode()


async def test_a_reply_is_to_the_whole_series_or_to_one_meeting(api: Api, post: Post, database: Database) -> None:
    series = await book(api, **SERIES)
    await post.send(NOW)
    one_alone = "RECURRENCE-ID;TZID=Europe/Copenhagen:20260603T100000\r\n"
    for mail in (make_reply(series, "ACCEPTED"), make_reply(series, "DECLINED", one_alone)):
        reply = read_reply(mail)
        assert reply is not None
        async with database.transaction(NORDLYS.tenant_id) as connection:
            assert await _answer(connection, reply, NOW)
    listed = (await api.get("v3/booking/meetings", params={"seriesId": series["seriesId"]})).json()
    found = [one["externalAttendees"][0]["status"] for one in listed]
    assert found == ["Accepted", "Declined", "Accepted", "Accepted"]


async def test_a_reply_finds_its_series_when_the_first_meeting_is_deleted(
    api: Api, post: Post, database: Database
) -> None:
    series = await book(api, **SERIES)
    await post.send(NOW)
    first, second = series["meetings"][:2]
    assert (await api.request("DELETE", f"v3/booking/meetings/{first['id']}")).status_code == 204
    await post.send(NOW)
    later = datetime.fromisoformat(second["startDate"]) - timedelta(days=1)
    await Retention(database, Periods(30, 30)).purge(later)
    reply = read_reply(make_reply(series, "ACCEPTED"))
    assert reply is not None
    async with database.outside_tenants() as connection:
        assert await identify_meeting(connection, reply.meeting_id) == NORDLYS.tenant_id
    async with database.transaction(NORDLYS.tenant_id) as connection:
        kept = await connection.fetchval("select count(*) from meeting where series_id is not null")
        assert (kept, await _answer(connection, reply, later)) == (3, True)
    listed = (await api.get("v3/booking/meetings", params={"seriesId": series["seriesId"]})).json()
    assert [one["externalAttendees"][0]["status"] for one in listed] == ["Accepted"] * 3


class Carrier:
    """A way that mails go, or not, as a test says."""

    def __init__(self) -> None:
        self.error: Exception | None = None
        self.sent: list[Mail] = []

    async def carry(self, tenant_id: UUID, mail: Mail) -> None:
        assert tenant_id
        if self.error is not None:
            raise self.error
        self.sent.append(mail)


async def test_a_mail_about_a_series_that_does_not_go_at_once_goes_later_once(
    api: Api, post: Post, database: Database, tmp_path: Path
) -> None:
    carrier = Carrier()
    slow = Post(database, tmp_path, carrier)
    carrier.error = MessageDeferred("the server is busy")
    await book(api, **SERIES)
    (retried_at, *_) = await slow.send(NOW)
    carrier.error = None
    await slow.send(retried_at)
    await slow.send(retried_at)
    assert [mail.to.email for mail in carrier.sent if mail.to.email == FREJA["email"]] == [FREJA["email"]]
    async with database.transaction(NORDLYS.tenant_id) as connection:
        told = "select distinct status, attempts from message where address = $1"
        rows = await connection.fetch(told, FREJA["email"])
    assert [tuple(row) for row in rows] == [("Sent", 1)]
    assert post
