"""The mail of a message, written from the meeting's present state."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.configuration.portals.schemas import Portal
from meetdeck.booking.localization import dates
from meetdeck.booking.scheduling.address_changes.service import AddressChangeLinks
from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, Party
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting, MeetingVersion
from meetdeck.booking.scheduling.meetings.service.icalendar import Invitation, write_calendar
from meetdeck.booking.scheduling.meetings.service.manage_links import ManageLinks
from meetdeck.booking.scheduling.time_slots.service.companions import write_people
from meetdeck.booking.scheduling.unconfirmed_bookings.service import ConfirmationLinks
from meetdeck.booking.scheduling.wishes.service.wish_links import OfferLinks, WishLinks
from meetdeck.booking.slots.model import MeetingType
from meetdeck.connections.calendar_events.service.writing_ahead import is_written_for
from meetdeck.messages.documents.schemas import DocumentKind
from meetdeck.messages.documents.service.listing import DocumentLinks, SentLink
from meetdeck.messages.meeting_messages import store
from meetdeck.messages.meeting_messages.service.facts import MessageFacts, read_facts
from meetdeck.messages.meeting_messages.service.series import write_calendar_of_series
from meetdeck.messages.message_texts.service import TextKey, choose_words, find_words
from meetdeck.messages.message_texts.store import list_texts as list_own_texts
from meetdeck.messages.writing.kinds import MessageKind, RecipientKind, TextKind
from meetdeck.messages.writing.letters import Fact, Letter, Link, write_letter
from meetdeck.messages.writing.mail import Calendar, Mail
from meetdeck.messages.writing.placeholders import Placeholder, Values, fill
from meetdeck.messages.writing.words import Words
from meetdeck.platform.database import Connection, all_of, gathering, nothing
from meetdeck.platform.values import DEFAULT_BRAND_COLOR, Color, find_nearest_readable

_WEB: Final = ("https://", "http://")
DECKS: Final = {DocumentKind.DECK: "deck", DocumentKind.PDF: "pdf"}
"""The labels of documents by their kind."""


class Sender(msgspec.Struct, frozen=True):
    """The sender of mails, and the address to which their links lead."""

    name: str
    """The name before the address; empty: the firm's."""
    address: str
    base_url: str
    links: ManageLinks
    wishes: WishLinks
    offers: OfferLinks
    address_changes: AddressChangeLinks
    confirmations: ConfirmationLinks
    documents: DocumentLinks

    def find_page(self, portal: Portal) -> str:
        """Return the address of a portal's page."""
        return f"{self.base_url}/p/{portal.address or portal.id}"


class Announcement(NamedTuple):
    """Another message about a meeting: its words, and its lines with the labels of a language."""

    kind: TextKind
    list_facts: Callable[[Mapping[str, str]], Iterable[Fact]]
    make_button: Callable[[Mapping[str, str]], Link] | None = None
    """Makes the button that replaces the one to the meeting's page."""


class Addressee(NamedTuple):
    """The recipient of a mail; `id` is the mail's own."""

    id: UUID
    recipient: RecipientKind
    address: str


class MailContents(NamedTuple):
    """Everything that is read for a message, whatever its kind."""

    addressee: Addressee
    facts: MessageFacts
    deck: SentLink | None
    is_written: bool
    """True if the recipient has the meeting in the calendar without this mail."""
    texts: Mapping[TextKey, Words]
    """The firm's own texts."""


async def read_contents(
    connection: Connection, sender: Sender, addressee: Addressee, meeting: Meeting, now: datetime
) -> MailContents:
    """Return everything that a message to a recipient needs."""
    kinds = [TextKind.of(kind, addressee.recipient) for kind in MessageKind]
    is_own = addressee.recipient is RecipientKind.EMPLOYEE
    async with gathering(connection) as reads:
        facts, deck, line, is_written, texts = await all_of(
            read_facts(reads, meeting, addressee.recipient),
            _find_deck(reads, sender, addressee, meeting, now),
            store.find_line(reads, meeting.id, addressee.address, now),
            is_written_for(reads, meeting, addressee.address) if is_own else nothing(),
            list_own_texts(reads, kinds),
        )
    return MailContents(addressee, replace(facts, line=line) if line else facts, deck, bool(is_written), texts)


async def compose(  # noqa: PLR0913 - of what, to whom
    connection: Connection,
    sender: Sender,
    contents: MailContents,
    kind: MessageKind,
    version: MeetingVersion,
    now: datetime,
    *,
    others: Sequence[Meeting] = (),
) -> Mail:
    """Return the mail of a message, as an invitation, a change or a cancellation; `others` are of the same series."""
    facts, addressee = replace(contents.facts, others=others), contents.addressee
    if kind is not MessageKind.CANCELLATION:
        facts = _add_deck(facts, contents.deck)
    text_kind = TextKind.of(kind, addressee.recipient)
    words = choose_words(contents.texts, text_kind, facts.language)
    mail = _write(sender, addressee, text_kind, words, facts, now)
    if contents.is_written:
        return replace(mail, edition=str(version.sequence))
    invitation = _make_invitation(facts, mail.sender, mail.to, kind)
    if others and not facts.is_about_shared_time:
        told = [version.meeting, *others]
        calendar = await write_calendar_of_series(connection, told, invitation, addressee.address, kind, now)
        return replace(mail, calendar=calendar, edition=str(version.sequence))
    method = ICalMethod.CANCEL if kind is MessageKind.CANCELLATION else ICalMethod.REQUEST
    calendar = Calendar(write_calendar(invitation, version.sequence, method, now), method)
    return replace(mail, calendar=calendar, edition=str(version.sequence))


async def compose_reminder(
    connection: Connection, sender: Sender, addressee: Addressee, meeting: Meeting, now: datetime
) -> Mail:
    """Return the mail that reminds a person of a meeting, whose appointment is already in the calendar."""
    facts = await read_facts(connection, meeting, addressee.recipient)
    facts = _add_deck(facts, await _find_deck(connection, sender, addressee, meeting, now))
    words = await find_words(connection, TextKind.REMINDER, facts.language)
    return _write(sender, addressee, TextKind.REMINDER, words, facts, now)


async def compose_announcement(
    connection: Connection,
    sender: Sender,
    addressee: Addressee,
    announcement: Announcement,
    meeting: Meeting,
    now: datetime,
) -> Mail:
    """Return the mail about a meeting without its appointment."""
    facts = await read_facts(connection, meeting, addressee.recipient)
    labels = facts.vocabulary.labels
    button = announcement.make_button(labels) if announcement.make_button is not None else None
    facts = replace(facts, more_facts=list(announcement.list_facts(labels)), own_button=button)
    words = await find_words(connection, announcement.kind, facts.language)
    return _write(sender, addressee, announcement.kind, words, facts, now)


async def compose_text(connection: Connection, recipient: RecipientKind, meeting: Meeting) -> str:
    """Return the text message that reminds of a meeting: one line."""
    facts = await read_facts(connection, meeting, recipient)
    is_own = recipient is RecipientKind.EMPLOYEE
    kind = TextKind.EMPLOYEE_TEXT_REMINDER if is_own else TextKind.TEXT_REMINDER
    words = await find_words(connection, kind, facts.language)
    return " ".join(fill(words.body, _list_values(facts, Party("", ""))).split())


async def _find_deck(
    connection: Connection, sender: Sender, addressee: Addressee, meeting: Meeting, now: datetime
) -> SentLink | None:
    """Return the link of the deck that is sent to the customer, for a mail to the customer."""
    if addressee.address.lower() != find_customer_email(meeting).lower():
        return None
    return await sender.documents.find_sent_deck(connection, meeting.id, now)


def _add_deck(facts: MessageFacts, deck: SentLink | None) -> MessageFacts:
    """Return facts with the link of a deck, if any."""
    if deck is None:
        return facts
    labels = facts.vocabulary.labels
    return replace(
        facts, more_facts=[*facts.more_facts, Fact(labels["document"], labels[DECKS[deck.kind]], deck.address)]
    )


def find_customer_email(meeting: Meeting) -> str:
    """Return the customer's address: the marked attendee's, a portal booking's first one, or the only one."""
    attendees = meeting.external_attendees or []
    marked = [one for one in attendees if one.is_customer]
    first = attendees[:1] if meeting.portal_id or len(attendees) == 1 else []
    return next((one.email for one in (*marked, *first)), "")


def _write(
    sender: Sender, addressee: Addressee, kind: TextKind, words: Words, facts: MessageFacts, now: datetime
) -> Mail:
    """Return a mail without an appointment."""
    to = _find_party(facts, addressee)
    answers = facts.answers if kind is not TextKind.EMPLOYEE_CANCELLATION else ()
    letter = Letter(
        language=facts.language,
        words=words,
        values=_list_values(facts, to),
        facts=[
            *_list_line(facts),
            *_list_reason(facts),
            *_list_facts(facts, addressee.recipient),
            *answers,
            *facts.more_facts,
        ],
        button=facts.own_button or _make_button(facts, sender, kind),
        organization=facts.organization,
        footer=_write_footer(facts, addressee.recipient),
        color=str(find_nearest_readable(Color.parse(_find_color(facts)))),
    )
    written = write_letter(letter)
    advisor = facts.invitation.organizer
    answers_go_to_advisor = addressee.recipient is RecipientKind.ATTENDEE and advisor.email
    return Mail(
        sender=Party(sender.name or facts.organization, sender.address),
        to=to,
        reply_to=advisor if answers_go_to_advisor else None,
        subject=written.subject,
        text=written.text,
        html=written.html,
        calendar=None,
        id=addressee.id,
        thread_id=facts.meeting.series_id or facts.meeting.id,
        language=facts.language,
        sent_at=now,
    )


def _find_party(facts: MessageFacts, addressee: Addressee) -> Party:
    """Return the recipient, with the meeting's name for the address."""
    parties, key = [facts.invitation.organizer, *facts.invitation.attendees], addressee.address.lower()
    return next((each for each in parties if each.email.lower() == key), Party("", addressee.address))


def _list_values(facts: MessageFacts, to: Party) -> Values:
    begin = facts.meeting.start_date.astimezone(facts.zone)
    return {
        Placeholder.NAME: to.name,
        Placeholder.ADVISOR: facts.invitation.organizer.name,
        Placeholder.ORGANIZATION: facts.organization,
        Placeholder.TITLE: facts.invitation.title,
        Placeholder.TOPIC: facts.topic,
        Placeholder.DAY: dates.write_date(begin.date(), facts.language),
        Placeholder.TIME: _show_span(facts),
        Placeholder.PLACE: facts.shown_place,
    }


def _show_span(facts: MessageFacts) -> str:
    moments = (facts.meeting.start_date, facts.meeting.end_date)
    begin, end = (dates.show_clock(moment, facts.zone, facts.language) for moment in moments)
    return facts.vocabulary.labels["time"].format(begin=begin, end=end)


def _list_line(facts: MessageFacts) -> list[Fact]:
    """Return the line that the author of the change has written, if any."""
    return [Fact(facts.vocabulary.labels["line"], facts.line)] if facts.line else []


def _list_reason(facts: MessageFacts) -> list[Fact]:
    """Return the reason why Meetdeck cancelled the meeting, if it did."""
    return [Fact(facts.vocabulary.labels["reason"], facts.reason)] if facts.reason else []


def _list_facts(facts: MessageFacts, recipient: RecipientKind) -> Iterator[Fact]:
    labels = facts.vocabulary.labels
    yield from _list_times(facts)
    yield from _list_places(facts)
    if recipient is RecipientKind.ATTENDEE:
        yield Fact(labels["with"], write_people(facts.invitation.organizer.name, facts.companions))
        if facts.topic or facts.meeting.title:
            yield Fact(labels["about"], facts.topic or facts.meeting.title)
        yield Fact(labels["reference"], facts.meeting.reference)
    else:
        if facts.topic and facts.topic != facts.invitation.title:
            yield Fact(labels["about"], facts.topic)
        people = [facts.invitation.organizer, *facts.invitation.attendees]
        if facts.is_about_shared_time:
            people += [Party(each.name, each.email) for one in facts.others for each in one.external_attendees or []]
        yield Fact(labels["participants"], ", ".join(dict.fromkeys(each.name or each.email for each in people)))


def _list_times(facts: MessageFacts) -> Iterator[Fact]:
    """Yield a line for each meeting of the message, and how many there are if it is a series."""
    labels = facts.vocabulary.labels
    others = () if facts.is_about_shared_time else facts.others
    if others:
        yield Fact(labels["series"], labels["meetings"].format(count=len(others) + 1))
    for one in (facts.meeting, *others):
        day = dates.show_date(one.start_date.astimezone(facts.zone).date(), facts.language)
        time = _show_span(replace(facts, meeting=one))
        if one.type is not MeetingType.PHYSICAL:  # readers elsewhere may be in another zone
            zone = dates.show_zone(facts.zone, facts.language)
            time = labels["time_elsewhere"].format(time=time, zone=zone)
        yield Fact(labels["when"], labels["day_and_time"].format(day=day, time=time))


def _list_places(facts: MessageFacts) -> Iterator[Fact]:
    labels = facts.vocabulary.labels
    place = facts.shown_place
    match facts.meeting.type:
        case MeetingType.ONLINE:
            link = facts.meeting.video_link if facts.meeting.video_link.startswith(_WEB) else None
            yield Fact(labels["where"], facts.meeting.video_link or labels["online"], link)
        case MeetingType.TELEPHONE:
            yield Fact(labels["where"], labels["telephone"])
        case _ if place:
            yield Fact(labels["where"], place)
        case _:
            pass


def _make_button(facts: MessageFacts, sender: Sender, kind: TextKind) -> Link | None:
    """Return the button to the portal's page on which the customer moves or cancels the meeting."""
    if facts.portal is None or kind.is_for_employees or kind is TextKind.CANCELLATION:
        return None
    token = sender.links.make(facts.portal.id, facts.meeting.id)
    return Link(facts.vocabulary.labels["manage"], f"{sender.find_page(facts.portal)}/m/{token}")


def _write_footer(facts: MessageFacts, recipient: RecipientKind) -> str:
    name = "footer_attendee" if recipient is RecipientKind.ATTENDEE else "footer_employee"
    return facts.vocabulary.labels[name].format(organization=facts.organization)


def _find_color(facts: MessageFacts) -> str:
    return (facts.portal.brand_color if facts.portal is not None else None) or DEFAULT_BRAND_COLOR


def _make_invitation(facts: MessageFacts, organizer: Party, to: Party, kind: MessageKind) -> Invitation:
    """Return the appointment of a mail. Replies to it are sent to the sender's address of mails."""
    is_partial = kind is MessageKind.CANCELLATION and not facts.meeting.is_cancelled
    return replace(
        facts.invitation,
        organizer=organizer,
        attendees=[to] if is_partial else [facts.invitation.organizer, *facts.invitation.attendees],
        location=facts.shown_place,
        time_zone=facts.zone,
        is_partial=is_partial,
    )
