"""Serialization: reading bodies and queries with every fault named, writing answers."""

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime, time, tzinfo
from enum import Enum
from itertools import chain, islice
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any, Literal, Self, TypeVar, cast, get_args, get_origin

import msgspec

from meetdeck.platform.errors import Fault, Invalid
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values.annotations import Shape, find_texts, members_of, trim
from meetdeck.platform.values.durations import Duration
from meetdeck.platform.values.wording import explain

T = TypeVar("T")

_SHOWN_FAULTS = 5  # in the sentence; `faults` has them all
_MOST_FAULTS_OF_ARRAY = 100  # a caller who sent a million wrong items need not read a million lines

_PLACE = re.compile(r" - at (?:`key` in )?`\$(?P<path>[^`]*)`$")
_TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]|24(?=:00(?::00)?$)):([0-5][0-9])(?::([0-5][0-9]))?")

# An escaped surrogate without its other half (RFC 8259, section 8.2), after nothing but what is right. Linear time.
_HALF_A_CHARACTER = re.compile(
    rb"(?s)(?:[^\\]++|\\[^u]|\\u(?![dD][89a-fA-F])|\\u[dD][89abAB]..\\u[dD][c-fC-F]..)*+"
    rb"(\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)

SinceV3 = Annotated[T | msgspec.UnsetType, msgspec.Meta(extra_json_schema={"x-since": "v3"})]
"""A member that only v3 answers: UNSET for v2, it is not written, and missing from v2's OpenAPI document."""

SetSinceV3 = Annotated[T | msgspec.UnsetType, msgspec.Meta(extra_json_schema={"x-since": "v3", "x-optional": True})]
"""A member that only v3 answers, and only when it is set."""

# Far from the limits of datetime, so that no arithmetic on a caller's time overflows.
_FIRST_YEAR, _LAST_YEAR = 1900, 2999


class Moment(datetime):
    """A point in time as a caller writes it, in any form of ISO 8601; without an offset it is local time."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the moment of an ISO 8601 text. Raises ValueError."""
        try:
            # An unescaped + of an offset arrives as a space when it was in a query.
            moment = cls.fromisoformat(text.strip().replace(" ", "+") if "T" in text else text.strip())
        except ValueError:
            raise ValueError(
                phrase("'{text}' is not an ISO 8601 date and time: write for example 2026-03-02T09:00:00Z", text=text)
            ) from None
        if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
            raise ValueError(
                phrase(
                    "'{text}' must be between the years {first_year} and {last_year}",
                    text=text,
                    first_year=_FIRST_YEAR,
                    last_year=_LAST_YEAR,
                )
            )
        return moment

    def to_utc(self, local: tzinfo) -> datetime:
        """Return the aware time in UTC; `local` is the zone of a time without offset."""
        aware = self if self.tzinfo is not None else self.replace(tzinfo=local)
        return datetime.fromtimestamp(aware.timestamp(), UTC)


class TimeOfDay(time):
    """A time of day in local time, to the second, written `hh:mm:ss`; as an end, 00:00:00 is the day's end."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the time of `hh:mm:ss` (the seconds may be left out), 24:00:00 as 00:00:00. Raises ValueError."""
        found = _TIME_OF_DAY.fullmatch(text.strip())
        if found is None:
            raise ValueError(phrase("'{text}' is not a time of day: write hh:mm:ss, for example 09:00:00", text=text))
        hour, minute, second = (int(part or 0) for part in found.groups())
        return cls(hour % 24, minute, second)


class AnyCase(Enum):
    """An enumeration that is read in any case and written as the contracts' tables spell it."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return next((one for one in cls if str(one.value).lower() == str(value).lower()), None)


class UploadedFile:
    """A file part of a form: in memory while it is small, else on disk; removed when the request is over.

    `digest` is the SHA-256 of its content.
    """

    def __init__(self, file_name: str, spool: SpooledTemporaryFile[bytes]) -> None:
        self.file_name = file_name
        self.spool = spool
        self.digest = hashlib.file_digest(spool, "sha256").digest()
        self.size_bytes = spool.tell()
        spool.seek(0)

    def read(self) -> bytes:
        """Return the content, whole."""
        self.spool.seek(0)
        return self.spool.read()


class InvalidInput(Invalid):
    """A body or a query with faults; each has its place and remedy."""

    code = "invalid_request"


def decode_wire(kind: type, value: Any) -> Any:  # noqa: ANN401 - msgspec's hook takes and gives anything
    """Return a value of one of our own types; msgspec's `dec_hook`."""
    if kind is UploadedFile:
        if isinstance(value, UploadedFile):
            return value
        raise ValueError(phrase("Send a file: a part with a file name."))
    if kind not in {Duration, Moment, TimeOfDay}:
        raise NotImplementedError(f"{kind} has no wire form")
    if not isinstance(value, str):
        raise ValueError(phrase("Write a text."))  # noqa: TRY004 - msgspec wants ValueError
    return kind.parse(value)


def encode_wire(value: object) -> object:
    """Return the text of one of our own types; msgspec's `enc_hook`."""
    if isinstance(value, Duration):
        return str(value)
    if isinstance(value, Moment | TimeOfDay):
        return value.isoformat()
    raise NotImplementedError(f"{type(value)} has no wire form")


def write_json(resource: object) -> bytes:
    """Return a resource as JSON."""
    return msgspec.json.encode(resource, enc_hook=encode_wire)


def fingerprint(body: object) -> bytes:
    """Return bytes that are equal only for equal input."""

    def encode(value: object) -> object:
        return [value.file_name, value.digest] if isinstance(value, UploadedFile) else encode_wire(value)

    return msgspec.msgpack.encode(body, enc_hook=encode)


def read_json(content: bytes, kind: type[T]) -> T:
    """Return a JSON body as `kind`, its texts trimmed. Raises InvalidInput with every fault.

    A null is treated as a missing member if the member is optional and not nullable.
    """
    try:
        try:
            read = msgspec.json.decode(content, type=kind, dec_hook=decode_wire)
            return read if (texts := find_texts(kind)) is None else cast("T", trim(read, texts))
        except msgspec.ValidationError:
            plain: object = msgspec.json.decode(content)  # it fits JSON, perhaps, but not `kind`: find every fault
    except RecursionError:
        raise InvalidInput("The body is nested too deeply.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(_explain_json(content, error)) from None
    return read_builtins(_drop_nulls(plain, Shape.of(kind)), kind)


def _explain_json(content: bytes, error: Exception) -> str:
    """Return why a body is not JSON, where msgspec's own message would not help."""
    if not content:
        return "The body is missing."
    try:
        content.decode()
    except UnicodeDecodeError as undecodable:
        return f"The body is not well-formed JSON: it is not in UTF-8 (byte {undecodable.start})."
    if found := _HALF_A_CHARACTER.match(content):
        return (
            f"The body is not well-formed JSON: {found[1].decode()} (byte {found.start(1)}) is half a character. Send "
            "both halves of the pair, or the character itself in UTF-8."
        )
    flaw = "it ends before it is whole" if "truncated" in str(error) else str(error).removeprefix("JSON is malformed: ")
    return f"The body is not well-formed JSON: {flaw}."


def _drop_nulls(value: object, shape: Shape) -> object:
    """Return a value without null members that are optional and not nullable: many clients write absence so."""
    if shape.item is not None and isinstance(value, list):
        return [_drop_nulls(each, shape.item) for each in cast("list[object]", value)]
    if shape.struct is None or not isinstance(value, dict):
        return value
    known = members_of(shape.struct)
    return {
        name: _drop_nulls(member, known[name].shape) if name in known else member
        for name, member in cast("dict[str, object]", value).items()
        if not (member is None and name in known and known[name].may_be_left_out)
    }


def read_builtins(value: object, kind: type[T], *, pointer: str = "", strict: bool = True) -> T:
    """Return plain dicts, lists and strings as `kind`, its texts trimmed. Raises InvalidInput with every fault."""
    try:
        read = msgspec.convert(value, kind, strict=strict, dec_hook=decode_wire)
        return read if (texts := find_texts(kind)) is None else cast("T", trim(read, texts))
    except msgspec.ValidationError as error:
        faults = _find_faults(value, Shape.of(kind), pointer, strict=strict)
        raise _refusal(faults or [_describe(error, pointer, kind)]) from None


def refuse(faults: Sequence[Fault]) -> None:
    """Raise InvalidInput if there are faults."""
    if faults:
        raise _refusal(faults)


def _refusal(faults: Sequence[Fault]) -> InvalidInput:
    shown = " ".join(f"{fault.pointer or 'The body'}: {fault.detail}" for fault in faults[:_SHOWN_FAULTS])
    more = f" And {len(faults) - _SHOWN_FAULTS} more." if len(faults) > _SHOWN_FAULTS else ""
    return InvalidInput(shown + more, faults=tuple(faults))


def _find_faults(value: object, shape: Shape, pointer: str, *, strict: bool) -> list[Fault]:
    """Return the faults of all members, where msgspec stops at the first."""
    if shape.item is not None and isinstance(value, list):
        item, items = shape.item, enumerate(cast("list[object]", value))
        found = (_find_faults(each, item, f"{pointer}/{place}", strict=strict) for place, each in items)
        return list(islice(chain.from_iterable(found), _MOST_FAULTS_OF_ARRAY))
    if shape.struct is None or not isinstance(value, dict):
        try:
            trim(msgspec.convert(value, shape.kind, strict=strict, dec_hook=decode_wire), shape)
        except msgspec.ValidationError as error:
            return [_describe(error, pointer, shape.kind)]
        return []
    members = cast("dict[str, object]", value)
    faults: list[Fault] = []
    for name, member in members_of(shape.struct).items():
        at = f"{pointer}/{name}"
        if name in members:
            faults += _find_faults(members[name], member.shape, at, strict=strict)
        elif member.required:
            faults.append(Fault(at, phrase("{name} is required.", name=name)))
    return faults


def _describe(error: msgspec.ValidationError, pointer: str, kind: Any) -> Fault:  # noqa: ANN401 - any annotation
    """Return a msgspec error in our words: `Expected `str`, got `int` - at `$.a[0]`` becomes pointer and sentence."""
    message, place = _split(str(error))
    return Fault(pointer + place, explain(message, choices=_find_choices(kind), example=_find_example(kind)))


def _split(error: str) -> tuple[str, str]:
    """Return a msgspec error's message and its place as a pointer: `Expected `int` - at `key` in `$.a`` is at /a."""
    found = _PLACE.search(error)
    if found is None:
        return error, ""
    inside = found["path"].replace("[...]", "").replace("[", ".").replace("]", "").replace(".", "/")
    return error[: found.start()], inside


def _find_choices(kind: Any) -> list[str]:  # noqa: ANN401 - any annotation
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [str(one.value) for one in kind]
    if get_origin(kind) is Literal:
        return [str(one) for one in get_args(kind)]
    return [choice for option in get_args(kind) for choice in _find_choices(option)]


def _find_example(kind: Any) -> str | None:  # noqa: ANN401 - any annotation
    """Return the first example in a text's own annotation."""
    examples = (one.examples for one in get_args(kind) if isinstance(one, msgspec.Meta) and one.examples)
    inside = (_find_example(option) for option in get_args(kind) if not isinstance(option, msgspec.Meta))
    return next((str(each[0]) for each in examples), None) or next(filter(None, inside), None)
