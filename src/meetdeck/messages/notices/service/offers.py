"""The mail of an offer of the waiting list, based on the entry's state when it is sent."""

from datetime import datetime
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from meetdeck.booking.configuration.organization_settings import service as organization_settings
from meetdeck.booking.configuration.portals.schemas import AuthenticationType
from meetdeck.booking.scheduling.meetings.schemas.icalendar import Party
from meetdeck.booking.scheduling.meetings.store.meetings import list_parties
from meetdeck.booking.scheduling.time_slots.service.companions import list_held_companions
from meetdeck.booking.scheduling.wishes.schemas import Wish, WishOffer, WishStatus
from meetdeck.booking.scheduling.wishes.store import list_wishes
from meetdeck.messages.meeting_messages.service.composing import Sender
from meetdeck.messages.meeting_messages.service.decisions import Drop
from meetdeck.messages.meeting_messages.service.facts import choose_language, find_portal
from meetdeck.messages.meeting_messages.store import get_tenant_name
from meetdeck.messages.notices.schemas import Notice
from meetdeck.messages.notices.service.held_times import Extras, HeldTime, write_held_time
from meetdeck.messages.writing.letters import Fact, Link
from meetdeck.messages.writing.mail import Mail
from meetdeck.messages.writing.words import get_vocabulary
from meetdeck.platform.database import Connection


async def prepare_offer(connection: Connection, sender: Sender, notice: Notice, now: datetime) -> Mail | Drop:
    """Return the mail of an offer, or why it is not sent."""
    wishes = await list_wishes(connection, now, wish_ids=[notice.wish_id] if notice.wish_id is not None else [])
    wish = wishes[0] if wishes else None
    if wish is None or wish.offer is None or wish.offer.time_slot_id != notice.occasion:
        return Drop("the offer is over")
    if wish.status is not WishStatus.OFFERED:
        return Drop("the offer was taken already")
    if not wish.email:
        return Drop("the waiting-list entry no longer has an e-mail address")
    offered = await _read(connection, wish, wish.offer)
    extras = Extras(
        facts=[_make_way_out(offered, wish, sender)],
        button=_make_button(offered, wish, wish.offer, sender),
        footer="footer_waiting",
    )
    return await write_held_time(connection, sender, notice, offered, extras, now)


async def _read(connection: Connection, wish: Wish, offer: WishOffer) -> HeldTime:
    setting = await organization_settings.get_setting(connection)
    parties = await list_parties(connection, [offer.employee_id])
    portal = await find_portal(connection, wish.portal_id)
    return HeldTime(
        customer=Party(wish.name, wish.email),
        starts_at=offer.start_date,
        ends_at=offer.end_date,
        expires_at=offer.expires_at,
        meeting_type=offer.meeting_type,
        place=wish.location,
        advisor=parties.get(offer.employee_id, Party("", "")),
        companions=await list_held_companions(connection, offer.time_slot_id),
        organization=await get_tenant_name(connection),
        language=choose_language(setting, portal, wish.language or ""),
        zone=ZoneInfo(setting.time_zone.identifier),
        portal=portal if portal is not None and portal.authentication_type is AuthenticationType.ANONYMOUS else None,
    )


def _make_button(offered: HeldTime, wish: Wish, offer: WishOffer, sender: Sender) -> Link | None:
    """Return the button to the page on which the time is booked or declined."""
    if offered.portal is None:
        return None
    token = sender.offers.make(offered.portal.id, offer.time_slot_id)
    return Link(
        get_vocabulary(offered.language).labels["take"], f"{sender.find_page(offered.portal)}/o/{token}{_speak(wish)}"
    )


def _make_way_out(offered: HeldTime, wish: Wish, sender: Sender) -> Fact:
    """Return the line with the link that withdraws the entry; without a portal, one that says where to book."""
    labels = get_vocabulary(offered.language).labels
    if offered.portal is None:
        return Fact(labels["booking"], labels["book_with"].format(organization=offered.organization))
    token = sender.wishes.make(offered.portal.id, wish.id)
    return Fact(
        labels["waiting_list"], labels["withdraw"], f"{sender.find_page(offered.portal)}/w/{token}{_speak(wish)}"
    )


def _speak(wish: Wish) -> str:
    """Return the query for a page's address that sets the wish's language; empty if the page chooses."""
    return f"?{urlencode({'lang': wish.language})}" if wish.language else ""
