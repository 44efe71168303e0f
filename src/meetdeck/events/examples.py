"""An example event of each type, as receivers get it; pure."""

from collections.abc import Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Final
from uuid import UUID

from meetdeck.events.schemas import ShownEvent
from meetdeck.platform.changes import EventType

_OTHER_PLACES: Final = {"configuration": "configuration/employees", "wish": "wishes"}
"""The beginnings of subjects that are not the first word of the type with an s."""


def show_example(event_type: str, data: Mapping[str, Any], tenant_id: UUID, event_id: UUID, at: datetime) -> ShownEvent:
    """Return an example event with this data, marked as a test; its subject is the data's resource."""
    kind = event_type.partition(".")[0]
    key = data.get("id") or data["contentId"]
    return ShownEvent(
        specversion="1.0",
        id=event_id,
        source=f"/tenants/{tenant_id}",
        type=event_type,
        time=at,
        subject=f"{_OTHER_PLACES.get(kind, f'{kind}s')}/{key}",
        sequence=0,
        data=data,
        test=True,
    )


def describe_unknown_type(event_type: str) -> str:
    """Return the refusal of a type that does not exist, with the nearest that does."""
    known = [one.value for one in EventType]
    nearest = get_close_matches(event_type, known, 1)
    hint = f"Did you mean {nearest[0]}?" if nearest else f"There are: {', '.join(known)}."
    return f"There is no event type {event_type}. {hint}"
