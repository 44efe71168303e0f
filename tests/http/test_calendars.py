"""A meeting as iCalendar (RFC 5545), read back the way two calendar programs would.

The rules: docs/api/meetings.md#calendars, #cancelled-calendars.
"""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
import vobject
from icalendar import Calendar

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import Api
from support.fakes import HandClock

ANNA, BO = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:2])
TIMES = {"startDate": "2026-03-03T09:00:00Z", "endDate": "2026-03-03T10:00:00Z"}


async def book(api: Api, **members: Any) -> str:
    answer = await api.book(**{"employeeId": ANNA} | TIMES | members)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def ask(api: Api, meeting_id: str, body: object = None, *, query: str = "", **arguments: Any) -> httpx.Response:
    return await api.post(f"v2/booking/meetings/{meeting_id}/ical{query}", body, **arguments)


def read(answer: httpx.Response) -> tuple[Any, Any]:
    """Return the calendar and its one event."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"].startswith("text/calendar")
    calendar: Any = Calendar.from_ical(answer.content)
    (event,) = calendar.walk("VEVENT")
    assert not event.errors
    check_lines(answer.content)
    other = vobject.readOne(answer.text)
    assert other.validate(raiseException=True)
    assert other.vevent.uid.value == event["UID"]
    assert other.vevent.summary.value == event["SUMMARY"]
    return calendar, event


def check_lines(content: bytes) -> None:
    """Check what every program relies on: CRLF, and lines of 75 octets that break no character (RFC 5545, 3.1)."""
    assert content.endswith(b"\r\n")
    assert b"\n" not in content.replace(b"\r\n", b"")
    for line in content.split(b"\r\n"):
        assert len(line) <= 75
        line.decode()


async def test_a_meeting_is_one_event_with_everything_a_calendar_needs(api: Api) -> None:
    meeting_id = await book(
        api,
        title="Årsmøde",
        description="Papers; please, bring them\nall.",
        additionalEmployees=[BO],
        roomId=api.id_of("room", "Havblik"),
        externalAttendees=[{"name": 'Big "Al", CPA: office', "email": "al@example.com"}],
    )
    calendar, event = read(await ask(api, meeting_id))
    assert (calendar["VERSION"], calendar["METHOD"]) == ("2.0", "PUBLISH")
    assert event["UID"] == f"{meeting_id}@meetdeck"
    assert event["SEQUENCE"] == 0
    assert event["DTSTART"].dt == datetime(2026, 3, 3, 9, tzinfo=UTC)
    assert event["DTEND"].dt == datetime(2026, 3, 3, 10, tzinfo=UTC)
    assert event["DTSTAMP"].dt == datetime(2026, 3, 2, 6, tzinfo=UTC)
    assert (event["SUMMARY"], event["STATUS"]) == ("Årsmøde", "CONFIRMED")
    assert event["DESCRIPTION"] == "Papers; please, bring them\nall."
    assert event["LOCATION"] == "Havblik, Aarhus, Åboulevarden 12"
    assert (event["ORGANIZER"], event["ORGANIZER"].params["CN"]) == ("mailto:anna@nordlys.example", "Anna Holm")
    attendees = {str(one): one.params["CN"] for one in event["ATTENDEE"]}
    assert attendees == {"mailto:bo@nordlys.example": "Bo Lind", "mailto:al@example.com": 'Big "Al", CPA: office'}


async def test_its_uid_stays_the_same(api: Api) -> None:
    meeting_id = await book(api)
    first, second = [read(await ask(api, meeting_id))[1]["UID"] for _ in range(2)]
    assert first == second


async def test_without_a_title_it_has_the_organizations(api: Api) -> None:
    assert read(await ask(api, await book(api)))[1]["SUMMARY"] == "Meeting with Nordlys Rådgivning"


async def test_the_body_may_be_left_out(api: Api) -> None:
    meeting_id = await book(api, title="Review")
    bodies: list[object] = [None, {}, {"title": None}]
    for body in bodies:
        assert read(await ask(api, meeting_id, body))[1]["SUMMARY"] == "Review", body
    written = await ask(api, meeting_id, content=" null\n", headers={"Content-Type": "application/json"})
    assert read(written)[1]["SUMMARY"] == "Review"


async def test_what_the_body_says_replaces_the_defaults(api: Api) -> None:
    meeting_id = await book(api, title="Review", roomId=api.id_of("room", "Havblik"))
    said = {"title": "Ændret", "description": "Second floor", "location": "At your place"}
    _, event = read(await ask(api, meeting_id, said))
    assert {name.lower(): str(event[name]) for name in ("DESCRIPTION", "LOCATION")} | {
        "title": event["SUMMARY"]
    } == said


async def test_the_video_link_is_where_an_online_meeting_is(api: Api) -> None:
    _, event = read(await ask(api, await book(api, type="Online", videoLink="https://video.example/1")))
    assert (event["LOCATION"], event["URL"]) == ("https://video.example/1", "https://video.example/1")


async def test_an_online_meeting_is_at_its_link_though_its_advisor_sits_in_a_room(api: Api) -> None:
    there = {"videoLink": "https://video.example/1", "roomId": api.id_of("room", "Havblik")}
    _, event = read(await ask(api, await book(api, type="Online", **there)))
    assert event["LOCATION"] == "https://video.example/1"
    later = {"startDate": "2026-03-03T11:00:00Z", "endDate": "2026-03-03T12:00:00Z"}
    _, event = read(await ask(api, await book(api, type="Physical", **there, **later)))
    assert (event["LOCATION"], event["URL"]) == ("Havblik, Aarhus, Åboulevarden 12", "https://video.example/1")


async def test_who_has_no_name_is_shown_by_address(api: Api) -> None:
    outside = [{"name": name, "email": f"{number}@example.com"} for number, name in enumerate(("", " "))]
    _, event = read(await ask(api, await book(api, externalAttendees=outside)))
    assert [str(one) for one in event["ATTENDEE"]] == [f"mailto:{number}@example.com" for number in range(2)]
    assert all("CN" not in one.params for one in event["ATTENDEE"])


async def test_the_method_is_chosen(api: Api) -> None:
    meeting_id = await book(api)
    for method, status in (("publish", "CONFIRMED"), ("request", "CONFIRMED"), ("CANCEL", "CANCELLED")):
        answer = await ask(api, meeting_id, query=f"?method={method}")
        calendar, event = read(answer)
        assert (calendar["METHOD"], event["STATUS"]) == (method.upper(), status)
        assert f"method={method.upper()}" in answer.headers["Content-Type"]


async def test_a_method_that_is_none_is_400_with_the_choices(api: Api) -> None:
    answer = await ask(api, await book(api), query="?method=reply")
    assert answer.status_code == 400
    assert "publish, request, cancel" in answer.json()["detail"]


async def test_who_takes_a_calendar_gets_one(api: Api) -> None:
    meeting_id = await book(api)
    for accepts in ("text/calendar", "*/*", "text/*", "application/json, text/calendar;q=0.5"):
        read(await ask(api, meeting_id, headers={"Accept": accepts}))


async def test_who_takes_none_gets_406(api: Api) -> None:
    meeting_id = await book(api)
    for accepts in ("application/json", "text/html"):
        answer = await ask(api, meeting_id, headers={"Accept": accepts})
        assert (answer.status_code, answer.json()["code"]) == (406, "not_acceptable"), accepts
        assert "text/calendar" in answer.json()["detail"]


async def test_it_is_there_in_both_versions_and_in_the_booking_flow(api: Api) -> None:
    meeting_id = await book(api)
    for prefix in ("v2/booking", "v3/booking", "v2/booking/booking"):
        read(await api.post(f"{prefix}/meetings/{meeting_id}/ical"))


@pytest.mark.parametrize("hostile", ["\r\nATTENDEE:mailto:evil@example.com", "\n", "\r", "\x07", "\x85", "\u2028"])
async def test_no_text_breaks_out_of_its_line(api: Api, database: Database, hostile: str) -> None:
    broken = f"a{hostile}b"
    guest = {"name": broken, "email": "al@example.com"}
    refused = await api.book(
        employeeId=ANNA, title=broken, videoLink=broken, externalAttendees=[guest], description=broken, **TIMES
    )
    pointers = [error["pointer"] for error in refused.json()["errors"]]
    assert (refused.status_code, pointers) == (400, ["/title", "/videoLink", "/externalAttendees/0/name"])
    meeting_id = await book(api, description=broken)
    refused = await ask(api, meeting_id, {"location": broken})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (400, "/location")
    async with database.transaction(NORDLYS.tenant_id) as connection:  # as versions before took them
        await connection.execute(
            "update meeting set title = $1, video_link = $1, external_attendees = $2", broken, [guest]
        )
    _, event = read(await ask(api, meeting_id))
    assert str(event["ATTENDEE"]) == "mailto:al@example.com"


async def test_an_address_that_is_none_is_400(api: Api) -> None:
    for email in ("al@example.com\n", "al@exa mple", "al", "@", "al@b@c", "al\x07@example.com"):
        answer = await api.book(employeeId=ANNA, externalAttendees=[{"name": "Al", "email": email}], **TIMES)
        assert answer.status_code == 400, repr(email)
        assert [error["pointer"] for error in answer.json()["errors"]] == ["/externalAttendees/0/email"]


async def test_emoji_and_long_texts_come_through(api: Api) -> None:
    title, description = "Møde 🎉👩‍👩‍👧" * 20, 'Ωμέγα; \\ , "quoted": ünïcode\n' * 100
    _, event = read(await ask(api, await book(api, title=title, description=description)))
    assert (event["SUMMARY"], event["DESCRIPTION"]) == (title, description)


async def test_a_request_asks_everybody_to_answer_and_nothing_else_does(api: Api) -> None:
    outside = [{"name": "Al", "email": "al@example.com"}]
    meeting_id = await book(api, additionalEmployees=[BO, ANNA], externalAttendees=outside)
    for method in ("request", "publish", "cancel"):
        _, event = read(await ask(api, meeting_id, query=f"?method={method}"))
        asked = {str(one): one.params for one in event["ATTENDEE"]}
        assert set(asked) == {"mailto:bo@nordlys.example", "mailto:al@example.com"}  # who invites is not invited
        for params in asked.values():
            assert (params["PARTSTAT"], params["ROLE"], params["CUTYPE"]) == (
                *("NEEDS-ACTION", "REQ-PARTICIPANT"),
                "INDIVIDUAL",
            )
            assert params.get("RSVP") == ("TRUE" if method == "request" else None)


async def test_the_sequence_rises_with_each_change_and_the_uid_stays(api: Api, clock: HandClock) -> None:
    meeting_id = await book(api, title="a")
    seen = [read(await ask(api, meeting_id))[1]]
    for title in ("b", "b", "c"):  # the second changes nothing
        clock.advance(minutes=1)
        operations = [{"op": "replace", "path": "/title", "value": title}]
        await api.request("PATCH", f"v2/booking/meetings/{meeting_id}", json=operations)
        seen.append(read(await ask(api, meeting_id))[1])
    assert [event["SEQUENCE"] for event in seen] == [0, 1, 1, 2]
    assert len({event["UID"] for event in seen}) == 1
    assert [event["DTSTAMP"].dt.minute for event in seen] == [0, 1, 2, 3]
    assert [event["LAST-MODIFIED"].dt.minute for event in seen] == [0, 1, 1, 3]


async def test_a_moved_meeting_is_sent_with_its_new_time(api: Api) -> None:
    meeting_id = await book(api)
    moved = {"startDate": "2026-03-05T09:00:00Z", "endDate": "2026-03-05T10:00:00Z"}
    operations = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in moved.items()]
    await api.request("PATCH", f"v3/booking/meetings/{meeting_id}", json=operations)
    _, event = read(await ask(api, meeting_id, query="?method=request"))
    assert (event["DTSTART"].dt.day, event["DTEND"].dt.day) == (5, 5)


async def test_of_a_cancelled_meeting_there_is_what_cancels_it_alone(api: Api) -> None:
    meeting_id = await book(api, title="Review")
    await api.request("DELETE", f"v3/booking/meetings/{meeting_id}")
    for version in ("v2", "v3"):
        answer = await api.post(f"{version}/booking/meetings/{meeting_id}/ical?method=cancel")
        calendar, event = read(answer)
        assert (calendar["METHOD"], event["STATUS"], event["SEQUENCE"]) == ("CANCEL", "CANCELLED", 1)
        assert event["UID"] == f"{meeting_id}@meetdeck"
    for query in ("", "?method=publish", "?method=request"):
        answer = await ask(api, meeting_id, query=query)
        assert (answer.status_code, answer.json()["code"]) == (404, "meeting_not_found")
