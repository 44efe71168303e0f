"""The replies of attendees to invitations (docs/message-delivery.md#answers)."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from meetdeck.booking.scheduling.meetings.schemas.history import Command, MeetingAction, MemberChange
from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee, AttendeeStatus, InvitedAttendee, Meeting
from meetdeck.booking.scheduling.meetings.store import history
from meetdeck.booking.scheduling.meetings.store import meetings as store
from meetdeck.platform.changes import EventType
from meetdeck.platform.database import Connection
from meetdeck.platform.values.patching import JsonPatch

Answers = Mapping[str, AttendeeStatus]
"""The replies of attendees by their addresses, in lower case."""


async def answer_invitation(
    connection: Connection, meeting_id: UUID, address: str, status: AttendeeStatus, now: datetime
) -> bool:
    """Set and record the status of the attendee with an address; return whether there is such an attendee.

    An employee's reply is only recorded in the meeting's history. Cancelled meetings have no attendees. The same reply
    again changes nothing.
    """
    meeting = await store.find_meeting(connection, meeting_id, for_update=True)
    if meeting is None or meeting.is_cancelled:
        return False
    attendees = meeting.external_attendees or []
    if not any(one.email.lower() == address for one in attendees):
        return await _answer_as_employee(connection, meeting, address, status, now)
    answered = [replace(one, status=status) if one.email.lower() == address else one for one in attendees]
    if answered != attendees:
        await store.set_attendees(connection, meeting_id, answered, now)
        before, after = msgspec.to_builtins(attendees), msgspec.to_builtins(answered)
        changes = [MemberChange("externalAttendees", before, after)]
        entry = history.NewEntry(MeetingAction.ATTENDEE_REPLIED, EventType.ATTENDEE_REPLIED, changes)
        await history.add_entry(connection, meeting_id, entry, by=Command.MESSAGES, now=now)
    return True


async def _answer_as_employee(
    connection: Connection, meeting: Meeting, address: str, status: AttendeeStatus, now: datetime
) -> bool:
    """Record the reply of the advisor or an additional employee; return whether the address belongs to one."""
    employee_id = await history.find_employee(connection, meeting.people, address)
    if employee_id is None:
        return False
    before = await history.find_answer(connection, meeting.id, employee_id)
    if before != status.value:
        old, new = ({"employeeId": str(employee_id), "status": one} for one in (before, status.value))
        change = MemberChange("employeeAnswer", old if before is not None else None, new)
        await history.add_answer(connection, meeting.id, change, now)
    return True


def keep_answers(before: Meeting, attendees: Sequence[Attendee], *, is_moved: bool) -> list[InvitedAttendee]:
    """Return attendees with their earlier replies; for another time they have not replied yet."""
    known = {one.email.lower(): one.status for one in before.external_attendees or [] if one.status is not UNSET}
    answers = dict.fromkeys(known, AttendeeStatus.NEEDS_ACTION) if is_moved else known
    return [invite(one, answers.get(one.email.lower(), UNSET)) for one in attendees]


def invite(attendee: Attendee, status: AttendeeStatus | UnsetType = UNSET) -> InvitedAttendee:
    """Return an attendee of a body in the meeting's form."""
    return InvitedAttendee(attendee.name, attendee.email, attendee.is_customer or UNSET, status)


def keep_customer(before: Meeting, attendees: Sequence[Attendee], patch: JsonPatch) -> list[Attendee]:
    """Return attendees among whom the customer is still marked, by address, unless the patch sets the mark.

    Callers may replace the list without knowing the member: v2 does not have it.
    """
    customer = next((one.email.lower() for one in before.external_attendees or [] if one.is_customer), None)
    is_said = any(one.is_customer is not UNSET for one in attendees)
    if customer is None or is_said or any(each.path.endswith("/isCustomer") for each in patch):
        return list(attendees)
    place = next((place for place, one in enumerate(attendees) if one.email.lower() == customer), None)
    return [replace(one, is_customer=True) if here == place else one for here, one in enumerate(attendees)]
