"""The services that a portal's pages use."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self
from uuid import UUID, uuid4

from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.scheduling.address_changes.service import AddressChangeLinks
from meetdeck.booking.scheduling.meetings.service.manage_links import ManageLinks
from meetdeck.booking.scheduling.outside_calendars import OutsideCalendars
from meetdeck.booking.scheduling.unconfirmed_bookings.service import ConfirmationLinks
from meetdeck.booking.scheduling.wishes.service.wish_links import OfferLinks, WishLinks
from meetdeck.messages.message_settings.store import get_settings
from meetdeck.messages.opening import can_mail
from meetdeck.pages.portal.schemas import Choices, Ticket, Visit, WishTicket
from meetdeck.pages.portal.seals import Seals
from meetdeck.pages.portal.service.address_changes import AddressChanges
from meetdeck.pages.portal.service.bookings import Bookings
from meetdeck.pages.portal.service.confirmations import Confirmations
from meetdeck.pages.portal.service.details import find_hidden_answers
from meetdeck.pages.portal.service.hold_limits import HoldLimits
from meetdeck.pages.portal.service.holds import VisitorHolds
from meetdeck.pages.portal.service.managing import ManagedMeetings
from meetdeck.pages.portal.service.sign_ins import CustomerSignIns
from meetdeck.pages.portal.service.visits import FoundPortal, Request, look_up_portal, open_visit
from meetdeck.pages.portal.service.wishes import PortalWishes
from meetdeck.platform.changes import Fingerprints
from meetdeck.platform.database import Database
from meetdeck.platform.identity import SignIns
from meetdeck.platform.process import MovedClocks
from meetdeck.platform.process.clock import Clock
from meetdeck.platform.secrets import Encryption, Sealer
from meetdeck.platform.settings import Settings


class Outside(NamedTuple):
    """The services of others that portals use: sign-in, calendars, and the time of each firm."""

    sign_ins: SignIns
    calendars: OutsideCalendars
    moved: MovedClocks


class Secrets(NamedTuple):
    """The services that protect stored values, made from the installation's key."""

    encryption: Encryption
    fingerprints: Fingerprints


@dataclass(frozen=True, slots=True, kw_only=True)
class Portals:
    """Opens the visits of portals, and holds the services that their pages use."""

    database: Database
    clock: Clock
    moved: MovedClocks
    outside_calendars: OutsideCalendars
    seals: Seals
    holding: VisitorHolds
    bookings: Bookings
    managing: ManagedMeetings
    wishes: PortalWishes
    address_changes: AddressChanges
    confirmations: Confirmations
    sign_ins: CustomerSignIns
    can_mail: bool
    """True if the installation sends mails at all."""

    @classmethod
    def open(
        cls,
        settings: Settings,
        database: Database,
        clock: Clock,
        keys: Sequence[bytes],
        secrets: Secrets,
        outside: Outside,
    ) -> Self:
        """Return the services; `keys` are the installation's."""
        return cls(
            database=database,
            clock=clock,
            moved=outside.moved,
            outside_calendars=outside.calendars,
            seals=Seals(Sealer(*keys)),
            holding=VisitorHolds(
                database,
                HoldLimits(keys[0], settings.address_held_times, settings.held_share),
                outside.calendars,
            ),
            bookings=Bookings(database, secrets.encryption, secrets.fingerprints),
            managing=ManagedMeetings(database, secrets.encryption, ManageLinks(*keys)),
            wishes=PortalWishes(database, secrets.fingerprints, WishLinks(*keys), OfferLinks(*keys)),
            address_changes=AddressChanges(database, secrets.encryption, AddressChangeLinks(*keys)),
            confirmations=Confirmations(database, secrets.encryption, ConfirmationLinks(*keys)),
            sign_ins=CustomerSignIns(outside.sign_ins, settings.base_url, outside.moved),
            can_mail=can_mail(settings),
        )

    async def find(self, address: str) -> FoundPortal:
        """Return the portal with an id or address. Raises PortalUnknown."""
        return await look_up_portal(self.database, address)

    async def visit(self, portal: FoundPortal, choices: Choices, accept_language: str, link: str = "") -> Visit:
        """Return the visit of a portal, in the language of the meeting if `link` is the token of a manage link.

        Raises PortalUnknown, TenantDisabled.
        """
        meeting_id = self.managing.find_meeting_id(portal.identity.portal_id, link) if link else None
        now = self.moved.read(portal.identity.tenant_id, self.clock())
        return await open_visit(self.database, portal, Request(choices, accept_language, now, meeting_id))

    async def find_picture(self, visit: Visit, employee_id: UUID, picture_id: UUID) -> bytes | None:
        """Return the picture of an advisor of the portal's firm, None if it is another or there is none."""
        async with self.database.transaction(visit.tenant_id) as connection:
            return await employees.find_picture(connection, employee_id, picture_id)

    async def sends_mail(self, visit: Visit) -> bool:
        """Return whether the attendees of the firm's meetings get mails."""
        if not self.can_mail:
            return False
        async with self.database.transaction(visit.tenant_id) as connection:
            return (await get_settings(connection)).send_messages

    def make_slip(self, visit: Visit) -> WishTicket:
        """Return a new permission to add a waiting-list entry."""
        return WishTicket(portal_id=visit.portal.id, token=uuid4(), shown_at=visit.now)

    def make_ticket(self, visit: Visit) -> Ticket:
        """Return a new permission to hold a time."""
        return Ticket(portal_id=visit.portal.id, token=uuid4(), hidden=find_hidden_answers(visit, visit.choices))
