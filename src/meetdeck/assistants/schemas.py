"""The arguments of the tools; their descriptions are what an assistant reads (the names: docs/assistants.md)."""

from datetime import datetime
from difflib import get_close_matches
from typing import Annotated, Any, Final, TypeVar, cast
from uuid import UUID

import msgspec
from msgspec import Meta, field

from meetdeck.booking.slots.model import MeetingType
from meetdeck.platform.errors import Fault
from meetdeck.platform.values import read_builtins, refuse

_EMPLOYEE: Final = "11111111-1111-4111-8111-111111111111"
_Text = Annotated[str, Meta(max_length=500)]
_Id = Annotated[str, Meta(min_length=1, max_length=500)]

TimeZone = Annotated[
    _Text | None,
    Meta(
        description="The time zone of the person you help; times are returned in it. Default: the firm's time zone.",
        examples=["Europe/Copenhagen"],
    ),
]
Time = Annotated[datetime, Meta(tz=True)]
"""A time with its offset: without one, an assistant would be hours off."""
_From = Annotated[Time, Meta(description="RFC 3339 with its offset from UTC.", examples=["2035-03-05T09:00:00+01:00"])]
_Until = Annotated[
    Time, Meta(description="RFC 3339 with its offset from UTC; after `from`.", examples=["2035-03-09T17:00:00+01:00"])
]
_TopicId = Annotated[_Id | None, Meta(description="The topic's id, or its name.")]
_EmployeeIds = Annotated[
    list[_Id],
    Meta(max_length=100, description="Ids or names of advisors; empty: any advisor.", examples=[["Anna Holm"]]),
]
_MeetingTypes = Annotated[list[MeetingType], Meta(description="The acceptable ways of meeting; empty: all.")]
_ServiceGroups = Annotated[
    list[_Text],
    Meta(
        max_length=8,
        description="Names of service groups, such as Mortgage; one more person from each joins the meeting.",
    ),
]


class Arguments(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The arguments that every tool takes."""

    time_zone: TimeZone = None


class FindTimes(Arguments, frozen=True, kw_only=True):
    """The arguments of `find_times`."""

    from_: _From | None = field(name="from", default=None)
    to: _Until | None = None
    topic_id: _TopicId = None
    employee_ids: _EmployeeIds = []
    meeting_types: _MeetingTypes = []
    service_groups: _ServiceGroups = []


class ExplainMissingTime(Arguments, frozen=True, kw_only=True):
    """The arguments of `explain_missing_time`."""

    from_: _From = field(name="from")
    to: _Until
    topic_id: _TopicId = None
    employee_ids: _EmployeeIds = []
    meeting_types: _MeetingTypes = []
    service_groups: _ServiceGroups = []


class HoldTime(Arguments, frozen=True, kw_only=True):
    """The arguments of `hold_time`."""

    employee_id: Annotated[_Id, Meta(description="The advisor, as find_times returns it.", examples=[_EMPLOYEE])]
    start: Annotated[Time, Meta(description="As find_times returns it.", examples=["2035-03-05T10:00:00+01:00"])]
    end: Annotated[Time, Meta(description="As find_times returns it.", examples=["2035-03-05T11:00:00+01:00"])]
    topic_id: _TopicId = None
    meeting_type: Annotated[MeetingType | None, Meta(description="For a topic with seats.")] = None
    service_groups: _ServiceGroups = []


class BookMeeting(Arguments, frozen=True, kw_only=True):
    """The arguments of `book_meeting`."""

    hold_id: Annotated[UUID, Meta(description="From hold_time.", examples=["22222222-2222-4222-8222-222222222222"])]
    customer_id: Annotated[_Id, Meta(description="The customer's id in the firm's systems.", examples=["C-1001"])]
    title: Annotated[_Text, Meta(description="The title in calendars.", examples=["Annual review"])]
    description: Annotated[Annotated[str, Meta(max_length=10_000)], Meta(description="The text in calendars.")] = ""
    meeting_type: Annotated[MeetingType | None, Meta(description="The meeting type; default: Physical.")] = None
    topic_id: _TopicId = None
    service_groups: Annotated[_ServiceGroups, Meta(description="As for hold_time.")] = []


class MoveMeeting(Arguments, frozen=True, kw_only=True):
    """The arguments of `move_meeting`."""

    meeting_id: Annotated[UUID, Meta(examples=["33333333-3333-4333-8333-333333333333"])]
    start: Annotated[Time, Meta(description="The new start.", examples=["2035-03-06T10:00:00+01:00"])]
    end: Annotated[Time | None, Meta(description="The new end; default: the meeting keeps its length.")] = None
    employee_id: Annotated[_Id | None, Meta(description="Another advisor, by id or name.")] = None


class CancelMeeting(Arguments, frozen=True, kw_only=True):
    """The arguments of `cancel_meeting`."""

    meeting_id: Annotated[UUID, Meta(examples=["33333333-3333-4333-8333-333333333333"])]


class DescribeTemplate(Arguments, frozen=True, kw_only=True):
    """The arguments of `describe_template`."""

    template: Annotated[_Text | None, Meta(description="The template's name; left out: all names.")] = None


class BuildDeck(Arguments, frozen=True, kw_only=True):
    """The arguments of `build_deck`."""

    template: Annotated[_Id, Meta(description="The template's name.", examples=["Annual review"])]
    data: Annotated[dict[str, Any], Meta(description="The values of its tags, as describe_template shows them.")] = {}


A = TypeVar("A", bound=Arguments)


def read_arguments(values: dict[str, Any], kind: type[A]) -> A:
    """Return the arguments of a call; a null counts as left out. Raises InvalidInput that names each fault."""
    known = [one.encode_name for one in msgspec.structs.fields(kind)]
    refuse([Fault(f"/{name}", _name_nearest(name, known)) for name in values if name not in known])
    return read_builtins({name: value for name, value in values.items() if value is not None}, kind)


def _name_nearest(name: str, known: list[str]) -> str:
    nearest = get_close_matches(name, known, 1)
    return f"No such argument. Did you mean {nearest[0]}?" if nearest else f"No such argument: use {', '.join(known)}."


def describe(kind: type[Arguments]) -> dict[str, Any]:
    """Return the JSON Schema of a tool's arguments: one object without references."""
    (reference,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    root: dict[str, Any] = _resolve(reference, parts)
    return {key: value for key, value in root.items() if key not in {"title", "description"}}


def _resolve(schema: Any, parts: dict[str, Any]) -> Any:  # noqa: ANN401 - any part of a schema
    """Return a part of a schema with what it refers to in its place."""
    if isinstance(schema, list):
        return [_resolve(one, parts) for one in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    told = cast("dict[str, Any]", schema)
    if "$ref" in told:
        found = parts[told["$ref"].rpartition("/")[2]]
        return _resolve({key: value for key, value in found.items() if key not in {"title", "description"}}, parts)
    return {key: _resolve(value, parts) for key, value in told.items()}
