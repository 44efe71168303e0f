"""Messages about meetings to which people of service groups come along: who is told what, and whom customers meet."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from icalendar import Calendar

from meetdeck.demo.firm import NORDLYS
from meetdeck.messages.carriers.kept import KeptMail
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import MONDAY_MORNING as NOW
from support.meetings import patch, replace
from support.messages import Post

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
NAMES = {str(NORDLYS.id_of("employee", one.name)): one.name for one in NORDLYS.advisors}
EMAILS = {one: f"{name.split()[0].lower()}@nordlys.example" for one, name in NAMES.items()}
FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}


@pytest.fixture
async def post(api: Api, database: Database, tmp_path: Path) -> Post:
    """Lend the messages of the demo firms, of whose own meetings everybody has been told."""
    assert api
    post = Post(database, tmp_path)
    await post.send(NOW)
    return post


async def book(api: Api, employees: list[str]) -> dict[str, Any]:
    """Book Anna for Freja on Tuesday at ten, with somebody of Mortgage, of which some employees are."""
    group = await api.post("v3/booking/config/service-groups", {"name": "Mortgage", "employeeIds": employees})
    assert group.status_code == 201, group.text
    times = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": "2026-03-03T10:00:00Z", "status": "Reserved"}
    slot = {"employeeId": ANNA, "alsoServiceGroups": ["Mortgage"]} | times
    held = await api.post("v3/booking/time-slots/reserve", {"token": str(uuid4()), "timeSlot": slot})
    assert held.status_code == 201, held.text
    booked = await api.book(
        employeeId=ANNA, type="Online", timeSlotId=held.json()["id"], title="First home", externalAttendees=[FREJA]
    )
    assert booked.status_code == 201, booked.text
    return booked.json()


async def read_new(post: Post) -> dict[str, KeptMail]:
    """Send what is due and return the latest mail about the meeting by its recipient."""
    await post.send(NOW)
    return {mail.to[0]: mail for mail in await post.read() if "First home" in mail.text or "First home" in mail.subject}


async def test_each_of_the_team_is_invited_and_the_customer_reads_whom_they_meet(post: Post, api: Api) -> None:
    await book(api, [DAVID])
    mails = await read_new(post)
    assert {EMAILS[ANNA], EMAILS[DAVID], FREJA["email"]} <= set(mails)
    assert f"With: {NAMES[ANNA]}, {NAMES[DAVID]} (Mortgage)" in mails[FREJA["email"]].text
    for mail in mails.values():
        assert mail.calendar is not None
        read: Any = Calendar.from_ical(mail.calendar.encode())
        (event,) = read.walk("VEVENT")
        attendees = [str(one) for one in event["ATTENDEE"]]
        assert attendees == [f"mailto:{one}" for one in (EMAILS[ANNA], EMAILS[DAVID], FREJA["email"])]


async def test_whoever_no_longer_comes_along_gets_a_cancellation_and_the_other_an_invitation(
    post: Post, api: Api
) -> None:
    meeting = await book(api, [DAVID, EVA])
    await read_new(post)
    (gone,) = meeting["additionalEmployees"]
    comes = EVA if gone == DAVID else DAVID
    changed = await patch(api, meeting, replace(additionalEmployees=[comes]))
    assert changed.status_code == 200, changed.text
    mails = await read_new(post)
    assert "cancel" in mails[EMAILS[gone]].subject.lower()
    assert mails[EMAILS[comes]].calendar is not None
    assert f"With: {NAMES[ANNA]}, {NAMES[comes]} (Mortgage)" in mails[FREJA["email"]].text
