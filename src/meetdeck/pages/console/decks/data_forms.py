"""Forms for the data of slides, made from its JSON Schema, and reading the typed values as data. Pure.

The schema cannot say what is a date, a picture or a chart without refusing data that decks accept; the example
distinguishes these, so a field's kind is read from both.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, cast

import msgspec

Json = dict[str, Any]
Kind = Literal["text", "number", "date", "tick", "picture", "lines", "rows", "group", "list"]

MOST_ROWS: Final = 100
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)\S*)?")
_PICTURE: Final = "data:image/"
_NUMBER: Final = re.compile(r"-?\d+(\.\d+)?")
_JOINTS: Final = re.compile(r"[_\-.]+|(?<=[a-z0-9])(?=[A-Z])")
COUNT: Final = "#"
"""The suffix after a list's pointer in the name of its number of items."""
CLOCK: Final = "@"
"""The suffix after a date's pointer in the name of its time of day, which is optional."""


class Node(NamedTuple):
    """A value in a form: `members` of a group, or of each item of a list; a list of scalars has `lines`.

    `rows` are those of a table or a chart, typed or pasted as in a spreadsheet.
    """

    name: str
    kind: Kind
    hint: str = ""
    members: tuple["Node", ...] = ()

    @property
    def label(self) -> str:
        """Return the name in words: First name for `firstName`."""
        words = _JOINTS.sub(" ", self.name).lower()
        return words[:1].upper() + words[1:]


def read_schema(schema: Mapping[str, Any], example: object) -> tuple[Node, ...]:
    """Return the values of a form, by the properties of a JSON Schema; `example` is example data."""
    values: Json = cast("Json", example) if isinstance(example, dict) else {}
    return tuple(_read_node(name, one, values.get(name)) for name, one in schema.get("properties", {}).items())


def _read_node(name: str, schema: Mapping[str, Any], example: object) -> Node:
    hint = str(schema.get("description", ""))
    kind = _find_kind(schema, example)
    if kind == "group":
        return Node(name, kind, hint, read_schema(schema, example))
    if kind == "list":
        items = cast("list[object]", example) if isinstance(example, list) else []
        first = items[0] if items else None
        return Node(name, kind, hint, read_schema(schema["items"], first))
    return Node(name, kind, hint)


def _find_kind(schema: Mapping[str, Any], example: object) -> Kind:
    given: str | list[str] = schema.get("type", [])
    types = [given] if isinstance(given, str) else given
    items: Json | None = schema.get("items")
    is_date = isinstance(example, str) and bool(_DATE.match(example)) and "number" not in types
    rules: tuple[tuple[bool, Kind], ...] = (
        (_is_picture(example), "picture"),
        ("array" in types and items is not None and "properties" in items, "list"),
        ("array" in types and items is not None, "lines"),
        ("array" in types, "rows"),
        (types == ["object"] and "properties" in schema, "group"),
        (types in ([], ["boolean"]), "tick"),
        (is_date, "date"),
        ("number" in types and "boolean" not in types, "number"),
    )
    kinds: list[Kind] = [kind for holds, kind in rules if holds]
    return kinds[0] if kinds else "text"


def _is_picture(example: object) -> bool:
    if isinstance(example, dict):
        example = cast("Json", example).get("data")
    return isinstance(example, str) and example.startswith(_PICTURE)


# --------------------------------------------------------------------------------------------------- data to texts


def write_data(nodes: Sequence[Node], data: Mapping[str, Any], pointer: str = "") -> dict[str, str]:
    """Return the texts of a form by the JSON pointers of its fields, and the numbers of items of its lists."""
    texts: dict[str, str] = {}
    for node in nodes:
        here, value = f"{pointer}/{node.name}", data.get(node.name)
        if node.kind == "group":
            texts |= write_data(node.members, cast("Json", value) if isinstance(value, dict) else {}, here)
        elif node.kind == "list":
            items: list[Any] = cast("list[Any]", value) if isinstance(value, list) else []
            texts[here + COUNT] = str(min(len(items), MOST_ROWS))
            for place, item in enumerate(items[:MOST_ROWS]):
                texts |= write_data(
                    node.members, cast("Json", item) if isinstance(item, dict) else {}, f"{here}/{place}"
                )
        elif node.kind == "date" and isinstance(value, str) and (found := _MOMENT.fullmatch(value)):
            texts |= {here: found[1], here + CLOCK: found[2] or ""}
        elif value is not None:
            texts[here] = _write_value(node, value)
    return texts


def _write_value(node: Node, value: object) -> str:
    if node.kind == "tick":
        return "yes" if value else ""
    if isinstance(value, str):
        return value
    if node.kind == "lines" and isinstance(value, list):
        return "\n".join(str(each) for each in cast("list[Any]", value))
    if node.kind == "rows" and (rows := _list_rows(value)) is not None:
        return "\n".join("\t".join("" if cell is None else str(cell) for cell in row) for row in rows)
    return msgspec.json.encode(value).decode()


def _list_rows(value: object) -> list[list[Any]] | None:
    """Return the rows of a table, or of a chart with categories and series; None for any other value."""
    if isinstance(value, list) and all(isinstance(row, list) for row in cast("list[Any]", value)):
        return cast("list[list[Any]]", value)
    if not isinstance(value, dict):
        return None
    chart = cast("Json", value)
    if set(chart) == {"columns", "rows"}:
        return [chart["columns"], *chart["rows"]]
    categories, series = chart.get("categories"), chart.get("series")
    if not isinstance(categories, list) or not isinstance(series, list):
        return None
    lists: list[tuple[str, list[Any]]] = [
        (str(one.get("name", "")), one.get("values") or []) for one in cast("list[Json]", series)
    ]
    rows: list[list[Any]] = [
        [category, *(values[place] if place < len(values) else None for _, values in lists)]
        for place, category in enumerate(cast("list[Any]", categories))
    ]
    return [["", *(name for name, _ in lists)], *rows]


# --------------------------------------------------------------------------------------------------- texts to data


def read_data(nodes: Sequence[Node], texts: Mapping[str, str], pointer: str = "") -> Json:
    """Return the data of a form; empty values are left out."""
    data: Json = {}
    for node in nodes:
        value = _read_value(node, texts, f"{pointer}/{node.name}")
        if value is not None:
            data[node.name] = value
    return data


def _read_value(node: Node, texts: Mapping[str, str], pointer: str) -> object:
    if node.kind == "group":
        return read_data(node.members, texts, pointer) or None
    if node.kind == "list":
        count = count_items(texts, pointer)
        return [read_data(node.members, texts, f"{pointer}/{place}") for place in range(count)] or None
    if node.kind == "rows":
        return _read_rows(texts.get(pointer, "").strip("\r\n"))
    if node.kind == "date" and (clock := texts.get(pointer + CLOCK, "").strip()):
        return f"{texts.get(pointer, '').strip()}T{clock}"
    return _read_text(node, texts.get(pointer, "").strip())


def _read_text(node: Node, text: str) -> object:
    if node.kind == "tick":
        return bool(text)
    if not text:
        return None
    if node.kind == "number":
        return read_number(text)
    return [line.strip() for line in text.splitlines() if line.strip()] if node.kind == "lines" else text


def read_number(text: str) -> float | int | str:
    """Return the number in a text, with a decimal point or comma; otherwise the text."""
    plain = text.replace(" ", "").replace("\N{NO-BREAK SPACE}", "")
    if "," in plain:
        plain = plain.replace(".", "").replace(",", ".")
    if not _NUMBER.fullmatch(plain):
        return text
    return float(plain) if "." in plain else int(plain)


def _read_rows(text: str) -> object:
    """Return the rows of a text: JSON unchanged, or else a row for each line, with cells between tabs or semicolons."""
    if text.startswith(("[", "{")):
        try:
            return msgspec.json.decode(text)
        except msgspec.DecodeError:
            return text
    if not text.strip():
        return None
    parting = "\t" if "\t" in text else ";"
    lines = [line.split(parting) for line in text.splitlines() if line.strip()]
    header, *rows = [[cell.strip() for cell in line] for line in lines]
    return [header, *([read_number(cell) if cell else None for cell in row] for row in rows)]


def count_items(texts: Mapping[str, str], pointer: str) -> int:
    """Return the number of items of a list."""
    text = texts.get(pointer + COUNT, "")
    return min(int(text), MOST_ROWS) if text.isdecimal() and len(text) <= len(str(MOST_ROWS)) else 0


def add_item(texts: Mapping[str, str], pointer: str) -> dict[str, str]:
    """Return texts with one more item in a list."""
    return {**texts, pointer + COUNT: str(min(count_items(texts, pointer) + 1, MOST_ROWS))}


def remove_item(texts: Mapping[str, str], pointer: str) -> dict[str, str]:
    """Return texts without the item at a pointer; later items move up."""
    whole, _, place = pointer.rpartition("/")
    if not place.isdecimal():
        return dict(texts)
    count, gone = count_items(texts, whole), int(place)
    kept: dict[str, str] = {}
    for name, text in texts.items():
        number, parted, rest = name.removeprefix(f"{whole}/").partition("/")
        if not name.startswith(f"{whole}/") or not parted or not number.isdecimal():
            kept[name] = text
        elif int(number) != gone:
            kept[f"{whole}/{int(number) - (int(number) > gone)}/{rest}"] = text
    return {**kept, whole + COUNT: str(max(0, count - (gone < count)))}


def merge(data: Json, typed: Json) -> Json:
    """Return data with the typed values; members that the form does not have are kept."""
    merged = dict(data)
    for name, value in typed.items():
        old = merged.get(name)
        both = isinstance(old, dict) and isinstance(value, dict)
        merged[name] = merge(cast("Json", old), cast("Json", value)) if both else value
    return merged
