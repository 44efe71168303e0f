r"""The language of tags: `{{customer.name}}`, `{{amount | number:2}}`, blocks `{{#rows}}…{{/rows}}` and `{{^rows}}`.

Alternative texts hold directives too: `{{image:logo}}`. `\{{` is a literal `{{`. `[tag:customer.name]` is another
spelling of `{{customer.name}}` (`brackets.py`). `scan` finds all of them, and near misses, in one paragraph's text. No
XML here: positions are character offsets, which the caller maps to runs.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from meetdeck.present.deck.language import brackets
from meetdeck.present.deck.language.constructs import Directive, Escape, FoundConstruct, Tag, TagFinding, plain_tag
from meetdeck.present.deck.language.parsing import LONGEST_TAG, parse_tag, too_long
from meetdeck.present.deck.language.typing_marks import ZERO_WIDTH, tidy

# An object inside a paragraph that is not text (a formula): no tag extends across it.
BARRIER: Final = "\ufffc"

_BRACES: Final = rf"\\?\{{[{ZERO_WIDTH}]*\{{"
_OPEN: Final = re.compile(rf"{_BRACES}|{brackets.TAG}")
_BRACKETS: Final = re.compile(brackets.TAG)
_OPEN_BESIDE_PICTURES: Final = re.compile(rf"{_BRACES}|{brackets.TAG}|{brackets.IMAGE}")
_CLOSE: Final = re.compile(rf"\}}[{ZERO_WIDTH}]*\}}")
_BODY: Final = re.compile(rf"[^{{}}{BARRIER}]*")
# Most tags: nothing to tidy, nothing to explain.
_PLAIN_TAG: Final = re.compile(r"\{\{(\w+(?:\.\w+)*)\}\}")
_NEAR_MISS: Final = re.compile(r"\{\s*([\w$@-][\w$@ .-]*)\}\}")


class PlainText(NamedTuple):
    """A text whose tags are all plain: its `first` words, each tag with the words behind it, and all `words`."""

    first: str
    tags: tuple[tuple[Tag, str], ...]
    words: str


def read_plain(text: str) -> PlainText | None:
    """Return the words and tags of a text if all its braces are plain tags; None for any other construct."""
    return (_read_known if len(text) <= LONGEST_TAG else _read_plain)(text)


def _read_plain(text: str) -> PlainText | None:
    if "[" in text:
        return None
    pieces = _PLAIN_TAG.split(text)
    if len(text) > LONGEST_TAG and any(len(name) > LONGEST_TAG for name in pieces[1::2]):
        return None
    braces = 2 * (len(pieces) // 2)
    if text.count("{") != braces or text.count("}") != braces or "\\" in text:
        return None
    tags = zip(map(plain_tag, pieces[1::2]), pieces[2::2], strict=True)
    return PlainText(pieces[0], tuple(tags), " ".join(pieces[::2]))


# The slides of a house have the same texts.
_read_known: Final = lru_cache(maxsize=1_024)(_read_plain)


def holds_tags(text: str) -> bool:
    """Return whether a text holds double braces, or a tag in square brackets."""
    return "{{" in text or ("[tag:" in text and _BRACKETS.search(text) is not None)


def scan(text: str, *, describes_shape: bool = False) -> Iterator[FoundConstruct]:
    """Yield tags, escapes and findings in order of appearance; they never overlap.

    In a text that describes a shape, its alternative text or name, `[image:logo]` counts, too.
    """
    position = 0
    if "{" not in text and "[" not in text:
        return
    pattern = _OPEN_BESIDE_PICTURES if describes_shape else _OPEN
    while opening := pattern.search(text, position):
        yield from _scan_near_misses(text, position, opening.start())
        if text[opening.start()] == "[":
            position = opening.end()
            yield FoundConstruct(opening.start(), position, _read_brackets(opening))
        else:
            found, position = _scan_opening(text, opening)
            yield found
    yield from _scan_near_misses(text, position, len(text))


def _read_brackets(form: re.Match[str]) -> Tag | Directive | TagFinding:
    """Return the tag, directive or finding of a form in square brackets."""
    source, named = form[0], form.groupdict()
    name = named["tag"] or named["image"]
    if len(source) > LONGEST_TAG:
        return too_long(source, len(source))
    if named["tag"] is None:
        return Directive("image", source, name, tuple(name.split(".")))
    try:
        return Tag(source, name, tuple(name.split(".")), brackets.read_modifiers(named["modifiers"]))
    except brackets.UnknownModifierError as unknown:
        modifiers = named["modifiers"].split(":")
        nearest = (unknown.suggestion if modifier == unknown.modifier else modifier for modifier in modifiers)
        suggestion = f"[tag:{name}{':'.join(nearest)}]" if unknown.suggestion else ""
        return TagFinding("Error", "bad-filter", f"{source!r}: {unknown}", source, suggestion)


def _scan_opening(text: str, opening: re.Match[str]) -> tuple[FoundConstruct, int]:
    """Return the tag or finding that begins here, and the position to continue from."""
    start = opening.start()
    simple = _PLAIN_TAG.match(text, start)
    if simple and len(simple[1]) <= LONGEST_TAG:
        return FoundConstruct(start, simple.end(), plain_tag(simple[1])), simple.end()
    body = _body(text, opening.end())
    closing = _CLOSE.match(text, opening.end() + len(body))
    if text[start] == "\\":
        # The braces that close a literal pair are literal too.
        return FoundConstruct(start, start + 1, Escape()), closing.end() if closing else opening.end()
    if closing:
        return FoundConstruct(start, closing.end(), parse_tag(body)), closing.end()
    end = opening.end() + len(body)
    source = text[start:end]
    name = tidy(body)
    if text.startswith("}", end):
        message = f"{source + '}'!r} looks like a tag with one closing brace missing; it stays as text."
        return FoundConstruct(
            start, end + 1, TagFinding("Warning", "near-miss-tag", message, source + "}", f"{{{{{name}}}}}")
        ), end + 1
    message = f"The tag {source[:60]!r} is not closed in its paragraph; add }}}} or write \\{{{{ for literal braces."
    return FoundConstruct(start, end, TagFinding("Error", "unclosed-tag", message, source, f"{{{{{name}}}}}")), end


def _scan_near_misses(text: str, start: int, end: int) -> Iterator[FoundConstruct]:
    found: list[FoundConstruct] = []
    if text.find("}}", start, end) >= 0:
        found += (_near_miss_in_braces(match) for match in _NEAR_MISS.finditer(text, start, end))
    if text.find("[", start, end) >= 0:
        misses = brackets.find_near_misses(text, start, end)
        found += (FoundConstruct(miss.start, miss.end, explain_near_miss(text, miss)) for miss in misses)
        found.sort(key=lambda one: one.start)
    yield from found


def _near_miss_in_braces(match: re.Match[str]) -> FoundConstruct:
    suggestion = f"{{{{{tidy(match[1])}}}}}"
    message = f"{match[0]!r} looks like a tag with one opening brace missing; did you mean {suggestion}?"
    return FoundConstruct(*match.span(), TagFinding("Warning", "near-miss-tag", message, match[0], suggestion))


def explain_near_miss(text: str, miss: brackets.NearMiss) -> TagFinding:
    """Return the finding about a near miss in square brackets."""
    source = text[miss.start : miss.end][:LONGEST_TAG]
    advice = f"did you mean {miss.suggestion}?" if miss.suggestion else miss.advice
    message = f"{source!r} looks like a tag and stays as text; {advice}"
    return TagFinding("Warning", "near-miss-tag", message, source, miss.suggestion)


def _body(text: str, start: int) -> str:
    match = _BODY.match(text, start)
    return match[0] if match else ""
