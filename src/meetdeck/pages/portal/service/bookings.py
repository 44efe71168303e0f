"""Booking the time that a visitor holds."""

from collections.abc import Iterator
from typing import Final
from uuid import UUID, uuid4

from meetdeck.booking.directory.meeting_topics import store as meeting_topics
from meetdeck.booking.localization.texts import speak
from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee, BookedBy, CustomField, NewMeeting
from meetdeck.booking.scheduling.meetings.service import meetings
from meetdeck.pages.portal.schemas import FormValues, Hold, Person, Visit
from meetdeck.pages.portal.service.details import find_fault_of_email, list_answers
from meetdeck.platform.changes import Answer, Fingerprints
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.identity import Principal
from meetdeck.platform.secrets import Encryption

_CREATED: Final = 201


class Bookings:
    """Books meetings for customers, each hold once."""

    def __init__(self, database: Database, encryption: Encryption, fingerprints: Fingerprints) -> None:
        self._database = database
        self._encryption = encryption
        self._fingerprints = fingerprints

    async def book(self, visit: Visit, hold: Hold, person: Person | None, typed: FormValues) -> UUID:
        """Return the id of the meeting that is booked in the held time, also if it was already booked.

        Raises ReservationGone if the hold has ended, and the errors of `create_meeting`.
        """
        # Pressing a button twice books once: a repeat is recognized by the held time.
        repeatable = self._fingerprints.make(visit.portal.id, str(hold.time_slot_id), "book", str(visit.portal.id))

        async def work(connection: Connection) -> UUID:
            known = await repeatable.claim(connection, visit.now)
            if known is not None:
                return UUID(bytes=known.body)
            body = await compose_booking(connection, visit, hold, person, typed)
            meeting = await meetings.create_meeting(
                connection, make_principal(visit), body, self._encryption, visit.now
            )
            await repeatable.keep(connection, Answer(_CREATED, "", meeting.id.bytes))
            return meeting.id

        return await self._database.run(visit.tenant_id, work)


def make_principal(visit: Visit) -> Principal:
    """Return the caller for whom a portal acts: the portal itself, since its visitors have no account."""
    return Principal(visit.tenant_id, visit.portal.id)


async def compose_booking(
    connection: Connection, visit: Visit, hold: Hold, person: Person | None, typed: FormValues
) -> NewMeeting:
    """Return the body of the meeting. A customer without an account gets a new id."""
    topic = await meeting_topics.table.find(connection, hold.topic_id) if hold.topic_id is not None else None
    return NewMeeting(
        employee_id=hold.employee_id,
        customer_id=person.customer_id if person is not None else f"guest-{uuid4()}",
        booked_by=BookedBy.PORTAL_CUSTOMER,
        customer_type_id=visit.portal.customer_type_id,
        topic_id=hold.topic_id,
        type=hold.meeting_type,
        title=speak(topic, visit.content_language).name if topic is not None else "",
        language=visit.language,
        portal_id=visit.portal.id,
        custom_fields=[CustomField(each.key, each.value) for each in list_answers(visit, typed, hold.hidden)],
        external_attendees=list(_list_attendees(person, typed)),
        time_slot_id=hold.time_slot_id,
    )


def _list_attendees(person: Person | None, typed: FormValues) -> Iterator[Attendee]:
    """Yield the customer as an external attendee, to whom messages are sent; nothing without an address."""
    name, email = (person.name, person.email) if person is not None else (typed.name, typed.email)
    if find_fault_of_email(email) is None:
        yield Attendee(name, email)
