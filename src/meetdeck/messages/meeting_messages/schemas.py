"""Messages of meetings, and the facts of a meeting that decide their recipients."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from typing import Final
from uuid import UUID

import msgspec

from meetdeck.booking.scheduling.meetings.schemas.meetings import Attendee, MeetingVersion
from meetdeck.booking.slots.model import MeetingType
from meetdeck.messages.writing.kinds import MessageKind, RecipientKind

DIGEST_BYTES: Final = 16


class MessageStatus(StrEnum):
    """The outcome of a message."""

    WAITING = "Waiting"
    SENT = "Sent"
    DROPPED = "Dropped"
    """No longer due when its turn came."""
    FAILED = "Failed"
    """Refused for good."""


class Recipient(msgspec.Struct, frozen=True):
    """A person who gets messages of a meeting."""

    kind: RecipientKind
    address: str

    @property
    def key(self) -> str:
        """Return the normalized address, which is equal for different spellings."""
        return self.address.lower()


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message, due or done."""

    message_id: UUID
    meeting_id: UUID
    kind: MessageKind
    recipient: RecipientKind
    address: str
    sequence: int
    facts_digest: bytes
    """The digest of the facts that it states (`MeetingState.facts_digest`)."""
    status: MessageStatus
    attempts: int
    begun_at: datetime | None = None
    """When the present attempt began; None: there is none."""
    is_perhaps_sent: bool = False
    """True if an earlier attempt ended without an answer: the recipient may have the message."""

    @property
    def key(self) -> str:
        """Return the normalized address, which is equal for different spellings."""
        return self.address.lower()


class NewMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message that has become due."""

    meeting_id: UUID
    kind: MessageKind
    recipient: Recipient
    sequence: int
    facts_digest: bytes


class MeetingState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The facts of a meeting that decide which message each person gets."""

    meeting_id: UUID
    sequence: int
    starts_at: datetime
    ends_at: datetime
    type: MeetingType
    title: str
    video_link: str
    room_id: UUID | None
    employee_id: UUID
    additional_employees: Sequence[UUID]
    external_attendees: Sequence[Attendee]
    cancelled_at: datetime | None
    also_employees: Sequence[UUID] = ()
    """The additional employees whom service groups gave: customers are told who they are."""
    series_id: UUID | None = None
    shared_slot_id: UUID | None = None

    @classmethod
    def of(cls, version: MeetingVersion) -> "MeetingState":
        """Return the state of a meeting."""
        meeting = version.meeting
        return cls(
            meeting_id=meeting.id,
            sequence=version.sequence,
            starts_at=meeting.start_date,
            ends_at=meeting.end_date,
            type=meeting.type,
            title=meeting.title,
            video_link=meeting.video_link,
            room_id=meeting.room_id,
            employee_id=meeting.employee_id,
            additional_employees=meeting.additional_employees,
            external_attendees=meeting.external_attendees or [],
            cancelled_at=meeting.cancelled_at or None,
            also_employees=meeting.also_employees or [],
            series_id=meeting.series_id or None,
            shared_slot_id=meeting.shared_slot_id or None,
        )

    @property
    def people(self) -> list[UUID]:
        """Return the advisor and the additional employees."""
        return [self.employee_id, *self.additional_employees]

    @cached_property
    def facts_digest(self) -> bytes:
        """Return a digest of time, place, title and the people whom customers meet.

        Only a change of these causes a message.
        """
        facts = (
            self.starts_at.timestamp(),
            self.ends_at.timestamp(),
            self.type.value,
            self.title,
            self.video_link,
            self.room_id,
            self.employee_id,
            *sorted(self.also_employees),  # None in states from before groups could be named
        )
        return sha256(msgspec.json.encode(facts)).digest()[:DIGEST_BYTES]

    def list_recipients(self, addresses: Mapping[UUID, str]) -> dict[str, Recipient]:
        """Return the recipients of a meeting's messages, each address once; `addresses` are the employees' own."""
        found: dict[str, Recipient] = {}
        for recipient in self._list_all(addresses):
            found.setdefault(recipient.key, recipient)
        return found

    def _list_all(self, addresses: Mapping[UUID, str]) -> Iterator[Recipient]:
        for employee_id in self.people:
            if address := addresses.get(employee_id):
                yield Recipient(RecipientKind.EMPLOYEE, address)
        for attendee in self.external_attendees:
            yield Recipient(RecipientKind.ATTENDEE, attendee.email)
