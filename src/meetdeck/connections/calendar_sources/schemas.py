"""Calendar sources: the resource and its query (docs/calendars.md)."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.platform.values import AnyCase


class SourceKind(AnyCase):
    """The way in which a calendar is read."""

    ICS = "Ics"
    CALDAV = "CalDav"
    MICROSOFT365 = "Microsoft365"


class SourceStatus(AnyCase):
    """The state of reading a calendar."""

    OK = "Ok"
    WAITING = "Waiting"
    """It was never read."""
    FAILING = "Failing"
    """The last try to read it failed; its times stay."""


class CalendarSource(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A calendar that an employee's busy times come from, without its address."""

    employee_id: UUID
    """The employee."""
    kind: SourceKind
    """The kind of source."""
    is_uploaded: bool
    """True if it is a file that was uploaded, which is not read again."""
    read_at: datetime | None
    """When it was last read; null: never."""
    stale_seconds: int | None
    """The time since then; null: never, or it was uploaded."""
    status: SourceStatus
    """The state of reading it."""


class SourcesQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /calendar-sources."""

    employee_ids: Annotated[
        list[UUID], Meta(min_length=1, max_length=1000, description="The employees whose calendars are asked for.")
    ]
