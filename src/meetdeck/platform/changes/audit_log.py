"""The audit log of administration: an entry for each change, in the transaction of the change (docs/decisions/0079).

Changes of configuration and templates also write their event (docs/events.md). The rules: docs/api/administration.md.
"""

import os
import pwd
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, Protocol, cast
from uuid import UUID

import msgspec
from msgspec import UNSET

from meetdeck.platform.changes.outbox import EventType, NewEvent, write_data, write_event
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.values import AnyCase, write_json

queries = load_queries(__file__, "audit_log.sql")

LONGEST_VALUE: Final = 1_000
"""The most characters of a value that an entry keeps, before and after each."""
LONGEST_NAME: Final = 300

# For these, the audit log records what operators did with the installation, which is not configuration of a caller's.
_WITHOUT_EVENTS: Final = frozenset({"backups", "erasures", "exports"})


class AuditAction(AnyCase):
    """A kind of change; `imported` covers all resources of a kind that an import created or changed."""

    CREATED = "created"
    CHANGED = "changed"
    DELETED = "deleted"
    IMPORTED = "imported"


class Actor(msgspec.Struct, frozen=True):
    """The author of a change: the user of a token, or an account on the machine with the command that it ran."""

    user_id: UUID | None = None
    user_name: str | None = None
    """The user's name, if their token has one."""
    client: str | None = None
    """The client's id, if the token is its own: its name, or this, is recorded in place of a user's."""
    operator: str | None = None
    command: str | None = None
    request_id: str = ""


class Difference(msgspec.Struct, frozen=True):
    """A changed member, as it is answered; a long value is cut."""

    member: str
    """The member's name, as in the resource."""
    before: Any
    """The value before; null if there was none. For a long list, only the removed items."""
    after: Any
    """The value after. For a long list, only the new items."""


class HasIdAndName(Protocol):
    """Protocol: a resource with an id and a name."""

    @property
    def id(self) -> UUID:
        """Return the id."""
        ...

    @property
    def name(self) -> str:
        """Return the name."""
        ...


class Entry(msgspec.Struct, frozen=True):
    """A change to be written: its resource, and the changed members."""

    action: AuditAction
    kind: str
    resource_id: str = ""
    resource_name: str = ""
    changes: Sequence[Difference] = ()
    resource: msgspec.Struct | None = None
    """The resource as v3 reads it, or read it before it was deleted: the data of the event."""
    event: EventType | None = EventType.CONFIGURATION_CHANGED
    """The type of the event; None for a change that no caller can read, which has no event."""


def name_operator(command: str) -> Actor:
    """Return the account that runs this process's command, as the actor of its changes."""
    try:
        account = pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # as in containers
        account = str(os.getuid())
    return Actor(operator=account, command=command)


async def write_entries(connection: Connection, actor: Actor, now: datetime, entries: Sequence[Entry]) -> None:
    """Insert entries with their events, in the transaction of the change."""
    await queries.add_entries(
        connection,
        entries=[
            {
                "action": entry.action.value,
                "kind": entry.kind,
                "resource_id": entry.resource_id,
                "resource_name": entry.resource_name[:LONGEST_NAME],
                "changes": entry.changes,
            }
            for entry in entries
        ],
        changed_at=now,
        user_id=actor.user_id,
        user_name=actor.user_name,
        client=actor.client,
        operator=actor.operator,
        command=actor.command,
        request_id=actor.request_id,
    )
    for entry in entries:
        if entry.kind not in _WITHOUT_EVENTS and entry.event is not None:
            await write_event(connection, _make_event(entry, entry.event, now))


def describe_change(kind: str, before: msgspec.Struct | None, after: msgspec.Struct | None) -> Entry | None:
    """Return the entry of a created (`before` is None), changed, or deleted resource; None when nothing differs.

    Only a change lists the differing members.
    """
    resource: Any = before if after is None else after
    identity, name = (
        str(_first(resource, "id", "template_id")),
        str(_first(resource, "name", "label_name", "location", "url")),
    )
    if before is None or after is None:
        action = AuditAction.CREATED if before is None else AuditAction.DELETED
        return Entry(action, kind, identity, name, resource=resource)
    changes = list_differences(before, after)
    return Entry(AuditAction.CHANGED, kind, identity, name, changes, resource) if changes else None


def describe_membership(
    kind: str, member: str, member_id: UUID, before: Sequence[HasIdAndName], after: Sequence[HasIdAndName]
) -> list[Entry]:
    """Return an entry for each group that gained or lost its `member`.

    `before` and `after` are the groups that it was and is in.
    """
    was, has = {group.id: group for group in before}, {group.id: group for group in after}
    left = [(group, Difference(member, [str(member_id)], [])) for group in before if group.id not in has]
    joined = [(group, Difference(member, [], [str(member_id)])) for group in after if group.id not in was]
    return [
        Entry(AuditAction.CHANGED, kind, str(group.id), group.name, [difference])
        for group, difference in (*left, *joined)
    ]


def list_differences(before: msgspec.Struct, after: msgspec.Struct) -> list[Difference]:
    """Return the members of a resource that differ, in its order."""
    pairs = (
        (field.encode_name, getattr(before, field.name, UNSET), getattr(after, field.name))
        for field in msgspec.structs.fields(after)
    )
    return [_shorten(name, old, new) for name, old, new in pairs if old != new]


def _make_event(entry: Entry, event: EventType, now: datetime) -> NewEvent:
    is_template = event is not EventType.CONFIGURATION_CHANGED
    steps = [*([] if is_template else ["configuration"]), entry.kind, entry.resource_id]
    data = write_data(entry.resource) if entry.resource is not None else None
    return NewEvent(event, "/".join(filter(None, steps)), now, data)


def _shorten(member: str, before: object, after: object) -> Difference:
    old, new = _to_json(before), _to_json(after)
    if isinstance(before, list) and isinstance(after, list) and max(_measure(old), _measure(new)) > LONGEST_VALUE:
        was, has = cast("list[object]", old), cast("list[object]", new)
        old, new = _leave_out(was, has), _leave_out(has, was)
    return Difference(member, _cut(old), _cut(new))


def _to_json(value: object) -> object:
    return None if value is UNSET else msgspec.json.decode(write_json(value))


def _measure(value: object) -> int:
    return len(msgspec.json.encode(value))


def _leave_out(items: list[object], others: list[object]) -> list[object]:
    """Return the items that are not among the others."""
    known = {msgspec.json.encode(item) for item in others}
    return [item for item in items if msgspec.json.encode(item) not in known]


def _cut(value: object) -> object:
    """Return a short value unchanged, a long one as the beginning of its text."""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return value if len(text) <= LONGEST_VALUE else f"{text[:LONGEST_VALUE]}…"


def _first(resource: object, *names: str) -> object:
    """Return the first of the attributes that a resource has; an empty text for none."""
    return next((getattr(resource, name) for name in names if hasattr(resource, name)), "")
