"""The mail of a message, made of the meeting as it is now."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from meetdeck.booking.configuration.organization_settings import service as organization_settings
from meetdeck.booking.configuration.organization_settings.schemas import OrganizationSetting
from meetdeck.booking.configuration.portals import store as portals
from meetdeck.booking.configuration.portals.schemas import Portal
from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.localization import dates
from meetdeck.booking.localization.languages import find_closest
from meetdeck.booking.localization.texts import speak
from meetdeck.booking.scheduling.address_changes.service import AddressChangeLinks
from meetdeck.booking.scheduling.meetings.schemas.icalendar import CalendarTexts, ICalMethod, ICalTexts, Party
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting, MeetingVersion
from meetdeck.booking.scheduling.meetings.service.calendars import describe_meeting
from meetdeck.booking.scheduling.meetings.service.icalendar import Invitation, write_calendar
from meetdeck.booking.scheduling.meetings.service.manage_links import ManageLinks
from meetdeck.booking.scheduling.meetings.service.places import MeetingPlace, find_meeting_place
from meetdeck.booking.scheduling.unconfirmed_bookings.service import ConfirmationLinks
from meetdeck.booking.scheduling.wishes.service.wish_links import OfferLinks, WishLinks
from meetdeck.booking.slots.model import MeetingType
from meetdeck.messages.meeting_messages import store
from meetdeck.messages.meeting_messages.schemas import Message
from meetdeck.messages.message_texts.service import find_words
from meetdeck.messages.writing.kinds import MessageKind, RecipientKind, TextKind
from meetdeck.messages.writing.letters import Fact, Letter, Link, write_letter
from meetdeck.messages.writing.mail import Calendar, Mail
from meetdeck.messages.writing.placeholders import Placeholder, Values, fill
from meetdeck.messages.writing.words import Vocabulary, get_vocabulary
from meetdeck.platform.database import Connection
from meetdeck.platform.values import DEFAULT_BRAND_COLOR, Color, find_nearest_readable

_WEB: Final = ("https://", "http://")


class Sender(msgspec.Struct, frozen=True):
    """The sender of mails, and where their links lead."""

    name: str
    """The name before the address; empty: the firm's."""
    address: str
    base_url: str
    links: ManageLinks
    wishes: WishLinks
    offers: OfferLinks
    address_changes: AddressChangeLinks
    confirmations: ConfirmationLinks

    def find_page(self, portal: Portal) -> str:
        """Return the address of a portal's page."""
        return f"{self.base_url}/p/{portal.address or portal.id}"


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """A meeting, with all that a message of it says."""

    meeting: Meeting
    invitation: Invitation
    """As calendars show it; the advisor organizes it."""
    organization: str
    language: str
    zone: ZoneInfo
    topic: str
    place: MeetingPlace
    portal: Portal | None
    more_facts: Sequence[Fact] = ()
    """Lines below those of the meeting."""
    own_button: Link | None = None
    """The button in the place of the one that leads to the meeting's page."""

    @property
    def shown_place(self) -> str:
        """Return where the meeting is, as people see it; empty: unknown, or nowhere."""
        return self.place.shown or self.invitation.location

    @property
    def vocabulary(self) -> Vocabulary:
        """Return the words of the message's language."""
        return get_vocabulary(self.language)


class News(NamedTuple):
    """Something else to say of a meeting: in which words, and the lines of it by the labels of a language."""

    kind: TextKind
    list_facts: Callable[[Mapping[str, str]], Iterable[Fact]]
    make_button: Callable[[Mapping[str, str]], Link] | None = None
    """Makes the button in the place of the one that leads to the meeting's page."""


class Addressee(NamedTuple):
    """The recipient of a mail; `id` is the mail's own."""

    id: UUID
    recipient: RecipientKind
    address: str


async def compose(
    connection: Connection, sender: Sender, message: Message, kind: MessageKind, version: MeetingVersion, now: datetime
) -> Mail:
    """Return the mail of a message, as an invitation, a change or a cancellation."""
    told = await _read(connection, version.meeting, message.recipient)
    addressee = Addressee(message.message_id, message.recipient, message.address)
    mail = await _write(connection, sender, addressee, TextKind.of(kind, message.recipient), told, now)
    invitation = _make_invitation(told, mail.sender, mail.to, kind)
    method = ICalMethod.CANCEL if kind is MessageKind.CANCELLATION else ICalMethod.REQUEST
    calendar = Calendar(write_calendar(invitation, version.sequence, method, now), method)
    return replace(mail, calendar=calendar, edition=str(version.sequence))


async def compose_reminder(
    connection: Connection, sender: Sender, addressee: Addressee, meeting: Meeting, now: datetime
) -> Mail:
    """Return the mail that reminds somebody of a meeting; the appointment is in the calendar already."""
    told = await _read(connection, meeting, addressee.recipient)
    return await _write(connection, sender, addressee, TextKind.REMINDER, told, now)


async def compose_news(
    connection: Connection, sender: Sender, addressee: Addressee, news: News, meeting: Meeting, now: datetime
) -> Mail:
    """Return the mail that tells somebody something else of a meeting than its appointment."""
    told = await _read(connection, meeting, addressee.recipient)
    labels = told.vocabulary.labels
    button = news.make_button(labels) if news.make_button is not None else None
    told = replace(told, more_facts=list(news.list_facts(labels)), own_button=button)
    return await _write(connection, sender, addressee, news.kind, told, now)


async def compose_text(connection: Connection, recipient: RecipientKind, meeting: Meeting) -> str:
    """Return the text message that reminds of a meeting: one line."""
    told = await _read(connection, meeting, recipient)
    is_own = recipient is RecipientKind.EMPLOYEE
    kind = TextKind.EMPLOYEE_TEXT_REMINDER if is_own else TextKind.TEXT_REMINDER
    words = await find_words(connection, kind, told.language)
    return " ".join(fill(words.body, _list_values(told, Party("", ""))).split())


async def _write(
    connection: Connection, sender: Sender, addressee: Addressee, kind: TextKind, told: Told, now: datetime
) -> Mail:
    """Return a mail without an appointment."""
    to = _find_party(told, addressee)
    letter = Letter(
        language=told.language,
        words=await find_words(connection, kind, told.language),
        values=_list_values(told, to),
        facts=[*_list_facts(told, addressee.recipient), *told.more_facts],
        button=told.own_button or _make_button(told, sender, kind),
        organization=told.organization,
        footer=_write_footer(told, addressee.recipient),
        color=str(find_nearest_readable(Color.parse(_find_color(told)))),
    )
    written = write_letter(letter)
    advisor = told.invitation.organizer
    answers_go_to_advisor = addressee.recipient is RecipientKind.ATTENDEE and advisor.email
    return Mail(
        sender=Party(sender.name or told.organization, sender.address),
        to=to,
        reply_to=advisor if answers_go_to_advisor else None,
        subject=written.subject,
        text=written.text,
        html=written.html,
        calendar=None,
        id=addressee.id,
        thread_id=told.meeting.id,
        language=told.language,
        sent_at=now,
    )


async def _read(connection: Connection, meeting: Meeting, recipient: RecipientKind) -> Told:
    setting = await organization_settings.get_setting(connection)
    portal = await find_portal(connection, meeting.portal_id or None)
    language = choose_language(setting, portal if recipient is RecipientKind.ATTENDEE else None)
    content_language = find_closest(setting.main_locale, setting.enabled_locales, language)
    topic = await meeting_topics.table.find(connection, meeting.topic_id) if meeting.topic_id is not None else None
    zone = ZoneInfo(setting.time_zone.identifier)
    usual_location = portal.location if portal is not None else ""
    return Told(
        meeting=meeting,
        invitation=await describe_meeting(connection, meeting, ICalTexts(), _list_texts(setting), content_language),
        organization=await store.get_tenant_name(connection),
        language=language,
        zone=zone,
        topic=speak(topic, content_language).name if topic is not None else "",
        place=await find_meeting_place(connection, meeting, zone.key, usual_location),
        portal=portal,
    )


def _list_texts(setting: OrganizationSetting) -> CalendarTexts:
    """Return the organization's texts for calendar objects."""
    return CalendarTexts(
        title=setting.ical_meeting_title,
        localized_title=setting.localized_ical_meeting_title,
        description=setting.ical_meeting_description,
        localized_description=setting.localized_ical_meeting_description,
    )


def choose_language(setting: OrganizationSetting, portal: Portal | None) -> str:
    """Return the language of a message: the organization's main one, where the portal speaks it, else its first.

    English, where the main one is none of messages.
    """
    offered = [each.value for each in portal.languages] if portal is not None else list(dates.LOCALES)
    main = setting.main_locale.split("-")[0].lower()
    return main if main in offered else offered[0]


async def find_portal(connection: Connection, portal_id: UUID | None) -> Portal | None:
    """Return a portal, None for none."""
    found = await portals.list_portals(connection, [portal_id]) if portal_id is not None else []
    return found[0] if found else None


def _find_party(told: Told, addressee: Addressee) -> Party:
    """Return the recipient with the name that the meeting has for the address."""
    parties, key = [told.invitation.organizer, *told.invitation.attendees], addressee.address.lower()
    return next((each for each in parties if each.email.lower() == key), Party("", addressee.address))


def _list_values(told: Told, to: Party) -> Values:
    begin = told.meeting.start_date.astimezone(told.zone)
    return {
        Placeholder.NAME: to.name,
        Placeholder.ADVISOR: told.invitation.organizer.name,
        Placeholder.ORGANIZATION: told.organization,
        Placeholder.TITLE: told.invitation.title,
        Placeholder.TOPIC: told.topic,
        Placeholder.DAY: dates.say_date(begin.date(), told.language),
        Placeholder.TIME: _show_span(told),
        Placeholder.PLACE: told.shown_place,
    }


def _show_span(told: Told) -> str:
    moments = (told.meeting.start_date, told.meeting.end_date)
    begin, end = (dates.show_clock(moment, told.zone, told.language) for moment in moments)
    return told.vocabulary.labels["time"].format(begin=begin, end=end)


def _list_facts(told: Told, recipient: RecipientKind) -> Iterator[Fact]:
    labels = told.vocabulary.labels
    day = dates.show_date(told.meeting.start_date.astimezone(told.zone).date(), told.language)
    time = _show_span(told)
    if told.meeting.type is not MeetingType.PHYSICAL:  # whoever is not there may be in another zone
        zone = dates.show_zone(told.zone, told.language)
        time = labels["time_elsewhere"].format(time=time, zone=zone)
    yield Fact(labels["when"], f"{day}, {time}")
    yield from _list_places(told)
    if recipient is RecipientKind.ATTENDEE:
        yield Fact(labels["with"], told.invitation.organizer.name)
        if told.topic or told.meeting.title:
            yield Fact(labels["about"], told.topic or told.meeting.title)
        yield Fact(labels["reference"], told.meeting.reference)
    else:
        if told.topic and told.topic != told.invitation.title:
            yield Fact(labels["about"], told.topic)
        people = [told.invitation.organizer, *told.invitation.attendees]
        yield Fact(labels["participants"], ", ".join(each.name or each.email for each in people))


def _list_places(told: Told) -> Iterator[Fact]:
    labels = told.vocabulary.labels
    place = told.shown_place
    match told.meeting.type:
        case MeetingType.ONLINE:
            link = told.meeting.video_link if told.meeting.video_link.startswith(_WEB) else None
            yield Fact(labels["where"], told.meeting.video_link or labels["online"], link)
        case MeetingType.TELEPHONE:
            yield Fact(labels["where"], labels["telephone"])
        case _ if place:
            yield Fact(labels["where"], place)
        case _:
            pass


def _make_button(told: Told, sender: Sender, kind: TextKind) -> Link | None:
    """Return the button to the page of a portal where the customer moves or cancels the meeting."""
    if told.portal is None or kind.is_for_employees or kind is TextKind.CANCELLATION:
        return None
    token = sender.links.make(told.portal.id, told.meeting.id)
    return Link(told.vocabulary.labels["manage"], f"{sender.find_page(told.portal)}/m/{token}")


def _write_footer(told: Told, recipient: RecipientKind) -> str:
    name = "footer_attendee" if recipient is RecipientKind.ATTENDEE else "footer_employee"
    return told.vocabulary.labels[name].format(organization=told.organization)


def _find_color(told: Told) -> str:
    return (told.portal.brand_color if told.portal is not None else None) or DEFAULT_BRAND_COLOR


def _make_invitation(told: Told, organizer: Party, to: Party, kind: MessageKind) -> Invitation:
    """Return the appointment of a mail. Answers to it come to the address that mails are sent from."""
    is_partial = kind is MessageKind.CANCELLATION and not told.meeting.is_cancelled
    return replace(
        told.invitation,
        organizer=organizer,
        attendees=[to] if is_partial else [told.invitation.organizer, *told.invitation.attendees],
        location=told.shown_place,
        time_zone=told.zone,
        is_partial=is_partial,
    )
