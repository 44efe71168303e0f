"""The mail of an offer of the waiting list, decided from the wish as it is when it is sent."""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from meetdeck.booking.configuration.organization_settings import service as organization_settings
from meetdeck.booking.configuration.portals.schemas import AuthenticationType, Portal
from meetdeck.booking.localization import dates
from meetdeck.booking.scheduling.meetings.schemas.icalendar import Party
from meetdeck.booking.scheduling.meetings.store.meetings import list_parties
from meetdeck.booking.scheduling.wishes.schemas import Wish, WishOffer, WishStatus
from meetdeck.booking.scheduling.wishes.store import list_wishes
from meetdeck.booking.slots.model import MeetingType
from meetdeck.messages.meeting_messages.service.composing import Sender, choose_language, find_portal
from meetdeck.messages.meeting_messages.store import get_tenant_name
from meetdeck.messages.message_texts.service import find_words
from meetdeck.messages.notices.schemas import Notice
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.messages.writing.letters import Fact, Letter, Link, write_letter
from meetdeck.messages.writing.mail import Mail
from meetdeck.messages.writing.placeholders import Placeholder, Values
from meetdeck.messages.writing.words import get_vocabulary
from meetdeck.platform.colors import DEFAULT_BRAND_COLOR, Color, find_nearest_readable
from meetdeck.platform.db import Connection


class _Offered(NamedTuple):
    """An offer, with all that its mail says."""

    wish: Wish
    offer: WishOffer
    advisor: Party
    organization: str
    language: str
    zone: ZoneInfo
    portal: Portal | None
    """The portal on whose pages the time is taken; None: on none."""


async def prepare_offer(connection: Connection, sender: Sender, notice: Notice, now: datetime) -> Mail | str:
    """Return the mail of an offer, or why it is not sent."""
    wishes = await list_wishes(connection, now, wish_ids=[notice.wish_id] if notice.wish_id is not None else [])
    wish = wishes[0] if wishes else None
    if wish is None or wish.offer is None or wish.offer.time_slot_id != notice.occasion:
        return "the offer is over"
    if wish.status is not WishStatus.OFFERED:
        return "the offer was taken already"
    if not wish.email:
        return "the wish has no e-mail address any more"
    offered = await _read(connection, wish, wish.offer)
    words = await find_words(connection, TextKind.OFFER, offered.language)
    labels = get_vocabulary(offered.language).labels
    letter = Letter(
        language=offered.language,
        words=words,
        values=_list_values(offered),
        facts=[*_list_facts(offered), _make_way_out(offered, sender)],
        button=_make_button(offered, sender),
        organization=offered.organization,
        footer=labels["footer_waiting"].format(organization=offered.organization),
        color=str(find_nearest_readable(Color.parse(_find_color(offered)))),
    )
    written = write_letter(letter)
    return Mail(
        sender=Party(sender.name or offered.organization, sender.address),
        to=Party(wish.name, wish.email),
        reply_to=offered.advisor if offered.advisor.email else None,
        subject=written.subject,
        text=written.text,
        html=written.html,
        calendar=None,
        id=notice.notice_id,
        thread_id=wish.id,
        language=offered.language,
        sent_at=now,
    )


async def _read(connection: Connection, wish: Wish, offer: WishOffer) -> _Offered:
    setting = await organization_settings.get_setting(connection)
    parties = await list_parties(connection, [offer.employee_id])
    portal = await find_portal(connection, wish.portal_id)
    return _Offered(
        wish=wish,
        offer=offer,
        advisor=parties.get(offer.employee_id, Party("", "")),
        organization=await get_tenant_name(connection),
        language=choose_language(setting, portal),
        zone=ZoneInfo(setting.time_zone.identifier),
        portal=portal if portal is not None and portal.authentication_type is AuthenticationType.ANONYMOUS else None,
    )


def _list_values(offered: _Offered) -> Values:
    begin = offered.offer.start_date.astimezone(offered.zone)
    return {
        Placeholder.NAME: offered.wish.name,
        Placeholder.ADVISOR: offered.advisor.name,
        Placeholder.ORGANIZATION: offered.organization,
        Placeholder.DAY: dates.say_date(begin.date(), offered.language),
        Placeholder.TIME: _show_span(offered),
        Placeholder.PLACE: _show_place(offered),
        Placeholder.UNTIL: dates.show_clock(offered.offer.expires_at, offered.zone, offered.language),
    }


def _list_facts(offered: _Offered) -> Iterator[Fact]:
    labels = get_vocabulary(offered.language).labels
    day = dates.show_date(offered.offer.start_date.astimezone(offered.zone).date(), offered.language)
    time = _show_span(offered)
    if offered.offer.meeting_type is not MeetingType.PHYSICAL:  # whoever is not there may be in another zone
        time = labels["time_elsewhere"].format(time=time, zone=dates.show_zone(offered.zone, offered.language))
    yield Fact(labels["when"], f"{day}, {time}")
    if place := _show_place(offered):
        yield Fact(labels["where"], place)
    if offered.advisor.name:
        yield Fact(labels["with"], offered.advisor.name)


def _make_button(offered: _Offered, sender: Sender) -> Link | None:
    """Return the button to the page on which the time is booked or declined."""
    if offered.portal is None:
        return None
    token = sender.offers.make(offered.portal.id, offered.offer.time_slot_id)
    labels = get_vocabulary(offered.language).labels
    return Link(labels["take"], f"{sender.find_page(offered.portal)}/o/{token}")


def _make_way_out(offered: _Offered, sender: Sender) -> Fact:
    """Return the line with the link that withdraws the wish; without a portal, one that says where to book."""
    labels = get_vocabulary(offered.language).labels
    if offered.portal is None:
        return Fact(labels["booking"], labels["book_with"].format(organization=offered.organization))
    token = sender.wishes.make(offered.portal.id, offered.wish.id)
    return Fact(labels["waiting_list"], labels["withdraw"], f"{sender.find_page(offered.portal)}/w/{token}")


def _find_color(offered: _Offered) -> str:
    return (offered.portal.brand_color if offered.portal is not None else None) or DEFAULT_BRAND_COLOR


def _show_span(offered: _Offered) -> str:
    moments = (offered.offer.start_date, offered.offer.end_date)
    begin, end = (dates.show_clock(moment, offered.zone, offered.language) for moment in moments)
    return get_vocabulary(offered.language).labels["time"].format(begin=begin, end=end)


def _show_place(offered: _Offered) -> str:
    """Return where one would meet; empty: unknown."""
    labels = get_vocabulary(offered.language).labels
    match offered.offer.meeting_type:
        case MeetingType.ONLINE:
            return labels["online"]
        case MeetingType.TELEPHONE:
            return labels["telephone"]
        case _:
            return offered.wish.location
