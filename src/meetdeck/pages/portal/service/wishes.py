"""Waiting-list entries that customers add on a portal's page: added, shown and withdrawn, and the offered times."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.directory.errors import ResourceNotFound
from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.localization.texts import speak
from meetdeck.booking.scheduling.meetings.store.meetings import find_meeting_in
from meetdeck.booking.scheduling.time_slots.service.companions import list_held_companions
from meetdeck.booking.scheduling.wishes.schemas import Wish, WishContent, WishOffer, WishStatus
from meetdeck.booking.scheduling.wishes.service import wishes
from meetdeck.booking.scheduling.wishes.service.wish_links import OfferLinks, WishLinks
from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.portal.schemas import Hold, Visit, WishTicket
from meetdeck.pages.portal.service.details import needs_person
from meetdeck.pages.portal.service.managing import LinkUnknown
from meetdeck.platform.changes import Answer, Fingerprints
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import NotFound

T = TypeVar("T")
_CREATED: Final = 201


class WishGone(NotFound):
    """A link whose entry was withdrawn, fulfilled, or is over."""

    code = "wish_gone"

    def __init__(self) -> None:
        super().__init__("The waiting-list entry for this link was withdrawn, was booked, or has expired.")


class CustomerWish(msgspec.Struct, frozen=True, kw_only=True):
    """An entry as its customer sees it, and the time that one of its links offers."""

    wish: Wish
    topic: str
    """The topic's name; empty: no particular topic."""
    meeting_id: UUID | None = None
    """The meeting that was booked for it."""
    hold: Hold | None = None
    """The offered time, while it is held."""


class PortalWishes:
    """The waiting-list entries of portals' customers."""

    def __init__(self, database: Database, fingerprints: Fingerprints, links: WishLinks, offers: OfferLinks) -> None:
        self._database = database
        self._fingerprints = fingerprints
        self._links = links
        self._offers = offers

    async def leave(self, visit: Visit, slip: WishTicket, content: WishContent) -> str:
        """Add an entry, and return the token of its link; a form that is sent twice adds one entry.

        Raises InvalidInput, ReferenceNotFound.
        """
        repeatable = self._fingerprints.make(visit.portal.id, str(slip.token), "wish", str(visit.portal.id))

        async def work(connection: Connection) -> UUID:
            known = await repeatable.claim(connection, visit.now)
            if known is not None:
                return UUID(bytes=known.body)
            wish = await wishes.create_wish(connection, content, visit.now)
            await repeatable.keep(connection, Answer(_CREATED, "", wish.id.bytes))
            return wish.id

        return self._links.make(visit.portal.id, await self._database.run(visit.tenant_id, work))

    async def get(self, visit: Visit, token: str) -> CustomerWish:
        """Return the entry of a link. Raises LinkUnknown, WishGone."""
        return await self._run(visit, token, lambda connection, wish: _describe(connection, visit, wish))

    async def withdraw(self, visit: Visit, token: str) -> CustomerWish:
        """Delete the entry of a link, and return it as it was. Raises LinkUnknown, WishGone."""

        async def work(connection: Connection, wish: Wish) -> CustomerWish:
            described = await _describe(connection, visit, wish)
            if wish.status in {WishStatus.BOOKED, WishStatus.ENDED}:
                raise WishGone
            await wishes.delete_wish(connection, wish, visit.now)
            return described

        return await self._run(visit, token, work)

    async def get_offer(self, visit: Visit, token: str) -> CustomerWish:
        """Return the entry of an offer's link, with its time while that is held. Raises LinkUnknown, WishGone."""

        async def work(connection: Connection, wish: Wish, offer: WishOffer | None) -> CustomerWish:
            return await _describe(connection, visit, wish, offer)

        return await self._run_for_offer(visit, token, work)

    async def decline(self, visit: Visit, token: str) -> CustomerWish:
        """Release the time of an offer's link, which is then offered to the next entry. Raises LinkUnknown, WishGone.

        The entry is returned as it was: with the time, if that was still held.
        """

        async def work(connection: Connection, wish: Wish, offer: WishOffer | None) -> CustomerWish:
            described = await _describe(connection, visit, wish, offer)
            if offer is not None:
                await wishes.decline_offer(connection, wish, visit.now)
            return described

        return await self._run_for_offer(visit, token, work)

    def link_to(self, visit: Visit, wish_id: UUID) -> str:
        """Return the token of an entry's link."""
        return self._links.make(visit.portal.id, wish_id)

    async def _run(self, visit: Visit, token: str, work: Callable[[Connection, Wish], Awaitable[T]]) -> T:
        """Run `work` with the entry of a link, locked. Raises LinkUnknown, WishGone."""
        wish_id = self._links.find(visit.portal.id, token)
        if wish_id is None or not needs_person(visit):
            raise LinkUnknown

        async def run(connection: Connection) -> T:
            try:
                wish = await wishes.get_wish(connection, wish_id, now=visit.now, for_update=True)
            except ResourceNotFound:
                raise WishGone from None
            return await work(connection, wish)

        return await self._database.run(visit.tenant_id, run)

    async def _run_for_offer(
        self, visit: Visit, token: str, work: Callable[[Connection, Wish, WishOffer | None], Awaitable[T]]
    ) -> T:
        """Run `work` with the entry of an offer's link, locked, and the offer unless it is over."""
        time_slot_id = self._offers.find(visit.portal.id, token)
        if time_slot_id is None or not needs_person(visit):
            raise LinkUnknown

        async def run(connection: Connection) -> T:
            wish = await wishes.find_wish_of_offer(connection, time_slot_id, now=visit.now, for_update=True)
            if wish is None:
                raise WishGone
            is_last = wish.offer is not None and wish.offer.time_slot_id == time_slot_id
            return await work(connection, wish, wish.offer if is_last else None)

        return await self._database.run(visit.tenant_id, run)


async def _describe(connection: Connection, visit: Visit, wish: Wish, offer: WishOffer | None = None) -> CustomerWish:
    topic = await meeting_topics.table.find(connection, wish.topic_id) if wish.topic_id is not None else None
    name = speak(topic, visit.content_language).name if topic is not None else ""
    if wish.status is WishStatus.BOOKED and wish.offer is not None:
        return CustomerWish(
            wish=wish, topic=name, meeting_id=await find_meeting_in(connection, wish.offer.time_slot_id)
        )
    if offer is None:
        return CustomerWish(wish=wish, topic=name)
    names = await employees.list_names(connection, [offer.employee_id])
    hold = _make_hold(visit, wish, offer, name, names.get(offer.employee_id, ""))
    companions = await list_held_companions(connection, offer.time_slot_id)
    return CustomerWish(wish=wish, topic=name, hold=replace(hold, companions=companions))


def _make_hold(visit: Visit, wish: Wish, offer: WishOffer, topic: str, advisor: str) -> Hold:
    """Return the time of an offer as a visitor's hold. Nobody has its token: it cannot be renewed."""
    place = wish.location if offer.meeting_type is MeetingType.PHYSICAL else ""
    return Hold(
        portal_id=visit.portal.id,
        token=offer.time_slot_id,
        time_slot_id=offer.time_slot_id,
        topic_id=wish.topic_id,
        topic=topic,
        meeting_type=offer.meeting_type,
        place=place,
        address=place,
        employee_id=offer.employee_id,
        advisor=advisor,
        starts_at=offer.start_date,
        ends_at=offer.end_date,
        expires_at=offer.expires_at,
        held_at=visit.now,
    )
