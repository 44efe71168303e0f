"""The tools about meetings: find, explain, hold, book, move and cancel."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4
from zoneinfo import ZoneInfo

from meetdeck.assistants.calls import FirmApi, ToolError
from meetdeck.assistants.schemas import (
    BookMeeting,
    CancelMeeting,
    ExplainMissingTime,
    FindTimes,
    HoldTime,
    MoveMeeting,
)
from meetdeck.assistants.times import show, show_time
from meetdeck.platform.values import Duration

_MOST_TIMES: Final = 50
_MOST_DAYS_EXPLAINED: Final = 20
_MOST_EXPLAINED_WITHOUT_NAMES: Final = 5
_DEFAULT_AHEAD: Final = timedelta(days=7)
_PATCH: Final = "application/json-patch+json"
_DAY: Final = timedelta(days=1)

Answer = dict[str, Any]


async def find_times(api: FirmApi, asked: FindTimes) -> Answer:
    """Return the first free times of a search, by start."""
    zone = await api.find_zone(asked.time_zone)
    begin = asked.from_ or api.now
    end = asked.to or begin + _DEFAULT_AHEAD
    _require_order(begin, end)
    named = await api.find_employees(asked.employee_ids)
    found = await api.get(
        "booking/time-slots/available",
        requireEmployeeParticipation=False,
        explicitEmployeeIds=",".join(named) or None,
        startDate=begin.isoformat(),
        lookForwardTime=str(Duration(seconds=(end - begin).total_seconds())),
        topic=await api.find_topic(asked.topic_id),
        meetingTypes=",".join(asked.meeting_types) or None,
        alsoServiceGroups=asked.service_groups or None,
        getBestTimeSlots=not named,
    )
    found = sorted((one for one in found if _read(one["endDate"]) <= end), key=lambda one: one["startDate"])
    shown = found[:_MOST_TIMES]
    names = await api.name_employees(
        one for slot in shown for one in (slot["employeeId"], *slot.get("additionalEmployees", []))
    )
    answer: Answer = {"times": [_show_slot(slot, names, zone) for slot in shown], "more": len(found) - len(shown)}
    if not found:
        answer["next"] = "No time is free. Call explain_missing_time for the rules, or find_times for other days."
    return answer


def _show_slot(slot: Answer, names: dict[str, str], zone: ZoneInfo) -> Answer:
    return {
        "start": show(slot["startDate"], zone),
        "end": show(slot["endDate"], zone),
        "employee_id": slot["employeeId"],
        "employee_name": names.get(slot["employeeId"], ""),
        "additional_employees": [names.get(one, one) for one in slot.get("additionalEmployees", [])],
        "meeting_type": slot["meetingType"],
    }


async def explain_missing_time(api: FirmApi, asked: ExplainMissingTime) -> Answer:
    """Return the rule that removes each missing time of advisors."""
    zone = await api.find_zone(asked.time_zone)
    _require_order(asked.from_, asked.to)
    days = list(_list_days(asked.from_, asked.to, await api.find_zone(None)))
    named = await api.find_employees(asked.employee_ids)
    if not named:
        listed = await api.get("booking/employees", limit=_MOST_EXPLAINED_WITHOUT_NAMES)
        named = [one["id"] for one in listed]
    if len(days) * len(named) > _MOST_DAYS_EXPLAINED:
        raise ToolError(
            f"These are {len(named)} advisors on {len(days)} days; at most {_MOST_DAYS_EXPLAINED} days of advisors are"
            " explained at once. Call the tool again with a shorter time between `from` and `to`, or fewer advisors."
        )
    names = await api.name_employees(named)
    query = {
        "topic": await api.find_topic(asked.topic_id),
        "meetingTypes": ",".join(asked.meeting_types) or None,
        "alsoServiceGroups": asked.service_groups or None,
    }
    explained = [
        await api.get("booking/time-slots/explain", employeeId=one, date=day, **query) for one in named for day in days
    ]
    return {
        "advisors": [_show_explanation(one, names, asked, zone) for one in explained],
        "next": "Explain the rule to the person who asked, or call find_times for other days, advisors or ways of "
        "meeting.",
    }


def _list_days(begin: datetime, end: datetime, zone: ZoneInfo) -> Iterator[str]:
    """Yield the dates of a time, by the firm's clock."""
    day = begin.astimezone(zone).date()
    last = (end.astimezone(zone) - timedelta(microseconds=1)).date()
    for step in range((last - day).days + 1):
        yield (day + step * _DAY).isoformat()


def _show_explanation(explained: Answer, names: dict[str, str], asked: ExplainMissingTime, zone: ZoneInfo) -> Answer:
    starts = [one for one in explained["starts"] if asked.from_ <= _read(one["startDate"]) < asked.to]
    return {
        "employee_id": explained["employeeId"],
        "employee_name": names.get(explained["employeeId"], ""),
        "date": explained["date"],
        "not_considered": [{"rule": one["rule"], "reason": one["detail"]} for one in explained["reasons"]],
        "free_starts": sum(one["available"] for one in starts),
        "missing": [_show_missing(run, zone) for run in _group([one for one in starts if not one["available"]])],
    }


def _group(starts: Sequence[Answer]) -> Iterator[list[Answer]]:
    """Yield runs of starts of one way of meeting that one rule removes for one reason."""
    runs: dict[tuple[str, str, str], list[Answer]] = {}
    for one in starts:
        runs.setdefault((one["meetingType"], one["rule"], one["detail"]), []).append(one)
    yield from runs.values()


def _show_missing(run: Sequence[Answer], zone: ZoneInfo) -> Answer:
    return {
        "first_start": show(run[0]["startDate"], zone),
        "last_start": show(run[-1]["startDate"], zone),
        "starts": len(run),
        "meeting_type": run[0]["meetingType"],
        "rule": run[0]["rule"],
        "reason": run[0]["detail"],
    }


async def hold_time(api: FirmApi, asked: HoldTime) -> Answer:
    """Reserve a time for some minutes, and return the hold."""
    zone = await api.find_zone(asked.time_zone)
    _require_order(asked.start, asked.end)
    [employee] = await api.find_employees([asked.employee_id])
    slot = {
        "startDate": asked.start.isoformat(),
        "endDate": asked.end.isoformat(),
        "status": "Reserved",
        "employeeId": employee,
        "topicId": await api.find_topic(asked.topic_id),
        "meetingType": asked.meeting_type,
        "alsoServiceGroups": asked.service_groups,
    }
    body = {"token": str(uuid4()), "timeSlot": {name: value for name, value in slot.items() if value is not None}}
    held = (await api.send("POST", "booking/time-slots/reserve", body)).read(dict[str, Any])
    people = [employee, *held.get("additionalEmployees", [])]
    names = await api.name_employees(people)
    return {
        "hold_id": held["id"],
        "expires": show(held["expiresAt"], zone),
        "start": show(held["startDate"], zone),
        "end": show(held["endDate"], zone),
        "employee_id": employee,
        "employee_name": names.get(employee, ""),
        "additional_employees": [names.get(one, one) for one in people[1:]],
        "next": "Ask the customer to confirm, then call book_meeting with hold_id before it expires.",
    }


async def book_meeting(api: FirmApi, asked: BookMeeting) -> Answer:
    """Book a held time; a repeated call answers the same meeting."""
    zone = await api.find_zone(asked.time_zone)
    held = await api.get(f"booking/time-slots/{asked.hold_id}")
    body = {
        "timeSlotId": held["id"],
        "employeeId": held["employeeId"],
        "roomId": held["roomId"],
        "customerId": asked.customer_id,
        "title": asked.title,
        "description": asked.description,
        "type": asked.meeting_type,
        "topicId": await api.find_topic(asked.topic_id),
        "alsoServiceGroups": asked.service_groups,
    }
    body = {name: value for name, value in body.items() if value is not None}
    headers = {"Idempotency-Key": f"assistant-{asked.hold_id}"}
    answer = await api.send("POST", "booking/meetings", body, headers=headers)
    return await _show_meeting(api, answer.read(dict[str, Any]), zone)


async def move_meeting(api: FirmApi, asked: MoveMeeting) -> Answer:
    """Move a meeting to another time, or to another advisor."""
    zone = await api.find_zone(asked.time_zone)
    path = f"booking/meetings/{asked.meeting_id}"
    current = await api.get(path)
    length = _read(current["endDate"]) - _read(current["startDate"])
    end = asked.end or asked.start + length
    _require_order(asked.start, end)
    changes = {"startDate": asked.start.isoformat(), "endDate": end.isoformat()}
    if asked.employee_id is not None:
        [changes["employeeId"]] = await api.find_employees([asked.employee_id])
    patch = [{"op": "replace", "path": f"/{name}", "value": value} for name, value in changes.items()]
    moved = (await api.send("PATCH", path, patch, media_type=_PATCH)).read(dict[str, Any])
    return {**await _show_meeting(api, moved, zone), "moved_from": show(current["startDate"], zone)}


async def cancel_meeting(api: FirmApi, asked: CancelMeeting) -> Answer:
    """Cancel a meeting, and return what it was."""
    zone = await api.find_zone(asked.time_zone)
    path = f"booking/meetings/{asked.meeting_id}"
    current = await api.get(path)
    await api.send("DELETE", path)
    return {**await _show_meeting(api, current, zone), "cancelled": True, "cancelled_at": show_time(api.now, zone)}


async def _show_meeting(api: FirmApi, meeting: Answer, zone: ZoneInfo) -> Answer:
    people = [meeting["employeeId"], *meeting["additionalEmployees"]]
    names = await api.name_employees(people)
    return {
        "meeting_id": meeting["id"],
        "title": meeting["title"],
        "start": show(meeting["startDate"], zone),
        "end": show(meeting["endDate"], zone),
        "employee_id": meeting["employeeId"],
        "employee_name": names.get(meeting["employeeId"], ""),
        "additional_employees": [names.get(one, one) for one in people[1:]],
        "customer_id": meeting["customerId"],
        "meeting_type": meeting["type"],
        "video_link": meeting["videoLink"],
    }


def _read(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _require_order(begin: datetime, end: datetime) -> None:
    if end <= begin:
        raise ToolError("The end must be after the start. Correct the times and call the tool again.")
