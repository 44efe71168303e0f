"""The statements that follow a booking: events, messages and jobs (docs/decisions/0223)."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from meetdeck.platform.database import Database
from meetdeck.present.render.renderer import MissingRenderer
from meetdeck.services import Services
from support.factories import Api, make_services
from support.fakes import HandClock
from support.meetings import book
from support.smtp_servers import Inbox, open_inbox
from support.statements import logged_statements
from support.working import work

FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}

pytestmark = pytest.mark.usefixtures("no_meetings")


@pytest_asyncio.fixture
async def inbox() -> AsyncGenerator[Inbox]:
    async with open_inbox() as inbox:
        yield inbox


@pytest_asyncio.fixture
async def worker(
    request: pytest.FixtureRequest, database: Database, clock: HandClock, tmp_path: Path, inbox: Inbox
) -> AsyncGenerator[Services]:
    """Lend the services of a worker that sends mails to a server, or keeps them."""
    settings: dict[str, Any] = {"smtp_url": f"smtp://127.0.0.1:{inbox.port}"} if request.param == "sent" else {}
    async with aclosing(make_services(database, clock, tmp_path, MissingRenderer(), **settings)) as services:
        yield services


@pytest.mark.parametrize(
    ("worker", "attendees", "allowed"),
    [("sent", [], 11), ("sent", [FREJA], 15), ("kept", [], 12)],
    indirect=["worker"],
)
async def test_what_follows_a_booking_takes_few_statements(
    api: Api, worker: Services, clock: HandClock, inbox: Inbox, attendees: list[Any], allowed: int
) -> None:
    for day in (8, 9, 10):  # the first time, types and plans are read, too
        await work(worker, clock)
        await book(api, day=day, externalAttendees=attendees)
    inbox.mails.clear()
    with logged_statements(worker.database) as statements:
        await worker.routing.route(clock())
        # Whose events, placed, new for whom, all that subscribers read, messages, and jobs
        assert len(statements) == 6
        await worker.jobs.run_due(clock)
    # Jobs taken, and finished, perhaps one after the other; of each mail: begun, what it says, recorded, or kept
    assert len(statements) <= allowed
    sent = [one for one in statements if "select mark_sent(" in one]
    assert len(sent) == 1 + len(attendees)
    assert len(inbox.mails) == (len(sent) if worker.settings.smtp_url else 0)
