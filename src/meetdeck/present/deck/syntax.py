r"""The language of tags inside text: `{{customer.name}}`, `{{amount | number:2}}`, `\{{` for a literal `{{`.

`scan` finds tags and near misses in one paragraph's text. It knows nothing of XML: positions are character offsets, so
that the caller can map them back to runs.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, cast

from meetdeck.present.deck.filters import FilterCall, find_fault
from meetdeck.present.deck.findings import Severity

# A thing inside a paragraph that is no text (a formula): no tag reaches across it.
BARRIER: Final = "\ufffc"

# Invisible: soft hyphen, zero-width space and joiners, direction marks, word joiner, byte order mark.
_ZERO_WIDTH: Final = "\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff"
_INVISIBLE: Final = re.compile(f"[{_ZERO_WIDTH}]")
_OPEN: Final = re.compile(rf"\\?\{{[{_ZERO_WIDTH}]*\{{")
_CLOSE: Final = re.compile(rf"\}}[{_ZERO_WIDTH}]*\}}")
_BODY: Final = re.compile(rf"[^{{}}{BARRIER}]*")
_PATH_SEGMENT: Final = re.compile(r"""[^\s{}|"':.#^/\\]+(?: [^\s{}|"':.#^/\\]+)*""")
# Most tags: nothing to tidy, nothing to explain.
_SIMPLE_TAG: Final = re.compile(r"\{\{(\w+(?:\.\w+)*)\}\}")
_NEAR_MISS: Final = re.compile(r"\{\s*([\w$@-][\w$@ .-]*)\}\}")
# A path and the filters behind bars, quoted bars apart; then a filter with a quoted or a bare argument.
_FILTERED: Final = re.compile(r"""([^"|]*)((?:\|(?:[^"|]|"[^"]*")*)*)""")
_BAR: Final = re.compile(r"""\|((?:[^"|]|"[^"]*")*)""")
_CALL: Final = re.compile(r"""\s*(\w+)\s*(?::\s*(?:"([^"]*)"|([^"]*?)))?\s*""")
_STRAIGHT_QUOTES: Final = str.maketrans(dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019'", '"'))
_LONGEST_TAG: Final = 500
_BLOCK_MARKS: Final = ("#", "^", "/", "@")
_DIRECTIVES: Final = ("image", "chart", "table", "if", "unless", "each")


class Tag(NamedTuple):
    """A value's place: `source` as the author wrote it, tidied; `name` the dotted path, `path` its segments."""

    source: str
    name: str
    path: tuple[str, ...]
    filters: tuple[FilterCall, ...] = ()


class Escape(NamedTuple):
    r"""The backslash of `\{{`: it goes, the braces stay."""


class Problem(NamedTuple):
    """Text that is no tag and was probably meant as one; it stays as it is."""

    severity: Severity
    code: str
    message: str
    source: str
    suggestion: str = ""


class Found(NamedTuple):
    """What stands at `[start, end)` of the text."""

    start: int
    end: int
    what: Tag | Escape | Problem


def scan(text: str) -> Iterator[Found]:
    """Yield tags, escapes and problems in order of appearance; they never overlap."""
    position = 0
    if "{" not in text:
        return
    while opening := _OPEN.search(text, position):
        yield from _scan_near_misses(text, position, opening.start())
        found, position = _scan_opening(text, opening)
        yield found
    yield from _scan_near_misses(text, position, len(text))


def _scan_opening(text: str, opening: re.Match[str]) -> tuple[Found, int]:
    """Return what begins here and where to go on."""
    start = opening.start()
    if simple := _SIMPLE_TAG.match(text, start):
        source, name = simple.group(0, 1)
        return Found(start, simple.end(), Tag(source, name, tuple(name.split(".")))), simple.end()
    body = _body(text, opening.end())
    closing = _CLOSE.match(text, opening.end() + len(body))
    if text[start] == "\\":
        # The braces that close a literal pair are literal too.
        return Found(start, start + 1, Escape()), closing.end() if closing else opening.end()
    if closing:
        return Found(start, closing.end(), parse_tag(body)), closing.end()
    end = opening.end() + len(body)
    source = text[start:end]
    name = _tidy(body)
    if text.startswith("}", end):
        message = f"{source + '}'!r} looks like a tag with one closing brace missing; it stays as it is."
        return Found(
            start, end + 1, Problem("Warning", "near-miss-tag", message, source + "}", f"{{{{{name}}}}}")
        ), end + 1
    message = f"The tag {source[:60]!r} is not closed in its paragraph; add }}}} or write \\{{{{ for literal braces."
    return Found(start, end, Problem("Error", "unclosed-tag", message, source, f"{{{{{name}}}}}")), end


def _scan_near_misses(text: str, start: int, end: int) -> Iterator[Found]:
    if text.find("}}", start, end) < 0:
        return
    for match in _NEAR_MISS.finditer(text, start, end):
        suggestion = f"{{{{{_tidy(match[1])}}}}}"
        message = f"{match[0]!r} looks like a tag with one opening brace missing; did you mean {suggestion}?"
        yield Found(*match.span(), Problem("Warning", "near-miss-tag", message, match[0], suggestion))


def parse_tag(body: str) -> Tag | Problem:
    """Read what stands between the braces."""
    text = _tidy(body)
    source = f"{{{{{text}}}}}"
    if not text:
        return Problem("Error", "empty-tag", "A tag is empty: write a name between {{ and }}.", source)
    if text == "." or text.startswith(_BLOCK_MARKS):
        return _unsupported(source, "blocks")
    if text.partition(":")[0].strip().lower() in _DIRECTIVES and ":" in text:
        return _unsupported(source, "alternative-text directives")
    filtered = _FILTERED.fullmatch(text.translate(_STRAIGHT_QUOTES)) if len(text) <= _LONGEST_TAG else None
    segments = tuple(segment.strip() for segment in filtered[1].split(".")) if filtered else ()
    if filtered is None or not all(_PATH_SEGMENT.fullmatch(segment) for segment in segments):
        message = f"{source!r} is no path into the data: write names joined by dots, like {{{{customer.name}}}}."
        return Problem("Error", "malformed-tag", message, source)
    filters = tuple(map(_parse_call, cast("list[str]", _BAR.findall(filtered[2]))))
    for call in filters:
        if fault := find_fault(call):
            return Problem("Error", "bad-filter", f"{source!r}, {call.name}: {fault}.", source)
    return Tag(source, ".".join(segments), segments, filters)


def _parse_call(text: str) -> FilterCall:
    parsed = _CALL.fullmatch(text)
    return FilterCall(parsed[1], parsed[2] or parsed[3] or "") if parsed else FilterCall(text.strip(), "")


def _unsupported(source: str, construct: str) -> Problem:
    message = f"{source!r} uses {construct}, which are not supported by this version."
    return Problem("Error", "unsupported-construct", message, source)


def _body(text: str, start: int) -> str:
    match = _BODY.match(text, start)
    return match[0] if match else ""


def _tidy(body: str) -> str:
    """Undo what a text editor does to a tag: invisible characters, non-breaking spaces, line breaks."""
    return " ".join(_INVISIBLE.sub("", body).split())
