"""An event of a calendar: as callers send it, as it is kept, and as it is shown."""

from datetime import datetime
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from graph_fake.times import DateTimeTimeZone, show, stamp

ShowAs = Literal["free", "tentative", "busy", "oof", "workingElsewhere", "unknown"]
Response = Literal["none", "organizer", "tentativelyAccepted", "accepted", "declined", "notResponded"]


class Body(msgspec.Struct, rename="camel"):
    """An event's text."""

    content: str = ""
    content_type: str = "html"


class Address(msgspec.Struct, rename="camel"):
    """An address of mail and its name."""

    address: str
    name: str = ""


class Status(msgspec.Struct, rename="camel"):
    """An attendee's answer."""

    response: Response = "none"
    time: str = "0001-01-01T00:00:00Z"


class Attendee(msgspec.Struct, rename="camel"):
    """An attendee; a room is a `resource`."""

    email_address: Address
    type: Literal["required", "optional", "resource"] = "required"
    status: Status = msgspec.field(default_factory=Status)


class Location(msgspec.Struct, rename="camel"):
    """A place."""

    display_name: str = ""
    location_type: str = "default"
    unique_id: str = ""
    unique_id_type: str = "unknown"


class Draft(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """The body of an event's POST and PATCH; Graph refuses unknown members."""

    subject: str | UnsetType = UNSET
    body: Body | UnsetType = UNSET
    start: DateTimeTimeZone | UnsetType = UNSET
    end: DateTimeTimeZone | UnsetType = UNSET
    location: Location | UnsetType = UNSET
    attendees: list[Attendee] | UnsetType = UNSET
    show_as: ShowAs | UnsetType = UNSET
    is_all_day: bool | UnsetType = UNSET
    sensitivity: Literal["normal", "personal", "private", "confidential"] | UnsetType = UNSET
    importance: Literal["low", "normal", "high"] | UnsetType = UNSET
    categories: list[str] | UnsetType = UNSET
    is_online_meeting: bool | UnsetType = UNSET
    online_meeting_provider: str | UnsetType = UNSET
    transaction_id: str | UnsetType = UNSET
    allow_new_time_proposals: bool | UnsetType = UNSET
    response_requested: bool | UnsetType = UNSET
    hide_attendees: bool | UnsetType = UNSET
    is_reminder_on: bool | UnsetType = UNSET
    reminder_minutes_before_start: int | UnsetType = UNSET


class Attachment(msgspec.Struct, rename="camel", kw_only=True):
    """A file of an event."""

    id: str
    name: str
    content_type: str
    content_bytes: bytes

    def to_resource(self) -> dict[str, object]:
        """Return the file as Graph shows it."""
        return {
            "@odata.type": "#microsoft.graph.fileAttachment",
            "id": self.id,
            "name": self.name,
            "contentType": self.content_type,
            "size": len(self.content_bytes),
            "isInline": False,
            "contentBytes": self.content_bytes,
        }


class Event(msgspec.Struct, kw_only=True):
    """An event in one mailbox; the organizer's and each attendee's have one `i_cal_u_id`."""

    id: str
    i_cal_u_id: str
    organizer: Address
    is_organizer: bool
    start: datetime
    end: datetime
    created: datetime
    changed: datetime
    version: int = 1
    subject: str = ""
    body: Body = msgspec.field(default_factory=Body)
    location: Location = msgspec.field(default_factory=Location)
    attendees: list[Attendee] = []
    show_as: ShowAs = "busy"
    is_all_day: bool = False
    sensitivity: str = "normal"
    importance: str = "normal"
    categories: list[str] = []
    is_cancelled: bool = False
    response: Response = "none"
    transaction_id: str | None = None
    is_online_meeting: bool = False
    join_url: str | None = None
    join_url_from: datetime | None = None
    attachments: list[Attachment] = []
    others: dict[str, object] = {}
    """Members that are only kept and shown."""

    @property
    def etag(self) -> str:
        """Return the version that If-Match compares."""
        return f'W/"{self.id}-{self.version}"'

    def to_resource(self, now: datetime, zone: str = "UTC") -> dict[str, object]:
        """Return the event as Graph shows it at a time."""
        has_link = self.is_online_meeting and self.join_url_from is not None and now >= self.join_url_from
        return {
            "@odata.etag": self.etag,
            "id": self.id,
            "iCalUId": self.i_cal_u_id,
            "changeKey": str(self.version),
            "createdDateTime": stamp(self.created),
            "lastModifiedDateTime": stamp(self.changed),
            "transactionId": self.transaction_id,
            "type": "singleInstance",
            "subject": self.subject,
            "body": self.body,
            "bodyPreview": self.body.content[:255],
            "start": show(self.start, zone),
            "end": show(self.end, zone),
            "location": self.location,
            "attendees": self.attendees,
            "organizer": {"emailAddress": self.organizer},
            "isOrganizer": self.is_organizer,
            "isCancelled": self.is_cancelled,
            "isAllDay": self.is_all_day,
            "showAs": self.show_as,
            "sensitivity": self.sensitivity,
            "importance": self.importance,
            "categories": self.categories,
            "responseStatus": Status(self.response),
            "hasAttachments": bool(self.attachments),
            "isOnlineMeeting": self.is_online_meeting,
            "onlineMeetingProvider": "teamsForBusiness" if self.is_online_meeting else "unknown",
            "onlineMeeting": {"joinUrl": self.join_url} if has_link else None,
            **self.others,
        }
