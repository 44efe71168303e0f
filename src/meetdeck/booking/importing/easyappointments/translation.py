"""Services, providers, working plans and appointments as topics, employees, schedules and calendar entries."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.booking.importing.easyappointments.schemas import (
    AppointmentItem,
    Day,
    Plan,
    ServiceItem,
    SettingsItem,
    UserItem,
)
from meetdeck.booking.importing.rows import Row
from meetdeck.booking.importing.translated import Report, replace_hours, write_entry

_CANCELLED: Final = "cancel"
_UNSET: Final = {"", "0", "0.00"}
_OF_SERVICES: Final[Mapping[str, str]] = {
    "price": "Left out: Meetdeck takes no payments.",
    "location": "Left out: choose the topic's meeting types, and rooms for meetings on site.",
    "id_service_categories": "Left out: label topics, or show them in a portal of their own.",
}
_OF_APPOINTMENTS: Final = "Appointments become busy time: their customers, services, places and notes are left out."
_OF_OTHERS: Final = (
    "Left out: only providers are imported. Customers stay in your CRM: meetings name them by customerId."
)


class Providers:
    """The employees by their ids, with e-mail address and time zone."""

    def __init__(self, users: Iterable[UserItem], ids: set[int], report: Report) -> None:
        self.rows: list[Row] = []
        self._known: dict[int, tuple[str, ZoneInfo | None]] = {}
        for row, user in users:
            name = " ".join(f"{user.first_name or ''} {user.last_name or ''}".split())
            if user.id not in ids:
                report.leave_out(row, "", _OF_OTHERS, name or f"{user.id}")
                continue
            self._known[user.id] = (user.email or "", _find_zone(user.timezone))
            members: dict[str, object] = {"name": name or user.email or "", "email": user.email or ""}
            members |= {"externalId": str(user.id)} | ({"timeZone": user.timezone} if user.timezone else {})
            self.rows.append(Row(row.file, row.line, members))

    def find(self, user_id: int) -> tuple[str, ZoneInfo | None] | None:
        """Return the address and zone of a provider, None if `ea_users` has none of this id."""
        return self._known.get(user_id)


def translate_services(
    services: Iterable[ServiceItem], providers: Providers, pairs: Sequence[tuple[int, int]], report: Report
) -> tuple[list[Row], list[Row]]:
    """Return topics, and for each the competence group of its providers; services of one name become one topic."""
    topics: dict[str, Row] = {}
    groups: dict[str, Row] = {}
    for row, content in services:
        name = content.name.strip()
        members: dict[str, object] = {
            "name": name,
            "description": content.description or "",
            "durationMinutes": content.duration,
            "customerBookable": not content.is_private,
            "uniqueTopicId": str(content.id),
            "preparationTime": _write_minutes(content.buffer_before),
            "followUpTime": _write_minutes(content.buffer_after),
            "seats": content.attendants_number or 1,
        }
        if topics.setdefault(name.casefold(), Row(row.file, row.line, members)).members is not members:
            report.leave_out(row, "name", "Left out: the first service of this name is imported.", name)
        for column, advice in _OF_SERVICES.items():
            if row.members.get(column, "") not in _UNSET:
                report.leave_out(row, column, advice, name)
        found = [providers.find(user) for user, service in pairs if service == content.id]
        if addresses := [each[0] for each in found if each is not None]:
            members = {"name": name, "topics": [name], "employees": addresses}
            groups.setdefault(name.casefold(), Row(row.file, row.line, members))
    return list(topics.values()), list(groups.values())


def translate_plans(
    settings: Iterable[SettingsItem], providers: Providers, now: datetime, report: Report
) -> tuple[list[Row], list[Row]]:
    """Return the schedules of providers, and the entries of exceptions from today on."""
    schedules: list[Row] = []
    entries: list[Row] = []
    for row, content in settings:
        if (provider := providers.find(content.id_users)) is None:
            continue
        address, zone = provider
        try:
            plan = _read_plan(content.working_plan)
            workdays = [
                {"dayOfWeek": name.capitalize(), "from": f"{begins:%H:%M}", "to": f"{ends:%H:%M}"}
                for name, day in plan.items()
                for begins, ends in _list_hours(day)
            ]
            written = list(_write_exceptions(address, content.working_plan_exceptions, zone or ZoneInfo("UTC"), now))
        except (msgspec.DecodeError, ValueError) as error:
            report.problems.add(row, "/working_plan", f"The plan cannot be read: {error}.")
            continue
        if plan:
            schedules.append(Row(row.file, row.line, {"employeeId": address, "workdays": workdays}))
        entries += [Row(row.file, row.line, entry) for entry in written]
    return schedules, entries


def translate_appointments(
    items: Iterable[AppointmentItem], providers: Providers, now: datetime, report: Report
) -> list[Row]:
    """Return an entry for each appointment and unavailability that ends after now and is not cancelled."""
    entries: list[Row] = []
    for row, content in items:
        provider = providers.find(content.id_users_provider)
        if provider is None or _CANCELLED in (content.status or "").casefold():
            continue
        address, zone = provider
        if zone is None:
            detail = "The provider's `timezone` in ea_users is needed: appointments have local times."
            report.problems.add(row, "/id_users_provider", detail)
            continue
        begins, ends = content.start_datetime.to_utc(zone), content.end_datetime.to_utc(zone)
        if ends <= now:
            continue
        if row.members.get("id_users_customer"):
            report.leave_out(row, "id_users_customer", _OF_APPOINTMENTS, f"{begins.astimezone(zone):%Y-%m-%d %H:%M}")
        entries.append(Row(row.file, row.line, write_entry(address, "Busy", begins, ends)))
    return entries


def _find_zone(name: str | None) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):
        return None  # the import itself refuses the employee's time zone


def _write_minutes(minutes: int | None) -> str:
    hours, rest = divmod(minutes or 0, 60)
    return f"{hours:02}:{rest:02}:00"


def _read_plan(text: str | None) -> Plan:
    """Return the days of a plan. Raises msgspec.DecodeError."""
    return msgspec.json.decode(text, type=Plan) if text and text != "[]" else {}


def _list_hours(day: Day | None) -> Iterator[tuple[time, time]]:
    """Yield the hours of a day between its breaks. Raises ValueError."""
    if day is None:
        return
    at, end = time.fromisoformat(day.start), time.fromisoformat(day.end)
    for each in sorted((time.fromisoformat(one.start), time.fromisoformat(one.end)) for one in day.breaks):
        if each[0] > at:
            yield at, min(each[0], end)
        at = max(at, each[1])
    if at < end:
        yield at, end


def _write_exceptions(address: str, text: str | None, zone: ZoneInfo, now: datetime) -> Iterator[dict[str, object]]:
    """Yield entries that replace the hours of each date from today on. Raises ValueError, msgspec.DecodeError."""
    for written, hours in sorted(_read_plan(text).items()):
        day = date.fromisoformat(written)
        if day >= now.astimezone(zone).date():
            spans = [
                (datetime.combine(day, begins, zone), datetime.combine(day, ends, zone))
                for begins, ends in _list_hours(hours)
            ]
            yield from replace_hours(address, day, spans, zone)
