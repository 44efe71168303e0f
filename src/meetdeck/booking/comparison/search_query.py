"""The query of the search behind a list of known slots, with names instead of ids, its period and its length."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from functools import partial
from typing import Any, Final, cast
from urllib.parse import parse_qs

import msgspec
from msgspec.structs import replace

from meetdeck.booking.directory.customer_types.service import CUSTOMER_TYPES
from meetdeck.booking.importing.directory import EmployeeResource, PlainResource, RoomResource, TopicResource
from meetdeck.booking.importing.lookup import NameIndex, UnknownReferenceError, read_id
from meetdeck.booking.importing.resources import Resource
from meetdeck.booking.importing.rows import FileProblem
from meetdeck.booking.kinds import Kind
from meetdeck.booking.scheduling.search.schemas import AvailableQuery
from meetdeck.platform.database import Connection
from meetdeck.platform.errors import Invalid, SetupError
from meetdeck.platform.values import Duration, Moment, read_query_params

_PARTICIPATION: Final = "requireEmployeeParticipation"

# Parameters whose values may be names.
_RESOURCES: Final[Mapping[str, Callable[[], Resource[Any]]]] = {
    "explicitEmployeeIds": EmployeeResource,
    "topic": TopicResource,
    "customerTypeId": partial(PlainResource, CUSTOMER_TYPES),
    "customerCategoryId": partial(PlainResource, CUSTOMER_TYPES),
    "specificRooms": RoomResource,
}


async def load_names(connection: Connection, resource: Resource[Any]) -> NameIndex:
    """Return the index of a kind's ids and names."""
    names = NameIndex(resource.kind)
    await resource.load(connection, names, for_update=False)
    return names


async def read_query(connection: Connection, name: str, query: object) -> tuple[AvailableQuery, list[FileProblem]]:
    """Return a search's query, and a warning for each unknown parameter.

    It is a text, alone or after the `?` of an address, or an object; None is a search for everybody. `name` is the
    file's, for messages. Raises SetupError.
    """
    parameters = _read_texts(name, query)
    known = {field.encode_name for field in msgspec.structs.fields(AvailableQuery)}
    unknown = [parameter for parameter in parameters if parameter.partition("[")[0] not in known]
    warnings = [FileProblem(name, 1, f"query.{each}", "An unknown parameter, left out.") for each in unknown]
    for parameter, texts in parameters.items():
        open_kind = _RESOURCES.get(parameter.partition("[")[0])
        if open_kind is not None and texts:
            parameters[parameter] = await _resolve(connection, f"{name}: query.{parameter}", open_kind(), texts)
    parameters.setdefault(_PARTICIPATION, ["false"])
    try:
        return read_query_params(parameters, AvailableQuery), warnings
    except Invalid as error:
        raise SetupError(f"{name}: {error.detail.replace('/query/', 'query.')}") from None


def _read_texts(name: str, query: object) -> dict[str, list[str]]:
    if query is None:
        return {}
    if isinstance(query, str):
        texts = parse_qs(query.rpartition("?")[2].partition("#")[0], keep_blank_values=True)
        if "=" not in query and query.strip():
            raise SetupError(f"{name}: query: '{query}' has no parameters; write it as in an address: topic=…&….")
        return texts
    if not isinstance(query, dict):
        raise SetupError(f"{name}: query: write it as in an address, topic=…&…, or as an object of parameters.")
    members = cast("dict[str, object]", query)
    return {
        parameter: [_write_text(each) for each in (cast("list[object]", value) if isinstance(value, list) else [value])]
        for parameter, value in members.items()
        if value is not None
    }


def _write_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


async def _resolve(connection: Connection, where: str, resource: Resource[Any], texts: Sequence[str]) -> list[str]:
    """Return the values of a parameter with names replaced by ids."""
    is_list = resource.kind in {Kind.EMPLOYEE, Kind.ROOM}
    values = [part.strip() for text in texts for part in (text.split(",") if is_list else [text])]
    if all(not value or read_id(value) for value in values):
        return values
    names = await load_names(connection, resource)
    try:
        return [str(names.find(value)) if value and read_id(value) is None else value for value in values]
    except UnknownReferenceError as error:
        raise SetupError(f"{where}: {str(error).rstrip('.')}.") from None


def complete_query(
    query: AvailableQuery, times: Sequence[tuple[datetime, datetime]], at: datetime | None, zone: tzinfo
) -> AvailableQuery:
    """Return the query with its missing period and length, derived from the known slots' times.

    A query without `startDate` starts `at` the time of the search if that is known and the query says how far it looks,
    else at the first slot; one without `lookForwardTime` ends with the last. Without a topic, slots last as long as
    most of them do. A time without offset is in `zone`. Raises SetupError without any slot.
    """
    horizon = query.look_forward_time
    begin = query.start_date.to_utc(zone) if query.start_date is not None else at if horizon is not None else None
    if not times and (begin is None or horizon is None):
        raise SetupError(
            "The list has no slots from which to read the period; give startDate and lookForwardTime in its query."
        )
    if begin is None:
        begin = min(times)[0]
    if horizon is None:
        horizon = Duration.of(max(max(end for _, end in times) - begin, timedelta(0)))
    query = replace(query, start_date=Moment.fromisoformat(begin.isoformat()), look_forward_time=horizon)
    if query.meeting_duration is None and query.topic is None and times:
        ((length, _),) = Counter(end - begin for begin, end in times).most_common(1)
        query = replace(query, meeting_duration=str(length // timedelta(minutes=1)))
    return query
