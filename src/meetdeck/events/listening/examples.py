"""An example event of each type, made of the Struct of its data; pure."""

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from uuid import UUID

from msgspec import inspect

from meetdeck.events.schemas import ShownEvent

_ID: Final = UUID("22222222-2222-4222-8222-222222222222")
_TENANT: Final = UUID("11111111-1111-4111-8111-111111111111")
_DURATION: Final = timedelta(hours=1)
_SIMPLE: Final[Mapping[type[inspect.Type], Any]] = {
    inspect.StrType: "Example",
    inspect.IntType: 1,
    inspect.FloatType: 1.0,
    inspect.BoolType: True,
    inspect.NoneType: None,
    inspect.UUIDType: _ID,
    inspect.DateType: date(2035, 3, 5),
    inspect.TimeType: time(9),
    inspect.TimeDeltaType: _DURATION,
    inspect.AnyType: {},
    inspect.DictType: {},
}
_BY_NAME: Final[Mapping[str, Any]] = {
    "email": "freja@example.com",
    "language": "en",
    "name": "Freja Søndergaard",
    "title": "Annual review",
    "customerId": "C-1001",
    "crmId": "CRM-1001",
    "videoLink": "https://video.example.com/review",
}
"""The values of text members that have a form, or that people read."""


def make_example(event_type: str, data: type[Any] | None, event_id: UUID, at: datetime) -> ShownEvent:
    """Return an example event of a type; `data` is the Struct of its data, None for any."""
    return ShownEvent(
        specversion="1.0",
        id=event_id,
        source=f"/tenants/{_TENANT}",
        type=event_type,
        time=at,
        subject=f"{event_type.partition('.')[0]}s/{_ID}",
        sequence=1,
        data={} if data is None else _fill(inspect.type_info(data), at),
    )


def _fill(kind: inspect.Type, at: datetime) -> Any:  # noqa: ANN401 - a value of that type
    """Return the simplest value of a type; each time is `at`."""
    match kind:
        case inspect.Metadata():
            value = _fill(kind.type, at)
        case inspect.StructType():
            names = ((field.encode_name, field.type) for field in kind.fields)
            value = {name: _BY_NAME[name] if name in _BY_NAME else _fill(one, at) for name, one in names}
        case inspect.UnionType():
            value = _fill(next(one for one in kind.types if not isinstance(one, inspect.NoneType)), at)
        case inspect.ListType() | inspect.VarTupleType():
            value = [_fill(kind.item_type, at)]
        case inspect.EnumType():
            value = next(iter(kind.cls)).value
        case inspect.LiteralType():
            value = kind.values[0]
        case inspect.DateTimeType():
            value = at
        case inspect.CustomType():
            value = _DURATION if issubclass(kind.cls, timedelta) else _SIMPLE[inspect.StrType]
        case _:
            value = _SIMPLE.get(type(kind))
    return value
