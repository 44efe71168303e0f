"""Compiled templates as bytes: their records in tables, to be written to storage and read in a moment.

A file has the values (texts, numbers, bytes) once each, then a table for each kind of record: its columns are numbers
of values and earlier records. Reading one makes the records of a table at once; it takes a twentieth of the time of
compiling. It makes nothing but records of the deck engine, so that no file can run anything.

The file is read by the code that wrote it alone: fields have no names in it. Whoever keeps it notes the version.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from decimal import Decimal
from itertools import chain, repeat
from types import MappingProxyType
from typing import Any, Final, NamedTuple, cast

from msgspec import MsgspecError, Struct, msgpack

from meetdeck.present.deck.program.cutting import CutProgram
from meetdeck.present.deck.program.tables.row_programs import RowPrograms
from meetdeck.present.deck.program.template import FixedPartsCache, Template
from meetdeck.present.deck.program.typefaces import TypefacesCache

_PACKAGE: Final = __name__.rpartition(".")[0] + "."
_ATOMS: Final = frozenset({str, bytes, int, float, bool, type(None)})
_CONSTANT: Final = "constant"
# Records that hold only what follows from others.
_MADE_ANEW: Final[frozenset[type[Any]]] = frozenset({TypefacesCache, RowPrograms, FixedPartsCache})


class DamagedRecordsError(ValueError):
    """The bytes are not compiled template as this version writes it."""


class UnwritableRecordsError(ValueError):
    """The template has a value that is not a record; the message names its type."""


class _Place(NamedTuple):
    """The place of a value: its table, by level and kind, and its row. Values have tables of level 0."""

    level: int
    kind: str
    row: int


class _Table(Struct, array_like=True):
    """Records of one kind. `rows` are these, or the columns of them; a column of equal values is one number."""

    kind: str
    count: int
    rows: list[int | list[int]]


class _File(Struct, array_like=True):
    values: list[Any]
    views: list[memoryview]
    tables: list[_Table]
    root: int


_DECODER: Final = msgpack.Decoder(_File)


def write_template(template: Template) -> bytes:
    """Return a compiled template as bytes, the same for the same template. Raises `UnwritableRecordsError`."""
    writer = _Writer()
    try:
        root = writer.add(template)
    except RecursionError:
        raise UnwritableRecordsError("its records are nested too deeply") from None
    return msgpack.encode(writer.finish(root))


def read_template(content: bytes) -> Template:
    """Return the template of which `write_template` made the bytes; parts of it are views of them.

    Raises `DamagedRecordsError`.
    """
    try:
        found = _read(_DECODER.decode(content))
    except (MsgspecError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        raise DamagedRecordsError("the tables of a compiled template cannot be read") from problem
    if not isinstance(found, Template):
        raise DamagedRecordsError("the tables have no compiled template")
    return found


def _as_dict(members: Iterable[Any]) -> dict[Any, Any]:
    each = iter(members)
    return dict(zip(each, each, strict=True))


def _as_decimal(members: Iterable[Any]) -> Decimal:
    return Decimal(*members)


def _as_program(members: Iterable[Any]) -> CutProgram:
    return CutProgram(members)


def _find_constant(members: Iterable[Any]) -> object:
    """Return the constant of a module and name. Raises `DamagedRecordsError` for any other than the engine's."""
    module, name = members
    constant = getattr(sys.modules[module], name) if module.startswith(_PACKAGE) else None
    if type(constant).__module__ != module:
        raise DamagedRecordsError(f"{module}:{name} is not a constant")
    return constant


# Tables of these have rows of any length.
_COLLECTIONS: Final[Mapping[str, Callable[[Iterable[Any]], object]]] = {
    "tuple": tuple,
    "CutProgram": _as_program,
    "list": list,
    "frozenset": frozenset,
    "dict": _as_dict,
    "mappingproxy": lambda members: MappingProxyType(_as_dict(members)),
    "Decimal": _as_decimal,
    _CONSTANT: _find_constant,
}


class _Writer:
    """Tables under construction. A record's level is above those of its members, so tables are read level by level."""

    def __init__(self) -> None:
        self._values: dict[tuple[type, object], _Place] = {}
        self._views: list[memoryview] = []
        self._tables: dict[tuple[int, str], list[list[_Place]]] = {}
        self._known: dict[int, tuple[_Place, object]] = {}  # with the record, so that no other gets its id

    def add(self, value: object) -> _Place:
        """Return the place of a value, which is added if it is new."""
        if type(value) in _ATOMS:
            # 1 is 1.0 and True, and 0.0 is -0.0.
            key = (type(value), repr(value) if isinstance(value, float) else value)
            return self._values.setdefault(key, _Place(0, "", len(self._values)))
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = self._add_record(value), value
        return known[0]

    def _add_record(self, record: object) -> _Place:
        if isinstance(record, memoryview):
            self._views.append(cast("memoryview", record))
            return _Place(0, "view", len(self._views) - 1)
        kind, members = _take_apart(record)
        places = [self.add(member) for member in members]
        level = 1 + max((place.level for place in places), default=0)
        table = self._tables.setdefault((level, kind), [])
        table.append(places)
        return _Place(level, kind, len(table) - 1)

    def finish(self, root: _Place) -> _File:
        """Return the file, in which places are numbers."""
        order = sorted(self._tables)
        sizes = [len(self._values), len(self._views), *(len(self._tables[key]) for key in order)]
        keys = [(0, ""), (0, "view"), *order]
        starts = {key: sum(sizes[:at]) for at, key in enumerate(keys)}

        def number(place: _Place) -> int:
            return starts[place.level, place.kind] + place.row

        tables = [
            _make_table(kind, [[number(place) for place in row] for row in self._tables[level, kind]])
            for level, kind in order
        ]
        values = [float(cast("str", value)) if kind is float else value for kind, value in self._values]
        return _File(values, self._views, tables, number(root))


def _take_apart(record: object) -> tuple[str, Iterable[object]]:
    """Return the kind of a record and its members."""
    cls = type(record)
    if cls is tuple or cls is list or cls is CutProgram:
        return cls.__name__, cast("Sequence[object]", record)
    if cls is frozenset:
        return cls.__name__, sorted(cast("frozenset[object]", record), key=repr)
    if isinstance(record, dict | MappingProxyType):
        return cls.__name__, chain.from_iterable(cast("Mapping[object, object]", record).items())
    if isinstance(record, Decimal):
        return cls.__name__, (str(record),)
    if (constant := _name_constant(record)) is not None:
        return _CONSTANT, (cls.__module__, constant)
    return f"{cls.__module__}:{cls.__qualname__}", (getattr(record, name) for name in _list_members(cls))


def _list_members(cls: type[Any]) -> tuple[str, ...]:
    """Return the names of a record's members, in the order of its constructor. Raises `UnwritableRecordsError`."""
    if cls.__module__.startswith(_PACKAGE):
        if issubclass(cls, Struct):
            return cls.__struct_fields__
        if (names := getattr(cls, "_fields", None)) is not None:
            return names
        if is_dataclass(cls):
            return tuple(field.name for field in fields(cls))
        if cls in _MADE_ANEW:
            return ()
    raise UnwritableRecordsError(f"{cls.__module__}.{cls.__qualname__} is not a record")


def _name_constant(record: object) -> str | None:
    """Return the name of a record that is a constant of its class's module: some are compared by identity."""
    known = vars(sys.modules[type(record).__module__])
    return next((name for name, value in known.items() if value is record), None)


def _make_table(kind: str, rows: list[list[int]]) -> _Table:
    if kind in _COLLECTIONS:
        return _Table(kind, len(rows), cast("list[int | list[int]]", rows))
    columns = [list(column) for column in zip(*rows, strict=True)]
    return _Table(kind, len(rows), [column[0] if len(set(column)) == 1 else column for column in columns])


def _read(file: _File) -> object:
    pool: list[object] = [*file.values, *file.views]
    get = pool.__getitem__
    for table in file.tables:
        make = _COLLECTIONS.get(table.kind)
        if make is not None:
            # Not extended by an iterator that reads the same list.
            pool += [make(map(get, cast("list[int]", row))) for row in table.rows]
            continue
        make = _find_maker(table.kind)
        columns = [repeat(get(one), table.count) if isinstance(one, int) else map(get, one) for one in table.rows]
        pool += list(map(make, *columns)) if columns else [make() for _ in range(table.count)]
    return pool[file.root]


def _find_maker(kind: str) -> Callable[..., object]:
    """Return the class of a table's records. Raises `DamagedRecordsError` for any other than those of the engine."""
    module, _, name = kind.partition(":")
    cls: Any = getattr(sys.modules[module], name) if module.startswith(_PACKAGE) else None
    if not isinstance(cls, type) or cls.__module__ != module:
        raise DamagedRecordsError(f"{kind} is not a record")
    _list_members(cls)
    return cls
