"""Collections of CalDAV servers that answer no free and busy times, or nonsense."""

from datetime import timedelta

import pytest

from meetdeck.services import Services
from support.calendars.random_files import write_file
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.receivers import Receiver, answer
from support.working import work

ADDRESS = "v3/booking/config/calendars"
COLLECTION = (
    b'<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/">'
    b"<d:response><d:propstat><d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
    b"<s:getctag>7</s:getctag></d:prop></d:propstat></d:response></d:multistatus>"
)
BOMB = b'<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><a>&b;</a>'


def answer_events(*starts: int) -> bytes:
    """Return the answer to a query of events, each on some day after that Tuesday at ten."""
    files = [
        write_file([f"UID:{days}", f"DTSTART:{TUESDAY_AT_TEN + timedelta(days=days):%Y%m%dT%H%M%SZ}", "DURATION:PT1H"])
        for days in starts
    ]
    data = "".join(f"<c:calendar-data>{one}</c:calendar-data>" for one in files)
    return f'<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">{data}</d:multistatus>'.encode()


async def connect(elevated: Api, server: Receiver) -> str:
    anna = elevated.id_of("employee", "Anna Holm")
    made = await elevated.post(ADDRESS, {"kind": "CalDav", "address": server.url, "employeeId": anna})
    return made.json()["id"]


async def test_events_are_read_where_there_are_no_free_and_busy_times(
    elevated: Api, api: Api, server: Receiver, services: Services, clock: HandClock
) -> None:
    server.answers = [answer(207, COLLECTION), answer(501), answer(207, answer_events(0, 1)), answer(207, COLLECTION)]
    await connect(elevated, server)
    await work(services, clock)
    assert [one.line.split()[0] for one in server.received] == ["PROPFIND", "REPORT", "REPORT"]
    anna = api.id_of("employee", "Anna Holm")
    for days in (0, 1):
        refused = await api.reserve(TUESDAY_AT_TEN + timedelta(days=days), employeeId=anna)
        assert refused.json()["code"] == "time_busy"
    clock.advance(minutes=17)
    await work(services, clock)
    assert len(server.received) == 4  # its tag is the same


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (answer(207, BOMB), "NoCalendar"),
        (answer(207, b"<html>"), "NoCalendar"),
        (answer(207, COLLECTION.replace(b"<c:calendar/>", b"")), "NoCalendar"),
        (answer(401), "SignInRefused"),
        (answer(405), "Status405"),
    ],
)
async def test_what_is_no_calendar_is_named(elevated: Api, server: Receiver, bad: bytes, problem: str) -> None:
    server.answers = [bad]
    calendar_id = await connect(elevated, server)
    read = (await elevated.post(f"{ADDRESS}/{calendar_id}/read", {})).json()
    assert (read["status"], read["problem"]) == ("Failing", problem)
