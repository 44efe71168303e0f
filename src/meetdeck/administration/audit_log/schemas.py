"""The audit log's entries, and the query that selects them."""

import base64
import binascii
from datetime import datetime
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from msgspec import Meta

from meetdeck.platform.changes import AuditAction
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import AnyCase, InvalidInput, Moment

MOST_ON_A_PAGE: Final = 1_000
_MOST_ENTRIES: Final = 2**63 - 1


class AuditedKind(AnyCase):
    """A kind of resource whose changes are recorded, named as in its address.

    `backups`, `exports` and `erasures` are recorded when operators' commands make or load them. `sessions` are console
    sessions that an operator ended.
    """

    BACKUPS = "backups"
    CALENDAR_CONNECTIONS = "calendar-connections"
    CALENDAR_FEEDS = "calendar-feeds"
    CALENDARS = "calendars"
    CLIENTS = "clients"
    USERS = "users"
    COMPETENCE_GROUPS = "competence-groups"
    CUSTOMER_TYPES = "customer-types"
    DOCUMENT_RULES = "document-rules"
    EMPLOYEE_SCHEDULES = "employee-schedules"
    EMPLOYEES = "employees"
    KEYS = "keys"
    ERASURES = "erasures"
    EXPORTS = "exports"
    LABELS = "labels"
    LOCATIONS = "locations"
    MEETING_TOPICS = "meeting-topics"
    MESSAGE_SETTINGS = "message-settings"
    MESSAGE_TEXTS = "message-texts"
    ORGANIZATION_SETTINGS = "organization-settings"
    PORTALS = "portals"
    RECIPES = "recipes"
    ROOMS = "rooms"
    SCIM_TOKENS = "scim-tokens"
    SERVICE_GROUPS = "service-groups"
    SESSIONS = "sessions"
    TEMPLATES = "templates"
    TENANTS = "tenants"
    WEBHOOKS = "webhooks"


class AuditedMember(msgspec.Struct, frozen=True, kw_only=True):
    """A member that a change has changed; of a value longer than 1,000 characters only the beginning is kept."""

    member: str
    """The member's name, as in the resource."""
    before: Any
    """The value before; null if there was none. Of a long list, only the removed items."""
    after: Any
    """The value after. Of a long list, only the added items."""


class AuditEntry(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A change of the configuration, a template, or of access."""

    id: int
    """The entry's number, which grows within a tenant."""
    changed_at: datetime
    """When it was changed."""
    action: AuditAction
    """The kind of change; `imported`: by an import, which has one entry for each kind of resource."""
    kind: AuditedKind
    """The kind of the resource."""
    resource_id: str
    """The resource's id; empty for an import."""
    resource_name: str
    """The resource's name at that time; for a backup or export, its file; empty if it has none."""
    user_id: UUID | None
    """The user of the token; null: an operator's command."""
    user_name: str | None
    """The user's name at that time, or a client's name or id; null: the token had none, or an operator's command."""
    operator: str | None
    """The account on the server that ran a command; null for a token's user."""
    command: str | None
    """The command that the operator ran; null for a token's user."""
    request_id: str
    """The request's `X-Request-Id`; empty for a command."""
    changes: list[AuditedMember]
    """The members that a change has changed; empty if something was created or deleted."""


class AuditPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the audit log, the newest entries first."""

    items: list[AuditEntry]
    """The entries."""
    next: str | None
    """The `after` of the next page; null: this is the last."""


class AuditQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """GET /audit-log: the entries that match all given parameters; local times are in UTC."""

    from_: Annotated[Moment | None, Meta(description="Changes from this moment on.")] = msgspec.field(
        default=None, name="from"
    )
    to: Annotated[Moment | None, Meta(description="Changes before this moment.")] = None
    kind: Annotated[AuditedKind | None, Meta(description="Changes of resources of this kind.")] = None
    action: Annotated[AuditAction | None, Meta(description="Changes with this action.")] = None
    user_id: Annotated[UUID | None, Meta(description="Changes by this user.")] = None
    user_name: Annotated[
        str | None, Meta(description="Changes by people and operators with this text in their name.")
    ] = None
    resource_id: Annotated[str | None, Meta(description="Changes of this resource.")] = None
    resource_name: Annotated[str | None, Meta(description="Changes of resources with this text in their name.")] = None
    limit: Annotated[int, Meta(ge=1, le=MOST_ON_A_PAGE, description="Entries on a page; CSV has all.")] = 100
    after: Annotated[str | None, Meta(description="The start of the page: `next` of the previous one.")] = None


def write_position(entry: AuditEntry) -> str:
    """Return the opaque position of an entry in the list, for `next`."""
    return base64.urlsafe_b64encode(f"{entry.changed_at.isoformat()} {entry.id}".encode()).decode()


def read_position(text: str) -> tuple[datetime, int]:
    """Return the position that `write_position` wrote: the time and the entry. Raises InvalidInput."""
    try:
        moment, _, number = base64.b64decode(text, altchars=b"-_", validate=True).decode().partition(" ")
        changed_at, entry_id = datetime.fromisoformat(moment), int(number)
        if changed_at.tzinfo is not None and 0 <= entry_id <= _MOST_ENTRIES:
            return changed_at, entry_id
    except (binascii.Error, ValueError):
        pass
    detail = "This is not a position in the audit log: send the `next` of a page unchanged."
    raise InvalidInput(phrase("after: {detail}", detail=detail), faults=(Fault("/query/after", detail),))
