from datetime import UTC, datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, Meta, UnsetType

from meetdeck.platform.errors import Fault, MeetdeckError
from meetdeck.platform.values import AnyCase, Duration, InvalidInput, Moment
from meetdeck.platform.values.patching import InvalidPatch, PatchTestFailed, apply_patch, read_patch

ID = "00000000-0000-0000-0000-000000000001"


class Kind(AnyCase):
    ONLINE = "Online"
    PHYSICAL = "Physical"


class Field(msgspec.Struct, frozen=True, rename="camel"):
    field_name: str
    order: int = 0


class Visit(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The resource as it is answered."""

    id: UUID
    date_created: datetime
    title: str
    kind: Kind
    length: Duration
    starts_at: datetime
    room_id: UUID | None
    fields: list[Field]
    portal: str | UnsetType = UNSET


class WritableVisit(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members that a caller may write: the body of a new one."""

    title: Annotated[str, Meta(max_length=10)]
    kind: Kind = Kind.ONLINE
    length: Duration
    starts_at: Moment
    room_id: UUID | None = None
    fields: list[Field] = []
    portal: str | None = None
    secret: str | None = None


VISIT = Visit(
    id=UUID(ID),
    date_created=datetime(2026, 3, 2, 9, tzinfo=UTC),
    title="Review",
    kind=Kind.PHYSICAL,
    length=Duration(hours=1),
    starts_at=datetime(2026, 3, 3, 9, tzinfo=UTC),
    room_id=UUID(int=2),
    fields=[Field("colour"), Field("size", 1)],
)


def change(*operations: dict[str, Any]) -> WritableVisit:
    patch = read_patch(msgspec.json.encode(operations))
    return apply_patch(VISIT, patch, WritableVisit, read_only=("id", "dateCreated"))


def refusal_of(*operations: dict[str, Any], kind: type[MeetdeckError] = InvalidInput) -> dict[str, str]:
    """Return what is said at which pointer."""
    with pytest.raises(kind) as caught:
        change(*operations)
    assert all(f"{fault.pointer}: {fault.detail}" in caught.value.detail for fault in caught.value.faults)
    return {fault.pointer: fault.detail for fault in caught.value.faults}


def test_a_patch_of_nothing_reads_the_resource_as_it_is_answered() -> None:
    visit = change()
    assert (visit.title, visit.kind, visit.length, visit.starts_at) == (
        "Review",
        Kind.PHYSICAL,
        timedelta(hours=1),
        VISIT.starts_at,
    )
    assert (visit.room_id, visit.fields, visit.portal) == (UUID(int=2), VISIT.fields, None)


def test_paths_and_values_are_those_of_the_wire() -> None:
    visit = change(
        {"op": "test", "path": "/length", "value": "01:00:00"},
        {"op": "replace", "path": "/length", "value": "1.00:30:00"},
        {"op": "test", "path": "/startsAt", "value": "2026-03-03T09:00:00Z"},
        {"op": "replace", "path": "/kind", "value": "online"},
        {"op": "move", "from": "/fields/0", "path": "/fields/-"},
        {"op": "replace", "path": "/fields/0/fieldName", "value": "weight"},
        {"op": "add", "path": "/secret", "value": "x"},
    )
    assert (visit.length, visit.kind, visit.secret) == (timedelta(days=1, minutes=30), Kind.ONLINE, "x")
    assert visit.fields == [Field("weight", 1), Field("colour")]


def test_a_member_that_is_removed_has_its_default_again() -> None:
    visit = change({"op": "remove", "path": "/roomId"}, {"op": "remove", "path": "/kind"})
    assert (visit.room_id, visit.kind) == (None, Kind.ONLINE)


def test_an_added_member_that_nobody_knows_is_ignored() -> None:
    assert change({"op": "add", "path": "/colour", "value": {"deep": [1]}}).title == "Review"


def test_a_member_that_is_not_set_is_added_and_not_replaced() -> None:
    assert change({"op": "add", "path": "/portal", "value": "P"}).portal == "P"
    with pytest.raises(InvalidPatch, match="There is no member 'portal'"):
        change({"op": "replace", "path": "/portal", "value": "P"})


# ---------------------------------------------------------------------------------------------------------- read-only


@pytest.mark.parametrize(
    ("operation", "pointer"),
    [
        ({"op": "replace", "path": "/id", "value": str(UUID(int=9))}, "/operations/1/value"),
        ({"op": "add", "path": "/id", "value": None}, "/operations/1/value"),
        ({"op": "remove", "path": "/id"}, "/operations/1/path"),
        ({"op": "move", "from": "/id", "path": "/roomId"}, "/operations/1/from"),
        ({"op": "copy", "from": "/roomId", "path": "/id"}, "/operations/1/path"),
        ({"op": "add", "path": "", "value": {"dateCreated": "2026-03-02T09:00:00Z"}}, "/operations/1/value/id"),
    ],
    ids=str,
)
def test_a_member_that_cannot_change_is_named_with_the_operation(operation: dict[str, Any], pointer: str) -> None:
    assert refusal_of({"op": "replace", "path": "/title", "value": "A"}, operation, kind=InvalidPatch) == {
        pointer: "id cannot be changed."
    }


def test_a_member_that_cannot_change_may_be_written_as_it_is() -> None:
    same = [{"op": "replace", "path": "/id", "value": ID}, {"op": "add", "path": "/id", "value": ID}]
    there_and_back = [{"op": "move", "from": "/id", "path": "/x"}, {"op": "move", "from": "/x", "path": "/id"}]
    assert change(*same, *there_and_back).title == "Review"


def test_null_is_not_the_same_as_not_there() -> None:
    patch = read_patch(b'[{"op": "add", "path": "/portal", "value": null}]')
    with pytest.raises(InvalidPatch, match="portal cannot be changed"):
        apply_patch(VISIT, patch, WritableVisit, read_only=["portal"])


def test_every_member_that_cannot_change_is_named() -> None:
    removals = [{"op": "remove", "path": "/dateCreated"}, {"op": "remove", "path": "/id"}]
    assert set(refusal_of(*removals, kind=InvalidPatch)) == {"/operations/0/path", "/operations/1/path"}


# --------------------------------------------------------------------------------------------------------- the result


@pytest.mark.parametrize(
    ("operation", "pointer", "said"),
    [
        ({"op": "replace", "path": "/title", "value": 5}, "/value", "Write a text."),
        ({"op": "replace", "path": "/title", "value": "x" * 11}, "/value", "at most 10 characters"),
        ({"op": "replace", "path": "/kind", "value": "phone"}, "/value", "one of Online, Physical"),
        ({"op": "replace", "path": "/length", "value": "1h"}, "/value", "hh:mm:ss"),
        ({"op": "remove", "path": "/title"}, "/path", "title is required."),
        ({"op": "move", "from": "/title", "path": "/portal"}, "/from", "title is required."),
        ({"op": "copy", "from": "/fields", "path": "/title"}, "/path", "Write a text."),
        ({"op": "add", "path": "/fields/-", "value": {"order": 1}}, "/value/fieldName", "fieldName is required."),
        ({"op": "add", "path": "/fields/1", "value": {"fieldName": 1}}, "/value/fieldName", "Write a text."),
        ({"op": "replace", "path": "/fields", "value": [{"a": 1}]}, "/value/0/fieldName", "fieldName is required."),
        ({"op": "remove", "path": "/fields/1/fieldName"}, "/path", "fieldName is required."),
        ({"op": "replace", "path": "/fields/0/order", "value": "a"}, "/value", "Write a whole number."),
        ({"op": "copy", "from": "/title", "path": "/fields/-"}, "/path", "Write an object."),
    ],
    ids=str,
)
def test_what_the_result_lacks_is_blamed_on_the_operation(operation: dict[str, Any], pointer: str, said: str) -> None:
    ((found, detail),) = refusal_of({"op": "test", "path": "/fields/0/order", "value": 0}, operation).items()
    assert found == f"/operations/1{pointer}"
    assert said in detail


def test_the_last_operation_on_a_member_is_to_blame() -> None:
    titles = [{"op": "replace", "path": "/title", "value": value} for value in (1, "Talk", "x" * 11)]
    assert set(refusal_of(*titles, {"op": "replace", "path": "/roomId", "value": None})) == {"/operations/2/value"}


def test_when_several_operations_may_be_to_blame_the_pointer_leads_into_the_result() -> None:
    bad, good = {"fieldName": 1}, {"fieldName": "a"}
    operations = [{"op": "add", "path": f"/fields/{place}", "value": value} for place, value in ((1, good), (0, bad))]
    assert set(refusal_of(*operations)) == {"/fields/0/fieldName"}


def test_an_item_too_many_is_blamed_on_where_it_was_added() -> None:
    class Two(msgspec.Struct):
        fields: Annotated[list[Any], Meta(max_length=2)]

    patch = read_patch(b'[{"op": "add", "path": "/fields/-", "value": {}}]')
    with pytest.raises(InvalidInput) as caught:
        apply_patch(VISIT, patch, Two)
    assert [fault.pointer for fault in caught.value.faults] == ["/operations/0/path"]


def test_a_result_that_is_no_object_is_refused() -> None:
    assert refusal_of({"op": "replace", "path": "", "value": [1]}) == {"/operations/0/value": "Write an object."}


# ----------------------------------------------------------------------------------------------------------- anything

values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12),
    st.sampled_from([[], {}, [{}], [{"fieldName": "a"}], "\0", "01:00:00", "2026-03-03T09:00:00Z", ID]),
)
pointers = st.sampled_from(
    [
        *(
            "",
            "/",
            "/id",
            "/title",
            "/kind",
            "/length",
            "/startsAt",
            "/roomId",
            "/dateCreated",
            "/portal",
            "/x",
            "/x/y",
        ),
        *("/fields", "/fields/0", "/fields/-", "/fields/01", "/fields/1/order", "/fields/0/fieldName", "x", "/~"),
    ]
)
operations = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]),
        "path": pointers,
        "from": pointers,
        "value": values,
    }
)


@given(st.lists(operations, max_size=4))
def test_a_patch_is_applied_or_refused_with_a_place(patch: list[dict[str, Any]]) -> None:
    faults: tuple[Fault, ...] = ()
    try:
        change(*patch)
    except (InvalidPatch, InvalidInput, PatchTestFailed) as refusal:
        faults = refusal.faults or (Fault("nowhere", ""),)
    in_result = {"", "/fields"}  # when several operations wrote items
    assert all(fault.pointer in in_result or fault.pointer.startswith(("/operations/", "/fields/")) for fault in faults)
