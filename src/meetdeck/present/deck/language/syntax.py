r"""The language of tags: `{{customer.name}}`, `{{amount | number:2}}`, blocks `{{#rows}}…{{/rows}}` and `{{^rows}}`.

Alternative texts hold directives too: `{{image:logo}}`. `\{{` is a literal `{{`. `[tag:customer.name]` is another
spelling of `{{customer.name}}` (`brackets.py`). `scan` finds all of them, and near misses, in one paragraph's text. No
XML here: positions are character offsets, which the caller maps to runs.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, NamedTuple, cast

from meetdeck.present.deck.findings import Severity
from meetdeck.present.deck.language import brackets
from meetdeck.present.deck.language.directives import DIRECTIVES, DirectiveType
from meetdeck.present.deck.language.expressions.nodes import ExpressionNode
from meetdeck.present.deck.language.expressions.reading import (
    Computed,
    has_whole_quotes,
    is_meant_as_expression,
    may_be_expression,
    read_expression,
)
from meetdeck.present.deck.language.expressions.tokens import ExpressionError
from meetdeck.present.deck.language.filters import FilterCall, find_fault
from meetdeck.present.deck.language.paths import explain_no_path, parse_path
from meetdeck.present.deck.language.shared_slides import SlideReference, read_reference, refers_to_slide
from meetdeck.present.deck.language.typing_marks import STRAIGHT_QUOTES, ZERO_WIDTH, tidy

# A thing inside a paragraph that is no text (a formula): no tag reaches across it.
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
# A filter behind its bar: with a quoted argument, which may hold bars and the other quotes, or anything else. Atomic:
# hostile text is read once.
_FILTER: Final = r"""\|((?>\s*\w+\s*:\s*(?:"[^"]*"|'[^']*')\s*(?=\||\Z)|[^"|]*))"""
_BAR: Final = re.compile(_FILTER)
_FILTERED: Final = re.compile(rf"""([^"|]*)((?:{_FILTER})*)""")
_CALL: Final = re.compile(r"""\s*(\w+)\s*(?::\s*(?:"([^"]*)"|'([^']*)'|([^"]*?)))?\s*""")
_DIRECTIVE: Final = re.compile(r"(\w+)\s*:\s*([^=]*?)((?:\s+\w+\s*=\s*\w*)*)")
# Of a known kind, whose value may be an expression.
_COMPUTED_DIRECTIVE: Final = re.compile(rf"({'|'.join(DIRECTIVES)})\s*:\s*(.*?)((?:\s+\w+=\w+)*)", re.IGNORECASE)
_OPTION: Final = re.compile(r"(\w+)\s*=\s*(\w*)")
_MOST_CHOICES: Final = 6
_LONGEST_TAG: Final = 500
# Behind the path of a block or a table: it goes on to further slides, whose titles say which of them it is.
_CONTINUED: Final = re.compile(r"(.*\S)\s+continue(\s+numbered)?", re.DOTALL)


class Tag(NamedTuple):
    """A tag: `source` as the author wrote it, tidied; `name` the dotted path, `path` its segments.

    In blocks, `.` is the item itself (its path is empty), `@index`, `@number`, `@first` and `@last` are about it. What
    `@part` and `@parts` count are the slides of a `Continuation`. Of an expression, `computed` is the node, `name` the
    first name in it, and the path is empty.
    """

    source: str
    name: str
    path: tuple[str, ...]
    filters: tuple[FilterCall, ...] = ()
    computed: ExpressionNode | None = None


@lru_cache(maxsize=1_024)
def plain_tag(name: str) -> Tag:
    """Return the tag of a plain path: names of letters, digits and underscores, joined by dots."""
    return Tag(f"{{{{{name}}}}}", name, tuple(name.split(".")))


def split_plain_tags(text: str) -> list[str] | None:
    """Return the text split at its tags, every second piece a tag's name, if all its braces are plain tags.

    None when it may contain anything else of the language.
    """
    if "[" in text:
        return None
    pieces = _PLAIN_TAG.split(text)
    braces = 2 * (len(pieces) // 2)
    return pieces if text.count("{") == braces == text.count("}") and "\\" not in text else None


def holds_tags(text: str) -> bool:
    """Return whether a text holds two braces together, or a tag in square brackets."""
    return "{{" in text or ("[tag:" in text and _BRACKETS.search(text) is not None)


class Continuation(NamedTuple):
    """`continue`: items for which a slide has no room go on to further slides, `numbered` in their titles."""

    numbered: bool


class BlockStart(NamedTuple):
    """`{{#rows}}`: its body repeats for each item; `{{^rows}}` (inverted): its body is written when there is none.

    For `computed` see `Tag`; `is_condition` when it is one whatever the data is, as in `{{#value > 100}}`.
    """

    source: str
    name: str
    path: tuple[str, ...]
    inverted: bool
    computed: ExpressionNode | None = None
    is_condition: bool = False
    continuation: Continuation | None = None

    @property
    def item_name(self) -> str:
        """The name of the list or object whose members the names inside are; empty for conditions."""
        return "" if self.inverted or self.is_condition else self.name


class BlockEnd(NamedTuple):
    """`{{/rows}}`; a bare `{{/}}` ends the innermost block."""

    source: str
    name: str


class Directive(NamedTuple):
    """A directive of an alternative text for its shape: `{{image:logo fit=cover}}`. For `computed` see `Tag`.

    `slide` is the slide of another template that it refers to.
    """

    kind: str
    source: str
    name: str
    path: tuple[str, ...]
    options: tuple[tuple[str, str], ...] = ()
    computed: ExpressionNode | None = None
    continuation: Continuation | None = None
    slide: SlideReference | None = None

    @property
    def type(self) -> DirectiveType:
        """The row of this kind of directive."""
        return DIRECTIVES[self.kind]


class Escape(NamedTuple):
    r"""The backslash of `\{{`, which is removed; the braces stay."""


class Comment(NamedTuple):
    """`{{! a note to whoever edits the template }}`, which is removed."""


class TagFinding(NamedTuple):
    """Text that is no tag and was probably meant as one; it stays as it is."""

    severity: Severity
    code: str
    message: str
    source: str
    suggestion: str = ""


class Found(NamedTuple):
    """A part of the language at `[start, end)` of the text."""

    start: int
    end: int
    construct: Tag | BlockStart | BlockEnd | Directive | Escape | Comment | TagFinding


def scan(text: str, *, describes_shape: bool = False) -> Iterator[Found]:
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
            yield Found(opening.start(), position, _read_brackets(opening))
        else:
            found, position = _scan_opening(text, opening)
            yield found
    yield from _scan_near_misses(text, position, len(text))


def _read_brackets(form: re.Match[str]) -> Tag | Directive | TagFinding:
    """Return the tag, directive or finding that a form in square brackets is."""
    source, named = form[0], form.groupdict()
    name = named["tag"] or named["image"]
    if len(source) > _LONGEST_TAG:
        return _malformed(source)
    if named["tag"] is None:
        return Directive("image", source, name, tuple(name.split(".")))
    try:
        return Tag(source, name, tuple(name.split(".")), brackets.read_modifiers(named["modifiers"]))
    except brackets.UnknownModifierError as unknown:
        modifiers = named["modifiers"].split(":")
        nearest = (unknown.suggestion if modifier == unknown.modifier else modifier for modifier in modifiers)
        suggestion = f"[tag:{name}{':'.join(nearest)}]" if unknown.suggestion else ""
        return TagFinding("Error", "bad-filter", f"{source!r}: {unknown}", source, suggestion)


def _scan_opening(text: str, opening: re.Match[str]) -> tuple[Found, int]:
    """Return the tag or finding that begins here, and the position to continue from."""
    start = opening.start()
    if simple := _PLAIN_TAG.match(text, start):
        return Found(start, simple.end(), plain_tag(simple[1])), simple.end()
    body = _body(text, opening.end())
    closing = _CLOSE.match(text, opening.end() + len(body))
    if text[start] == "\\":
        # The braces that close a literal pair are literal too.
        return Found(start, start + 1, Escape()), closing.end() if closing else opening.end()
    if closing:
        return Found(start, closing.end(), parse_tag(body)), closing.end()
    end = opening.end() + len(body)
    source = text[start:end]
    name = tidy(body)
    if text.startswith("}", end):
        message = f"{source + '}'!r} looks like a tag with one closing brace missing; it stays as it is."
        return Found(
            start, end + 1, TagFinding("Warning", "near-miss-tag", message, source + "}", f"{{{{{name}}}}}")
        ), end + 1
    message = f"The tag {source[:60]!r} is not closed in its paragraph; add }}}} or write \\{{{{ for literal braces."
    return Found(start, end, TagFinding("Error", "unclosed-tag", message, source, f"{{{{{name}}}}}")), end


def _scan_near_misses(text: str, start: int, end: int) -> Iterator[Found]:
    found: list[Found] = []
    if text.find("}}", start, end) >= 0:
        found += (_near_miss_in_braces(match) for match in _NEAR_MISS.finditer(text, start, end))
    if text.find("[", start, end) >= 0:
        misses = brackets.find_near_misses(text, start, end)
        found += (Found(miss.start, miss.end, explain_near_miss(text, miss)) for miss in misses)
        found.sort(key=lambda one: one.start)
    yield from found


def _near_miss_in_braces(match: re.Match[str]) -> Found:
    suggestion = f"{{{{{tidy(match[1])}}}}}"
    message = f"{match[0]!r} looks like a tag with one opening brace missing; did you mean {suggestion}?"
    return Found(*match.span(), TagFinding("Warning", "near-miss-tag", message, match[0], suggestion))


def explain_near_miss(text: str, miss: brackets.NearMiss) -> TagFinding:
    """Return the finding of a near miss in square brackets."""
    source = text[miss.start : miss.end]
    advice = (
        f"did you mean {miss.suggestion}?"
        if miss.suggestion
        else "names in square brackets are letters, digits, _, - and dots; write others between braces."
    )
    message = f"{source!r} looks like a tag and stays as it is; {advice}"
    return TagFinding("Warning", "near-miss-tag", message, source, miss.suggestion)


@lru_cache(maxsize=1_024)
def parse_tag(body: str) -> Tag | BlockStart | BlockEnd | Directive | Comment | TagFinding:
    """Return the tag, block, directive, comment or finding that a text between braces is."""
    text = tidy(body)
    source = f"{{{{{text}}}}}"
    if not text:
        return TagFinding("Error", "empty-tag", "A tag is empty: write a name between {{ and }}.", source)
    if text[0] == "!":
        return Comment()
    if text[0] in "#^/":
        return _parse_block(text, source)
    return _parse_any_directive(text, source) or _parse_value(text, source)


def _parse_any_directive(text: str, source: str) -> Directive | TagFinding | None:
    """Return a directive, or what is wrong with it; None for a text that is meant as none."""
    if refers_to_slide(text):
        return _parse_slide_reference(text[:_LONGEST_TAG], source)
    if "|" not in text and (directive := _DIRECTIVE.fullmatch(text[:_LONGEST_TAG])):
        return _parse_directive(directive, source)
    if directive := _COMPUTED_DIRECTIVE.fullmatch(text[:_LONGEST_TAG]):
        return _parse_computed_directive(directive, source)
    return None


def _parse_value(text: str, source: str) -> Tag | TagFinding:
    if len(text) > _LONGEST_TAG:
        return _malformed(source)
    plain = _parse_filtered(text, source)
    if isinstance(plain, Tag) and not may_be_expression(plain.name):
        return plain
    computed = _read_computed(text, source, plain, is_condition=False)
    if isinstance(computed, Computed):
        return Tag(source, computed.name, (), computed.filters, computed.node)
    return computed or plain


def _parse_filtered(text: str, source: str) -> Tag | TagFinding:
    """Return the tag of a path and filters, or the finding why it is none."""
    straight = text.translate(STRAIGHT_QUOTES)
    filtered = _FILTERED.fullmatch(straight)
    path = parse_path(filtered[1], item_members=True) if filtered else None
    if filtered is None or path is None:
        return _malformed(source)
    filters = tuple(_parse_call(text, straight, bar) for bar in _BAR.finditer(straight, filtered.end(1)))
    for number, call in enumerate(filters, start=1):
        if fault := find_fault(call, is_last=number == len(filters)):
            stop = "" if fault.endswith("?") else "."
            return TagFinding("Error", "bad-filter", f"{source!r}, {call.name}: {fault}{stop}", source)
    return Tag(source, ".".join(path) or ".", path, filters)


def _read_computed(
    text: str, source: str, plain: object, *, is_condition: bool, offset: int = 0
) -> Computed | TagFinding | None:
    """Return an expression that begins in its tag at `offset`, a finding, or None where `plain` says what it is."""
    is_none = isinstance(plain, TagFinding)
    if len(text) > _LONGEST_TAG or not (may_be_expression(text) or (is_none and is_condition and "|" in text)):
        return None
    try:
        return read_expression(text, is_condition=is_condition)
    except ExpressionError as problem:
        is_name = not is_none or plain.code == "bad-filter" or not (is_condition or has_whole_quotes(text))
        if is_name and not is_meant_as_expression(text):
            return None
        return _refuse_expression(problem, text, source, offset)


def _refuse_expression(problem: ExpressionError, text: str, source: str, offset: int) -> TagFinding:
    place, corrected = offset + problem.position + len("{{") + 1, problem.correct(text)
    suggestion = source.replace(text, corrected) if corrected else ""
    advice = f"; did you mean {suggestion}?" if suggestion else "" if str(problem).endswith("?") else "."
    message = f"{source!r}, at character {place}: {problem}{advice}"
    if problem.in_filter:
        return TagFinding("Error", "bad-filter", message, source, suggestion)
    return TagFinding("Error", "bad-expression", message, source, suggestion)


def _parse_block(text: str, source: str) -> BlockStart | BlockEnd | TagFinding:
    mark, body = text[0], text[1:]
    if not body:
        return BlockEnd(source, "") if mark == "/" else _malformed(source)
    body, continuation = _split_continuation(body) if mark == "#" else (body, None)
    path = parse_path(body, item_members=True)
    plain = None if path is not None else _malformed(source)
    computed = _read_computed(body, source, plain, is_condition=True, offset=1)
    if isinstance(computed, TagFinding) or (plain and not computed):
        return computed or _malformed(source)
    name = computed.name if computed else ".".join(path or ()) or "."
    if mark == "/":
        return BlockEnd(source, name)
    if computed is None:
        return BlockStart(source, name, path or (), mark == "^", continuation=continuation)
    return BlockStart(source, name, (), mark == "^", computed.node, not computed.repeats, continuation)


def _split_continuation(text: str) -> tuple[str, Continuation | None]:
    """Return a block's or directive's text without `continue` at its end, and what that asks for."""
    found = _CONTINUED.fullmatch(text)
    return (found[1], Continuation(numbered=found[2] is not None)) if found else (text, None)


def _parse_directive(parsed: re.Match[str], source: str) -> Directive | TagFinding:
    kind = parsed[1].lower()
    if kind not in DIRECTIVES:
        nearest = get_close_matches(kind, DIRECTIVES, 1)
        hint = f"did you mean {nearest[0]!r}?" if nearest else f"there are {', '.join(DIRECTIVES)}."
        suggestion = source.replace(parsed[1], nearest[0], 1) if nearest else ""
        message = f"{source!r} asks for {parsed[1]!r}, which does not exist; {hint}"
        return TagFinding("Error", "unknown-directive", message, source, suggestion)
    inside, continuation = _split_continuation(parsed[2]) if DIRECTIVES[kind].continues else (parsed[2], None)
    path = parse_path(inside)
    computed = _COMPUTED_DIRECTIVE.fullmatch(parsed[0])
    is_value = not (parsed[3] and DIRECTIVES[kind].fills)
    if computed and (path is None or (is_value and may_be_expression(computed[2]))):
        return _parse_computed_directive(computed, source)
    return _malformed(source) if path is None else _make_directive(parsed, source, path, continuation=continuation)


def _shorten(choices: Sequence[str]) -> Sequence[str]:
    """Return the choices as a message names them: of many numbers, their range."""
    return choices if len(choices) <= _MOST_CHOICES else (f"{choices[0]}…{choices[-1]}",)


def _make_directive(
    parsed: re.Match[str],
    source: str,
    path: tuple[str, ...],
    computed: Computed | None = None,
    continuation: Continuation | None = None,
) -> Directive | TagFinding:
    """Return a directive with its options, or the finding of a wrong one."""
    kind = parsed[1].lower()
    options = tuple(
        (name.lower(), value.lower()) for name, value in cast("list[tuple[str, str]]", _OPTION.findall(parsed[3]))
    )
    for name, value in options:
        known = DIRECTIVES[kind].options
        if value not in known.get(name, ()):
            allowed = [f"{option}={choice}" for option, choices in known.items() for choice in _shorten(choices)]
            hint = f"write {' or '.join(allowed)}" if allowed else f"{kind} takes no options"
            return TagFinding("Error", "bad-option", f"{source!r}: {name}={value} is no option; {hint}.", source)
    if computed is None:
        return Directive(kind, source, ".".join(path), path, options, continuation=continuation)
    return Directive(kind, source, computed.name, (), options, computed.node, continuation)


def _parse_computed_directive(parsed: re.Match[str], source: str) -> Directive | TagFinding:
    """Return a directive whose value may be an expression."""
    continues = DIRECTIVES[parsed[1].lower()].continues
    inside, continuation = _split_continuation(parsed[2]) if continues else (parsed[2], None)
    path = parse_path(inside)
    plain = _malformed(source) if path is None else None
    computed = _read_computed(inside, source, plain, is_condition=True, offset=parsed.start(2))
    if isinstance(computed, TagFinding) or (plain and not computed):
        return computed or _malformed(source)
    return _make_directive(parsed, source, path or (), computed, continuation)


def _parse_slide_reference(text: str, source: str) -> Directive | TagFinding:
    reference = read_reference(text)
    if isinstance(reference, str):
        return TagFinding("Error", "bad-option", f"{source!r} names no slide of another template: {reference}.", source)
    return Directive("slide", source, reference.slide, (), slide=reference)


def _malformed(source: str) -> TagFinding:
    message, suggestion = explain_no_path(source)
    return TagFinding("Error", "malformed-tag", message, source, suggestion)


def _parse_call(text: str, straight: str, bar: re.Match[str]) -> FilterCall:
    """Return a filter's call; quotes in its argument stay as they are, but are straight in a date pattern."""
    parsed = _CALL.fullmatch(straight, *bar.span(1))
    if parsed is None:
        return FilterCall(text[slice(*bar.span(1))].strip(), "")
    number = parsed.lastindex or 1
    argument = slice(*parsed.span(number)) if number > 1 else slice(0)
    return FilterCall(parsed[1], (straight if parsed[1] == "date" else text)[argument])


def _body(text: str, start: int) -> str:
    match = _BODY.match(text, start)
    return match[0] if match else ""
