"""An addition to the messages about a change while they wait."""

from typing import Annotated

import msgspec
from msgspec import Meta

from meetdeck.booking.scheduling.meetings.schemas.meetings import Line


class ChangeNotice(msgspec.Struct, frozen=True, kw_only=True):
    """POST /meetings/{id}/notice."""

    line: Annotated[Line | None, Meta(examples=["Anna is in Odense on Wednesday."])] = None
    """A line for all messages about the change; none, or empty: unchanged."""
    now: bool = False
    """True if they are sent at once: then the change can no longer be undone."""
