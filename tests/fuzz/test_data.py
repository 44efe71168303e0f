"""Any JSON as a caller's data: the deck is sound, or the data is refused with a word about where."""

import json
from pathlib import Path
from typing import Final, cast

from hypothesis import given
from hypothesis import strategies as st

from fuzz.engine import build_all
from support.package_checker.samples import SLIDE_1, edit_parts, one_of_everything

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

_DEMO: Final = Path(__file__).parents[2] / "src/meetdeck/demo"
_TEMPLATE: Final = (_DEMO / "annual-review.pptx").read_bytes()
_DATA: Final = cast("dict[str, Json]", json.loads((_DEMO / "annual-review.json").read_bytes()))
_PLACE: Final = "Dear {{cust"

_names = st.sampled_from(["customer", "name", "id", "amount", "$locale", "title", "0", "1", ""]) | st.text(max_size=8)
_texts = (
    st.text(max_size=40)
    | st.sampled_from(
        ["\n", "\r\n\n", "<a:p>", "&amp;", "]]>", "{{name}}", "\\{{", "\x00\x0b", "\ud800", "\ufdd0h0\ufdd1"]
    )
    | st.sampled_from(
        ["2026-02-31", "2026-03-12", "1e999", "-0", "١٢", "da-DK", "no-such-locale", "javascript:x", "//x"]
    )
)
_leaves = st.none() | st.booleans() | st.integers() | st.floats() | _texts
_json: st.SearchStrategy[Json] = st.recursive(
    _leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_names, inner, max_size=4), max_leaves=12
)


@st.composite
def _mutated(draw: st.DrawFn, value: Json) -> Json:
    """Return the value with some of its members replaced, dropped or added to."""
    if draw(st.integers(0, 9)) == 0:
        return draw(_json)
    if isinstance(value, dict):
        kept = {key: draw(_mutated(inner)) for key, inner in value.items() if draw(st.integers(0, 19))}
        return kept | draw(st.dictionaries(_names, _json, max_size=1))
    if isinstance(value, list):
        return [draw(_mutated(inner)) for inner in value] * draw(st.integers(0, 2))
    return value


@given(_mutated(_DATA))
def test_data_like_the_demos(data: Json) -> None:
    if isinstance(data, dict):
        build_all(_TEMPLATE, data)


@given(st.dictionaries(_names, _json, max_size=6))
def test_any_data(data: dict[str, Json]) -> None:
    build_all(one_of_everything(), data)


_filters = st.sampled_from(
    [
        "number",
        "percent",
        "currency",
        "date",
        "default",
        "upper",
        "lower",
        "capitalize",
        "join",
        "markdown",
        "link",
        "x",
    ]
)
_arguments = st.sampled_from(["", ":2", ":99", ':"DKK"', ':"d MMMM y"', ':"', ':""', ':"\u2013"', ":short"]) | st.text(
    max_size=6
)
_chains = st.lists(st.tuples(_filters, _arguments), max_size=3)


@given(_chains, _json, st.sampled_from(["en", "da-DK", "ar", "xx", "", "de_CH", "zh-Hant-TW"]) | st.text(max_size=8))
def test_any_value_through_any_filters(filters: list[tuple[str, str]], value: Json, locale: str) -> None:
    chain = "".join(f" | {name}{argument}" for name, argument in filters)
    text = _escape(f"{{{{value{chain}}}}} Dear {{{{cust")
    template = edit_parts(one_of_everything(), {SLIDE_1: lambda xml: xml.replace(_PLACE, text)})
    build_all(template, {"value": value, "$locale": locale})


def _escape(text: str) -> str:
    """Return text as it may stand in XML, without what may not."""
    legal = "".join(c for c in text if c in "\t\n\r" or " " <= c < "\ud800" or "\ue000" <= c <= "\ufffd")
    return legal.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
