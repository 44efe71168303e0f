"""The history of a meeting in words: what was done, and which values were others before."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple, cast
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.pages.console.kit import ConsolePage, name_employees, name_rooms, show_moment
from meetdeck.pages.texts import mark

WAYS: Final = {
    "Physical": mark("In person"),
    "Online": mark("Online"),
    "Telephone": mark("By telephone"),
    "Offsite": mark("At the customer's"),
}
ATTENDANCE: Final = {"Attended": mark("The customer came"), "NoShow": mark("The customer did not come")}
_ACTIONS: Final = {
    "Created": mark("Booked"),
    "Changed": mark("Changed"),
    "Cancelled": mark("Cancelled"),
    "AttendeeReplied": mark("A guest has answered"),
    "MessageNotSent": mark("A message was not sent"),
    "MessagePerhapsSent": mark("A message was perhaps sent"),
    "Erased": mark("Personal data were erased"),
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
}
"""The members whose changes are shown, by the names that pages have for them."""

_PEOPLE, _ANSWER, _ROOM = {"employeeId", "additionalEmployees"}, {"employeeAnswer"}, {"roomId"}


class Change(NamedTuple):
    """A value that was another before."""

    label: str
    before: str
    after: str


class Entry(NamedTuple):
    """A line of the history; `reason` and `changes` are empty for most."""

    when: str
    action: str
    reason: str
    changes: list[Change]


class _MemberChange(msgspec.Struct, frozen=True):
    member: str
    before: Any
    after: Any


class _Entry(msgspec.Struct, frozen=True, rename="camel"):
    happened_at: datetime
    action: str
    changes: list[_MemberChange] = []
    reason: str = ""


async def read_history(page: ConsolePage, meeting_id: UUID, topics: Mapping[UUID, str], zone: ZoneInfo) -> list[Entry]:
    """Return what became of a meeting, the first first; `topics` are their names."""
    entries = await page.api.get(f"booking/meetings/{meeting_id}/history", list[_Entry])
    say = page.texts.say
    people, rooms = _list_ids(entries, _PEOPLE) | _list_ids(entries, _ANSWER), _list_ids(entries, _ROOM)
    names = {**topics, **await name_employees(page.api, people), **await name_rooms(page.api, rooms)}
    show = _ValueWriter(page, names, zone)
    return [
        Entry(
            show_moment(page, one.happened_at, zone),
            say(_ACTIONS[one.action]) if one.action in _ACTIONS else one.action,
            one.reason,
            [
                Change(say(_MEMBERS[each.member]), show(each.member, each.before), show(each.member, each.after))
                for each in one.changes
                if each.member in _MEMBERS and each.before != each.after
            ],
        )
        for one in entries
    ]


def _list_ids(entries: list[_Entry], members: Collection[str]) -> set[UUID]:
    """Return the ids that changes of some members have, before and after."""
    changes = [each for one in entries for each in one.changes if each.member in members]
    values = [value for each in changes for value in (*_list_values(each.before), *_list_values(each.after))]
    return {UUID(value["employeeId"] if members is _ANSWER else value) for value in values}


def _list_values(value: Any) -> list[Any]:  # noqa: ANN401 - of any member
    """Return the values of a member that has several, one or none."""
    return cast("list[Any]", value) if isinstance(value, list) else [value] if value else []


class _ValueWriter(NamedTuple):
    """Writes values of a meeting's members as people read them."""

    page: ConsolePage
    names: Mapping[UUID, str]
    zone: ZoneInfo

    def __call__(self, member: str, value: Any) -> str:  # noqa: ANN401 - of any member
        """Return a value as a text, empty for none."""
        return ", ".join(self._show(member, one) for one in _list_values(value))

    def _show(self, member: str, value: Any) -> str:  # noqa: ANN401 - of any member
        match member:
            case "startDate" | "endDate":
                text = show_moment(self.page, datetime.fromisoformat(value), self.zone)
            case "employeeId" | "additionalEmployees" | "roomId" | "topicId":
                text = self._name(value)
            case "externalAttendees":
                text = self._show_answer(value["name"], value.get("status"))
            case "employeeAnswer":
                text = self._show_answer(self._name(value["employeeId"]), value.get("status"))
            case "customFields":
                text = f"{value['key']}: {value['value']}"
            case "type" | "attendance":
                text = self.page.texts.say({**WAYS, **ATTENDANCE}[value])
            case _:
                text = str(value)
        return text

    def _name(self, key: str) -> str:
        return self.names.get(UUID(key)) or self.page.texts.say("Deleted since")

    def _show_answer(self, name: str, status: str | None) -> str:
        return f"{name} ({self.page.texts.say(_ANSWERS[status])})" if status in _ANSWERS else name
