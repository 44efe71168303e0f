"""Meetings that customers manage by their link: shown, moved, changed and cancelled."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from msgspec.structs import replace

from meetdeck.booking.configuration.portals.service.answers import Answer
from meetdeck.booking.directory.employees import store as employees
from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.directory.meeting_topics.schemas import Topic
from meetdeck.booking.localization.texts import speak
from meetdeck.booking.scheduling.address_changes.store import add_change
from meetdeck.booking.scheduling.errors import MeetingNotFound
from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, ICalTexts
from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee, Meeting
from meetdeck.booking.scheduling.meetings.service import calendars, changes, meetings, series_changes
from meetdeck.booking.scheduling.meetings.service.manage_links import ManageLinks
from meetdeck.booking.scheduling.meetings.service.places import find_meeting_place
from meetdeck.booking.scheduling.time_slots.service.companions import Companion, list_companions
from meetdeck.messages.notices.service.subscriber import order_notice
from meetdeck.messages.writing.kinds import TextKind
from meetdeck.pages.portal.schemas import FormValues, Hold, Visit
from meetdeck.pages.portal.service.bookings import make_principal
from meetdeck.pages.portal.service.details import list_answers, list_visible, needs_person
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.errors import NotFound
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.values.patching import JsonPatch
from meetdeck.platform.values.patching.operations import AddOperation

T = TypeVar("T")


class LinkUnknown(NotFound):
    """An invalid manage link."""

    code = "link_unknown"

    def __init__(self) -> None:
        super().__init__("This link is not valid.")


class ManageLinkExpired(NotFound):
    """A manage link whose meeting is over, or was cancelled."""

    code = "link_ended"

    def __init__(self) -> None:
        super().__init__("The meeting for this link is over, or was cancelled.")


class ManagedMeeting(msgspec.Struct, frozen=True, kw_only=True):
    """A meeting as its customer sees it."""

    meeting: Meeting
    topic: str
    """The topic's name; empty: no particular topic."""
    advisor: str
    companions: list[Companion]
    """The other people of the firm who take part."""
    place: str
    """The place of a physical meeting as people see it: room and address; empty: unknown."""
    location: str
    """The name of its location; empty: unknown, or not physical."""
    later: Sequence[Meeting] = ()
    """The meetings of its series that come after it."""

    @property
    def minutes(self) -> int:
        """Return the length of the meeting."""
        return round((self.meeting.end_date - self.meeting.start_date).total_seconds() / 60)

    @property
    def reference(self) -> str:
        """Return a short reference that people can read out."""
        return self.meeting.reference


class ManagedMeetings:
    """The meetings that customers manage with their links."""

    def __init__(self, database: Database, encryption: Encryption, links: ManageLinks) -> None:
        self._database = database
        self._encryption = encryption
        self._links = links

    def make_link(self, visit: Visit, meeting_id: UUID) -> str:
        """Return the token of a meeting's manage link."""
        return self._links.make(visit.portal.id, meeting_id)

    def find_meeting_id(self, portal_id: UUID, token: str) -> UUID | None:
        """Return the id of the meeting of a portal's manage link, None for an invalid token."""
        return self._links.find(portal_id, token)

    async def get(self, visit: Visit, token: str) -> ManagedMeeting:
        """Return the meeting of a link. Raises LinkUnknown, ManageLinkExpired."""
        return await self._run(visit, token, lambda connection, meeting: _describe(connection, visit, meeting))

    async def find_topic(self, visit: Visit, managed: ManagedMeeting) -> Topic | None:
        """Return the topic of a meeting, None if it has none."""
        if managed.meeting.topic_id is None:
            return None
        async with self._database.transaction(visit.tenant_id) as connection:
            topic = await meeting_topics.table.find(connection, managed.meeting.topic_id)
        return speak(topic, visit.content_language) if topic is not None else None

    async def write_calendar(self, visit: Visit, token: str) -> bytes:
        """Return the calendar file of a link's meeting (RFC 5545). Raises LinkUnknown, ManageLinkExpired."""

        async def work(connection: Connection, meeting: Meeting) -> bytes:
            return await calendars.make_calendar(
                connection, meeting.id, ICalTexts(), ICalMethod.PUBLISH, visit.language, visit.now
            )

        return await self._run(visit, token, work)

    async def cancel(self, visit: Visit, token: str, *, series: bool = False) -> ManagedMeeting:
        """Cancel the meeting of a link, with `series` all later ones too, and return it as it was.

        Raises LinkUnknown, ManageLinkExpired.
        """

        async def work(connection: Connection, meeting: Meeting) -> ManagedMeeting:
            described = await _describe(connection, visit, meeting)
            cancel = series_changes.cancel_from if series else meetings.cancel_meeting
            await cancel(connection, make_principal(visit), meeting, visit.now)
            return described if series else replace(described, later=())

        return await self._run(visit, token, work)

    async def move(self, visit: Visit, token: str, hold: Hold, *, series: bool = False) -> None:
        """Move the meeting of a link to a held time, which is taken before the old one is given up.

        With `series` all later ones of its series move as far, or none. Raises LinkUnknown, ManageLinkExpired, and the
        errors of `change_meeting` and `change_from`.
        """
        members: dict[str, object] = {"employeeId": str(hold.employee_id), "timeSlotId": str(hold.time_slot_id)}

        async def work(connection: Connection, meeting: Meeting) -> None:
            await self._patch(connection, visit, meeting, members, series=series)

        await self._run(visit, token, work)

    async def change(self, visit: Visit, token: str, typed: FormValues, *, is_confirmed_by_mail: bool) -> str | None:
        """Change the answers and the customer's name and e-mail address. Raises LinkUnknown, ManageLinkExpired.

        A new address `is_confirmed_by_mail` if there is an old one: it waits with the name, and the old address is
        returned.
        """

        async def work(connection: Connection, meeting: Meeting) -> str | None:
            hidden = {one.key: one.value for one in meeting.custom_fields or [] if one.key not in _list_names(visit)}
            answers = list_answers(visit, typed, hidden)
            members: dict[str, object] = {"customFields": [_write_answer(each) for each in answers]}
            old_email = find_email(meeting)
            waits = is_confirmed_by_mail and bool(old_email) and changes_email(visit, meeting, typed)
            if needs_person(visit) and not waits:
                others = (meeting.external_attendees or [])[1:]
                attendees = [Attendee(typed.name, typed.email), *others]
                members["externalAttendees"] = [msgspec.to_builtins(each) for each in attendees]
            await self._patch(connection, visit, meeting, members)
            if waits:
                attendee = Attendee(typed.name, typed.email)
                change_id = await add_change(connection, meeting.id, old_email, attendee, visit.now)
                await order_notice(connection, TextKind.ADDRESS_CHANGE, meeting.id, change_id, visit.now)
            return old_email if waits else None

        return await self._run(visit, token, work)

    async def _patch(
        self,
        connection: Connection,
        visit: Visit,
        meeting: Meeting,
        members: Mapping[str, object],
        *,
        series: bool = False,
    ) -> None:
        patch: JsonPatch = [AddOperation(f"/{name}", value) for name, value in members.items()]
        change = series_changes.change_from if series else changes.change_meeting
        await change(connection, make_principal(visit), meeting, patch, self._encryption, visit.now)

    async def _run(self, visit: Visit, token: str, work: Callable[[Connection, Meeting], Awaitable[T]]) -> T:
        """Run `work` with the meeting of a link, locked. Raises LinkUnknown, ManageLinkExpired."""
        meeting_id = self._links.find(visit.portal.id, token)
        if meeting_id is None:
            raise LinkUnknown

        async def run(connection: Connection) -> T:
            try:
                meeting = await meetings.get_meeting(connection, meeting_id, for_update=True)
            except MeetingNotFound:
                raise ManageLinkExpired from None
            if meeting.end_date <= visit.now:
                raise ManageLinkExpired
            return await work(connection, meeting)

        return await self._database.run(visit.tenant_id, run)


def changes_email(visit: Visit, meeting: Meeting, typed: FormValues) -> bool:
    """Return whether the typed e-mail address differs from that of the meeting's customer."""
    return needs_person(visit) and find_email(meeting).lower() != typed.email.lower()


def find_email(meeting: Meeting) -> str:
    """Return the e-mail address of the meeting's customer, empty if there is none."""
    attendee = next(iter(meeting.external_attendees or []), None)
    return attendee.email if attendee is not None else ""


def read_typed_of(visit: Visit, meeting: Meeting) -> FormValues:
    """Return the values of the form with which a meeting was booked."""
    by_name = {one.key: one.value for one in meeting.custom_fields or []}
    attendee = next(iter(meeting.external_attendees or []), None)
    return FormValues(
        name=attendee.name if attendee is not None else "",
        email=attendee.email if attendee is not None else "",
        answers={str(field.id): by_name[field.name] for field in list_visible(visit) if field.name in by_name},
    )


async def _describe(connection: Connection, visit: Visit, meeting: Meeting) -> ManagedMeeting:
    topic = await meeting_topics.table.find(connection, meeting.topic_id) if meeting.topic_id is not None else None
    names = await employees.list_names(connection, [meeting.employee_id])
    place = await find_meeting_place(
        connection, meeting, visit.home_zone.key, visit.portal.location, visit.content_language
    )
    companions = await list_companions(connection, meeting.additional_employees, meeting.companions)
    return ManagedMeeting(
        meeting=_forget_deleted(meeting, companions),
        topic=speak(topic, visit.content_language).name if topic is not None else meeting.title,
        advisor=names.get(meeting.employee_id, ""),
        companions=companions,
        place=place.shown,
        location=place.location,
        later=await series_changes.list_later(connection, meeting),
    )


def _forget_deleted(meeting: Meeting, companions: Sequence[Companion]) -> Meeting:
    """Return a meeting without service groups that were deleted, as searches for other times ask for its groups."""
    present = {one.id for one in companions if one.group}
    came = [each for each in zip(*meeting.companions, strict=True) if each[1] in present]
    return replace(meeting, also_service_groups=[each[0] for each in came], also_employees=[each[1] for each in came])


def _list_names(visit: Visit) -> set[str]:
    return {field.name for field in list_visible(visit)}


def _write_answer(answer: Answer) -> dict[str, Any]:
    return {"key": answer.key, "value": answer.value}
