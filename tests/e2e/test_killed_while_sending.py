"""A server that is killed (`kill -9`) after it gave a mail away, and before it wrote down that it did."""

import asyncio
from datetime import UTC, datetime
from signal import SIGKILL

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.process.threads import run_in_thread
from support.installation import Installation
from support.servers import accept, book, call, cancel
from support.smtp_servers import HANG, Inbox, open_inbox, read_calendar

BEGIN = datetime(2031, 5, 5, 9, tzinfo=UTC)
ANNA = str(NORDLYS.id_of("employee", NORDLYS.advisors[0].name))
SETTING = NORDLYS.id_of("organization setting", NORDLYS.name)
AT_ONCE = [{"op": "replace", "path": "/changeNoticeDelay", "value": "00:00:00"}]
FREJA = {"name": "Freja", "email": "freja@example.com"}


async def wait_for(inbox: Inbox, method: str) -> None:
    """Return when an appointment of a method has come to the guest."""
    async with asyncio.timeout(180):
        while method not in [read_calendar(mail)[0] for mail in inbox.list_to(FREJA["email"])]:
            inbox.came.clear()
            await inbox.came.wait()


@pytest.mark.thorough  # in parts: tests/http/test_unanswered_messages.py, tests/integration/test_jobs.py
async def test_a_guest_whose_invitation_was_sent_by_a_killed_server_is_told_of_the_cancellation(
    installation: Installation,
) -> None:
    async with open_inbox() as inbox:
        installation.settings["MEETDECK_SMTP_URL"] = f"smtp://127.0.0.1:{inbox.port}"
        address = await run_in_thread(installation.start)
        inbox.does["DATA"] = HANG
        async with call(installation, address) as http:
            accept(await http.patch(f"config/organization-settings/{SETTING}", json=AT_ONCE))
            meeting = accept(await book(http, BEGIN, employeeId=ANNA, externalAttendees=[FREJA]))
            await wait_for(inbox, "REQUEST")
        assert await run_in_thread(installation.stop, SIGKILL) == -SIGKILL
        inbox.does.clear()
        async with call(installation, await run_in_thread(installation.start)) as http:
            assert (await cancel(http, meeting["id"])).is_success
            await wait_for(inbox, "CANCEL")
    methods = [read_calendar(mail)[0] for mail in inbox.list_to(FREJA["email"])]
    assert methods[-1] == "CANCEL", "nothing may come after it"
