"""The history of a meeting in sentences: who did what, and which values were changed."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple, cast
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from markupsafe import Markup

from meetdeck.pages.console.calendar.unsent_reasons import translate_reason
from meetdeck.pages.console.kit import WAYS, ConsolePage, name_employees, name_rooms, show_short_moment
from meetdeck.pages.texts import mark

ATTENDANCE: Final = {"Attended": mark("The customer came"), "NoShow": mark("The customer did not come")}
_MOVED: Final = frozenset({"startDate", "endDate"})
_CANCELLED_AT: Final = "cancelledAt"
_SENTENCES: Final = {
    "Created": mark("{who} booked it"),
    "portal": mark("{who} booked it on {portal}"),
    "moved": mark("{who} moved it from {before} to {after}"),
    "given": mark("{who} reassigned it from {before} to {after}"),
    "noted": mark("{who} noted: {after}"),
    "unnoted": mark("{who} removed the customer's attendance"),
    "restored": mark("{who} undid the cancellation"),
    "Changed": mark("{who} changed it"),
    "Cancelled": mark("{who} cancelled it"),
    "Accepted": mark("{who} accepted"),
    "Declined": mark("{who} declined"),
    "Tentative": mark("{who} answered: perhaps"),
    "AttendeeReplied": mark("A guest has answered"),
    "MessageNotSent": mark("A message was not sent"),
    "MessagePerhapsSent": mark("A message was perhaps sent"),
    "Erased": mark("Personal data were erased"),
}
_ICONS: Final = {
    "Created": "calendar-plus",
    "portal": "calendar-plus",
    "moved": "calendar-clock",
    "given": "users",
    "restored": "undo-2",
    "Cancelled": "circle-x",
    "MessageNotSent": "triangle-alert",
    "MessagePerhapsSent": "triangle-alert",
    "Erased": "trash-2",
    "Accepted": "mail",
    "Declined": "mail",
    "Tentative": "mail",
    "AttendeeReplied": "mail",
}
_ANSWERS: Final = {
    "Accepted": mark("accepted"),
    "Declined": mark("declined"),
    "Tentative": mark("perhaps"),
    "NeedsAction": mark("not answered yet"),
}
_MEMBERS: Final = {
    "startDate": mark("Begins"),
    "endDate": mark("Ends"),
    "employeeId": mark("Advisor"),
    "additionalEmployees": mark("More employees"),
    "roomId": mark("Room"),
    "topicId": mark("Meeting topic"),
    "type": mark("Way to meet"),
    "title": mark("Title"),
    "description": mark("Description"),
    "videoLink": mark("Video link"),
    "customerId": mark("Customer"),
    "externalAttendees": mark("Guests"),
    "employeeAnswer": mark("Answer"),
    "customFields": mark("Answers of the form"),
    "attendance": mark("Attendance"),
    "language": mark("Language"),
}
"""The members whose changes are shown, with their names on pages."""

_PEOPLE, _ANSWER, _ROOM = {"employeeId", "additionalEmployees"}, {"employeeAnswer"}, {"roomId"}


class HistoryNames(NamedTuple):
    """The names used in a meeting's history."""

    topics: Mapping[UUID, str]
    portals: Mapping[UUID, str]
    customer: str
    questions: Mapping[str, str]
    """The questions by the keys of their answers."""


class Change(NamedTuple):
    """A changed value."""

    label: str
    before: str
    after: str


class Entry(NamedTuple):
    """A line of the history; most have no `reason` and no `changes`."""

    when: str
    icon: str
    sentence: Markup
    reason: str
    changes: list[Change]
    kind: str = ""

    @property
    def is_cancellation(self) -> bool:
        """Return whether the meeting was cancelled by it."""
        return self.kind == "Cancelled"


class _MemberChange(msgspec.Struct, frozen=True):
    member: str
    before: Any
    after: Any


class _Entry(msgspec.Struct, frozen=True, rename="camel"):
    happened_at: datetime
    action: str
    user_id: UUID | None = None
    user_name: str | None = None
    changes: list[_MemberChange] = []
    reason: str = ""


class _HistoryLine(NamedTuple):
    """The content of a line: the key of its sentence, its author, the sentence's values, and the members in it."""

    kind: str
    who: str
    values: Mapping[str, str] = {}
    stated: Collection[str] = ()


async def read_history(page: ConsolePage, meeting_id: UUID, names: HistoryNames, zone: ZoneInfo) -> list[Entry]:
    """Return the history of a meeting, the oldest entry first."""
    entries = await page.api.get(f"booking/meetings/{meeting_id}/history", list[_Entry])
    people, rooms = _list_ids(entries, _PEOPLE) | _list_ids(entries, _ANSWER), _list_ids(entries, _ROOM)
    known = {**names.topics, **await name_employees(page.api, people), **await name_rooms(page.api, rooms)}
    show = _ValueWriter(page, known, names.questions, zone)
    return [_describe_entry(page, one, names, show, zone) for one in entries]


def _describe_entry(
    page: ConsolePage, entry: _Entry, names: HistoryNames, show: "_ValueWriter", zone: ZoneInfo
) -> Entry:
    line = _describe_line(page, entry, names, show, zone)
    values = {"who": Markup("<b>{}</b>").format(line.who), **line.values}
    translate = page.texts.translate
    return Entry(
        show_short_moment(page, entry.happened_at, zone),
        _ICONS.get(line.kind, "pencil"),
        Markup(translate(_SENTENCES.get(line.kind, entry.action))).format(**values),  # noqa: S704 - of our own catalogue
        translate_reason(page.texts, entry.reason),
        [
            Change(translate(_MEMBERS[one.member]), show(one.member, one.before), show(one.member, one.after))
            for one in entry.changes
            if one.member in _MEMBERS and one.member not in line.stated and one.before != one.after
        ],
        line.kind,
    )


def _describe_line(
    page: ConsolePage, entry: _Entry, names: HistoryNames, show: "_ValueWriter", zone: ZoneInfo
) -> _HistoryLine:
    who, changes = _name_actor(page, entry, names), {one.member: one for one in entry.changes}
    portal = names.portals.get(entry.user_id) if entry.user_id is not None else None
    if entry.action == "Created" and portal:
        return _HistoryLine("portal", who, {"portal": portal})
    if entry.action == "AttendeeReplied":
        return _find_answer(entry.changes, show)
    if entry.action != "Changed":
        return _HistoryLine(entry.action, who)
    return _find_change(page, who, changes, show, zone)


def _find_change(
    page: ConsolePage, who: str, changes: Mapping[str, _MemberChange], show: "_ValueWriter", zone: ZoneInfo
) -> _HistoryLine:
    """Return the kind of a change: a move, another advisor, attendance, or another change."""
    if _CANCELLED_AT in changes:
        return _HistoryLine("restored", who)
    if changes.keys() & _MOVED:
        spans = _write_spans(page, changes, zone)
        return _HistoryLine("moved", who, spans, _MOVED)
    if "attendance" in changes:
        noted = show("attendance", changes["attendance"].after)
        return _HistoryLine("noted" if noted else "unnoted", who, {"after": noted} if noted else {}, {"attendance"})
    if "employeeId" in changes:
        given = changes["employeeId"]
        values = {"before": show("employeeId", given.before), "after": show("employeeId", given.after)}
        return _HistoryLine("given", who, values, {"employeeId"})
    return _HistoryLine("Changed", who)


def _write_spans(page: ConsolePage, changes: Mapping[str, _MemberChange], zone: ZoneInfo) -> dict[str, str]:
    """Return the times of a move in words; if only the start or the end changed, only these."""
    today = page.now.astimezone(zone).date()
    begin, end = changes.get("startDate"), changes.get("endDate")

    def write(one: _MemberChange | None, other: _MemberChange | None, side: str) -> str:
        moments = [
            datetime.fromisoformat(getattr(each, side)).astimezone(zone) for each in (one, other) if each is not None
        ]
        if len(moments) == 1:
            return page.texts.show_moment(moments[0], today)
        return page.texts.show_long_span(moments[0], moments[1], today)

    return {side: write(begin, end, side) for side in ("before", "after")}


def _find_answer(changes: Sequence[_MemberChange], show: "_ValueWriter") -> _HistoryLine:
    """Return who replied to the invitation, and the reply."""
    for one in changes:
        if one.member == "employeeAnswer":
            return _HistoryLine(str(one.after["status"]), show.name(one.after["employeeId"]), stated={one.member})
        before = {each["email"]: each.get("status") for each in _list_values(one.before)}
        for each in _list_values(one.after):
            if each.get("status") != before.get(each["email"]):
                return _HistoryLine(str(each.get("status")), each["name"] or each["email"], stated={one.member})
    return _HistoryLine("AttendeeReplied", "")


def _name_actor(page: ConsolePage, entry: _Entry, names: HistoryNames) -> str:
    """Return the author of an entry."""
    translate = page.texts.translate
    if entry.user_id is None:
        return translate("The operator")
    if entry.user_id == page.session.user_id:
        return page.session.name
    if entry.user_id in names.portals:
        return names.customer or translate("The customer")
    return entry.user_name or translate("A system with an API key")


def _list_ids(entries: list[_Entry], members: Collection[str]) -> set[UUID]:
    """Return the ids in changes of some members, before and after."""
    changes = [each for one in entries for each in one.changes if each.member in members]
    values = [value for each in changes for value in (*_list_values(each.before), *_list_values(each.after))]
    return {UUID(value["employeeId"] if members is _ANSWER else value) for value in values}


def _list_values(value: Any) -> list[Any]:  # noqa: ANN401 - of any member
    """Return the values of a member that has several, one or none."""
    return cast("list[Any]", value) if isinstance(value, list) else [value] if value else []


class _ValueWriter(NamedTuple):
    """Writes values of a meeting's members for people."""

    page: ConsolePage
    names: Mapping[UUID, str]
    questions: Mapping[str, str]
    zone: ZoneInfo

    def __call__(self, member: str, value: Any) -> str:  # noqa: ANN401 - of any member
        """Return a value as a text, empty for none."""
        return ", ".join(self._show(member, one) for one in _list_values(value))

    def _show(self, member: str, value: Any) -> str:  # noqa: ANN401 - of any member
        match member:
            case "employeeId" | "additionalEmployees" | "roomId" | "topicId":
                text = self.name(value)
            case "externalAttendees":
                text = self._show_answer(value["name"], value.get("status"))
            case "employeeAnswer":
                text = self._show_answer(self.name(value["employeeId"]), value.get("status"))
            case "customFields":
                text = f"{self.questions.get(value['key'], value['key'])}: {value['value']}"
            case "type" | "attendance":
                text = self.page.texts.translate({**WAYS, **ATTENDANCE}[value])
            case _:
                text = str(value)
        return text

    def name(self, key: str) -> str:
        """Return the name of an employee, room or topic."""
        return self.names.get(UUID(key)) or self.page.texts.translate("Deleted since")

    def _show_answer(self, name: str, status: str | None) -> str:
        return f"{name} ({self.page.texts.translate(_ANSWERS[status])})" if status in _ANSWERS else name
