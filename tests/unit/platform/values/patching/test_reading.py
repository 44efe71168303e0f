from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.platform.values import InvalidInput
from meetdeck.platform.values.patching import read_patch

GOOD = {"op": "remove", "path": "/a"}


def refusal_of(body: object) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        read_patch(body if isinstance(body, bytes) else msgspec.json.encode(body))
    return caught.value


def faults_of(*operations: object) -> dict[str, str]:
    return {fault.pointer: fault.detail for fault in refusal_of([GOOD, *operations]).faults}


@pytest.mark.parametrize(
    ("operation", "pointer", "said"),
    [
        ({"path": "/a"}, "/op", "op is required: it is one of add, remove, replace, move, copy, test."),
        ({"op": "put", "path": "/a"}, "/op", "op cannot be 'put': it is one of add,"),
        ({"op": "Add", "path": "/a", "value": 1}, "/op", "op cannot be 'Add'"),
        ({"op": ["add"], "path": "/a"}, "/op", "op cannot be an array of 1 item"),
        ({"op": True, "path": "/a"}, "/op", "op cannot be true"),
        ({"op": "add", "value": 1}, "/path", "path is required."),
        ({"op": "add", "path": None, "value": 1}, "/path", "Write a text."),
        ({"op": "add", "path": ["a"], "value": 1}, "/path", "Write a text."),
        ({"op": "add", "path": "/a"}, "/value", "value is required."),
        ({"op": "replace", "path": "/a"}, "/value", "value is required."),
        ({"op": "test", "path": "/a"}, "/value", "value is required."),
        ({"op": "move", "path": "/a"}, "/from", "from is required."),
        ({"op": "copy", "path": "/a", "from": 1}, "/from", "Write a text."),
        ("add", "", "An operation is an object, this is 'add'."),
        (None, "", "An operation is an object, this is null."),
        ([GOOD], "", "An operation is an object, this is an array of 1 item."),
    ],
    ids=str,
)
def test_an_operation_of_the_wrong_form_is_named_by_its_place(operation: object, pointer: str, said: str) -> None:
    ((found, detail),) = faults_of(operation).items()
    assert found == f"/operations/1{pointer}"
    assert detail.startswith(said)


def test_every_wrong_operation_is_named() -> None:
    assert set(faults_of({"op": "add"}, GOOD, {"op": "move", "path": 1})) == {
        "/operations/1/path",
        "/operations/1/value",
        "/operations/3/from",
        "/operations/3/path",
    }
    assert "And 95 more." in refusal_of([{"op": "put"}] * 100).detail


def test_members_that_an_operation_does_not_define_are_ignored() -> None:
    (operation,) = read_patch(b'[{"op": "remove", "path": "/a", "from": 5, "value": {}, "comment": "x"}]')
    assert operation.path == "/a"


@pytest.mark.parametrize("name", ["op", "path", "value"])
def test_a_member_that_is_there_twice_is_refused(name: str) -> None:
    repeated = f'[{{"op": "add", "path": "/a", "value": 1, "{name}": "test"}}]'.encode()
    refusal = refusal_of(repeated.replace(b'"op": "test"', b'"op": "add"'))
    assert [fault.pointer for fault in refusal.faults] == [f"/operations/0/{name}"]
    assert "more than once" in refusal.detail


def test_a_name_that_is_there_twice_inside_of_a_value_is_the_values_affair() -> None:
    (operation,) = read_patch(b'[{"op": "add", "path": "/a", "value": {"op": 1, "op": 2}}]')
    assert msgspec.to_builtins(operation)["value"] == {"op": 2}


def test_no_operations_are_a_patch() -> None:
    assert read_patch(b"[]") == []


def test_more_than_a_thousand_operations_are_refused() -> None:
    assert len(read_patch(msgspec.json.encode([GOOD] * 1_000))) == 1_000
    assert "at most 1,000 operations, this one has 1,001" in refusal_of([GOOD] * 1_001).detail


def test_a_body_of_many_megabytes_is_not_even_read() -> None:
    assert "at most 4,000,000 bytes, this one has 4,000,001" in refusal_of(b"[" * 4_000_001).detail


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            {"title": "Review"},
            'The body is an object with 1 member; send a JSON Patch, an array of operations: [{"op": ',
        ),
        ({"title": "Review"}, '[{"op": "replace", "path": "/title", "value": …}]'),
        ({"a/b": "Review"}, '"path": "/a~1b"'),
        ({'a"b\n': "Review"}, r'"path": "/a\"b\n"'),
        (GOOD, "A JSON Patch is an array, even with one operation: ["),
        ({}, "The body is an object with 0 members"),
        ("title", "The body is 'title'; send a JSON Patch"),
        (None, "The body is null"),
        (b"", "The body is missing."),
        (b"[{", "not well-formed JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'[{"op": "add", "path": "/a", "value": ' + b"[" * 100_000, "nested too deeply"),
    ],
    ids=range(12),
)
def test_a_body_that_is_no_patch_is_refused_with_one(body: object, said: str) -> None:
    refusal = refusal_of(body)
    assert said in refusal.detail
    assert len(refusal.detail) < 250


strange: st.SearchStrategy[Any] = st.sampled_from(["add", "move", "test", "/a", "", 1, None, [1], {"a": 1}, True])


def test_no_depth_does_worse_than_a_refusal() -> None:
    for depth in range(800, 1_050):  # where Python's stack ends
        with suppress(InvalidInput):
            read_patch(b'[{"op": "add", "path": "/a", "value": %b%b}]' % (b"[" * depth, b"]" * depth))


like_operations = st.dictionaries(st.sampled_from(["op", "path", "from", "value", "else"]), strange)


@given(st.binary() | st.lists(like_operations | st.text(max_size=3) | st.none()).map(msgspec.json.encode))
def test_no_body_does_worse_than_a_refusal(body: Any) -> None:
    with suppress(InvalidInput):
        read_patch(body)
