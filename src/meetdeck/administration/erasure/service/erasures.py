"""Erasing one customer's personal data in one transaction (docs/data-protection.md#erasure)."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from meetdeck.administration.erasure import store
from meetdeck.administration.erasure.schemas import (
    KIND,
    ErasureOutcome,
    ErasurePlan,
    Receipt,
    UpcomingMeeting,
    UpcomingMeetings,
)
from meetdeck.administration.erasure.service.digests import CustomerDigests, list_digests
from meetdeck.administration.erasure.store import CustomersMeeting
from meetdeck.booking.scheduling.erasure import service as erasure
from meetdeck.booking.scheduling.erasure.store import (
    list_customers,
    list_former_meetings,
    lock_meetings_of_customer,
)
from meetdeck.booking.scheduling.meetings.schemas.history import Command
from meetdeck.booking.scheduling.meetings.service import meetings
from meetdeck.booking.scheduling.wishes.service.wishes import erase_wishes
from meetdeck.platform.changes import Actor, AuditAction, Entry, write_entries
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.identity import TenantNotFound, require_tenant
from meetdeck.platform.storage import Storage
from meetdeck.present.contents import service as contents
from meetdeck.present.contents.schemas import StoredContent

_SHORTEST_ID: Final = 4  # a shorter word may be in file names by chance


class Erasures:
    """Erases customers, each in one transaction, also while `serve` runs."""

    def __init__(self, database: Database, storage: Storage, digests: CustomerDigests) -> None:
        self._database = database
        self._storage = storage
        self._digests = digests

    async def plan(self, tenant_id: UUID, customer_id: str, now: datetime) -> ErasurePlan:
        """Return the data that there is about a customer. Raises TenantNotFound."""
        async with self._database.transaction(tenant_id) as connection:
            tenant_name = await store.find_tenant_name(connection)
            if tenant_name is None:
                raise TenantNotFound(tenant_id)
            known = await store.list_meetings(connection, customer_id, now)
            return ErasurePlan(
                tenant_name=tenant_name,
                meetings=len(known),
                to_come=_list_to_come(known),
                former=len(await list_former_meetings(connection, customer_id)),
                contents=len(await _list_contents(connection, customer_id, known)),
                wishes=await store.count_wishes(connection, customer_id),
            )

    async def erase(
        self, tenant_id: UUID, customer_id: str, actor: Actor, now: datetime, *, cancel: bool = False
    ) -> ErasureOutcome:
        """Erase a customer in meetings, history, stored answers, contents and waiting-list entries; then delete files.

        The meetings stay, for the customer `erased-…`, the receipt's id. Meetings that are not over are cancelled first
        if `cancel`. Raises TenantNotFound, UpcomingMeetings, and StorageUnavailable when everything except the files is
        done.
        """

        async def work(connection: Connection) -> tuple[ErasureOutcome, Sequence[StoredContent]]:
            return await self._erase_rows(connection, tenant_id, customer_id, actor, now, may_cancel=cancel)

        outcome, deleted = await self._database.run(tenant_id, work)
        await contents.delete_files(self._storage, tenant_id, deleted)
        return outcome

    async def _erase_rows(
        self,
        connection: Connection,
        tenant_id: UUID,
        customer_id: str,
        actor: Actor,
        now: datetime,
        *,
        may_cancel: bool,
    ) -> tuple[ErasureOutcome, Sequence[StoredContent]]:
        """Erase a customer in the database; return the outcome and the contents whose files must still be deleted."""
        await require_tenant(connection, tenant_id)
        earlier = await self._list_earlier(connection, tenant_id, customer_id)
        meeting_ids = await lock_meetings_of_customer(connection, customer_id)
        known = await store.list_meetings(connection, customer_id, now)
        to_come = await _cancel(connection, known, now, may_cancel=may_cancel)
        deleted = await contents.delete_contents(connection, await _list_contents(connection, customer_id, known))
        wishes = await erase_wishes(connection, customer_id, now)
        erasure_id = uuid4()
        former = await erasure.erase_former_meetings(connection, customer_id, now, Command.ERASE)
        erased = await erasure.erase_meetings(
            connection, meeting_ids, now, Command.ERASE, customer_id=f"erased-{erasure_id}"
        )
        if not (meeting_ids or former or deleted or wishes):
            return ErasureOutcome(None, earlier), deleted
        receipt = Receipt(
            erasure_id=erasure_id,
            tenant_id=tenant_id,
            erased_at=now,
            customer_digest=self._digests.make(tenant_id, customer_id),
            meetings=erased.meetings,
            cancelled=len(to_come),
            history_entries=erased.history_entries + former,
            answers=erased.answers,
            contents=len(deleted),
            wishes=wishes,
        )
        await store.add_receipt(connection, receipt)
        await write_entries(connection, actor, now, [Entry(AuditAction.CREATED, KIND, str(erasure_id))])
        return ErasureOutcome(receipt, earlier), deleted

    async def _list_earlier(self, connection: Connection, tenant_id: UUID, customer_id: str) -> list[Receipt]:
        """Return the receipts of the customer's earlier erasures."""
        keys = await self._digests.list_keys(connection, tenant_id)
        known_as = list_digests(keys, tenant_id, customer_id)
        return [one for one in await store.list_receipts(connection) if one.customer_digest in known_as]

    async def list_receipts(self, tenant_id: UUID) -> list[Receipt]:
        """Return the tenant's receipts, the oldest first. Raises TenantNotFound."""
        async with self._database.transaction(tenant_id) as connection:
            await require_tenant(connection, tenant_id)
            return await store.list_receipts(connection)

    async def find_customers(self, receipts: Sequence[Receipt]) -> list[tuple[UUID, str]]:
        """Return tenants and ids of the receipts' customers who have meetings, as after restoring an older backup.

        Missing tenants have none.
        """
        found: list[tuple[UUID, str]] = []
        for tenant_id in dict.fromkeys(one.tenant_id for one in receipts):
            digests = {one.customer_digest for one in receipts if one.tenant_id == tenant_id}
            async with self._database.transaction(tenant_id) as connection:
                known = await list_customers(connection)
                keys = await self._digests.list_keys(connection, tenant_id)
            found += [(tenant_id, one) for one in known if digests & list_digests(keys, tenant_id, one)]
        return found


async def _list_contents(connection: Connection, customer_id: str, known: Sequence[CustomersMeeting]) -> list[UUID]:
    """Return the ids of the contents that mention the customer, or were made for one of the customer's meetings."""
    about = await contents.list_contents_about(connection, _list_words(customer_id, known))
    made = await store.list_documents(connection, [one.meeting_id for one in known])
    return list(dict.fromkeys([*about, *made]))


def _list_to_come(known: Sequence[CustomersMeeting]) -> list[UpcomingMeeting]:
    return [UpcomingMeeting(one.meeting_id, one.starts_at) for one in known if one.is_to_come]


def _list_words(customer_id: str, known: Sequence[CustomersMeeting]) -> list[str]:
    """Return the words that identify the customer: the id, and full names and addresses of invited people."""
    attendees = [attendee for one in known for attendee in one.attendees]
    names = [one.name for one in attendees if " " in one.name.strip()]
    words = [*([customer_id] if len(customer_id) >= _SHORTEST_ID else []), *names, *(one.email for one in attendees)]
    return list(dict.fromkeys(words))


async def _cancel(
    connection: Connection, known: Sequence[CustomersMeeting], now: datetime, *, may_cancel: bool
) -> list[UpcomingMeeting]:
    """Cancel the meetings that are not over, and return them. Raises UpcomingMeetings without permission to cancel."""
    to_come = _list_to_come(known)
    if to_come and not may_cancel:
        raise UpcomingMeetings(to_come)
    for one in to_come:
        meeting = await meetings.get_meeting(connection, one.meeting_id, for_update=True)
        await meetings.cancel_meeting(connection, Command.ERASE, meeting, now)
    return to_come
