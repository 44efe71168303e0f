"""Reminders: decided from the meeting as it is when their time has come (docs/messages.md#reminders)."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from meetdeck.messages.carriers.texts import AppriseCarrier
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Database
from support.factories import Api
from support.fakes import MONDAY_MORNING as NOW
from support.meetings import ANNA, book, patch, replace
from support.portals import NORDLYS_PORTAL
from support.receivers import answer, open_receiver
from support.reminders import Desk

FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}
# Ten days ahead, at half past ten in Copenhagen.
BEGINS = NOW.replace(hour=9, minute=30, second=0, microsecond=0) + timedelta(days=10)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
TIMES = {"startDate": BEGINS.isoformat(), "endDate": (BEGINS + HOUR).isoformat()}


@pytest_asyncio.fixture
async def desk(api: Api, no_meetings: None, database: Database, tmp_path: Path) -> Desk:
    """Lend the reminders of the demo firms, without the demo meetings."""
    assert api
    assert no_meetings is None
    desk = Desk(database, tmp_path)
    await desk.work(NOW)
    return desk


async def book_it(api: Api, **members: Any) -> dict[str, Any]:
    return await book(api, **TIMES, employeeId=ANNA, externalAttendees=[FREJA], **members)


def list_recipients(mails: Sequence[Mail]) -> list[str]:
    return [mail.to.email for mail in mails]


async def test_a_customer_gets_a_mail_three_days_before_and_no_second(api: Api, desk: Desk) -> None:
    await book_it(api)
    for now in (NOW, BEGINS - 72 * HOUR - MINUTE):
        await desk.work(now)
        assert desk.posts.mails == []
    for now in (BEGINS - 72 * HOUR, BEGINS - 71 * HOUR, BEGINS - HOUR, BEGINS + HOUR):
        await desk.work(now)
        assert list_recipients(desk.posts.mails) == ["freja@example.com"]
    mail = desk.posts.mails[0]
    assert mail.subject.startswith(("Reminder", "Påmindelse"))
    assert mail.calendar is None
    assert "C-1001" not in mail.text


async def test_a_moved_meeting_is_reminded_of_at_its_new_time_alone(api: Api, desk: Desk) -> None:
    meeting = await book_it(api)
    later = BEGINS + 5 * 24 * HOUR
    await patch(api, meeting, replace(startDate=later.isoformat(), endDate=(later + HOUR).isoformat()))
    await desk.work(BEGINS - 72 * HOUR)
    assert desk.posts.mails == []
    await desk.work(later - 72 * HOUR)
    assert len(desk.posts.mails) == 1


async def test_a_cancelled_meeting_is_not_reminded_of(api: Api, desk: Desk) -> None:
    meeting = await book_it(api)
    await desk.work(NOW)
    assert (await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")).status_code == 204
    await desk.work(BEGINS - 72 * HOUR)
    assert desk.posts.mails == []


async def test_a_reminder_that_could_not_be_sent_in_time_is_dropped_with_the_reason(api: Api, desk: Desk) -> None:
    meeting = await book_it(api)
    desk.posts.down = True
    await desk.work(BEGINS - 72 * HOUR)
    await patch(api, meeting, replace(startDate=(BEGINS + HOUR).isoformat(), endDate=(BEGINS + 2 * HOUR).isoformat()))
    desk.posts.down = False
    await desk.work(BEGINS - 71 * HOUR)
    history = (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
    assert len(desk.posts.mails) == 1  # of the new time
    assert "A reminder by mail was not sent: the meeting was moved meanwhile." in str(history)


async def test_what_cannot_be_sent_is_sent_when_it_can(api: Api, desk: Desk) -> None:
    await book_it(api)
    desk.posts.down = True
    for minutes in (0, 1, 5, 60):
        await desk.work(BEGINS - 72 * HOUR + minutes * MINUTE)
    desk.posts.down = False
    await desk.work(BEGINS - 48 * HOUR)
    assert len(desk.posts.mails) == 1


async def test_a_change_that_leaves_the_time_brings_no_second_reminder(api: Api, desk: Desk) -> None:
    meeting = await book_it(api)
    await desk.work(BEGINS - 72 * HOUR)
    await patch(api, meeting, replace(title="Another title"))
    for now in (BEGINS - 71 * HOUR, BEGINS - 24 * HOUR):
        await desk.work(now)
    assert len(desk.posts.mails) == 1


async def test_a_text_message_goes_to_the_phone_that_the_portal_asked_for(api: Api, desk: Desk) -> None:
    phone = {"name": "phone", "label": "Phone", "type": "Phone"}
    elevated = await api.of(api.firm, elevated=True)
    changed = await elevated.request(
        "PATCH", f"v3/booking/config/portals/{NORDLYS_PORTAL}", json=replace(fields=[phone])
    )
    assert changed.is_success, changed.text
    await book_it(api, portalId=str(NORDLYS_PORTAL), customFields=[{"key": "phone", "value": "+45 12 34 56 78"}])
    await desk.work(BEGINS - 24 * HOUR)
    ((number, text),) = desk.posts.texts
    assert number == "+45 12 34 56 78"
    assert "Freja" not in text


async def test_a_firm_chooses_when_and_whether(api: Api, desk: Desk) -> None:
    elevated = await api.of(api.firm, elevated=True)
    settings = {"sendMessages": True, "mailReminderHours": 48, "textReminderHours": 0}
    assert (await elevated.request("PUT", "v3/booking/config/message-settings", json=settings)).status_code == 200
    await book_it(api)
    await desk.work(BEGINS - 72 * HOUR)
    assert desk.posts.mails == []
    await desk.work(BEGINS - 48 * HOUR)
    assert len(desk.posts.mails) == 1


async def test_a_channel_gets_one_text_message_for_each_meeting(
    api: Api, no_meetings: None, database: Database, tmp_path: Path
) -> None:
    assert no_meetings is None
    desk = Desk(database, tmp_path, in_channel=True)
    await book_it(api, title="Pension")
    await desk.work(NOW)
    await desk.work(BEGINS - 24 * HOUR)
    ((number, text),) = desk.posts.texts
    assert number == ""
    assert "Pension" in text
    assert "Anna Holm" in text


@pytest.mark.filterwarnings("ignore:'imghdr':DeprecationWarning")  # apprise's own
@pytest.mark.parametrize(
    ("answered", "expected"),
    [(b"", "MessagePerhapsSent"), (answer(500), "MessageNotSent"), (None, "MessageNotSent")],
    ids=["no answer", "a no", "nobody there"],
)
async def test_a_text_message_without_an_answer_was_perhaps_sent(
    api: Api, no_meetings: None, database: Database, tmp_path: Path, answered: bytes | None, expected: str
) -> None:
    assert no_meetings is None
    meeting = await book_it(api)
    async with open_receiver() as gateway:
        gateway.answers = [answered or b""]
        address = f"json://127.0.0.1:{gateway.port if answered is not None else 1}"
        desk = Desk(database, tmp_path, in_channel=True, texts=AppriseCarrier(address))
        for now in (NOW, BEGINS - 24 * HOUR):
            await desk.work(now)
        assert len(gateway.received) == (answered is not None)
    assert (await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")).is_success
    await desk.work(BEGINS - 23 * HOUR)
    history = (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
    assert [one["action"] for one in history if "text message" in one.get("reason", "")] == [expected]
