"""Changes of a customer's e-mail address, shown and confirmed by people with the link that the old address got."""

from collections.abc import Awaitable, Callable
from typing import TypeVar
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.address_changes import store
from meetdeck.booking.scheduling.address_changes.schemas import AddressChange
from meetdeck.booking.scheduling.address_changes.service import AddressChangeLinks, confirm_change
from meetdeck.booking.scheduling.errors import MeetingNotFound
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.service import meetings
from meetdeck.pages.portal.schemas import Visit
from meetdeck.pages.portal.service.bookings import make_principal
from meetdeck.pages.portal.service.managing import LinkUnknown
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import NotFound
from meetdeck.platform.secrets import Encryption

T = TypeVar("T")


class AddressChangeExpired(NotFound):
    """A link that can no longer confirm a change of an address."""

    code = "link_ended"

    def __init__(self) -> None:
        super().__init__("The change for this link can no longer be confirmed.")


class RequestedChange(msgspec.Struct, frozen=True):
    """A change of an address, confirmed or not yet, and its meeting."""

    change: AddressChange
    meeting: Meeting


class AddressChanges:
    """The changes of addresses that wait for confirmation."""

    def __init__(self, database: Database, encryption: Encryption, links: AddressChangeLinks) -> None:
        self._database = database
        self._encryption = encryption
        self._links = links

    async def get(self, visit: Visit, token: str) -> RequestedChange:
        """Return the change of a link. Raises LinkUnknown, AddressChangeExpired."""

        async def work(_: Connection, asked: RequestedChange) -> RequestedChange:
            return asked

        return await self._run(visit, token, work)

    async def confirm(self, visit: Visit, token: str) -> None:
        """Apply the change that a link confirms, once. Raises LinkUnknown, AddressChangeExpired."""

        async def work(connection: Connection, asked: RequestedChange) -> None:
            if asked.change.confirmed_at is None:
                principal = make_principal(visit)
                await confirm_change(connection, principal, asked.change, asked.meeting, self._encryption, visit.now)

        await self._run(visit, token, work)

    async def _run(self, visit: Visit, token: str, work: Callable[[Connection, RequestedChange], Awaitable[T]]) -> T:
        """Run `work` with the change of a link and its meeting, which is locked."""
        change_id = self._links.find(visit.portal.id, token)
        if change_id is None:
            raise LinkUnknown

        async def run(connection: Connection) -> T:
            return await work(connection, await _read(connection, change_id, visit))

        return await self._database.run(visit.tenant_id, run)


async def _read(connection: Connection, change_id: UUID, visit: Visit) -> RequestedChange:
    known = await store.find_change(connection, change_id)
    if known is None:
        raise AddressChangeExpired
    try:
        meeting = await meetings.get_meeting(connection, known.meeting_id, for_update=True)
    except MeetingNotFound:
        raise AddressChangeExpired from None
    # Once more, under the lock: it may have been confirmed meanwhile.
    change = await store.find_change(connection, change_id)
    if change is None or meeting.end_date <= visit.now:
        raise AddressChangeExpired
    if change.confirmed_at is None and not change.is_open(meeting, visit.now):
        raise AddressChangeExpired
    return RequestedChange(change, meeting)
