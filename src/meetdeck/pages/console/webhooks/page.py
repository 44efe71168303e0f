"""Webhooks and deliveries as the API answers them, and the texts of their pages' forms."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from urllib.parse import unquote
from zoneinfo import ZoneInfo

import msgspec
from msgspec import structs

from meetdeck.pages.console.kit import Api, ApiAnswer, ApiRefusal, Difference, SentForm, TaggedResource, compare
from meetdeck.pages.console.webhooks.event_words import EVENT_WORDS
from meetdeck.pages.texts import Texts, mark
from meetdeck.platform.changes import EventType

PATH: Final = "events/webhooks"
STATUSES: Final = {
    "Waiting": mark("Waiting"),
    "Delivered": mark("Delivered"),
    "Failed": mark("Failed"),
    "Ended": mark("Given up"),
}
_AFTER: Final = re.compile(r"[?&]after=([^&>]+)[^>]*>")


class Webhook(msgspec.Struct, frozen=True, rename="camel"):
    """A receiver of events; `secret` is only in the first answer."""

    id: str
    url: str
    types: list[str]
    description: str
    active: bool
    signature: str
    failing_since: datetime | None
    public_key: str | None = None
    secret: str | None = None


class Delivery(msgspec.Struct, frozen=True, rename="camel"):
    """An attempt to deliver an event."""

    event_id: str
    type: str
    example_of: str | None
    attempt: int
    at: datetime
    status: str
    answer_status: int | None
    answer_body: str | None
    problem: str | None
    next_attempt_at: datetime | None


async def open_webhook(api: Api, key: object) -> TaggedResource[Webhook]:
    """Return a webhook. Raises ApiRefusal."""
    answer = await api.send("GET", f"{PATH}/{key}")
    return TaggedResource(answer.read(Webhook), answer.tag)


def read_content(form: SentForm) -> dict[str, Any]:
    """Return the members of a form in the API's format."""
    return {
        "url": form.get("url"),
        "types": form.list_all("types"),
        "description": form.get("description"),
    }


def list_types(chosen: list[str]) -> list[tuple[str, str]]:
    """Return the types that can be ticked, with words: all types, and a webhook's patterns such as `meeting.*`."""
    patterns = [(each, "") for each in chosen if each not in EVENT_WORDS]
    return [*((kind.value, EVENT_WORDS[kind]) for kind in EventType), *patterns]


def find_errors(refused: ApiRefusal) -> list[tuple[str, str]]:
    """Return the errors as the fields' ids and texts, with an empty id if they belong to no field."""
    return [(fault.pointer.split("/")[1], fault.detail) for fault in refused.faults if "/" in fault.pointer] or [
        ("", refused.detail)
    ]


def read_moment(text: str, zone: ZoneInfo) -> datetime | None:
    """Return the moment of a local time, None for an invalid one."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=zone)
    except ValueError:
        return None


def find_next(answer: ApiAnswer) -> str:
    """Return where the next page begins, empty on the last."""
    found = _AFTER.search(answer.headers.get("link", ""))
    return unquote(found[1]) if found else ""


def keep(query: Mapping[str, str], name: str, allowed: Mapping[str, str]) -> str:
    """Return a choice in an address's query, empty for an unknown one."""
    asked = query.get(name, "")
    return asked if asked in allowed else ""


def list_differences(texts: Texts, mine: Mapping[str, Any], theirs: Webhook) -> list[Difference]:
    """Return the fields in which a form differs from the webhook's present state."""
    labels = {"url": mark("Address"), "description": mark("Description"), "types": mark("Events")}
    return compare(texts, labels, mine, structs.asdict(theirs))
