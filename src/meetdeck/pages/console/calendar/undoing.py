"""What is said after a change of a meeting that can be undone: when everybody is told of it, and the way to undo it."""

from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from meetdeck.pages.console.forms import read_length
from meetdeck.pages.console.kit import ConsolePage, read_zone
from meetdeck.pages.texts import mark

_SENTENCES: Final = {
    "moved": mark("The meeting is moved."),
    "cancelled": mark("The meeting is cancelled."),
    "changed": mark("The meeting is changed."),
    "kept": mark("The meeting is changed."),
}
_UNTOLD: Final = "kept"


class _Organization(msgspec.Struct, frozen=True, rename="camel"):
    change_notice_delay: str


class UndoableNotice(NamedTuple):
    """What was done, in words, and the path below the console that undoes it; empty: it cannot be undone."""

    sentence: str
    undo: str = ""


async def read_undoable_notice(page: ConsolePage, meeting_id: UUID | None = None) -> UndoableNotice | None:
    """Return what is said of the change that has led to a page; None for a page that nothing has led to.

    The address names it: `moved`, `cancelled`, `changed`, or `kept` of which nobody is told; with the meeting's id
    unless the page is about that meeting.
    """
    query = page.request.query_params
    if "undone" in query:
        return UndoableNotice(page.texts.say("Everything is as it was before, and nobody is told."))
    if "late" in query:
        return UndoableNotice(page.texts.say("It cannot be undone any more: somebody was told, or the time is taken."))
    deed = next((name for name in _SENTENCES if name in query), None)
    if deed is None:
        return None
    done = page.texts.say(_SENTENCES[deed])
    changed = meeting_id or _read_id(query[deed])
    organization = await page.api.get("booking/config/organization-settings", _Organization)
    delay = read_length(organization.change_notice_delay)
    if changed is None or (not delay and deed != _UNTOLD):
        told = page.texts.say("Everybody who takes part is told.")
        return UndoableNotice(f"{done} {told}")
    at = _read_moment(query.get("at", ""), page.now) + delay
    undo = f"calendar/meetings/{changed}/undo" if at > page.now else ""
    if deed == _UNTOLD:
        return UndoableNotice(f"{done} {page.texts.say('Nobody gets a message of it.')}", undo)
    clock = page.texts.show_clock(at, await read_zone(page.api))
    told = page.texts.say("Everybody who takes part is told at {time}.", time=clock)
    return UndoableNotice(f"{done} {told}", undo)


def _read_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _read_moment(text: str, now: datetime) -> datetime:
    """Return the moment of the change; now where the address says none, or one to come."""
    try:
        return min(datetime.fromtimestamp(int(text), now.tzinfo), now)
    except (ValueError, OverflowError, OSError):
        return now
