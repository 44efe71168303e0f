"""A server that is killed (`kill -9`) while messages about a change wait: neither they nor their line are lost."""

import asyncio
from datetime import UTC, datetime
from email.message import EmailMessage
from signal import SIGKILL
from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.process.threads import run_in_thread
from support.installation import Installation
from support.servers import accept, book, call
from support.smtp_servers import Inbox, open_inbox

BEGIN = datetime(2031, 5, 5, 9, tzinfo=UTC)
ANNA = str(NORDLYS.id_of("employee", NORDLYS.advisors[0].name))
SETTING = NORDLYS.id_of("organization setting", NORDLYS.name)
FREJA = {"name": "Freja", "email": "freja@example.com"}
DELAY = "00:00:20"


def read_text(mail: EmailMessage) -> str:
    body: Any = mail.get_body(("plain",))
    return " ".join(body.get_content().split())


async def wait_for(inbox: Inbox, number: int) -> list[str]:
    """Return the texts of the mails to the guest once there are so many."""
    async with asyncio.timeout(180):
        while len(mails := inbox.list_to(FREJA["email"])) < number:
            inbox.came.clear()
            await inbox.came.wait()
    return [read_text(mail) for mail in mails]


@pytest.mark.thorough
async def test_messages_that_wait_and_their_line_outlive_a_killed_server(installation: Installation) -> None:
    async with open_inbox() as inbox:
        installation.settings["MEETDECK_SMTP_URL"] = f"smtp://127.0.0.1:{inbox.port}"
        async with call(installation, await run_in_thread(installation.start)) as http:
            delay = [{"op": "replace", "path": "/changeNoticeDelay", "value": DELAY}]
            accept(await http.patch(f"config/organization-settings/{SETTING}", json=delay))
            meeting = accept(await book(http, BEGIN, employeeId=ANNA, externalAttendees=[FREJA]))
            await wait_for(inbox, 1)
            address = f"meetings/{meeting['id']}"
            accept(await http.patch(address, json=[{"op": "replace", "path": "/title", "value": "Home"}]))
            assert (await http.post(f"{address}/notice", json={"line": "Anna is in Odense."})).status_code == 204
        assert await run_in_thread(installation.stop, SIGKILL) == -SIGKILL
        assert len(inbox.list_to(FREJA["email"])) == 1
        await run_in_thread(installation.start)
        texts = await wait_for(inbox, 2)
    assert "Message: Anna is in Odense." in texts[1]
