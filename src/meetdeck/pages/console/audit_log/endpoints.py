"""The page of the audit log, and its file."""

from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from litestar import Response, get
from markupsafe import Markup

from meetdeck.pages.console.audit_log.sentences import Change, list_values, write_sentence
from meetdeck.pages.console.kit import (
    SETTINGS,
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentPage,
    name_employees,
    read_day,
    read_search,
    read_zone,
)
from meetdeck.pages.texts import mark

_PAGE_SIZE: Final = 50
_CSV: Final = "text/csv"
_SCHEDULES: Final = "employee-schedules"
_SETTINGS: Final = {
    {"topics": "meeting-topics"}.get(page.slug, page.slug): page
    for group in SETTINGS
    for page in group.pages
    if page.add
}
"""The pages of the kinds that the settings list, by the kind's name in the audit log."""
KINDS: Final = {
    **{kind: page.title for kind, page in _SETTINGS.items()},
    _SCHEDULES: mark("Working hours"),
    "organization-settings": mark("Organization"),
    "message-texts": mark("Texts of messages"),
    "message-settings": mark("Settings of messages"),
    "labels": mark("Labels"),
    "sessions": mark("Sessions at the console"),
    "templates": mark("Templates"),
    "keys": mark("Keys"),
    "clients": mark("Clients"),
    "users": mark("People who sign in"),
    "recipes": mark("Recipes"),
    "scim-tokens": mark("Your directory"),
    "calendars": mark("Calendars"),
    "calendar-connections": mark("Connections"),
    "calendar-feeds": mark("Calendar addresses"),
    "tenants": mark("The firm"),
    "exports": mark("Exports"),
    "erasures": mark("Erasures"),
    "backups": mark("Backups"),
}
"""The words for each kind that the audit log has, in the order in which they can be chosen."""
_PAGES: Final = {
    **{kind: page.path for kind, page in _SETTINGS.items()},
    _SCHEDULES: "hours",
    "labels": "settings/labels",
    "templates": "templates",
}
"""The page of a thing of a kind, below the console and before its id."""


class _Entry(msgspec.Struct, frozen=True, rename="camel"):
    changed_at: datetime
    action: str
    kind: str
    resource_id: str
    resource_name: str
    user_id: UUID | None
    user_name: str | None
    operator: str | None
    changes: list[Change] = []


class _Page(msgspec.Struct, frozen=True):
    items: list[_Entry]
    next: str | None = None


class _Schedule(msgspec.Struct, frozen=True, rename="camel"):
    employee_id: UUID


class Owner(NamedTuple):
    """The employee whose hours an entry changed."""

    id: UUID
    name: str


class Row(NamedTuple):
    """An entry as the page shows it."""

    day: str
    clock: str
    kind: str
    sentence: Markup
    changes: list[tuple[str, str, str]]


class AuditLog(ConsoleController):
    """The audit log."""

    path = "/console/audit-log"

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show the changes, the newest first, fifty on a page; or all matching ones as a file (`format=csv`)."""
        asked = page.request.query_params
        zone = await read_zone(page.api)
        kind = asked.get("kind", "")
        day = read_day(asked.get("day", ""))
        chosen = {"person": read_search(asked.get("person")), "thing": read_search(asked.get("thing")), "kind": kind}
        query = {
            "kind": kind if kind in KINDS else None,
            "userName": chosen["person"] or None,
            "resourceName": chosen["thing"] or None,
            "from": datetime.combine(day, time(), zone).isoformat() if day else None,
            "to": datetime.combine(day + timedelta(days=1), time(), zone).isoformat() if day else None,
        }
        if asked.get("format") == "csv":
            return await _answer_file(page, query)
        found = await page.api.send(
            "GET", "audit-log", query={**query, "after": asked.get("after") or None, "limit": _PAGE_SIZE}
        )
        log = found.read(_Page)
        owners = await _find_owners(page, log.items)
        today = page.now.astimezone(zone).date()
        chosen["day"] = day.isoformat() if day else ""
        return page.show(
            "audit-log.html",
            rows=[_show(page, one, owners, zone, today) for one in log.items],
            kinds=KINDS,
            chosen=chosen,
            next=log.next,
        )


async def _answer_file(page: ConsolePage, query: dict[str, str | None]) -> Response[bytes]:
    answer = await page.api.send("GET", "audit-log", query=query, headers={"Accept": _CSV})
    headers = {"Content-Disposition": 'attachment; filename="audit-log.csv"'}
    return Response(answer.content, media_type=f"{_CSV}; charset=utf-8; header=present", headers=headers)


async def _find_owners(page: ConsolePage, entries: list[_Entry]) -> dict[str, Owner]:
    """Return whose schedules some entries changed, by the schedules' ids; None for deleted employees."""
    employees: dict[str, UUID] = {}
    for schedule_id in {one.resource_id for one in entries if one.kind == _SCHEDULES and one.resource_id}:
        try:
            schedule = await page.api.get(f"booking/config/employee-schedules/{schedule_id}", _Schedule)
        except ApiRefusal:
            continue
        employees[schedule_id] = schedule.employee_id
    names = await name_employees(page.api, employees.values()) if employees else {}
    return {key: Owner(one, names[one]) for key, one in employees.items() if one in names}


def _show(page: ConsolePage, entry: _Entry, owners: dict[str, Owner], zone: ZoneInfo, today: date) -> Row:
    texts = page.texts
    kind = texts.translate(KINDS[entry.kind]) if entry.kind in KINDS else entry.kind
    owner = owners.get(entry.resource_id) if entry.kind == _SCHEDULES else None
    name = owner.name if owner is not None else entry.resource_name or kind
    key = str(owner.id) if owner is not None else entry.resource_id
    is_here = entry.action in {"created", "changed"} and key and (owner is not None or entry.kind != _SCHEDULES)
    path = f"{_PAGES[entry.kind]}/{key}" if is_here and entry.kind in _PAGES else ""
    address = f"{page.settings.public_path}/console/{path}"
    thing = (
        Markup('<a class="ds-link" href="{}">{}</a>').format(address, name)
        if path
        else Markup("<b>{}</b>").format(name)
    )
    own = entry.user_id is not None and entry.user_id == page.session.user_id
    unnamed = texts.translate("A system without a name ({id})", id=str(entry.user_id)[:8]) if entry.user_id else ""
    who = texts.translate("You") if own else entry.user_name or entry.operator or unnamed
    return Row(
        day=texts.show_day(entry.changed_at.astimezone(zone).date(), today),
        clock=texts.show_clock(entry.changed_at, zone),
        kind=kind,
        sentence=write_sentence(texts, entry.action, who, thing, is_hours=owner is not None),
        changes=list_values(texts, entry.changes),
    )
