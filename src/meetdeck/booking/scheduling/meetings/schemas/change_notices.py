"""What is said to the messages about a change while they wait."""

from typing import Annotated

import msgspec
from msgspec import Meta

from meetdeck.booking.scheduling.meetings.schemas.meetings import Line


class ChangeNotice(msgspec.Struct, frozen=True, kw_only=True):
    """POST /meetings/{id}/notice."""

    line: Annotated[Line | None, Meta(examples=["Anna is in Odense on Wednesday."])] = None
    """A line that all messages about the change have; none, or empty: the one before stays."""
    now: bool = False
    """Whether they are sent at once: then the change cannot be undone any more."""
