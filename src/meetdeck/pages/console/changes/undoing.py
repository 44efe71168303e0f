"""The bar after a change of meetings: when its messages are sent, and until then Undo, Tell now and Add a line."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from meetdeck.pages.console.forms import read_length
from meetdeck.pages.console.kit import ConsolePage, NoticeButton, keep_id, read_zone
from meetdeck.pages.texts import mark

MOST_MEETINGS: Final = 200
_SENTENCES: Final = {
    "moved": mark("The meeting is moved."),
    "cancelled": mark("The meeting is cancelled."),
    "changed": mark("The meeting is changed."),
    "kept": mark("The meeting is changed."),
    "lined": mark("Your line is included."),
}
_UNTOLD: Final = "kept"
_PATH: Final = "calendar/changes"


class _Organization(msgspec.Struct, frozen=True, rename="camel"):
    change_notice_delay: str


class UndoableNotice(NamedTuple):
    """A change in words, and the path below the console that undoes it; empty: it cannot be undone.

    `buttons` are further buttons, whose forms have the `fields` as that of "Undo" has.
    """

    sentence: str
    undo: str = ""
    fields: Mapping[str, str] = {}
    buttons: tuple[NoticeButton, ...] = ()


class ChangedMeetings(NamedTuple):
    """Meetings that somebody has changed at a moment, and the path below the console of the page that says so."""

    ids: Sequence[UUID]
    at: datetime
    back: str


async def read_undoable_notice(page: ConsolePage, meeting_id: UUID | None = None) -> UndoableNotice | None:
    """Return the notice about the change that led to a page; None without a change.

    The address names it: `moved`, `cancelled`, `changed`, `lined`, or `kept` of which nobody is told; with the ids of
    the meetings unless the page is about that meeting.
    """
    query, translate = page.request.query_params, page.texts.translate
    if "undone" in query:
        return UndoableNotice(translate("The change was undone, and nobody is notified."))
    if "late" in query:
        return UndoableNotice(
            translate("This can no longer be undone: people were already notified, or the time is taken.")
        )
    if "told" in query:
        return UndoableNotice(translate("Everyone who takes part is notified."))
    if meeting_id is None and (booked := read_ids(query.get("booked", ""))):
        opens = NoticeButton(translate("Open the meeting"), f"calendar/meetings/{booked[0]}", "get")
        return UndoableNotice(translate("The meeting is booked."), buttons=(opens,))
    deed = next((name for name in _SENTENCES if name in query), None)
    if deed is None:
        return None
    ids = read_ids(query[deed]) or ([meeting_id] if meeting_id is not None else [])
    back = f"calendar/meetings/{meeting_id}" if meeting_id is not None else "calendar"
    changed = ChangedMeetings(ids, read_moment(query.get("at", ""), page.now), query.get("back", back))
    done = translate(_SENTENCES[deed])
    if len(ids) > 1 and deed in {"moved", "cancelled"}:
        done = _describe_many(page, deed, len(ids))
    return await make_notice(page, done, changed, sends_messages=deed != _UNTOLD)


def _describe_many(page: ConsolePage, deed: str, count: int) -> str:
    if deed == "moved":
        return page.texts.translate_plural("{number} meeting is moved.", "{number} meetings are moved.", count)
    return page.texts.translate_plural("{number} meeting is cancelled.", "{number} meetings are cancelled.", count)


async def make_notice(
    page: ConsolePage, done: str, changed: ChangedMeetings, *, sends_messages: bool = True
) -> UndoableNotice:
    """Return the bar with the change, the time when its messages are sent, and the actions until then."""
    translate = page.texts.translate
    organization = await page.api.get("booking/config/organization-settings", _Organization)
    delay = read_length(organization.change_notice_delay)
    if not changed.ids or (not delay and sends_messages):
        told = translate("Everyone who takes part is notified.")
        return UndoableNotice(f"{done} {told}")
    at = changed.at + delay
    is_waiting = at > page.now
    undo = f"calendar/meetings/{changed.ids[0]}/undo" if len(changed.ids) == 1 else f"{_PATH}/undo"
    fields = write_fields(changed)
    if not sends_messages:
        told = translate("Nobody is notified.")
        return UndoableNotice(f"{done} {told}", undo if is_waiting else "", fields)
    told = translate(
        "Everyone who takes part is notified at {time}.", time=page.texts.show_clock(at, await read_zone(page.api))
    )
    if not is_waiting:
        return UndoableNotice(f"{done} {told}")
    buttons = (
        NoticeButton(translate("Tell now"), f"{_PATH}/tell"),
        NoticeButton(translate("Add a line"), f"{_PATH}/line", "get"),
    )
    return UndoableNotice(f"{done} {told}", undo, fields, buttons)


def write_fields(changed: ChangedMeetings) -> dict[str, str]:
    """Return changed meetings as the fields of a form."""
    ids = ",".join(map(str, changed.ids[:MOST_MEETINGS]))
    return {"meetings": ids, "at": str(int(changed.at.timestamp())), "back": changed.back}


def read_fields(values: Mapping[str, str], now: datetime) -> ChangedMeetings:
    """Return the changed meetings that a form or an address has."""
    at = read_moment(values.get("at", ""), now)
    return ChangedMeetings(read_ids(values.get("meetings", "")), at, values.get("back", "") or "calendar")


def read_ids(text: str) -> list[UUID]:
    """Return the ids of a comma-separated list; anything else in it is skipped."""
    return [UUID(key) for part in text.split(",")[:MOST_MEETINGS] if (key := keep_id(part))]


def read_moment(text: str, now: datetime) -> datetime:
    """Return the moment of the change; the present if the address has none, or a future one."""
    try:
        return min(datetime.fromtimestamp(int(text), now.tzinfo), now)
    except (ValueError, OverflowError, OSError):
        return now
