from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from meetdeck.platform.values import AnyCase, Duration, InvalidInput, Moment, TimeOfDay, read_json, write_json

COPENHAGEN = ZoneInfo("Europe/Copenhagen")


class Colour(AnyCase):
    RED = "Red"
    DARK_BLUE = "DarkBlue"


class Part(msgspec.Struct, rename="camel"):
    part_name: str
    seats: int = 1


class Whole(msgspec.Struct, rename="camel"):
    whole_name: str
    part: Part | None = None
    parts: list[Part] = []
    colour: Colour = Colour.RED
    size: Literal["small", "large"] = "small"
    length: Duration | None = None
    starts_at: Moment | None = None
    opens_at: TimeOfDay | None = None
    data: dict[str, Any] = {}


def refusal_of(content: bytes) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        read_json(content, Whole)
    return caught.value


def faults_of(content: bytes) -> dict[str, str]:
    return {fault.pointer: fault.detail for fault in refusal_of(content).faults}


# ------------------------------------------------------------------------------------------------------------ moments


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-02T09:00:00Z",
        "2026-03-02T10:00:00+01:00",
        "2026-03-02T10:00:00 01:00",  # what is left of an unescaped + in a query
        "2026-03-02T09:00Z",
        "20260302T090000Z",
        "2026-03-02 10:00:00+01:00",
        "2026-03-02T09:00:00.000Z",
        " 2026-03-02T09:00:00Z ",
        "2026-03-02T10:00:00",  # without an offset: the organization's clock
    ],
)
def test_a_moment_is_read_in_any_form_of_iso_8601(text: str) -> None:
    assert Moment.parse(text).to_utc(COPENHAGEN) == datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_a_date_alone_is_its_local_midnight() -> None:
    assert Moment.parse("2026-07-01").to_utc(COPENHAGEN) == datetime(2026, 6, 30, 22, tzinfo=UTC)


def test_a_moment_comes_out_in_utc() -> None:
    assert Moment.parse("2026-03-02T10:00:00+01:00").to_utc(COPENHAGEN).tzinfo is UTC


@pytest.mark.parametrize("text", ["tomorrow", "", "2026-13-01T00:00:00Z", "2026-03-02T25:00:00Z", "1772442000"])
def test_what_is_no_moment_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="write for example 2026-03-02T09:00:00Z"):
        Moment.parse(text)


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00Z", "1899-12-31T23:59:59Z", "9999-12-31T23:59:59-14:00"])
def test_years_that_no_meeting_is_in_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="between the years 1900 and 2999"):
        Moment.parse(text)


@given(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2999, 12, 31)))  # noqa: DTZ001 - local by intent
def test_no_moment_within_those_years_overflows(moment: datetime) -> None:
    local = Moment.parse(moment.isoformat()).to_utc(COPENHAGEN).astimezone(COPENHAGEN).replace(tzinfo=None)
    assert abs(local - moment) <= timedelta(hours=1)  # an hour that the clocks skip moves on by one


# ------------------------------------------------------------------------------------------------------------- bodies


def test_a_body_is_read_with_its_wire_types() -> None:
    whole = read_json(b'{"wholeName": "A", "length": "7.00:00:00", "startsAt": "2026-03-02T09:00:00Z"}', Whole)
    assert (whole.length, whole.starts_at) == (timedelta(days=7), datetime(2026, 3, 2, 9, tzinfo=UTC))


@pytest.mark.parametrize("written", ["DarkBlue", "darkblue", "DARKBLUE", "darkBlue"])
def test_enumerations_are_read_in_any_case(written: str) -> None:
    assert read_json(f'{{"wholeName": "A", "colour": "{written}"}}'.encode(), Whole).colour is Colour.DARK_BLUE


def test_unknown_members_are_ignored() -> None:
    assert read_json(b'{"wholeName": "A", "whole_name": "B", "else": {"deep": [1]}}', Whole).whole_name == "A"


def test_every_fault_is_named_with_its_pointer() -> None:
    faults = faults_of(
        b'{"part": {"seats": "two"}, "colour": "green", "length": "90", "size": "huge", "startsAt": 5, "data": []}'
    )
    assert set(faults) == {
        "/wholeName",
        "/part/partName",
        "/part/seats",
        "/colour",
        "/length",
        "/size",
        "/startsAt",
        "/data",
    }
    assert faults["/wholeName"] == "wholeName is required."
    assert faults["/part/seats"] == "Write a whole number."
    assert "hh:mm:ss" in faults["/length"]


def test_a_fault_inside_an_array_is_named_by_its_place() -> None:
    faults = faults_of(b'{"wholeName": "A", "parts": [{"partName": "fine"}, {"partName": 1}, {}]}')
    assert set(faults) == {"/parts/1/partName", "/parts/2/partName"}


@pytest.mark.parametrize(("member", "choices"), [("colour", "Red, DarkBlue"), ("size", "small, large")])
def test_a_wrong_choice_is_answered_with_the_choices(member: str, choices: str) -> None:
    assert f"one of {choices}" in faults_of(f'{{"wholeName": "A", "{member}": "other"}}'.encode())[f"/{member}"]


def test_what_has_a_form_is_answered_with_an_example() -> None:
    class Formed(msgspec.Struct):
        email: Annotated[str, Meta(pattern="^.+@.+$", examples=["freja@example.com"])]
        colors: list[Annotated[str, Meta(pattern="^#", examples=["#2B7A4B"])]]
        number: Annotated[str, Meta(pattern="^[0-9]+$")] | None = None
        id: UUID | None = None

    with pytest.raises(InvalidInput) as caught:
        read_json(b'{"email": "freja", "colors": ["#1", "green"], "number": "one", "id": "1"}', Formed)
    assert {fault.pointer: fault.detail for fault in caught.value.faults} == {
        "/email": "Write it like freja@example.com.",
        "/colors/1": "Write it like #2B7A4B.",
        "/number": "Must match the pattern ^[0-9]+$.",
        "/id": "Write a UUID, for example 6f9619ff-8b86-4d01-b42d-00cf4fc964ff.",
    }


def test_the_sentence_shows_five_faults_and_counts_the_rest() -> None:
    refusal = refusal_of(b'{"wholeName": 1, "part": 1, "parts": 1, "colour": 1, "size": 1, "length": 1, "startsAt": 1}')
    assert len(refusal.faults) == 7
    assert refusal.detail.endswith("And 2 more.")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The body is missing."),
        (b"{", "not well-formed JSON"),
        (b'{"wholeName": "A"} more', "not well-formed JSON"),
        (b'{"wholeName": "\xff"}', "not well-formed JSON"),
        (b'{"wholeName": 1, "data": {"n": 1e999}}', "Number out of range"),
        (b'{"wholeName": "A", "data": {"n": 1e999}}', "Number out of range"),
        (b'{"data": ' + b'{"x":' * 100_000, "nested too deeply"),
        (b'{"unknown": ' + b"[" * 1_000_000, "nested too deeply"),
        (b"[]", "Write an object"),
        (b"null", "Write an object"),
    ],
    ids=range(10),
)
def test_what_is_no_body_at_all_is_refused_in_words(content: bytes, said: str) -> None:
    assert said in refusal_of(content).detail


@given(st.binary())
def test_no_bytes_do_worse_than_a_refusal(content: bytes) -> None:
    with suppress(InvalidInput):
        read_json(content, Whole)


def test_a_wrong_item_of_a_list_with_a_limit_is_named() -> None:
    class Sent(msgspec.Struct):
        ids: Annotated[list[UUID], msgspec.Meta(max_length=2)]

    with pytest.raises(InvalidInput) as wrong:
        read_json(b'{"ids": ["x"]}', Sent)
    assert [fault.pointer for fault in wrong.value.faults] == ["/ids/0"]
    with pytest.raises(InvalidInput) as too_many:
        read_json(b'{"ids": ["%s", "%s", "%s"]}' % ((str(UUID(int=1)).encode(),) * 3), Sent)
    assert [fault.pointer for fault in too_many.value.faults] == ["/ids"]


# -------------------------------------------------------------------------------------------------------- times of day


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("09:30:15", time(9, 30, 15)),
        ("09:30", time(9, 30)),
        (" 23:59:59 ", time(23, 59, 59)),
        ("00:00:00", time(0)),
        ("24:00:00", time(0)),
        ("24:00", time(0)),
    ],
)
def test_a_time_of_day_is_read_and_written(text: str, shown: time) -> None:
    assert TimeOfDay.parse(text) == shown
    read = read_json(f'{{"wholeName": "", "opensAt": "{text}"}}'.encode(), Whole)
    assert f'"opensAt":"{shown:%H:%M:%S}"'.encode() in write_json(read)


@pytest.mark.parametrize(
    "text",
    ["", "9:30", "9 am", "24:00:01", "24:30", "25:00", "12:60", "12:00:60", "09:30:15Z", "\u0661\u0669:\u0660\u0660"],
)
def test_what_is_no_time_of_day_is_refused_with_an_example(text: str) -> None:
    assert faults_of(f'{{"wholeName": "", "opensAt": "{text}"}}'.encode()) == {
        "/opensAt": f"'{text}' is not a time of day: write hh:mm:ss, for example 09:00:00."
    }


class Inner(msgspec.Struct, frozen=True):
    size: int = 1
    note: str | None = "none given"


class Outer(msgspec.Struct, frozen=True):
    name: str
    inner: Inner = Inner()
    inners: list[Inner] = []
    data: dict[str, Any] = {}


def test_a_null_is_no_member_where_the_member_is_optional() -> None:
    body = b'{"name": "a", "inner": {"size": null, "note": null}, "inners": [{"size": null}], "data": {"a": null}}'
    assert read_json(body, Outer) == Outer("a", Inner(1, None), [Inner()], {"a": None})
    assert read_json(b'{"name": "a", "inner": null, "inners": null, "data": null}', Outer) == Outer("a")


def test_a_null_that_is_required_is_refused() -> None:
    with pytest.raises(InvalidInput) as refused:
        read_json(b'{"name": null, "inner": null}', Outer)
    assert [fault.pointer for fault in refused.value.faults] == ["/name"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"name": "\\ud800"}', r"\ud800 (byte 10) is half a character"),
        (b'{"name": "a\\ud800 b"}', r"\ud800 (byte 11) is half a character"),
        (b'{"name": "\\udc00"}', r"\udc00 (byte 10) is half a character"),
        (b'{"name": "\\ud83d\\ude00\\uDBFF"}', r"\uDBFF (byte 22) is half a character"),
        (b'{"\\ud800": 1}', r"\ud800 (byte 2) is half a character"),
        (b'{"name": "\xed\xa0\x80"}', "not in UTF-8 (byte 10)"),
        (b'{"name": "\\\\ud800', "ends before it is whole"),
    ],
)
def test_a_text_that_is_none_is_refused_with_its_place(content: bytes, words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_json(content, dict[str, str])
    assert words in caught.value.detail
