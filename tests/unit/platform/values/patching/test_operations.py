"""The operations on plain documents; what the public suite shows is shown there."""

from copy import deepcopy
from time import thread_time
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meetdeck.platform.values.patching import InvalidPatch, PatchTestFailed, apply_operations, read_patch
from support.patches import Operation, add, remove, replace


def move(from_: str, path: str) -> Operation:
    return {"op": "move", "from": from_, "path": path}


def copy(from_: str, path: str) -> Operation:
    return {"op": "copy", "from": from_, "path": path}


def expect(path: str, value: object) -> Operation:
    return {"op": "test", "path": path, "value": value}


def apply(document: Any, *operations: Operation) -> Any:
    return apply_operations(document, read_patch(msgspec.json.encode(operations)))


def refusal_of(document: object, *operations: Operation) -> tuple[str, str]:
    """Return where the patch is wrong, and what is said about it."""
    with pytest.raises(InvalidPatch) as caught:
        apply(document, *operations)
    (fault,) = caught.value.faults
    assert fault.detail in caught.value.detail
    return fault.pointer, fault.detail


# ----------------------------------------------------------------------------------------------------------- applying


def test_operations_apply_one_after_the_other() -> None:
    patched = apply(
        {"a": [1, 2]}, add("/a/-", 3), move("/a/0", "/b"), copy("/a", "/c"), remove("/a/1"), replace("", {})
    )
    assert patched == {}
    patched = apply({"a": [1, 2]}, add("/a/-", 3), move("/a/0", "/b"), copy("/a", "/c"), remove("/a/1"))
    assert patched == {"a": [2], "b": 1, "c": [2, 3]}


def test_the_whole_document_is_replaced_compared_and_copied_into_itself() -> None:
    assert apply({"a": 1}, expect("", {"a": 1}), copy("", "/a"), replace("", {"b": {"a": 1}})) == {"b": {"a": 1}}
    assert apply({"a": 1}, copy("", "/b")) == {"a": 1, "b": {"a": 1}}
    assert apply({"a": {"b": 1}}, move("/a", "")) == {"b": 1}


def test_the_document_and_the_patch_stay_as_they_are() -> None:
    document: dict[str, Any] = {"a": [{"b": 1}]}
    operations = read_patch(msgspec.json.encode([add("/c", {"d": []}), add("/c/d/-", 1), replace("/a/0/b", 2)]))
    patched = {"a": [{"b": 2}], "c": {"d": [1]}}
    assert apply_operations(document, operations) == patched
    assert document == {"a": [{"b": 1}]}
    assert apply_operations(document, operations) == patched


def test_a_copy_changes_without_its_original() -> None:
    assert apply({"a": {"b": 1}}, copy("/a", "/c"), replace("/c/b", 2)) == {"a": {"b": 1}, "c": {"b": 2}}


def test_moving_a_value_to_where_it_is_changes_nothing() -> None:
    assert apply({"a": [1, 2]}, move("/a/1", "/a/1"), move("/a", "/a"), move("", "")) == {"a": [1, 2]}


def test_null_is_a_value() -> None:
    assert apply({"a": 1}, replace("/a", None), expect("/a", None), copy("/a", "/b")) == {"a": None, "b": None}


# ------------------------------------------------------------------------------------------------------------ testing


@pytest.mark.parametrize(
    ("found", "expected"),
    [(1, 1.0), (1.0, 1), ([1], [1.0]), ({"a": 1, "b": 2}, {"b": 2.0, "a": 1}), (True, True), (None, None), ("1", "1")],
)
def test_numbers_are_the_same_by_value_and_members_in_any_order(found: object, expected: object) -> None:
    assert apply({"a": found}, expect("/a", expected)) == {"a": found}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (1, True),
        (True, 1),
        (0, False),
        ([0], [False]),
        ({"a": 1}, {"a": True}),
        (1, "1"),
        (None, False),
        (0, None),
        ([1], [1, 2]),
        ({"a": 1}, {"b": 1}),
        ([1], {"0": 1}),
        ("a", "A"),
        ("", None),
    ],
)
def test_values_of_different_types_are_not_the_same(found: object, expected: object) -> None:
    with pytest.raises(PatchTestFailed):
        apply({"a": found}, expect("/a", expected))


def test_a_failed_test_says_what_was_expected_and_what_was_found() -> None:
    with pytest.raises(PatchTestFailed) as caught:
        apply({"title": "Review"}, replace("/title", "Talk"), expect("/title", "Review"))
    assert caught.value.faults[0].pointer == "/operations/1/value"
    assert "Expected 'Review' at /title, found 'Talk'." in caught.value.detail
    assert "Nothing was changed" in caught.value.detail


def test_a_test_of_what_is_not_there_has_failed() -> None:
    with pytest.raises(PatchTestFailed, match=r"/operations/0/path: There is no member 'b' in the document"):
        apply({"a": 1}, expect("/b", 1))


def test_long_values_are_shown_shortly() -> None:
    with pytest.raises(PatchTestFailed) as caught:
        apply({"a": ["x"] * 1_000, "b": "y" * 100_000}, expect("/b", ["x"] * 100_000))
    assert len(caught.value.detail) < 250


# ----------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("operation", "pointer", "said"),
    [
        (replace("/titel", 1), "path", "There is no member 'titel' in the document. Did you mean /title?"),
        (remove("/rows/0/nam"), "path", "There is no member 'nam' in /rows/0. Did you mean /rows/0/name?"),
        (replace("/TITLE", 1), "path", "Did you mean /title?"),
        (replace("/a~1", 1), "path", "Did you mean /a~1b?"),
        (replace("/zzz", 1), "path", "It has title, rows, a/b, empty."),
        (replace("/empty/zzz", 1), "path", "It has none."),
        (add("/zzz/new", 1), "path", "There is no member 'zzz' in the document."),
        (remove("/rows/1"), "path", "There is no item 1 in /rows, which is an array of 1 item, counted from 0."),
        (add("/rows/2", 1), "path", "There is no item 2 in /rows"),
        (remove("/rows/-"), "path", "- is the place after the last item of /rows, and nothing is there yet."),
        (add("/rows/-/name", 1), "path", "- is the place after the last item of /rows"),
        (add("/title/0", 1), "path", "Nothing can be inside /title: it is 'Review'."),
        (remove("/title/0"), "path", "Nothing can be inside /title: it is 'Review'."),
        (add("title", 1), "path", "'title' must begin with /, as in /title."),
        (add("#/title", 1), "path", "'#/title' must begin with /"),
        (add("/a~2", 1), "path", "~0, which means ~"),
        (add("/a~", 1), "path", "~1, which means /"),
        (remove(""), "path", "cannot remove the whole document"),
        (copy("/rows/7", "/title"), "from", "There is no item 7"),
        (move("/rows/7", "/title"), "from", "There is no item 7"),
        (copy("title", "/title"), "from", "must begin with /"),
        (move("/title", "/title/a"), "path", "/title cannot be moved into itself."),
        (move("", "/title"), "path", "The document cannot be moved into itself."),
        (copy("/title", "/zzz/a"), "path", "There is no member 'zzz'"),
        (expect("/rows/x", 1), "path", "'x' is not an index"),
    ],
    ids=str,
)
def test_a_place_that_is_not_there_is_refused_with_what_is(operation: Operation, pointer: str, said: str) -> None:
    document: dict[str, Any] = {"title": "Review", "rows": [{"name": "A"}], "a/b": 1, "empty": {}}
    refused_at, detail = refusal_of(document, add("/title", "Review"), operation)
    assert refused_at == f"/operations/1/{pointer}"
    assert said in detail


@pytest.mark.parametrize(
    "index", ["01", "00", "+1", "-1", "1e0", "1.0", " 1", "0x1", "", "\u0661", "²", "1_0", "9" * 10, "9" * 5_000]
)
@pytest.mark.parametrize("make", [add, replace, expect])
def test_other_forms_of_an_index_are_none(index: str, make: Any) -> None:
    with pytest.raises(
        (InvalidPatch, PatchTestFailed), match=r"/operations/0/path: ('.*' is not an index|There is no item)"
    ):
        apply({"a": list(range(20))}, make(f"/a/{index}", 1))


def test_a_name_that_looks_like_an_index_is_a_name_in_an_object() -> None:
    assert apply({"01": 1, "-": 2, "": 3}, remove("/01"), remove("/-"), replace("/", 4)) == {"": 4}


# ------------------------------------------------------------------------------------------------------------- limits


def test_a_patch_that_doubles_an_array_again_and_again_is_refused_soon() -> None:
    began = thread_time()
    assert "at most 500,000 values" in refusal_of({"a": ["x"]}, *[copy("/a", "/a/-")] * 1_000)[1]
    assert "at most 500,000 values" in refusal_of({"a": "x" * 1_000}, *[copy("/a", "/b")] * 1_000)[1]
    assert "at most 500,000 values" in refusal_of({"a": [{"x" * 1_000: 1}]}, *[copy("/a/0", "/a/-")] * 1_000)[1]
    assert thread_time() - began < 5


def test_a_document_does_not_become_deeper_without_end() -> None:
    nest = [copy("", "/a")]
    assert "more than 100 levels" in refusal_of({}, *nest * 200)[1]
    wrap = [add("/b", {}), move("/a", "/b/a"), move("/b", "/a")]
    assert "more than 100 levels" in refusal_of({"a": {}}, *wrap * 300)[1]
    assert "more than 100 levels" in refusal_of({}, add("/a" * 5_000, 1))[1]


def test_a_thousand_ordinary_operations_are_applied() -> None:
    document = {"rows": [{"n": 0} for _ in range(1_000)]}
    patched = apply(document, *[replace(f"/rows/{row}/n", row) for row in range(1_000)])
    assert [row["n"] for row in patched["rows"]] == list(range(1_000))


# ----------------------------------------------------------------------------------------------------------- anything

names = st.sampled_from(["a", "b", "0", "1", "", "a/b", "m~n"])
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
tokens = st.sampled_from(["a", "b", "0", "1", "-", "01", "a~1b", "m~0n", "", "~"]) | st.text(max_size=2)
pointers = st.lists(tokens, max_size=3).map(lambda found: "".join(f"/{token}" for token in found)) | st.text(max_size=3)
operations = st.fixed_dictionaries(
    {
        "op": st.sampled_from(["add", "remove", "replace", "move", "copy", "test"]),
        "path": pointers,
        "from": pointers,
        "value": documents,
    }
)


@given(documents, st.lists(operations, max_size=4))
def test_no_patch_does_worse_than_a_refusal_and_none_changes_what_it_was_given(
    document: Any, patch: list[Operation]
) -> None:
    before = deepcopy(document)
    try:
        patched = apply(document, *patch)
    except (InvalidPatch, PatchTestFailed) as refusal:
        pointer = refusal.faults[0].pointer
    else:
        pointer = "/operations/0"
        assert msgspec.json.decode(msgspec.json.encode(patched)) == patched
    assert pointer.startswith("/operations/")
    assert document == before
