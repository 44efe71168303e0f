"""Messages that no server took: counted, and on the console's overview."""

from datetime import timedelta
from pathlib import Path
from uuid import UUID

from meetdeck.messages.carriers.carrier import MessageDeferred, MessageUnanswered
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.database import Database
from support.console import EVA, THOMAS, Browser
from support.factories import Api
from support.fakes import MONDAY_MORNING as NOW
from support.meetings import book, patch, replace
from support.messages import Post

PATH = "v3/booking/messages/undelivered"
FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}
WHY = "the mail server does not answer"


class DeadServer:
    """A mail server that takes nothing, or does not say so."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def carry(self, tenant_id: UUID, mail: Mail) -> None:
        assert tenant_id
        assert mail
        raise self.error


async def test_messages_that_no_server_took_are_counted_and_on_the_overview_of_admins(
    api: Api, database: Database, tmp_path: Path
) -> None:
    elevated = await api.of(api.firm, elevated=True)
    assert (await api.get(PATH)).status_code == 403
    await Post(database, tmp_path).send(NOW)
    assert (await elevated.get(PATH)).json() == {"waiting": 0, "perhapsSent": 0, "since": None, "reason": None}
    await book(api, externalAttendees=[FREJA])
    await Post(database, tmp_path, DeadServer(MessageDeferred(WHY))).send(NOW)
    found = (await elevated.get(PATH)).json()
    assert found["waiting"] >= 1
    assert found["since"]
    assert WHY in found["reason"]
    assert FREJA["email"] not in str(found)
    admin, manager = [(await (await Browser.open(api, user)).get()).text for user in (THOMAS, EVA)]
    assert WHY in admin
    assert WHY not in manager


async def test_the_overview_says_which_messages_may_have_arrived(api: Api, database: Database, tmp_path: Path) -> None:
    await Post(database, tmp_path).send(NOW)
    meeting = await book(api, externalAttendees=[FREJA])
    await Post(database, tmp_path, DeadServer(MessageUnanswered(WHY))).send(NOW)
    admin = await Browser.open(api, THOMAS)
    assert "2 of them may have arrived: their delivery was not confirmed." in (await admin.get()).text
    await patch(api, meeting, replace(externalAttendees=[]))
    await Post(database, tmp_path).send(NOW + timedelta(minutes=1))
    assert "A message was perhaps sent" in (await admin.get(f"/calendar/meetings/{meeting['id']}")).text
