"""Series of meetings with a customer: their bodies and answers (docs/api/meeting-series.md)."""

from datetime import datetime
from typing import Annotated, Final
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta

from meetdeck.booking.scheduling.meetings.schemas.meetings import Meeting, NewMeeting
from meetdeck.platform.values import SetSinceV3

MOST_MEETINGS: Final = 100
"""The most meetings of a series: they are booked in one transaction."""

_Rule = Annotated[str, Meta(max_length=500)]


class CreateMeeting(NewMeeting, frozen=True, rename="camel", kw_only=True):
    """POST /meetings: a meeting, or with `recurrence` a series of them."""

    recurrence: Annotated[
        SetSinceV3[_Rule | None],
        Meta(
            description="An RRULE with COUNT or UNTIL: a series of meetings, by the organization's clock.",
            examples=[None],
        ),
    ] = None
    skip_conflicts: Annotated[
        SetSinceV3[bool], Meta(description="true: a series leaves out the times that are not free; see `skipped`.")
    ] = False


class TimeConflict(msgspec.Struct, frozen=True, rename="camel"):
    """The reason why a time of a series cannot be booked."""

    code: str
    """The code of the error that booking it alone would be answered with."""
    detail: str
    """The reason in a sentence."""


class SkippedMeeting(msgspec.Struct, frozen=True, rename="camel"):
    """A time of a series that was left out."""

    start_date: datetime
    """When it would begin."""
    end_date: datetime
    """When it would end."""
    conflict: TimeConflict
    """The reason that it was left out."""


class FreeTime(msgspec.Struct, frozen=True, rename="camel"):
    """A time at which the same people are free."""

    start_date: datetime
    """When it begins."""
    end_date: datetime
    """When it ends."""


class SeriesTime(msgspec.Struct, frozen=True, rename="camel"):
    """A time of a series that is not booked yet."""

    start_date: datetime
    """When it would begin."""
    end_date: datetime
    """When it would end."""
    conflict: TimeConflict | None
    """The reason that it cannot be booked; null if it can be booked."""
    instead: FreeTime | None
    """With a conflict, the nearest time in the week around it that the search offers; null: there is none."""


class SeriesPreview(msgspec.Struct, frozen=True, rename="camel"):
    """The meetings that a body would book."""

    count: int
    """The number of times without a conflict."""
    times: list[SeriesTime]
    """All times, by their start."""


class BookedMeeting(Meeting, frozen=True, rename="camel", kw_only=True):
    """A new meeting; of a series the first one, with all of them."""

    meetings: SetSinceV3[list[Meeting]] = UNSET
    """The meetings of the series, by their start; a single meeting has none."""
    skipped: SetSinceV3[list[SkippedMeeting]] = UNSET
    """With `skipConflicts`, the times that were left out."""


class MeetingQuery(msgspec.Struct, frozen=True, rename="camel"):
    """The query for reading a meeting."""

    include_cancelled: Annotated[
        SetSinceV3[bool], Meta(description="true: also a cancelled one, which has `cancelledAt`.")
    ] = False


class SeriesQuery(msgspec.Struct, frozen=True):
    """The query for changing or cancelling a meeting."""

    series: Annotated[
        SetSinceV3[bool], Meta(description="true: this meeting and all later ones of its series, or nothing.")
    ] = False


class CancelQuery(SeriesQuery, frozen=True, rename="camel"):
    """The query for cancelling a meeting."""

    shared_slot: Annotated[
        SetSinceV3[bool],
        Meta(description="true: all meetings that share its time, and the holds of seats there; not with `series`."),
    ] = False


class SeriesPlace(msgspec.Struct, frozen=True):
    """The members of a meeting that say of which series it is."""

    series_id: UUID
    recurrence: str
    original_start_date: datetime
