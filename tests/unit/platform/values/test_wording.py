"""Refusals of values are in the API's words, for every limit of every body, form and query, and in all languages."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, get_args, get_origin

import msgspec
import pytest
from msgspec import Meta

from meetdeck.app import make_routes
from meetdeck.pages.texts import get_texts
from meetdeck.platform.phrases import Phrase, Phrases, collect
from meetdeck.platform.values import InvalidInput, members_of, read_builtins
from meetdeck.platform.values.annotations import Shape
from meetdeck.platform.values.wording import explain

_OF_ANOTHER_TYPE: Sequence[object] = (
    None,
    True,
    5,
    1.5,
    "x",
    "",
    [],
    ["x"],
    [5],
    [None],
    {},
    {"x": "x"},
    10**30,
    -(10**30),
)


def _list_kinds() -> Iterator[Any]:
    """Yield the annotations of all members of bodies, forms, queries and patched resources, each once."""
    waiting = [
        handler.opt[part]
        for route in make_routes().routes
        for handler in getattr(route, "route_handlers", ())
        for part in ("body", "form", "query", "patch")
        if handler.opt.get(part)
    ]
    seen: set[str] = set()
    while waiting:
        kind = waiting.pop()
        if repr(kind) in seen:
            continue
        seen.add(repr(kind))
        yield kind
        shape = Shape.of(kind)
        waiting += [shape.item.kind] if shape.item is not None else []
        waiting += [member.shape.kind for struct in shape.structs for member in members_of(struct).values()]


def _find_limits(kind: Any) -> Iterator[Meta]:
    if get_origin(kind) is Annotated:
        yield from (one for one in get_args(kind)[1:] if isinstance(one, Meta))
    for option in get_args(kind):
        yield from _find_limits(option)


def _break_limits(kind: Any) -> Iterator[tuple[Any, object]]:
    """Yield values beyond the limits in an annotation, each with an annotation that has the limit."""
    for limits in _find_limits(kind):
        for number, step in ((limits.ge, -1), (limits.gt, 0), (limits.le, 1), (limits.lt, 0)):
            if number is not None:
                yield kind, number + step
        lengths = Meta(min_length=limits.min_length, max_length=limits.max_length)
        for length in (limits.max_length and limits.max_length + 1, limits.min_length and limits.min_length - 1):
            if length is not None:
                yield Annotated[str, lengths], "x" * length
                yield Annotated[list[Any], lengths], [None] * length
                yield Annotated[dict[str, Any], lengths], dict.fromkeys(map(str, range(length)))


def _list_refusals(kind: Any, value: object) -> Iterator[str]:
    """Yield the sentences that refuse a value, in a body and in a query."""
    for strict in (True, False):
        try:
            read_builtins(value, kind, strict=strict)
        except InvalidInput as refusal:
            yield from (fault.detail for fault in refusal.faults)


@pytest.mark.thorough
def test_every_limit_of_every_input_is_refused_in_words_that_are_translated() -> None:
    texts = [get_texts("da"), get_texts("de")]
    told: set[str] = set()
    for member in _list_kinds():
        for kind, value in (*((member, value) for value in _OF_ANOTHER_TYPE), *_break_limits(member)):
            phrases: Phrases = {}
            with collect(phrases):
                details = {*_list_refusals(kind, value)} - told
            told |= details
            for detail in details:
                where = f"{kind}: {detail}"
                assert "`" not in detail, where
                assert not detail.startswith(("Expected", "Invalid")), where
                for template in _list_templates(detail, phrases):
                    assert all(each.find(template) for each in texts), where
    assert len(told) > 150


def _list_templates(text: str, phrases: Phrases) -> Iterator[str]:
    """Yield the keys in the catalogues of a sentence, and of the fault inside it."""
    meaning = phrases.get(text)
    assert meaning is None or isinstance(meaning, Phrase)
    yield meaning.template if meaning else text
    if meaning and (fault := meaning.values.get("fault")):
        yield from _list_templates(str(fault), phrases)


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        (Annotated[int, Meta(ge=1)], 0, "Must be at least 1."),
        (Annotated[int, Meta(gt=1)], 1, "Must be at least 2."),
        (Annotated[int, Meta(le=64)], 65, "Must be at most 64."),
        (Annotated[float, Meta(gt=0)], 0, "Must be greater than 0."),
        (Annotated[float, Meta(lt=0.5)], 0.5, "Must be less than 0.5."),
        (Annotated[int, Meta(multiple_of=5)], 7, "Must be a multiple of 5."),
        (Annotated[str, Meta(min_length=1)], "", "Must not be empty."),
        (Annotated[str, Meta(min_length=2)], "a", "Must have at least 2 characters."),
        (Annotated[str, Meta(max_length=2)], "abc", "Must have at most 2 characters."),
        (Annotated[list[int], Meta(min_length=1)], [], "Must not be empty."),
        (Annotated[list[int], Meta(max_length=2)], [1, 2, 3], "Must have at most 2 items."),
        (Annotated[dict[str, int], Meta(max_length=2)], {"a": 1, "b": 1, "c": 1}, "Must have at most 2 members."),
        (Annotated[str, Meta(pattern="^[0-9]+$")], "one", "Must match the pattern ^[0-9]+$."),
        (Annotated[str, Meta(pattern="^#", examples=["#2B7A4B"])], "green", "Write it like #2B7A4B."),
        (dict[int, int], {"a": 1}, "Write a whole number."),
        (int | str, [], "Write a whole number or a text."),
        (list[int] | None, "x", "Write a list."),
    ],
)
def test_a_limit_is_told_by_its_kind(kind: Any, value: object, told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_builtins({"value": value}, msgspec.defstruct("Sent", [("value", kind)]))
    assert [(fault.pointer, fault.detail) for fault in refused.value.faults] == [("/value", told)]


def test_a_long_value_is_shortened_inside_its_sentence() -> None:
    told = explain(f"Invalid enum value '{'x' * 5000}'", choices=["Red", "Blue"])
    assert len(told) < 1100
    assert told.endswith("' is unknown; write one of Red, Blue.")
