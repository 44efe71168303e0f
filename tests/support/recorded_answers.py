"""Makes the examples of the OpenAPI documents from recorded answers: short, and the same at every recording."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, cast
from uuid import UUID, uuid5

import meetdeck.platform.http.openapi
from meetdeck.platform.values import Version
from support.documents import Json, operations_of

_FILE: Final = Path(meetdeck.platform.http.openapi.__file__).with_name("answers.json")
_SPACE: Final = UUID("5b1f5c52-0f0e-4c6e-9d0c-2f6a3a1f7f10")
_ID: Final = re.compile(r"(?P<before>)(?P<secret>[0-9a-f]{8}-[0-9a-f]{4}-[1-47][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})")
"""An id that is new at every recording; those of the demo data are of version 5."""
_SECRET: Final = re.compile(
    r'(?P<before>"(?:clientSecret|ending|requestId|secret|subscriptionKey|token)":"(?:whsec_)?|/calendars/|booking-site-)'
    r"(?P<secret>[\w+/=-]+)"
)
_OF_DATABASE: Final = re.compile(r"2\d{3}-\d\d-\d\dT[\d:]{8}\.\d+Z")
"""A time of the database's clock, which is more exact than the tests' own."""
_MOST_TEXT: Final = 120
_MOST_OF_A_MEMBER: Final = 400


def list_json_answers(document: Json) -> Iterator[tuple[str, str, Json]]:
    """Yield each answer in JSON: the operation's id, the name of the Struct, and the Media Type Object."""
    for _, _, operation in operations_of(document):
        for status, answer in operation["responses"].items():
            content = answer.get("content", {}).get("application/json")
            if status.startswith("2") and content is not None:
                schema = content["schema"]
                yield operation["operationId"], schema.get("items", schema)["$ref"].rpartition("/")[2], content


def make_examples(document: Json, answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return an example of each Struct, by its name: the first answer of those with the most members."""
    found: dict[str, Any] = {}
    for operation_id, struct, content in list_json_answers(document):
        answer = answers.get(operation_id)
        if answer is not None:
            one = answer[0] if content["schema"].get("type") == "array" else answer
            found[struct] = max(found.get(struct, {}), one, key=len)
    return {struct: _make_repeatable(struct, _shorten(one)) for struct, one in found.items()}


def list_members(value: Any, place: str = "") -> set[str]:
    """Return the places of all members of a value; the items of a list have one place."""
    if isinstance(value, list):
        return {one for item in cast("list[Any]", value) for one in list_members(item, f"{place}/*")}
    if not isinstance(value, dict):
        return set()
    members = cast("Json", value)
    return {
        one for name, each in members.items() for one in {f"{place}/{name}"} | list_members(each, f"{place}/{name}")
    }


def write_examples(version: Version, examples: Mapping[str, Any]) -> None:
    """Replace a version's examples in the committed file, which has a line for each."""
    kept: dict[str, dict[str, Any]] = json.loads(_FILE.read_text(encoding="utf-8"))
    kept[version] = dict(examples)
    parts = [
        f'"{name}": {{\n'
        + ",\n".join(f" {json.dumps(struct)}: {_write(each)}" for struct, each in sorted(kept[name].items()))
        + "\n}"
        for name in sorted(kept)
    ]
    _FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def _write(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _shorten(value: Any) -> Any:
    """Return a value with one item of each list, the beginning of long texts, and little of a large member."""
    if isinstance(value, list):
        return [_shorten(item) for item in cast("list[Any]", value)[:1]]
    if isinstance(value, dict):
        members = {name: _shorten(each) for name, each in cast("Json", value).items()}
        return {
            name: each if len(_write(each)) <= _MOST_OF_A_MEMBER else _take_some(each) for name, each in members.items()
        }
    return f"{value[:_MOST_TEXT]}…" if isinstance(value, str) and len(value) > _MOST_TEXT else value


def _take_some(value: Any) -> Any:
    """Return the first two members of an object, and of those inside."""
    if not isinstance(value, dict):
        return value
    return {name: _take_some(each) for name, each in list(cast("Json", value).items())[:2]}


def _make_repeatable(struct: str, value: Any) -> Any:
    """Return an answer with the same ids and times at every recording, and with secrets that were never any."""
    ids: dict[str, str] = {}

    def invent(found: re.Match[str]) -> str:
        secret = found["secret"]
        return found["before"] + ids.setdefault(secret, _invent(struct, len(ids), secret))

    text = _SECRET.sub(invent, _ID.sub(invent, _write(value)))
    return json.loads(_OF_DATABASE.sub("2026-03-02T06:00:00Z", text))


def _invent(struct: str, number: int, secret: str) -> str:
    """Return an id, or as much of a digest as there is of a secret."""
    made = uuid5(_SPACE, f"{struct} {number}")
    return str(made) if "-" in secret and len(secret) == len(str(made)) else f"{made.hex}{made.hex}"[: len(secret)]
