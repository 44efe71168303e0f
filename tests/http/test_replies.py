"""Answers to invitations: read from a mailbox that runs here, they become the status of attendees."""

import socket
import subprocess
import sys
import time
from collections.abc import Generator
from imaplib import IMAP4
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from meetdeck.messages.replies.mailbox import MailboxUnavailable
from meetdeck.messages.replies.service import Replies
from meetdeck.platform.database import Database
from meetdeck.platform.outgoing import read_imap_url
from support.factories import Api
from support.fakes import MONDAY_MORNING as NOW
from support.meetings import BO, LATER, book, patch, replace
from support.messages import Post
from support.replies import write_reply

FREJA = {"name": "Freja", "email": "Freja@example.com"}
OLE = {"name": "Ole", "email": "ole@example.com"}
_USER = "meetings:secret"


@pytest.fixture(scope="module")
def port() -> Generator[int]:
    """Lend the port of an IMAP server with an empty mailbox; each login finds the same."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    user, _, password = _USER.partition(":")
    command = [Path(sys.executable).with_name("pymap"), "--host", "127.0.0.1", "--port", str(port), "--no-tls", "dict"]
    account = ["--demo-data", "--demo-user", user, "--demo-password", password]
    with subprocess.Popen([*command, *account], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:  # noqa: S603 - a package of ours
        yield port
        server.terminate()


@pytest.fixture
def inbox(port: int) -> Generator[IMAP4]:
    """Lend the mailbox as somebody sees it who puts mails into it."""
    with connect(port) as client:
        client.login(*_USER.split(":"))
        client.select("INBOX")
        yield client


def connect(port: int) -> IMAP4:
    """Return a connection to the server, as soon as it has started."""
    while True:
        try:
            return IMAP4("127.0.0.1", port, timeout=5)
        except ConnectionRefusedError:
            time.sleep(0.1)


def deliver(inbox: IMAP4, mail: bytes) -> None:
    assert inbox.append("INBOX", "", "", mail)[0] == "OK"


def count_unread(inbox: IMAP4) -> int:
    inbox.noop()
    return len(inbox.search(None, "UNSEEN")[1][0].split())


async def read(api: Api, meeting: dict[str, Any], version: str = "v3") -> dict[str, Any]:
    return (await api.get(f"{version}/booking/meetings/{meeting['id']}")).json()


@pytest_asyncio.fixture
async def invited(api: Api, database: Database, tmp_path: Path) -> tuple[Post, dict[str, Any]]:
    """Lend a meeting whose guests were invited."""
    post = Post(database, tmp_path)
    meeting = await book(api, externalAttendees=[FREJA, OLE])
    await post.send(NOW)
    return post, meeting


@pytest.fixture
def replies(database: Database, port: int, inbox: IMAP4) -> Replies:
    assert inbox  # the server answers
    return Replies(database, read_imap_url(f"imap://{_USER}@127.0.0.1:{port}"))


async def test_an_answer_becomes_the_status_of_the_attendee(
    api: Api, inbox: IMAP4, replies: Replies, invited: tuple[Post, dict[str, Any]]
) -> None:
    _, meeting = invited
    assert (await read(api, meeting))["externalAttendees"] == [FREJA, OLE]
    await replies.read(NOW)  # what lay in the mailbox before
    unread = count_unread(inbox)
    deliver(inbox, write_reply(meeting["id"], "freja@EXAMPLE.com", "ACCEPTED"))
    assert await replies.read(NOW) == 1
    assert count_unread(inbox) == unread
    after = await read(api, meeting)
    assert after["externalAttendees"] == [FREJA | {"status": "Accepted"}, OLE]
    assert (await api.get("v3/booking/meetings", params={"customerId": "Freja"})).json() == [after]
    (entry,) = (one for one in await history(api, meeting) if one["action"] == "AttendeeReplied")
    assert (entry["command"], entry["changes"][0]["member"]) == ("messages", "externalAttendees")
    feed = await (await api.of(api.firm, elevated=True)).get(
        "v3/events", params={"types": "meeting.attendeeReplied", "limit": "1000"}
    )
    (event,) = feed.json()["items"]
    assert (event["subject"], event["data"]) == (f"meetings/{meeting['id']}", after)


async def test_v2_knows_of_no_status(api: Api, inbox: IMAP4, replies: Replies, invited: tuple[Post, Any]) -> None:
    _, meeting = invited
    deliver(inbox, write_reply(meeting["id"], OLE["email"], "DECLINED"))
    await replies.read(NOW)
    assert (await read(api, meeting, "v2"))["externalAttendees"] == [FREJA, OLE]
    listed = (await api.get("v2/booking/meetings", params={"customerId": "Freja"})).json()
    assert [one["externalAttendees"] for one in listed] == [[FREJA, OLE]]
    assert (await read(api, meeting))["externalAttendees"][1]["status"] == "Declined"


async def test_an_answer_outlives_changes_and_is_asked_for_again_after_a_move(
    api: Api, inbox: IMAP4, replies: Replies, invited: tuple[Post, dict[str, Any]]
) -> None:
    post, meeting = invited
    deliver(inbox, write_reply(meeting["id"], OLE["email"], "TENTATIVE"))
    await replies.read(NOW)
    others = [{"name": "Ole B.", "email": "OLE@example.com", "status": "Accepted"}]
    changed = (await patch(api, meeting, replace(externalAttendees=others))).json()
    assert changed["externalAttendees"] == [{"name": "Ole B.", "email": "OLE@example.com", "status": "Tentative"}]
    moved = (await patch(api, meeting, replace(**LATER))).json()
    assert moved["externalAttendees"][0]["status"] == "NeedsAction"
    await post.send(NOW)
    deliver(inbox, write_reply(meeting["id"], OLE["email"], "ACCEPTED", sequence=0))
    assert await replies.read(NOW) == 0, "to the time before"
    deliver(inbox, write_reply(meeting["id"], OLE["email"], "ACCEPTED", sequence=2))
    assert await replies.read(NOW) == 1


async def test_the_answer_of_an_employee_stands_in_the_history_and_is_told(
    api: Api, database: Database, tmp_path: Path, inbox: IMAP4, replies: Replies
) -> None:
    post = Post(database, tmp_path)
    meeting = await book(api, additionalEmployees=[BO], externalAttendees=[FREJA])
    await post.send(NOW)
    address = (await api.get(f"v3/booking/config/employees/{BO}")).json()["email"]
    for answer in ("ACCEPTED", "ACCEPTED", "DECLINED"):
        deliver(inbox, write_reply(meeting["id"], address, answer))
        assert await replies.read(NOW) == 1
    told = [one["changes"] for one in await history(api, meeting) if one["action"] == "AttendeeReplied"]
    accepted, declined = ({"employeeId": BO, "status": status} for status in ("Accepted", "Declined"))
    assert told == [
        [{"member": "employeeAnswer", "before": None, "after": accepted}],
        [{"member": "employeeAnswer", "before": accepted, "after": declined}],
    ]
    feed = await (await api.of(api.firm, elevated=True)).get("v3/events", params={"types": "meeting.*", "limit": 1000})
    sequences = [one["sequence"] for one in feed.json()["items"] if one["subject"] == f"meetings/{meeting['id']}"]
    assert len(sequences) == 3
    assert sequences == sorted(set(sequences))
    await patch(api, meeting, replace(**LATER))
    await post.send(NOW)
    deliver(inbox, write_reply(meeting["id"], address, "DECLINED", sequence=1))
    await replies.read(NOW)
    assert (await history(api, meeting))[-1]["changes"][0]["before"] is None, "to the time before"


async def test_answers_of_strangers_and_about_other_meetings_change_nothing(
    api: Api, inbox: IMAP4, replies: Replies, invited: tuple[Post, dict[str, Any]]
) -> None:
    _, meeting = invited
    before = await read(api, meeting)
    for mail in (
        write_reply(meeting["id"], "mallory@example.com", "DECLINED"),
        write_reply(meeting["id"], OLE["email"], "DECLINED", sender="mallory@example.com"),
        write_reply(meeting["timeSlotId"], OLE["email"], "DECLINED"),
        write_reply(meeting["id"], OLE["email"], "DECLINED", method="REQUEST"),
        b"From: ole@example.com\r\nSubject: Hello\r\n\r\nI cannot come.\r\n",
    ):
        deliver(inbox, mail)
    assert await replies.read(NOW) == 0
    assert await read(api, meeting) == before


async def test_mail_that_is_no_answer_stays_unread_for_people(
    inbox: IMAP4, replies: Replies, invited: tuple[Post, dict[str, Any]]
) -> None:
    assert invited[1]
    await replies.read(NOW)
    unread = count_unread(inbox)
    deliver(inbox, b"From: ole@example.com\r\n\r\nI cannot come.\r\n")
    deliver(inbox, b"From: ole@example.com\r\n\r\n" + b"x" * 300_000)
    await replies.read(NOW)
    await replies.read(NOW)
    assert count_unread(inbox) == unread + 2


async def test_a_mailbox_that_cannot_be_read_is_said_without_its_password(database: Database, port: int) -> None:
    for server in (f"imap://meetings:wrong@127.0.0.1:{port}", "imap://meetings:wrong@127.0.0.1:1"):
        with pytest.raises(MailboxUnavailable) as caught:
            await Replies(database, read_imap_url(server)).read(NOW)
        assert "wrong@" not in caught.value.detail


async def history(api: Api, meeting: dict[str, Any]) -> list[dict[str, Any]]:
    return (await api.get(f"v3/booking/meetings/{meeting['id']}/history")).json()
