"""Strange and hostile SVGs: refused in words, or made so that nothing in them runs or leads outside."""

from html import escape
from xml.etree.ElementTree import canonicalize

from hypothesis import event, given, settings
from hypothesis import strategies as st

from meetdeck.present.deck import NoPicture
from meetdeck.present.render.pictures.svg import is_self_contained
from meetdeck.present.render.svg.drawing import draw_png
from meetdeck.present.render.svg.rewriting import SafeSvg, make_safe
from support.svgs import HOSTILE, SVG, make_svg

_IDS = ["a", "b", "c"]
_NAMES_WORDS = (
    "g svg defs symbol use path rect circle text tspan linearGradient stop clipPath mask pattern marker "
    "filter feImage a switch image script style foreignObject animate set title metadata x:script"
)
_KEYS_WORDS = (
    "id href xlink:href style class fill stroke mask clip-path filter transform viewBox width height d "
    "points x r font-size stroke-dasharray stroke-width offset onload src x:href opacity xml:base"
)
_NAMES = st.sampled_from(_NAMES_WORDS.split())
_KEYS = st.sampled_from(_KEYS_WORDS.split())
_VALUES = st.one_of(
    st.sampled_from(_IDS),
    st.sampled_from([f"#{one}" for one in _IDS]),
    st.sampled_from([f"url(#{one})" for one in _IDS]),
    st.sampled_from(
        ["fill:url('#a')", "fill:url(//evil)", "stroke:u\\rl(//evil)", "0 0 9 9", "1e9", "-1", "M0 0h9v9z"]
    ),
    st.sampled_from(
        ["javascript:alert(1)", "file:///etc/passwd", "data:image/png;base64,AAAA", "translate(1e30)scale(0)"]
    ),
    st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), max_size=12),
)
_TEXTS = st.sampled_from(["", "Net", "rect{fill:red}", "@import 'x';", "a{b:url(//evil)}", "*{fill:url(#a)}", "}{;:("])


def _element(name: str, attributes: dict[str, str], text: str, children: list[str]) -> str:
    written = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{escape(text)}{''.join(children)}</{name}>"


def _elements(children: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    """Return up to five elements that hold some of the children."""
    attributes = st.dictionaries(_KEYS, _VALUES, max_size=3)
    return st.lists(st.builds(_element, _NAMES, attributes, _TEXTS, children), max_size=3)


_TREES = st.recursive(_elements(st.just([])), _elements, max_leaves=10)


@given(_TREES)
def test_svgs_of_strange_elements(trees: list[str]) -> None:
    _try(_whole(trees))


@settings(max_examples=60)
@given(_TREES)
def test_what_was_made_safe_is_drawn_or_refused(trees: list[str]) -> None:
    if (safe := _try(_whole(trees))) is not None:
        try:
            draw_png(safe, 20)
        except NoPicture as refusal:
            event(str(refusal)[:60])


@given(st.sampled_from([make_svg(one) for one in HOSTILE.values()]), st.data())
def test_wrong_bytes_and_cut_ends(svg: bytes, data: st.DataObject) -> None:
    damaged = bytearray(svg)
    for _ in range(data.draw(st.integers(0, 6))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    _try(bytes(damaged))
    _try(bytes(damaged[: data.draw(st.integers(0, len(damaged)))]))


def _whole(trees: list[str]) -> bytes:
    return f'<svg {SVG} xmlns:x="http://www.w3.org/1999/xhtml" viewBox="0 0 9 9">{"".join(trees)}</svg>'.encode()


def _try(svg: bytes) -> SafeSvg | None:
    try:
        safe = make_safe(svg)
    except NoPicture as refusal:
        event("refused")
        if not str(refusal):
            raise
        return None
    event("made safe")
    assert is_self_contained(safe.content)
    again = make_safe(safe.content)
    assert canonicalize(again.content) == canonicalize(safe.content)
    assert not again.dropped
    return safe
