"""The statements that follow a booking: events, messages and jobs (docs/decisions/0223)."""

from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.meetings import book
from support.statements import logged_statements
from support.working import work

FREJA = {"name": "Freja Nielsen", "email": "freja@example.com"}


async def test_what_follows_a_booking_takes_few_statements(api: Api, services: Services, clock: HandClock) -> None:
    for day in (8, 9):  # the first time, types and plans are read, too
        await work(services, clock)
        await book(api, day=day, externalAttendees=[FREJA])
    with logged_statements(services.database) as statements:
        await services.routing.route(clock())
    # Whose events, placed, new for whom, all that subscribers read, messages, and jobs
    assert len(statements) == 6
    with logged_statements(services.database) as statements:
        await services.jobs.run_due(clock)
    sent = [one for one in statements if "set status = 'Sent'" in one]
    assert len(sent) == 2
    # Jobs taken, and finished; of each mail: begun, meeting, what it says, kept, recorded
    assert len(statements) <= 3 + 5 * len(sent)
