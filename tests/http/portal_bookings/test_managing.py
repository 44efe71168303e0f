"""A customer's own meeting on a portal's page: the link to it, what it shows, moves and cancels, and when it ends."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar

from support.factories import Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor, book, list_meetings
from support.portal_mails import Mailbox

pytestmark = pytest.mark.usefixtures("no_meetings")

PORTALS = "v3/config/portals"


async def test_the_manage_link_moves_changes_and_cancels(api: Api, visitor: FormVisitor, clock: HandClock) -> None:
    await book(visitor, clock)
    link = str(visitor.answer.url).partition("?")[0]
    (before,) = await list_meetings(api)
    await visitor.press("Move")
    assert visitor.heading == "Choose a new time"
    await visitor.choose_time(3)
    assert visitor.heading == "Move the meeting?"
    assert len((await api.get("v3/booking/time-slots")).json()) == 2, "the new time is held, the old one is still taken"
    await visitor.press("Move")
    (moved,) = await list_meetings(api)
    assert (moved["id"], moved["startDate"] > before["startDate"]) == (before["id"], True)
    await visitor.press("Change your details")
    await visitor.press("Continue", name="Freja Holm-Lind")
    assert "Your details are changed." in visitor.text
    (changed,) = await list_meetings(api)
    assert changed["externalAttendees"][0]["name"] == "Freja Holm-Lind"
    assert {one["key"] for one in changed["customFields"]} == {"phone", "source"}
    await visitor.press("Cancel the meeting")
    assert len(await list_meetings(api)) == 1, "GET shows, only POST acts"
    await visitor.press("Cancel the meeting")
    assert visitor.heading == "Your meeting is cancelled"
    assert await list_meetings(api) == []
    assert (await api.http.get(link)).status_code == 410


async def test_reading_every_page_of_a_meeting_changes_nothing(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await book(visitor, clock)
    link = str(visitor.answer.url).partition("?")[0]
    before = await list_meetings(api)
    for step in ("", "/move", "/cancel", "/details", "/meeting.ics", "/hold", "/keep"):
        answer = await api.http.get(f"{link}{step}")
        assert answer.status_code in {200, 303}, step
    assert await list_meetings(api) == before


async def test_the_calendar_file_is_the_meetings(api: Api, visitor: FormVisitor, clock: HandClock) -> None:
    await book(visitor, clock)
    (meeting,) = await list_meetings(api)
    answer = await api.http.get(f"{str(visitor.answer.url).partition('?')[0]}/meeting.ics")
    assert answer.headers["content-type"].startswith("text/calendar")
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert str(event["uid"]) == f"{meeting['id']}@meetdeck"


async def test_a_link_ends_with_its_meeting_and_is_no_other_portals(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await book(visitor, clock)
    link = str(visitor.answer.url).partition("?")[0]
    await api.post(PORTALS, {"name": "Other", "address": "other", "authenticationType": "Anonymous"})
    assert (await api.http.get(link.replace("/p/ours/", "/p/other/"))).status_code == 404
    assert (await api.http.get(f"{link[:-1]}{'A' if link[-1] != 'A' else 'B'}")).status_code == 404
    clock.advance(days=1)
    ended = FormVisitor(api.http, "ours")
    await ended.open(link.partition("/p/ours")[2])
    assert (ended.status, ended.heading) == (410, "This link has ended")
    await ended.follow("Book a new meeting")
    assert ended.heading == "What is it about?"


async def test_a_link_that_leads_nowhere_has_the_portals_head_and_the_way_to_book(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await book(visitor, clock)
    ended = str(visitor.answer.url).partition("?")[0].partition("/p/ours")[2]
    clock.advance(days=1)
    lost = FormVisitor(api.http, "ours")
    for path in (ended, "/m/unknown", "/w/unknown", "/o/unknown", "/xyz", "/m/"):
        await lost.open(path)
        assert lost.status == (410 if path == ended else 404)
        assert lost.page.xpath("string(//p[@class='portal-name'])") == "Ours"
        assert lost.page.xpath("//link[contains(@href, '/ours/theme-')]"), "in the portal's colors"
        assert "Book a " in lost.text, path
        await lost.follow("Book a ")
        assert lost.heading == "What is it about?"
    assert (await FormVisitor(api.http, "nobodys").open("/m/unknown")).status == 404


async def test_a_move_whose_new_time_expired_leaves_the_meeting_where_it_is(
    api: Api, visitor: FormVisitor, clock: HandClock
) -> None:
    await book(visitor, clock)
    (before,) = await list_meetings(api)
    await visitor.press("Move")
    await visitor.choose_time(3)
    clock.advance(minutes=6)
    await visitor.press("Move")
    assert (visitor.status, visitor.heading) == (409, "Choose a new time")
    assert "Your meeting does not change" in visitor.text
    (after,) = await list_meetings(api)
    assert (after["startDate"], after["employeeId"]) == (before["startDate"], before["employeeId"])


async def test_no_log_has_the_secret_of_a_manage_link(
    api: Api, visitor: FormVisitor, clock: HandClock, capsys: pytest.CaptureFixture[str]
) -> None:
    await book(visitor, clock)
    link = str(visitor.answer.url).partition("?")[0]
    token = link.rpartition("/")[2]
    for path in (link, f"{link}/cancel", f"{link}x"):
        await api.http.get(path)
    logged = capsys.readouterr().out
    assert "/p/ours/m/…/cancel" in logged
    assert token not in logged


async def open_series(api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox) -> list[dict[str, Any]]:
    """Book a meeting in the portal, and again each week, and open the page of the first of these; return them all."""
    await book(visitor, clock)
    (made,) = await list_meetings(api)
    names = ("employeeId", "customerId", "portalId", "topicId", "type", "externalAttendees", "customFields", "bookedBy")
    again = {name: made[name] for name in names if made.get(name) is not None}
    assert (await api.request("DELETE", f"v3/booking/meetings/{made['id']}")).status_code == 204
    times = {name: made[name] for name in ("startDate", "endDate")}
    series = await api.post("v3/booking/meetings", again | times | {"recurrence": "FREQ=WEEKLY;COUNT=4"})
    assert series.status_code == 201, series.text
    meetings = series.json()["meetings"]
    await visitor.open(await mailbox.find_path("m"))
    return meetings


async def test_all_later_meetings_of_a_series_are_moved_and_cancelled_too(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    series = await open_series(api, visitor, clock, mailbox)
    assert "Later meetings of the series" in visitor.text
    await visitor.press("Move")
    await visitor.choose_time(1)
    await visitor.press("Move 3 later meetings, too")
    assert "Your meeting is moved." in visitor.text
    moved = await list_meetings(api)
    begins = [[datetime.fromisoformat(one["startDate"]) for one in each] for each in (moved, series)]
    shifts = {one - was for one, was in zip(*begins, strict=True)}
    assert len(shifts) == 1
    assert shifts != {timedelta(0)}
    await visitor.press("Cancel the meeting")
    await visitor.press("Cancel it and 3 later meetings")
    assert "3 later meetings of the series are cancelled, too." in visitor.text
    assert await list_meetings(api) == []


async def test_one_meeting_of_a_series_is_cancelled_alone(
    api: Api, visitor: FormVisitor, clock: HandClock, mailbox: Mailbox
) -> None:
    series = await open_series(api, visitor, clock, mailbox)
    await visitor.press("Cancel the meeting")
    await visitor.press("Cancel the meeting")
    assert visitor.heading == "Your meeting is cancelled"
    assert "later meeting" not in visitor.text
    assert [one["id"] for one in await list_meetings(api)] == [one["id"] for one in series[1:]]
