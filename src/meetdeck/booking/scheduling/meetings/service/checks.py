"""Checks of a new or changed meeting: its references exist and can be booked, its answers fit its portal."""

from datetime import datetime
from uuid import UUID

from meetdeck.booking.configuration.portals.service import portals
from meetdeck.booking.configuration.portals.service.answers import Answer
from meetdeck.booking.kinds import Kind
from meetdeck.booking.references import Reference, lock_topic_and_type, refer
from meetdeck.booking.scheduling.bookable import require_bookable
from meetdeck.booking.scheduling.errors import InvalidMeeting, InvalidTime
from meetdeck.booking.scheduling.meetings.schemas.meetings import ChangedMeeting, Meeting, MeetingContent
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Fault
from meetdeck.platform.values import refuse


async def check_content(
    connection: Connection,
    content: MeetingContent,
    *,
    before: Meeting | None = None,
    is_moved: bool = True,
    is_room_given: bool = False,
) -> None:
    """Check a meeting's references; for a change, those that `before` did not have, and all resources that it moves.

    An unchanged assigned room is not checked: it is chosen again when the meeting moves. Locks topic and customer type
    against deletion; employees and room are locked by `occupy`. Raises ReferenceNotFound, NotBookable, InvalidInput for
    custom fields that the portal does not accept.
    """
    known = _list_known(before) if before is not None else set[tuple[Kind, UUID | None]]()
    topic_id = content.topic_id if (Kind.TOPIC, content.topic_id) not in known else None
    is_known_type = (Kind.CUSTOMER_TYPE, content.customer_type_id) in known
    customer_type_id = None if is_known_type else content.customer_type_id
    await lock_topic_and_type(connection, topic_id, customer_type_id)
    takes = [
        Reference(Kind.EMPLOYEE, content.employee_id, "/employeeId"),
        Reference(Kind.ROOM, None if is_room_given else content.room_id, "/roomId"),
        *refer(Kind.EMPLOYEE, content.additional_employees, "/additionalEmployees"),
    ]
    portal_id = content.portal_id if (Kind.PORTAL, content.portal_id) not in known else None
    about = [
        Reference(Kind.TOPIC, topic_id, content.pointer_to("topicId")),
        Reference(Kind.CUSTOMER_TYPE, customer_type_id, content.pointer_to("customerTypeId")),
        Reference(Kind.PORTAL, portal_id, "/portalId"),
    ]
    await require_bookable(connection, [*(one for one in takes if is_moved or (one.kind, one.id) not in known), *about])
    if content.portal_id is not None and (before is None or _has_other_answers(before, content)):
        answers = [Answer(one.key, one.value) for one in content.custom_fields]
        refuse(await portals.check_answers(connection, content.portal_id, answers))


def require_one_customer(content: MeetingContent) -> None:
    """Raise InvalidMeeting if more than one external attendee is marked as the customer."""
    customers = [place for place, one in enumerate(content.external_attendees) if one.is_customer]
    if len(customers) > 1:
        detail = "A meeting has one customer: isCustomer is true of one attendee at most."
        faults = (Fault(f"/externalAttendees/{place}/isCustomer", detail) for place in customers[1:])
        raise InvalidMeeting(detail, faults=tuple(faults))


def require_begun(before: Meeting, content: ChangedMeeting, now: datetime) -> None:
    """Raise InvalidTime if a change records attendance for a meeting that has not begun."""
    if content.attendance is not None and not before.attendance and before.start_date > now:
        detail = "The meeting has not begun: the customer's attendance can be recorded once it has."
        raise InvalidTime(detail, faults=(Fault("/attendance", "Cannot be recorded yet."),))


def require_crm_id(before: Meeting, after: Meeting) -> None:
    """Raise InvalidMeeting if a change has removed `crmId`, which v2 requires."""
    if before.crm_id and not after.crm_id:
        raise InvalidMeeting("crmId is required in v2.", faults=(Fault("/crmId", "It can be changed, not removed."),))


def _list_known(before: Meeting) -> set[tuple[Kind, UUID | None]]:
    """Return the resources to which a meeting refers, by kind: an employee's id is not a room's."""
    return {
        *((Kind.EMPLOYEE, each) for each in (before.employee_id, *before.additional_employees)),
        (Kind.ROOM, before.room_id),
        (Kind.TOPIC, before.topic_id),
        (Kind.CUSTOMER_TYPE, before.customer_type_id),
        (Kind.PORTAL, before.portal_id or None),
    }


def _has_other_answers(before: Meeting, content: MeetingContent) -> bool:
    return (before.portal_id or None, before.custom_fields or []) != (content.portal_id, content.custom_fields)
