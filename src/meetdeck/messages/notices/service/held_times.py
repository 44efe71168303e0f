"""Mails about a time that is held and not booked yet: their common parts."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.booking.configuration.portals.schemas import Portal
from meetdeck.booking.localization import dates
from meetdeck.booking.scheduling.meetings.schemas.icalendar import Party
from meetdeck.booking.scheduling.time_slots.service.companions import Companion, write_people
from meetdeck.booking.slots.model import MeetingType
from meetdeck.messages.meeting_messages.service.composing import Sender
from meetdeck.messages.message_texts.service import find_words
from meetdeck.messages.notices.schemas import Notice
from meetdeck.messages.writing.letters import Fact, Letter, Link, write_letter
from meetdeck.messages.writing.mail import Mail
from meetdeck.messages.writing.placeholders import Placeholder, Values
from meetdeck.messages.writing.words import get_vocabulary
from meetdeck.platform.database import Connection
from meetdeck.platform.values import DEFAULT_BRAND_COLOR, Color, find_nearest_readable


class HeldTime(msgspec.Struct, frozen=True, kw_only=True):
    """A time that is held for a customer, with all facts for a mail about it."""

    customer: Party
    starts_at: datetime
    ends_at: datetime
    expires_at: datetime
    meeting_type: MeetingType
    place: str
    """The place of a physical meeting; empty: unknown."""
    advisor: Party
    companions: Sequence[Companion] = ()
    """The people of the firm beside the advisor, whose time is held, too."""
    organization: str
    language: str
    zone: ZoneInfo
    portal: Portal | None
    """The portal on whose pages the time can be booked; None: none."""


class Extras(msgspec.Struct, frozen=True, kw_only=True):
    """The parts in which mails about held times differ."""

    facts: Sequence[Fact] = ()
    """Lines below those about the time."""
    button: Link | None
    footer: str
    """The label of the line that says why the recipient gets it."""


async def write_held_time(
    connection: Connection, sender: Sender, notice: Notice, held: HeldTime, extras: Extras, now: datetime
) -> Mail:
    """Return the mail of a notice about a held time."""
    letter = Letter(
        language=held.language,
        words=await find_words(connection, notice.kind, held.language),
        values=_list_values(held),
        facts=[*_list_facts(held), *extras.facts],
        button=extras.button,
        organization=held.organization,
        footer=get_vocabulary(held.language).labels[extras.footer].format(organization=held.organization),
        color=str(find_nearest_readable(Color.parse(_find_color(held)))),
    )
    written = write_letter(letter)
    return Mail(
        sender=Party(sender.name or held.organization, sender.address),
        to=held.customer,
        reply_to=held.advisor if held.advisor.email else None,
        subject=written.subject,
        text=written.text,
        html=written.html,
        calendar=None,
        id=notice.notice_id,
        thread_id=notice.wish_id or notice.occasion,
        language=held.language,
        sent_at=now,
    )


def _list_values(held: HeldTime) -> Values:
    begin = held.starts_at.astimezone(held.zone)
    return {
        Placeholder.NAME: held.customer.name,
        Placeholder.ADVISOR: held.advisor.name,
        Placeholder.ORGANIZATION: held.organization,
        Placeholder.DAY: dates.write_date(begin.date(), held.language),
        Placeholder.TIME: _show_span(held),
        Placeholder.PLACE: _show_place(held),
        Placeholder.UNTIL: dates.show_clock(held.expires_at, held.zone, held.language),
    }


def _list_facts(held: HeldTime) -> Iterator[Fact]:
    labels = get_vocabulary(held.language).labels
    day = dates.show_date(held.starts_at.astimezone(held.zone).date(), held.language)
    time = _show_span(held)
    if held.meeting_type is not MeetingType.PHYSICAL:  # readers elsewhere may be in another zone
        time = labels["time_elsewhere"].format(time=time, zone=dates.show_zone(held.zone, held.language))
    yield Fact(labels["when"], labels["day_and_time"].format(day=day, time=time))
    if place := _show_place(held):
        yield Fact(labels["where"], place)
    if held.advisor.name:
        yield Fact(labels["with"], write_people(held.advisor.name, held.companions))


def _find_color(held: HeldTime) -> str:
    return (held.portal.brand_color if held.portal is not None else None) or DEFAULT_BRAND_COLOR


def _show_span(held: HeldTime) -> str:
    moments = (held.starts_at, held.ends_at)
    begin, end = (dates.show_clock(moment, held.zone, held.language) for moment in moments)
    return get_vocabulary(held.language).labels["time"].format(begin=begin, end=end)


def _show_place(held: HeldTime) -> str:
    """Return the place of the meeting; empty: unknown."""
    labels = get_vocabulary(held.language).labels
    match held.meeting_type:
        case MeetingType.ONLINE:
            return labels["online"]
        case MeetingType.TELEPHONE:
            return labels["telephone"]
        case _:
            return held.place
