"""Reading the text between two braces: which construct of the language it is."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Final, cast

from msgspec import structs

from meetdeck.present.deck.language.constructs import (
    BlockEnd,
    BlockStart,
    Comment,
    Continuation,
    Directive,
    Tag,
    TagFinding,
)
from meetdeck.present.deck.language.directives import DIRECTIVES
from meetdeck.present.deck.language.expressions.reading import (
    ParsedExpression,
    has_computed_filters,
    has_whole_quotes,
    may_be_expression,
    read_expression,
)
from meetdeck.present.deck.language.expressions.tokens import ExpressionError, is_meant_as_expression
from meetdeck.present.deck.language.filters import FilterCall, find_fault
from meetdeck.present.deck.language.hints import explain_foreign
from meetdeck.present.deck.language.paths import explain_no_path, parse_path
from meetdeck.present.deck.language.shared_slides import (
    read_reference,
    read_shape_reference,
    refers_to_shape,
    refers_to_slide,
)
from meetdeck.present.deck.language.typing_marks import STRAIGHT_QUOTES, tidy

# A filter after its bar: with a quoted argument, which may hold bars and the other quotes, or anything else. Atomic:
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
LONGEST_TAG: Final = 500
_MOST_SHOWN: Final = 60
# After the path of a block or a table: it continues on further slides, numbered in their titles, with whole groups.
_CONTINUED: Final = re.compile(r"(.*\S)\s+continue((?:\s+(?:numbered|keep))*)", re.DOTALL)
# A chart whose stacked columns or bars show their sums.
_TOTALLED: Final = re.compile(r"(chart\s*:.*\S)\s+totals", re.IGNORECASE | re.DOTALL)
# After the path of a block: it repeats columns of its table.
_COLUMNS: Final = re.compile(r"(.*\S)\s+columns(\s+continue(?:\s+(?:numbered|keep))*)?", re.DOTALL)


@lru_cache(maxsize=1_024)
def parse_tag(body: str) -> Tag | BlockStart | BlockEnd | Directive | Comment | TagFinding:
    """Return the tag, block, directive, comment or finding that a text between braces is."""
    text = tidy(body)
    source = f"{{{{{text}}}}}"
    if not text:
        return TagFinding("Error", "empty-tag", "A tag is empty: write a name between {{ and }}.", source)
    if text[0] == "!":
        return Comment()
    if len(text) > LONGEST_TAG + (text[0] in "#^/"):
        return too_long(source, len(text) - (text[0] in "#^/"))
    if text[0] in "#^/":
        construct = _parse_block(text, source)
    else:
        construct = _parse_any_directive(text, source) or _parse_value(text, source)
    return (explain_foreign(construct, text) if isinstance(construct, TagFinding) else None) or construct


def _parse_any_directive(text: str, source: str) -> Directive | TagFinding | None:
    """Return a directive, or its fault; None for a text that is not meant as one."""
    if refers_to_slide(text):
        return _parse_slide_reference(text, source)
    if refers_to_shape(text):
        return _parse_shape_reference(text, source)
    if totalled := _TOTALLED.fullmatch(text):
        return _parse_totalled(totalled[1], text, source)
    return _parse_directive_text(text, source)


def _parse_totalled(plain: str, text: str, source: str) -> Directive | TagFinding | None:
    """Return a chart's directive that ends with `totals`, which the data may have in a name as well."""
    literal, chart = _parse_directive_text(text, source), _parse_directive_text(plain, source)
    if not isinstance(chart, Directive):
        return literal
    return structs.replace(chart, totals=True, literal=literal if isinstance(literal, Directive) else None)


def _parse_directive_text(text: str, source: str) -> Directive | TagFinding | None:
    if "|" not in text and (directive := _DIRECTIVE.fullmatch(text)):
        return _parse_directive(directive, source)
    if directive := _COMPUTED_DIRECTIVE.fullmatch(text):
        return _parse_computed_directive(directive, source)
    return None


def _parse_value(text: str, source: str) -> Tag | TagFinding:
    plain = _parse_filtered(text, source)
    if isinstance(plain, Tag) and not may_be_expression(plain.name):
        return plain
    computed = _read_computed(text, source, plain, is_condition=False)
    if isinstance(computed, ParsedExpression):
        return Tag(source, computed.name, (), computed.filters, computed.node)
    return computed or plain


def _parse_filtered(text: str, source: str) -> Tag | TagFinding:
    """Return the tag of a path and filters, or the finding about its fault."""
    straight = text.translate(STRAIGHT_QUOTES)
    filtered = _FILTERED.fullmatch(straight)
    path = parse_path(filtered[1], item_members=True) if filtered else None
    if filtered is None or path is None:
        return malformed(source)
    filters = tuple(_parse_call(text, straight, bar) for bar in _BAR.finditer(straight, filtered.end(1)))
    for number, call in enumerate(filters, start=1):
        if fault := find_fault(call, is_last=number == len(filters)):
            stop = "" if fault.endswith("?") else "."
            return TagFinding("Error", "bad-filter", f"{source!r}, {call.name}: {fault}{stop}", source)
    return Tag(source, ".".join(path) or ".", path, filters)


def _read_computed(
    text: str, source: str, plain: object, *, is_condition: bool, offset: int = 0
) -> ParsedExpression | TagFinding | None:
    """Return an expression that begins in its tag at `offset`, a finding, or None if `plain` describes it."""
    is_none = isinstance(plain, TagFinding)
    if not (may_be_expression(text) or (is_none and is_condition and "|" in text)):
        return None
    try:
        return read_expression(text, is_condition=is_condition)
    except ExpressionError as problem:
        is_value_filter = is_none and plain.code == "bad-filter" and not has_computed_filters(text)
        is_name = not is_none or is_value_filter or not (is_condition or has_whole_quotes(text))
        if is_name and not is_meant_as_expression(text):
            return None
        return _refuse_expression(problem, text, source, offset)


def _refuse_expression(problem: ExpressionError, text: str, source: str, offset: int) -> TagFinding:
    place, corrected = offset + problem.position + len("{{") + 1, problem.correct(text)
    suggestion = source.replace(text, corrected) if corrected else ""
    advice = "" if str(problem).endswith("?") else f"; did you mean {suggestion}?" if suggestion else "."
    message = f"{source!r}, at character {place}: {problem}{advice}"
    if problem.in_filter:
        return TagFinding("Error", "bad-filter", message, source, suggestion)
    return TagFinding("Error", "bad-expression", message, source, suggestion)


def _parse_block(text: str, source: str) -> BlockStart | BlockEnd | TagFinding:
    mark, body = text[0], text[1:]
    if not body:
        return BlockEnd(source, "") if mark == "/" else malformed(source)
    if mark != "/" and (of_columns := _COLUMNS.fullmatch(body)):
        block = _parse_block(f"{mark}{of_columns[1]}{of_columns[2] or ''}", source)
        if isinstance(block, BlockStart):
            return _make_column_block(block)
        # In `{{#limit > columns}}` it is a name.
        whole = _parse_simple_block(text, source)
        return whole if isinstance(whole, BlockStart) else block
    return _parse_simple_block(text, source)


def _make_column_block(block: BlockStart) -> BlockStart | TagFinding:
    if block.continuation is None and not block.columns:
        return structs.replace(block, columns=True)
    message = f"{block.source!r}: columns cannot continue on further slides; write either continue or columns, once."
    return TagFinding("Error", "bad-option", message, block.source)


def _parse_simple_block(text: str, source: str) -> BlockStart | BlockEnd | TagFinding:
    mark, body = text[0], text[1:]
    body, continuation = _split_continuation(body) if mark == "#" else (body, None)
    path = parse_path(body, item_members=True)
    plain = None if path is not None else malformed(source)
    computed = _read_computed(body, source, plain, is_condition=True, offset=1)
    if isinstance(computed, TagFinding) or (plain and not computed):
        return computed or malformed(source)
    name = computed.name if computed else ".".join(path or ()) or "."
    if mark == "/":
        return BlockEnd(source, name)
    if computed is None:
        return BlockStart(source, name, path or (), mark == "^", continuation=continuation)
    return BlockStart(source, name, (), mark == "^", computed.node, not computed.repeats, continuation)


def _split_continuation(text: str) -> tuple[str, Continuation | None]:
    """Return a block's or directive's text without `continue` at its end, and the continuation."""
    found = _CONTINUED.fullmatch(text)
    return (found[1], Continuation(numbered="numbered" in found[2].split())) if found else (text, None)


def _parse_directive(parsed: re.Match[str], source: str) -> Directive | TagFinding:
    kind = parsed[1].lower()
    if kind not in DIRECTIVES:
        nearest = get_close_matches(kind, DIRECTIVES, 1)
        hint = f"did you mean {nearest[0]!r}?" if nearest else f"there are {', '.join(DIRECTIVES)}."
        suggestion = source.replace(parsed[1], nearest[0], 1) if nearest else ""
        message = f"{source!r} asks for {parsed[1]!r}, which does not exist; {hint}"
        return TagFinding("Error", "unknown-directive", message, source, suggestion)
    inside, continuation = _split_continuation(parsed[2]) if DIRECTIVES[kind].continues else (parsed[2], None)
    # In a cell, the item itself: an item of a list of numbers, a value of a table.
    path = () if inside == "." and DIRECTIVES[kind].in_text else parse_path(inside)
    computed = _COMPUTED_DIRECTIVE.fullmatch(parsed[0])
    is_value = not (parsed[3] and DIRECTIVES[kind].fills)
    if computed and (path is None or (is_value and may_be_expression(computed[2]))):
        return _parse_computed_directive(computed, source)
    return malformed(source) if path is None else _make_directive(parsed, source, path, continuation=continuation)


def _shorten(choices: Sequence[str]) -> Sequence[str]:
    """Return the choices as a message names them: of many numbers, their range."""
    return choices if len(choices) <= _MOST_CHOICES else (f"{choices[0]}…{choices[-1]}",)


def _make_directive(
    parsed: re.Match[str],
    source: str,
    path: tuple[str, ...],
    computed: ParsedExpression | None = None,
    continuation: Continuation | None = None,
) -> Directive | TagFinding:
    """Return a directive with its options, or the finding about a wrong one."""
    kind = parsed[1].lower()
    options = tuple(
        (name.lower(), value.lower()) for name, value in cast("list[tuple[str, str]]", _OPTION.findall(parsed[3]))
    )
    for name, value in options:
        known = DIRECTIVES[kind].options
        if value not in known.get(name, ()):
            allowed = [f"{option}={choice}" for option, choices in known.items() for choice in _shorten(choices)]
            hint = f"write {' or '.join(allowed)}" if allowed else f"{kind} takes no options"
            return TagFinding("Error", "bad-option", f"{source!r}: {name}={value} is not an option; {hint}.", source)
    if computed is None:
        return Directive(kind, source, ".".join(path) or ".", path, options, continuation=continuation)
    return Directive(kind, source, computed.name, (), options, computed.node, continuation)


def _parse_computed_directive(parsed: re.Match[str], source: str) -> Directive | TagFinding:
    """Return a directive whose value may be an expression."""
    continues = DIRECTIVES[parsed[1].lower()].continues
    inside, continuation = _split_continuation(parsed[2]) if continues else (parsed[2], None)
    path = parse_path(inside)
    plain = malformed(source) if path is None else None
    computed = _read_computed(inside, source, plain, is_condition=True, offset=parsed.start(2))
    if isinstance(computed, TagFinding) or (plain and not computed):
        return computed or malformed(source)
    return _make_directive(parsed, source, path or (), computed, continuation)


def _parse_slide_reference(text: str, source: str) -> Directive | TagFinding:
    reference = read_reference(text)
    if isinstance(reference, str):
        return TagFinding("Error", "bad-option", f"{source!r} names no slide of another template: {reference}.", source)
    return Directive("slide", source, reference.slide, (), slide=reference)


def _parse_shape_reference(text: str, source: str) -> Directive | TagFinding:
    reference = read_shape_reference(text)
    if isinstance(reference, str):
        return TagFinding("Error", "bad-option", f"{source!r} names no shape of another template: {reference}.", source)
    return Directive("shape", source, reference.shape, (), shape=reference)


def malformed(source: str) -> TagFinding:
    """Return the finding about a tag that is neither a name nor any other construct of the language."""
    message, suggestion = explain_no_path(source)
    return TagFinding("Error", "malformed-tag", message, source, suggestion)


def too_long(source: str, length: int) -> TagFinding:
    """Return the finding about a tag with too many characters between its marks."""
    shown = f"{source[:_MOST_SHOWN]}…"
    message = f"{shown!r} has {length:,} characters; a tag has at most {LONGEST_TAG}."
    return TagFinding("Error", "malformed-tag", message, shown)


def _parse_call(text: str, straight: str, bar: re.Match[str]) -> FilterCall:
    """Return a filter's call; quotes in its argument stay unchanged, but are straightened in a date pattern."""
    parsed = _CALL.fullmatch(straight, *bar.span(1))
    if parsed is None:
        return FilterCall(text[slice(*bar.span(1))].strip(), "")
    number = parsed.lastindex or 1
    argument = slice(*parsed.span(number)) if number > 1 else slice(0)
    return FilterCall(parsed[1], (straight if parsed[1] == "date" else text)[argument])
