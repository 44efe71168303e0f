"""Calls of our own API for a tool; a refusal becomes a text that says what to call next."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final, Unpack
from urllib.parse import quote
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec

from meetdeck.assistants.times import UnknownZoneError, find_zone
from meetdeck.web.own_api import ApiAnswer, CallDetails, OwnApi, read_problem

_AGAIN: Final = "Call find_times for the times that are free now, and hold_time for one of them."
_NEXT: Final[Mapping[str, str]] = {
    "time_slot_taken": _AGAIN,
    "time_busy": _AGAIN,
    "not_offered": _AGAIN,
    "not_bookable": _AGAIN,
    "no_room_free": _AGAIN,
    "room_too_small": _AGAIN,
    "service_group_taken": _AGAIN,
    "reservation_gone": f"The hold has ended. {_AGAIN}",
    "search_too_large": "Call find_times again with a shorter time between `from` and `to`, or with fewer advisors.",
    "meeting_not_found": "Ask for the id of the meeting: it may have been cancelled.",
    "template_not_found": "Call describe_template without `template` for the names of all templates.",
    "precondition_failed": "Someone else changed it meanwhile: call the tool again.",
    "rate_limited": "Wait, then call the tool again.",
}
_INSTEAD: Final[Mapping[str, str]] = {
    "idempotency_key_reused": (
        "The hold is booked already, with other arguments. Call move_meeting or cancel_meeting to change that meeting, "
        "or hold_time to hold another time."
    ),
}
"""The whole text for refusals that speak of headers, which an assistant does not send."""
_MOST_NAMED: Final = 20


class ToolError(Exception):
    """A call of a tool that cannot be done; the text says why, and what to call next."""


class FirmApi:
    """The API of version 3 for the caller; paths begin after `/api/v3/`, with percent-encoded steps."""

    def __init__(self, own: OwnApi, now: datetime) -> None:
        self._own = own
        self.now = now

    async def get(self, path: str, **query: str | int | bool | Sequence[str] | None) -> Any:  # noqa: ANN401 - JSON
        """Return the decoded resource at a path. Raises ToolError."""
        return msgspec.json.decode((await self.send("GET", path, query=query)).content)

    async def send(self, method: str, path: str, body: object = None, **details: Unpack[CallDetails]) -> ApiAnswer:
        """Return the answer to a call. Raises ToolError for a refusal."""
        answer = await self._own.call(method, path, body, **details)
        if answer.status >= HTTPStatus.BAD_REQUEST:
            raise ToolError(_explain(answer))
        return answer

    async def find_zone(self, name: str | None) -> ZoneInfo:
        """Return a time zone by its name, by default the firm's. Raises ToolError."""
        if name is None:
            firm = await self.get("booking/config/organization-settings")
            return ZoneInfo(firm["timeZone"]["identifier"])
        try:
            return find_zone(name)
        except UnknownZoneError:
            raise ToolError(
                f"/time_zone: There is no time zone {name!r}. Write a name of the tz database, such as"
                " Europe/Copenhagen, and call the tool again."
            ) from None

    async def find_topic(self, topic: str | None) -> str | None:
        """Return the id of a topic, by its id or its name. Raises ToolError with the names of those that exist."""
        if topic is None:
            return None
        topics = await self.get("booking/config/meeting-topics")
        found = [one["id"] for one in topics if topic.casefold() in (one["id"], one["name"].casefold())]
        if len(found) == 1:
            return found[0]
        known = ", ".join(f"{one['name']} ({one['id']})" for one in topics[:_MOST_NAMED]) or "none"
        raise ToolError(f"/topic_id: There is no topic {topic!r}. Call the tool again with one of these: {known}.")

    async def find_employees(self, named: Iterable[str]) -> list[str]:
        """Return the ids of advisors, by their ids or names. Raises ToolError."""
        return list(await asyncio.gather(*(self._find_employee(one) for one in named)))

    async def _find_employee(self, named: str) -> str:
        if _is_id(named):
            return named
        found = await self.get("booking/employees", search=named, limit=_MOST_NAMED)
        same = [one for one in found if one["name"].casefold() == named.casefold()] or found
        if len(same) == 1:
            return same[0]["id"]
        if not same:
            raise ToolError(f"There is no advisor {named!r}. Call find_times without employee_ids for all of them.")
        choice = ", ".join(f"{one['name']} ({one['id']})" for one in same)
        raise ToolError(f"Several advisors are called {named!r}. Ask which one is meant, and send the id: {choice}.")

    async def name_employees(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the names of employees by their ids."""
        wanted = sorted(set(ids))
        if not wanted:
            return {}
        return {one["id"]: one["name"] for one in await self.get("booking/employees", ids=",".join(wanted))}


def escape(step: str) -> str:
    """Return a step of a path, percent-encoded."""
    return quote(step, safe="")


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _explain(answer: ApiAnswer) -> str:
    """Return why the API refused, each fault with its place, and what to call next."""
    problem = read_problem(answer)
    if problem.code in _INSTEAD:
        return _INSTEAD[problem.code]
    faults = " ".join(f"{one.pointer}: {one.detail}" for one in problem.errors)
    told = faults or problem.detail or f"The service answered {answer.status}."
    return f"{told} {_NEXT.get(problem.code, 'Correct the arguments and call the tool again.')}"
