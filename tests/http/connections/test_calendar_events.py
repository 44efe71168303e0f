"""Meetings are written into the calendars of a firm's Microsoft 365, as its fake plays it."""

import html
from collections.abc import AsyncGenerator
from typing import Any, Final

import pytest
import pytest_asyncio

from graph_fake.faults import Fault
from meetdeck.connections.calendar_events.service import files
from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.graph_firm import HOUR, MEETINGS, WritingFirm, at, open_writing_firm
from support.meeting_documents import make_template

FREJA: Final = {"name": "Freja", "email": "freja@example.com"}
ANNA: Final = "Anna Holm"
BO: Final = "Bo Lind"


@pytest_asyncio.fixture
async def firm(elevated: Api, clock: HandClock, services: Services) -> AsyncGenerator[WritingFirm]:
    async with open_writing_firm(elevated, clock, services) as firm:
        yield firm


async def test_a_meeting_is_one_event_that_is_moved_given_away_and_cancelled(firm: WritingFirm) -> None:
    await firm.connect()
    meeting = await firm.book(title="Pension", description="Bring <your> papers.", externalAttendees=[FREJA])
    await firm.work()
    [event] = firm.list_events(ANNA)
    assert (event.start, event.end, event.subject) == (TUESDAY_AT_TEN, TUESDAY_AT_TEN + HOUR, "Pension")
    assert event.transaction_id == f"{meeting['id']}-1"
    assert event.body.content == "Bring &lt;your&gt; papers."
    assert [each.email_address.address for each in event.attendees] == ["freja@example.com"]

    await firm.change(meeting, **at(2))
    await firm.work()
    [moved] = firm.list_events(ANNA)
    assert (moved.id, moved.start, moved.body) == (event.id, TUESDAY_AT_TEN + 2 * HOUR, event.body)

    await firm.change(meeting, employeeId=firm.api.id_of("employee", BO))
    await firm.work()
    assert firm.list_events(ANNA) == []
    assert [each.start for each in firm.list_events(BO)] == [TUESDAY_AT_TEN + 2 * HOUR]

    await firm.cancel(meeting)
    await firm.work()
    assert firm.list_events(ANNA) + firm.list_events(BO) == []
    made = [each for each in firm.graph.world.asked if each.method == "POST" and each.path.endswith("/events")]
    assert len(made) == 2


async def test_each_specialist_of_a_joint_meeting_is_invited_by_the_calendar_until_another_comes(
    firm: WritingFirm,
) -> None:
    camilla, david, eva = (
        str(firm.api.id_of("employee", name)) for name in ("Camilla Friis", "David Krogh", "Eva Sand")
    )
    for name, people in (("Mortgage", [camilla]), ("Pension", [david])):
        group = {"name": name, "employeeIds": people}
        assert (await firm.api.post("v3/booking/config/service-groups", group)).status_code == 201
    await firm.connect()
    meeting = await firm.book(alsoServiceGroups=["Mortgage", "Pension"], externalAttendees=[FREJA])
    await firm.work()

    def list_invited() -> set[str]:
        [event] = firm.list_events(ANNA)
        return {each.email_address.address for each in event.attendees}

    assert list_invited() == {"freja@example.com", "camilla@nordlys.example", "david@nordlys.example"}
    groups = (await firm.api.get("v3/booking/config/service-groups")).json()
    pension = next(one["id"] for one in groups if one["name"] == "Pension")
    people = [{"op": "replace", "path": "/employeeIds", "value": [david, eva]}]
    assert (
        await firm.api.request("PATCH", f"v3/booking/config/service-groups/{pension}", json=people)
    ).status_code == 200
    await firm.change(meeting, additionalEmployees=[camilla])
    await firm.work()
    assert list_invited() == {"freja@example.com", "camilla@nordlys.example", "eva@nordlys.example"}


async def test_a_change_that_may_be_undone_reaches_no_calendar_before_its_minute_is_over(firm: WritingFirm) -> None:
    await firm.connect(delay="00:01:00")
    meeting = await firm.book()
    await firm.work()
    await firm.change(meeting, **at(2))
    await firm.work(seconds=50)
    assert [each.start for each in firm.list_events(ANNA)] == [TUESDAY_AT_TEN]
    assert (await firm.api.post(f"{MEETINGS}/{meeting['id']}/undo", {})).status_code == 200
    await firm.work(minutes=2)
    assert [each.start for each in firm.list_events(ANNA)] == [TUESDAY_AT_TEN]
    assert [each.method for each in firm.graph.world.asked if "/events" in each.path] == ["POST"]

    await firm.change(meeting, **at(3))
    await firm.work(seconds=10)
    assert (await firm.api.post(f"{MEETINGS}/{meeting['id']}/notice", {"now": True})).status_code == 204
    await firm.work()
    assert [each.start for each in firm.list_events(ANNA)] == [TUESDAY_AT_TEN + 3 * HOUR]


async def test_what_we_wrote_never_blocks_anybody(firm: WritingFirm) -> None:
    await firm.connect()
    meeting = await firm.book(additionalEmployees=[firm.api.id_of("employee", BO)])
    await firm.work()
    await firm.read()
    assert (len(firm.list_events(ANNA)), len(firm.list_events(BO))) == (1, 1)
    assert await firm.list_busy() == []
    await firm.change(meeting, **at(2))
    await firm.read()
    await firm.cancel(meeting)
    await firm.read()
    assert await firm.list_busy() == []
    firm.graph.plant(events=[{"mail": firm.mails[ANNA], "event": _event(2)}])
    await firm.read()
    assert await firm.list_busy() == []  # perhaps it is what was cancelled there
    await firm.work(minutes=11)
    await firm.read()
    assert await firm.list_busy() == [TUESDAY_AT_TEN + 2 * HOUR]


async def test_an_online_meeting_gets_its_teams_link_and_mails_wait_for_it(firm: WritingFirm) -> None:
    firm.graph.plant(joinLinkAfterSeconds=5)
    await firm.connect(writes="EventsWithTeams")
    meeting = await firm.book(externalAttendees=[FREJA])
    in_person = await firm.book(3, type="Telephone")
    await firm.work()
    assert await firm.list_mails() == {"anna@nordlys.example": [False]}  # of the call by telephone
    for _ in range(4):
        await firm.work(seconds=3)
    [event, call] = firm.list_events(ANNA)
    link = (await firm.get(meeting) or {})["videoLink"]
    assert link == event.join_url
    assert link
    assert (call.join_url, (await firm.get(in_person) or {})["videoLink"]) == (None, "")
    assert await firm.list_mails() == {"anna@nordlys.example": [False, False], "freja@example.com": [True]}
    assert all(link in text for text in await firm.list_texts() if "Online" in text)
    history = (await firm.api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
    assert [(one["action"], one["command"]) for one in history] == [("Created", None), ("Changed", "calendar")]

    await firm.change(meeting, employeeId=firm.api.id_of("employee", BO))
    for _ in range(4):
        await firm.work(seconds=30)
    [event] = firm.list_events(BO)
    assert (await firm.get(meeting) or {})["videoLink"] == event.join_url != link


async def test_mails_do_not_wait_for_ever_for_a_link(firm: WritingFirm) -> None:
    firm.graph.plant(people=[{"mail": firm.mails[ANNA], "hasTeams": False}])
    await firm.connect(writes="EventsWithTeams")
    await firm.book(externalAttendees=[FREJA])
    await firm.work(seconds=100)
    assert await firm.list_mails() == {}
    await firm.work(seconds=30)
    assert await firm.list_mails() == {"anna@nordlys.example": [False], "freja@example.com": [True]}


async def test_the_service_is_asked_at_its_pace(firm: WritingFirm) -> None:
    await firm.connect()
    world = firm.graph.world
    world.faults.waiting = [Fault(method="POST", path="/events$", status=429, retry_after=30)]
    await firm.book()
    await firm.work()
    asked = len(world.asked)
    await firm.book(1)
    await firm.work(seconds=20)
    assert (len(world.asked), firm.list_events(ANNA)) == (asked, [])
    await firm.work(seconds=11)
    assert len(firm.list_events(ANNA)) == 2

    await make_documents(firm)
    world.latency_seconds, world.throttle.most_seen_at_once = 0.05, 0
    for hours in range(2, 7):
        await firm.book(hours)
        await firm.book(hours, BO)
    await firm.work(minutes=1)  # one request more at once is tried from two minutes on
    await firm.work()
    assert len(firm.list_events(ANNA)) + len(firm.list_events(BO)) == 12
    assert all(each.attachments for each in firm.list_events(BO))
    assert (world.throttle.most_seen_at_once <= 4, world.throttle.refused) == (True, 0)


async def test_an_application_that_may_only_read_is_named_and_writes_once_it_may(firm: WritingFirm) -> None:
    read_only = ("Calendars.Read", "GroupMember.Read.All", "User.ReadBasic.All")
    firm.graph.plant_firm(*firm.mails.values(), permissions=read_only)
    await firm.connect()
    await firm.book()
    await firm.work()
    shown = await firm.get_connection()
    assert (shown["status"], shown["unwritten"], shown["writeProblem"]) == ("Ok", 1, "Denied ErrorAccessDenied")
    firm.graph.plant_firm(*firm.mails.values())
    await firm.work(minutes=61)
    shown = await firm.get_connection()
    assert (len(firm.list_events(ANNA)), shown["unwritten"], shown["writeProblem"]) == (1, 0, None)


async def test_an_advisor_without_a_written_calendar_gets_the_calendar_part(firm: WritingFirm) -> None:
    await firm.connect()
    other = next(advisor.name for advisor in firm.api.firm.advisors if advisor.name not in firm.mails)
    meeting = await firm.book()
    await firm.work()
    await firm.change(meeting, employeeId=firm.api.id_of("employee", other))
    await firm.work(minutes=2)
    mails = await firm.list_mails()
    assert mails.pop("anna@nordlys.example") == [False, False]  # the invitation, and that it is another's now
    assert [*mails.values()] == [[True]]


async def test_documents_are_attached_once_and_a_large_one_as_a_page(
    firm: WritingFirm, monkeypatch: pytest.MonkeyPatch
) -> None:
    await firm.connect()
    await make_documents(firm)
    firm.graph.world.faults.waiting = [Fault(kind="Lose", method="POST", path="/attachments")]
    meeting = await firm.book()
    await firm.work()
    await firm.work(seconds=10)
    [event] = firm.list_events(ANNA)
    [document] = (await firm.api.get(f"v3/booking/meetings/{meeting['id']}/documents")).json()
    [attached] = event.attachments
    assert attached.name.endswith(".pptx")
    assert attached.content_bytes.startswith(b"PK")
    monkeypatch.setattr(files, "LARGEST", 1_000)
    await firm.change(meeting, title="Another")  # the deck is made again
    await firm.work()
    await firm.work(seconds=10)
    [event] = firm.list_events(ANNA)
    [document] = (await firm.api.get(f"v3/booking/meetings/{meeting['id']}/documents")).json()
    [page] = event.attachments
    assert page.name.endswith(".pptx.html")
    assert html.escape(document["downloadUrl"]) in page.content_bytes.decode()


async def make_documents(firm: WritingFirm) -> None:
    """Add a rule that makes a deck for each meeting."""
    parts: Any = {"file": ("greeting.pptx", make_template("Dear {{advisor.name}}", "")), "name": (None, "Greeting")}
    assert (await firm.api.request("POST", "v3/present/templates", files=parts)).status_code == 201
    rule = await firm.api.post("v3/booking/config/document-rules", {"template": "Greeting", "hoursBefore": None})
    assert rule.status_code == 201, rule.text


def _event(hours: int) -> dict[str, object]:
    begin = TUESDAY_AT_TEN + hours * HOUR
    start, end = ({"dateTime": f"{time:%Y-%m-%dT%H:%M:%S}"} for time in (begin, begin + HOUR))
    return {"subject": "Dentist", "start": start, "end": end}
