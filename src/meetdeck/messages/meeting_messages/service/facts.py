"""The facts of a message: a meeting's present state, with everything that a message states about it."""

from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.booking.configuration.organization_settings import service as organization_settings
from meetdeck.booking.configuration.organization_settings.schemas import OrganizationSetting
from meetdeck.booking.configuration.portals import store as portals
from meetdeck.booking.configuration.portals.schemas import Portal
from meetdeck.booking.configuration.portals.service.answers import find_questions
from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.localization import dates
from meetdeck.booking.localization.languages import find_closest, name_language
from meetdeck.booking.localization.texts import speak
from meetdeck.booking.scheduling.meetings.schemas.icalendar import CalendarTexts, ICalTexts
from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting
from meetdeck.booking.scheduling.meetings.service.calendars import describe_meeting
from meetdeck.booking.scheduling.meetings.service.icalendar import Invitation
from meetdeck.booking.scheduling.meetings.service.places import MeetingPlace, find_meeting_place
from meetdeck.booking.scheduling.meetings.store.meetings import list_parties
from meetdeck.booking.scheduling.time_slots.service.companions import Companion, list_companions
from meetdeck.messages.meeting_messages import store
from meetdeck.messages.meeting_messages.service.shared_times import share_time
from meetdeck.messages.writing.kinds import RecipientKind
from meetdeck.messages.writing.letters import Fact, Link
from meetdeck.messages.writing.words import Vocabulary, get_vocabulary
from meetdeck.platform.database import Connection, all_of, gathering, nothing

_PHONE: Final = "phone"
"""The answer that a booking by staff has without a question."""


class MessageFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A meeting, with everything that a message says about it."""

    meeting: Meeting
    invitation: Invitation
    """The people of the meeting, as in calendars: the advisor is the organizer."""
    organization: str
    language: str
    zone: ZoneInfo
    topic: str
    place: MeetingPlace
    portal: Portal | None
    companions: Sequence[Companion] = ()
    """The people of the firm beside the advisor."""
    answers: Sequence[Fact] = ()
    """The customer's answers below their questions, for employees."""
    line: str = ""
    """The line of the change's author; empty: none."""
    reason: str = ""
    """The reason why Meetdeck cancelled the meeting; empty: a person or system did."""
    more_facts: Sequence[Fact] = ()
    """Lines below those of the meeting."""
    others: Sequence[Meeting] = ()
    """Further meetings of the series, or of the shared time, that the message is about."""
    own_button: Link | None = None
    """The button that replaces the one to the meeting's page."""

    @property
    def is_about_shared_time(self) -> bool:
        """Return whether the message is about several customers who share the meeting's time."""
        return share_time(self.meeting, self.others)

    @property
    def shown_place(self) -> str:
        """Return the meeting's place, as people see it; empty: unknown, or none."""
        return self.place.shown or self.invitation.location

    @property
    def vocabulary(self) -> Vocabulary:
        """Return the words of the message's language."""
        return get_vocabulary(self.language)


async def read_facts(connection: Connection, meeting: Meeting, recipient: RecipientKind) -> MessageFacts:
    """Return the facts of a message to a kind of recipients, in their language."""
    async with gathering(connection) as reads:
        return await _read_together(reads, meeting, recipient)


async def _read_together(connection: Connection, meeting: Meeting, recipient: RecipientKind) -> MessageFacts:
    """Return the facts, read in one or two statements: those that need the organization's settings come second."""
    setting, portal, topic, organization, companions, parties = await all_of(
        organization_settings.get_setting(connection),
        find_portal(connection, meeting.portal_id or None),
        meeting_topics.table.find(connection, meeting.topic_id) if meeting.topic_id is not None else nothing(),
        store.get_tenant_name(connection),
        list_companions(connection, meeting.additional_employees, meeting.companions),
        list_parties(connection, meeting.people),
    )
    wanted = (meeting.language or "") if recipient is RecipientKind.ATTENDEE else ""
    language = choose_language(setting, portal if recipient is RecipientKind.ATTENDEE else None, wanted)
    content_language = find_closest(setting.main_locale, setting.enabled_locales, wanted or language)
    zone = ZoneInfo(setting.time_zone.identifier)
    is_own = recipient is RecipientKind.EMPLOYEE
    usual_location = portal.location if portal is not None else ""
    labels = get_vocabulary(language).labels
    invitation, place, reason, answers = await all_of(
        describe_meeting(connection, meeting, ICalTexts(), _list_texts(setting), content_language, parties),
        find_meeting_place(connection, meeting, zone.key, usual_location, content_language),
        _explain_cancellation(connection, meeting, labels, is_own=is_own),
        _list_answers(connection, meeting, labels) if is_own else nothing(),
    )
    return MessageFacts(
        meeting=meeting,
        invitation=invitation,
        organization=organization,
        language=language,
        zone=zone,
        topic=speak(topic, content_language).name if topic is not None else "",
        place=place,
        portal=portal,
        companions=companions,
        reason=reason,
        answers=answers or (),
    )


async def _explain_cancellation(
    connection: Connection, meeting: Meeting, labels: Mapping[str, str], *, is_own: bool
) -> str:
    """Return the reason why Meetdeck cancelled a meeting, for employees with the numbers; empty if a person did."""
    if not meeting.cancellation_reason:
        return ""
    if not is_own:
        return labels["too_few"]
    return labels["too_few_customers"].format_map(await store.count_too_few(connection, meeting.id))


async def _list_answers(connection: Connection, meeting: Meeting, labels: Mapping[str, str]) -> list[Fact]:
    """Return a line for each answer; its key replaces a question that is no longer asked."""
    answers = [one for one in meeting.custom_fields or [] if one.value]
    if not answers:
        return []
    questions = find_questions(
        await portals.list_portals(connection, None), meeting.portal_id or None, meeting.topic_id
    )
    names = {_PHONE: labels["phone"]} | {name: field.label for name, field in questions.items()}
    words = {"true": labels["yes"], "false": labels["no"]}
    return [Fact(names.get(one.key, one.key), words.get(one.value, one.value)) for one in answers]


def _list_texts(setting: OrganizationSetting) -> CalendarTexts:
    """Return the organization's texts for calendar objects."""
    return CalendarTexts(
        title=setting.ical_meeting_title,
        localized_title=setting.localized_ical_meeting_title,
        description=setting.ical_meeting_description,
        localized_description=setting.localized_ical_meeting_description,
    )


def choose_language(setting: OrganizationSetting, portal: Portal | None, wanted: str = "") -> str:
    """Return the language of a message: that of the `wanted` tag, if there are words in it.

    Otherwise the organization's main one, if the portal offers it, or else the portal's first; English, if there are no
    words in the main one.
    """
    if name_language(wanted) in dates.LOCALES:
        return name_language(wanted)
    offered = [each.value for each in portal.languages] if portal is not None else list(dates.LOCALES)
    main = name_language(setting.main_locale)
    return main if main in offered else offered[0]


async def find_portal(connection: Connection, portal_id: UUID | None) -> Portal | None:
    """Return a portal, None for none."""
    found = await portals.list_portals(connection, [portal_id]) if portal_id is not None else []
    return found[0] if found else None
