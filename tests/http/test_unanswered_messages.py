"""Mails whose answer was lost: perhaps they arrived, so what follows is told, and nothing claims that they did not."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from meetdeck.messages.replies import store as replies
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Database, DatabaseUnavailable
from support.factories import Api
from support.fakes import MONDAY_MORNING as NOW
from support.meetings import ANNA, BO, LATER, book, patch, replace
from support.messages import Post
from support.smtp_servers import HANG, LOSE, Inbox, make_carrier, open_inbox, read_calendar

FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}
FREJAS = FREJA["email"]
OLE = {"name": "Ole", "email": "ole@example.com"}
PERHAPS = "The invitation to an attendee was perhaps sent: its delivery was not confirmed. It was not sent again:"
MINUTE = timedelta(minutes=1)
UNDELIVERED = "v3/booking/messages/undelivered"

pytestmark = pytest.mark.usefixtures("no_meetings")


@pytest_asyncio.fixture
async def inbox() -> AsyncGenerator[Inbox]:
    async with open_inbox() as inbox:
        yield inbox


@pytest_asyncio.fixture
async def post(api: Api, database: Database, tmp_path: Path, inbox: Inbox) -> Post:
    """Lend the messages of an installation that sends them to the server."""
    assert api
    post = Post(database, tmp_path, make_carrier(inbox, patience_seconds=1))
    await post.send(NOW)
    return post


async def lose(post: Post, inbox: Inbox, how: str = LOSE, at: str = "DATA") -> None:
    """Send what is due, to a server that fails; afterwards it is well again."""
    inbox.does[at] = how
    await post.send(NOW)
    inbox.does.clear()


async def list_notes(api: Api, meeting: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what the history says of messages to attendees."""
    history = (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
    return [(one["action"], one["reason"]) for one in history if "attendee" in one.get("reason", "")]


async def cancel(api: Api, meeting: dict[str, Any]) -> None:
    assert (await api.request("DELETE", f"v3/booking/meetings/{meeting['id']}")).is_success


async def test_a_mail_is_sent_once_though_the_database_was_away_when_the_mail_server_answered(
    post: Post, api: Api, inbox: Inbox, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulate a failover: the process lives on, and knows what it has sent."""
    await book(api, externalAttendees=[FREJA])
    refused = list[UUID]()

    def refuse_at_first(begin: Callable[..., Any]) -> Callable[..., Any]:
        def refuse(tenant_id: UUID, *work: Any) -> Any:
            if inbox.list_to(FREJAS) and len(refused) < 3:
                refused.append(tenant_id)
                raise DatabaseUnavailable
            return begin(tenant_id, *work)

        return refuse

    for name in ("run", "at_once"):
        monkeypatch.setattr(database, name, refuse_at_first(getattr(database, name)))
    for minutes in range(3):
        await post.send(NOW + minutes * MINUTE)
    assert refused
    assert len(inbox.list_to(FREJAS)) == 1


@pytest.mark.parametrize("how", [LOSE, HANG, "xyz"])
async def test_a_cancellation_goes_to_those_whose_invitation_perhaps_arrived(
    post: Post, api: Api, inbox: Inbox, how: str
) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await lose(post, inbox, how)
    await cancel(api, meeting)
    await post.send(NOW)
    method, event = read_calendar(inbox.list_to(FREJAS)[-1])
    assert (method, event["STATUS"], str(event["UID"])) == ("CANCEL", "CANCELLED", f"{meeting['id']}@meetdeck")
    await post.send(NOW + MINUTE)
    assert await list_notes(api, meeting) == [
        ("MessagePerhapsSent", f"{PERHAPS} the meeting was cancelled meanwhile."),
    ]
    assert [read_calendar(mail)[0] for mail in inbox.list_to(FREJAS)][-1] == "CANCEL"


@pytest.mark.parametrize(
    ("at", "how"), [("DATA", "450 4.2.0 later"), ("DATA", "554 5.7.1 spam"), ("RCPT", "550 5.1.1 no"), ("RCPT", LOSE)]
)
async def test_nothing_is_cancelled_for_those_who_certainly_have_no_invitation(
    post: Post, api: Api, inbox: Inbox, at: str, how: str
) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await lose(post, inbox, how, at)
    await cancel(api, meeting)
    for now in (NOW, NOW + MINUTE):
        await post.send(now)
    assert inbox.mails == []
    notes = await list_notes(api, meeting)
    assert {action for action, _ in notes} == {"MessageNotSent"}
    reasons = [reason for _, reason in notes]
    assert "The cancellation to an attendee was not sent: the recipient was never notified of the meeting." in reasons


async def test_an_attendee_who_is_removed_and_perhaps_invited_gets_a_cancellation(
    post: Post, api: Api, inbox: Inbox
) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await lose(post, inbox)
    await patch(api, meeting, replace(externalAttendees=[OLE]))
    await post.send(NOW + MINUTE)
    assert read_calendar(inbox.list_to(FREJAS)[-1])[0] == "CANCEL"
    assert [read_calendar(mail)[0] for mail in inbox.list_to(OLE["email"])] == ["REQUEST"]
    await patch(api, meeting, replace(externalAttendees=[OLE, FREJA]))
    await post.send(NOW + 2 * MINUTE)
    assert read_calendar(inbox.list_to(FREJAS)[-1])[0] == "REQUEST"


async def test_a_retry_that_comes_before_the_news_of_a_removal_hides_nothing(
    post: Post, api: Api, inbox: Inbox
) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await lose(post, inbox)
    await patch(api, meeting, replace(externalAttendees=[]))
    await post.jobs.run_due(lambda: NOW + MINUTE)
    assert len(inbox.list_to(FREJAS)) == 1
    await post.send(NOW + MINUTE)
    assert read_calendar(inbox.list_to(FREJAS)[-1])[0] == "CANCEL"


async def test_an_advisor_who_loses_the_meeting_and_was_perhaps_invited_gets_a_cancellation(
    post: Post, api: Api, inbox: Inbox
) -> None:
    meeting = await book(api)
    await lose(post, inbox)
    await patch(api, meeting, replace(employeeId=BO))
    await post.send(NOW + MINUTE)
    anna, bo = [(await api.get(f"v3/booking/config/employees/{one}")).json()["email"] for one in (ANNA, BO)]
    assert [read_calendar(mail)[0] for mail in inbox.list_to(anna)] == ["REQUEST", "CANCEL"]
    assert [read_calendar(mail)[0] for mail in inbox.list_to(bo)] == ["REQUEST"]


@pytest.mark.parametrize("is_routed", [True, False])
async def test_a_change_after_a_lost_answer_is_told_as_a_mail_of_its_own(
    post: Post, api: Api, inbox: Inbox, *, is_routed: bool
) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await lose(post, inbox)
    await patch(api, meeting, replace(**LATER))
    if is_routed:
        await post.route(NOW)
    await post.jobs.run_due(lambda: NOW + MINUTE)
    await post.send(NOW + MINUTE)
    first, second = inbox.list_to(FREJAS)
    assert [str(read_calendar(one)[1]["SEQUENCE"]) for one in (first, second)] == ["0", "1"]
    assert first["Message-ID"] != second["Message-ID"], "a receiver would take it for one that it has"
    assert second["Subject"].startswith("Changed:")


async def test_a_mail_without_an_answer_is_sent_again_as_the_same_mail_and_is_sent_in_the_end(
    post: Post, api: Api, inbox: Inbox
) -> None:
    elevated = await api.of(api.firm, elevated=True)
    meeting = await book(api, externalAttendees=[FREJA])
    await lose(post, inbox)
    found = (await elevated.get(UNDELIVERED)).json()
    assert (found["waiting"], found["perhapsSent"]) == (2, 2)
    assert "perhaps it was sent" in found["reason"]
    await lose(post, inbox)
    await post.send(NOW + MINUTE)
    first, second = inbox.list_to(FREJAS)
    assert first["Message-ID"] == second["Message-ID"]
    events = [read_calendar(one)[1] for one in (first, second)]
    assert len({(str(one["UID"]), str(one["SEQUENCE"]), str(one["DTSTART"].dt)) for one in events}) == 1
    assert (await elevated.get(UNDELIVERED)).json()["waiting"] == 0
    assert await list_notes(api, meeting) == []
    await patch(api, meeting, replace(crmId="CRM-7"))
    await post.send(NOW + MINUTE)
    assert len(inbox.list_to(FREJAS)) == 2


async def test_one_lost_answer_and_then_a_no_leave_it_open(post: Post, api: Api, inbox: Inbox) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await lose(post, inbox)
    inbox.does["RCPT"] = "550 5.1.1 no such user"
    await post.send(NOW + MINUTE)
    ((action, reason),) = await list_notes(api, meeting)
    assert action == "MessagePerhapsSent"
    assert reason.endswith("It was not sent again: the mail server rejected it permanently (550 5.1.1).")


async def test_a_lost_change_of_what_was_taken_back_is_corrected(post: Post, api: Api, inbox: Inbox) -> None:
    meeting = await book(api, externalAttendees=[FREJA], title="A")
    await post.send(NOW)
    await patch(api, meeting, replace(title="B"))
    await lose(post, inbox)
    await patch(api, meeting, replace(title="A"))
    await post.send(NOW + MINUTE)
    assert str(read_calendar(inbox.list_to(FREJAS)[-1])[1]["SUMMARY"]) == "A"


async def test_an_answer_to_an_invitation_that_perhaps_arrived_is_taken(
    post: Post, api: Api, inbox: Inbox, database: Database
) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await lose(post, inbox)
    async with database.transaction(api.firm.tenant_id) as connection:
        assert await replies.find_sequence(connection, meeting["id"], FREJAS) == 0


async def test_an_erased_customer_gets_nothing_more(post: Post, api: Api, inbox: Inbox, database: Database) -> None:
    meeting = await book(api, externalAttendees=[FREJA])
    await lose(post, inbox)
    async with database.transaction(api.firm.tenant_id) as connection:
        await connection.execute("update meeting set erased_at = $1 where meeting_id = $2", NOW, meeting["id"])
    await cancel(api, meeting)
    await post.send(NOW + MINUTE)
    assert len(inbox.list_to(FREJAS)) == 1
    assert await list_notes(api, meeting) == []


class Interrupted:
    """A server in front of which something happens while it has a mail."""

    def __init__(self) -> None:
        self.meanwhile: Any = None
        self.mails: list[Mail] = []

    async def carry(self, _tenant_id: Any, mail: Mail) -> None:
        self.mails.append(mail)
        if mail.to.email == FREJAS and (work := self.meanwhile) is not None:
            self.meanwhile = None
            await work()


async def test_what_follows_waits_for_the_mail_that_is_being_sent(api: Api, database: Database, tmp_path: Path) -> None:
    carrier = Interrupted()
    post, beside = Post(database, tmp_path, carrier), Post(database, tmp_path, carrier)
    meeting = await book(api, externalAttendees=[FREJA])

    async def change() -> None:
        await patch(api, meeting, replace(**LATER))
        await beside.send(NOW)

    carrier.meanwhile = change
    await post.send(NOW)
    assert [mail.to.email for mail in carrier.mails].count(FREJAS) == 1
    await post.send(NOW + MINUTE)
    subjects = [mail.subject for mail in carrier.mails if mail.to.email == FREJAS]
    assert [subject.split()[0] for subject in subjects] == ["Your", "Changed:"]


async def test_a_worker_that_was_stopped_while_it_sent_has_perhaps_sent(
    api: Api, database: Database, tmp_path: Path
) -> None:
    carrier = Interrupted()
    post = Post(database, tmp_path, carrier)
    meeting = await book(api, externalAttendees=[FREJA])
    stopped = asyncio.Event()

    async def stop() -> None:
        stopped.set()
        await asyncio.sleep(3600)

    carrier.meanwhile = stop
    await post.route(NOW)
    working = asyncio.create_task(post.jobs.run(lambda: NOW))
    await stopped.wait()
    working.cancel()
    with suppress(asyncio.CancelledError):
        await working
    await cancel(api, meeting)
    await post.send(NOW + MINUTE)
    await post.send(NOW + 2 * MINUTE)
    methods = [str(mail.calendar.method.value) for mail in carrier.mails if mail.calendar and mail.to.email == FREJAS]
    assert methods == ["request", "cancel"]
