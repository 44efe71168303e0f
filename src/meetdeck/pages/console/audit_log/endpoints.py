"""The page of the audit log."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar import Response, get

from meetdeck.pages.console.kit import ConsoleController, CurrentPage, read_zone
from meetdeck.pages.texts import mark

_PAGE_SIZE: Final = 50
_LONGEST: Final = 200
KINDS: Final = {
    "employees": mark("Employees"),
    "employee-schedules": mark("Working hours"),
    "rooms": mark("Rooms"),
    "locations": mark("Locations"),
    "meeting-topics": mark("Meeting topics"),
    "customer-types": mark("Customer types"),
    "competence-groups": mark("Competence groups"),
    "service-groups": mark("Service groups"),
    "portals": mark("Portals"),
    "organization-settings": mark("Organization"),
    "document-rules": mark("Documents of meetings"),
    "message-texts": mark("Texts of messages"),
    "message-settings": mark("Settings of messages"),
    "labels": mark("Labels"),
    "sessions": mark("Sessions at the console"),
    "templates": mark("Templates"),
    "webhooks": mark("Webhooks"),
    "keys": mark("Keys"),
    "clients": mark("Clients"),
    "users": mark("People who sign in"),
}


class _Change(msgspec.Struct, frozen=True):
    member: str
    before: Any
    after: Any

    def show(self) -> tuple[str, str, str]:
        """Return the member, and its values before and after in short."""
        return self.member, _write(self.before), _write(self.after)


class _Entry(msgspec.Struct, frozen=True, rename="camel"):
    changed_at: datetime
    action: str
    kind: str
    resource_id: str
    resource_name: str
    user_id: UUID | None
    operator: str | None
    changes: list[_Change] = []


class _Page(msgspec.Struct, frozen=True):
    items: list[_Entry]
    next: str | None = None


class AuditLog(ConsoleController):
    """The audit log."""

    path = "/console/audit-log"

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show the changes, the newest first, fifty on a page."""
        asked = page.request.query_params
        kind = asked.get("kind", "")
        query = {"kind": kind if kind in KINDS else None, "after": asked.get("after") or None}
        found = await page.api.send("GET", "audit-log", query={**query, "limit": _PAGE_SIZE})
        log = found.read(_Page)
        zone = await read_zone(page.api)
        today = page.now.astimezone(zone).date()
        rows = [
            {
                "entry": entry,
                "day": page.texts.show_day(entry.changed_at.astimezone(zone).date(), today),
                "clock": page.texts.show_clock(entry.changed_at, zone),
                "kind": page.texts.say(KINDS[entry.kind]) if entry.kind in KINDS else entry.kind,
                "by": "" if entry.user_id == page.session.user_id else (entry.operator or str(entry.user_id or "")),
                "is_own": entry.user_id == page.session.user_id,
                "changes": [change.show() for change in entry.changes],
            }
            for entry in log.items
        ]
        return page.show("audit-log.html", rows=rows, kinds=KINDS, kind=kind, next=log.next)


def _write(value: object) -> str:
    """Return a value of a member in short: texts as they are, all else as JSON."""
    if value is None or value == "":
        return "–"  # noqa: RUF001 - a dash stands for nothing
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
