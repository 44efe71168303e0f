"""Messages that no server took: counted, and on the console's overview."""

from pathlib import Path
from uuid import UUID

from meetdeck.messages.carriers.carrier import NotTaken
from meetdeck.messages.writing.mail import Mail
from meetdeck.platform.db import Database
from support.console import EVA, THOMAS, Browser
from support.factories import Api
from support.fakes import MONDAY_MORNING as NOW
from support.meetings import book
from support.messages import Post

PATH = "v3/booking/messages/undelivered"
FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}
WHY = "the mail server does not answer"


class DeadServer:
    """A mail server that takes nothing."""

    async def carry(self, tenant_id: UUID, mail: Mail) -> None:
        assert tenant_id
        assert mail
        raise NotTaken(WHY)


async def test_messages_that_no_server_took_are_counted_and_on_the_overview_of_admins(
    api: Api, database: Database, tmp_path: Path
) -> None:
    elevated = await api.of(api.firm, elevated=True)
    assert (await api.get(PATH)).status_code == 403
    await Post(database, tmp_path).send(NOW)
    assert (await elevated.get(PATH)).json() == {"waiting": 0, "since": None, "reason": None}
    await book(api, externalAttendees=[FREJA])
    await Post(database, tmp_path, DeadServer()).send(NOW)
    found = (await elevated.get(PATH)).json()
    assert found["waiting"] >= 1
    assert found["since"]
    assert WHY in found["reason"]
    assert FREJA["email"] not in str(found)
    admin, manager = [(await (await Browser.open(api, user)).get()).text for user in (THOMAS, EVA)]
    assert WHY in admin
    assert WHY not in manager
