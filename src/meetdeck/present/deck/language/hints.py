"""Hints on text in other template languages, which is just a name or plain text here, and shows nothing.

The same for date patterns of other tools, which write another date here.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from meetdeck.present.deck.language.constructs import BlockEnd, BlockStart, Directive, Tag, TagFinding
from meetdeck.present.deck.language.date_patterns import Doubt, find_doubt
from meetdeck.present.deck.language.directives import DIRECTIVES
from meetdeck.present.deck.language.expressions.reading import list_calls, read_expression
from meetdeck.present.deck.language.expressions.tokens import ExpressionError
from meetdeck.present.deck.language.typing_marks import straighten, tidy

_LONGEST: Final = 80
# Nearly all names; few of the others mean anything elsewhere.
_PLAIN: Final = re.compile(r"(?!(?:else|end|endif|endfor|this)\b)[\w@.-]*(?<!\.length)")
_KEYWORD: Final = re.compile(r"else|end|endif|endfor", re.IGNORECASE)
# The replacement for a name by its form: the first that fits.
_NAMES: Final = (
    (r"(?:if|each|with|for|foreach) (?:\w+ in )?(.+)", r"for a condition or a list write {{#\1}}…{{/\1}}"),
    (r"unless (.+)", r"for what is missing or false write {{^\1}}…{{/\1}}"),
    (r"else|end|endif|endfor", r"a block ends with {{/x}}, and {{^x}}…{{/x}} appears when there is nothing"),
    (r"this", r"the item itself is {{.}}"),
    (r"this\.(.+)", r"an item's member is {{\1}}"),
    (r"([^\[]*)\[\s*(\d+)\s*\](.*)", r"an item by its number, counted from 0, is {{\1.\2\3}}"),
    (r"(.+)\.length", r"the number of a list's items is {{\1 | count}}"),
    (
        r"[\w.]+ ?\(.*",
        r"there are no calls; write a filter after the name, like {{amount | number:2}} or {{items | count}}",
    ),
    (r".*&&.*", r"for both of two conditions write and between them"),
    (r"(.+?) ?\?\? ?(.+)", r"for the first of two values that is there write {{\1 or \2}}"),
    (r".*\?.*", r"for one of two values write {{first if condition else second}}"),
    (r"[<>=+*].*|.*[<>=*]", r"operators go between two values, with spaces around them"),
)
# The beginning of a block in other languages: its subject, after a word.
_BLOCK: Final = re.compile(r"[#^]?\s*(if|each|with|for|foreach|range|unless)\s+(?:\w+\s+in\s+)?(.+)", re.IGNORECASE)
_ENDS: Final = re.compile(r"end ?|[# ]", re.IGNORECASE)
# The part before a choice of two values, and the parts of the choice, without quoted texts.
_BEFORE_VALUE: Final = re.compile(rf"[#^]|(?:{'|'.join(DIRECTIVES)})\s*:\s*", re.IGNORECASE)
_CHOICE: Final = re.compile(r"([^?]+?)\?([^?.:][^?]*?)(?:\s:\s|:)(.+)")
_OR: Final = re.compile(r"([^?|]+?)(?:\?[?:]|\|\|)([^?|]+)")
_QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_SIGNS: Final = (("===", "="), ("!==", "!="), ("&&", "and"), ("||", "or"))
_ADVICE: Final = tuple((re.compile(form, re.IGNORECASE), advice) for form, advice in _NAMES)
# Outside of our braces: Jinja, JavaScript and FreeMarker, ERB, Carbone, docx-templates, docxtemplater.
_FOREIGN: Final = (
    (
        re.compile(r"\{%-?\s*(?:if|elif|else|endif|for|endfor|set)\b[^%{}]*%\}"),
        r"a block is {{#rows}}…{{/rows}}, and {{^rows}}…{{/rows}} appears when there is nothing",
    ),
    (re.compile(r"\$\{\s*([A-Za-z_][\w.]*)\s*\}"), r"write {{\1}}"),
    (re.compile(r"<%[=-]?\s*@?([\w.]+)\s*-?%>"), r"write {{\1}}"),
    (
        re.compile(r"(?<!\{)\{[dc]\.([A-Za-z_][\w.]*+)[^{}]*+\}(?!\})"),
        r"write {{\1}}, and {{#rows}}…{{/rows}} for a list",
    ),
    (re.compile(r"\+\+\+\s*(?:INS\s+|=\s*)?([A-Za-z_][\w.]*)\s*\+\+\+"), r"write {{\1}}"),
    (re.compile(r"(?<!\{)\{([#/^][A-Za-z_][\w.]*|/)\}(?!\})"), r"write {{\1}}, with two braces"),
)
# Every foreign construct with single braces contains one of these; pairs of braces are ours.
_SINGLE_BRACES: Final = (b"${", b"{d.", b"{c.", b"{#", b"{/", b"{^")


@lru_cache(maxsize=1_024)
def is_plain(tag: Tag) -> bool:
    """Return whether a tag needs no hint: it is a name without filters, and looks like nothing else."""
    return tag.computed is None and not tag.filters and find_hint(tag, ends_foreign=True) is None


@lru_cache(maxsize=1_024)
def find_hint(expression: Tag | BlockStart, *, ends_foreign: bool = False) -> TagFinding | None:
    """Return advice on a tag or block whose name looks like an expression; None for nearly all.

    `ends_foreign` when a block of another language was begun before it: `{{end}}` alone is the end of a meeting.
    """
    name = expression.name
    if _PLAIN.fullmatch(name) or expression.source[0] == "[":
        # Nobody writes expressions in square brackets.
        return None
    if _KEYWORD.fullmatch(name) and not _is_keyword(expression, ends_foreign=ends_foreign):
        return None
    fitting = ((found, advice) for form, advice in _ADVICE if (found := form.fullmatch(name)))
    found, advice = next(fitting, (None, ""))
    if found is None:
        return None
    message = f"{expression.source} looks for a value that is called {name!r}: {found.expand(advice)}."
    return TagFinding("Info", "looks-like-expression", message, expression.source)


def _is_keyword(expression: Tag | BlockStart, *, ends_foreign: bool) -> bool:
    """Return whether `else`, `end` and the like are keywords: they are alone, without a filter."""
    if isinstance(expression, BlockStart) or tidy(expression.source).strip("{}").strip() != expression.name:
        return False
    return ends_foreign or expression.name.lower() != "end"


def explain_foreign(finding: TagFinding, text: str) -> TagFinding | None:
    """Return the finding about an unreadable text between braces that is a choice in another language.

    `total > 100 ? 'a' : 'b'` is one. None for anything else.
    """
    choice = _find_choice(text)
    if not choice or (finding.suggestion and "?" not in text):
        return None
    meant = f"{{{{{choice}}}}}"
    message = f"{finding.source!r} is written as in another template language; write {meant}."
    return TagFinding("Error", finding.code, message, finding.source, meant)


def _find_choice(text: str) -> str:
    """Return a text with its `a ? b : c` or `a ?? b` written as here, empty for any other."""
    before = _BEFORE_VALUE.match(text)
    start = before.end() if before else 0
    value = straighten(text)[start:]
    # Of the same length, so that positions are the same.
    masked = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), value)
    if found := _CHOICE.fullmatch(masked):
        test, first, second = (_respell(value[slice(*found.span(number))]) for number in (1, 2, 3))
        meant = f"{first} if {test} else {second}"
    elif found := _OR.fullmatch(masked):
        meant = " or ".join(_respell(value[slice(*found.span(number))]) for number in (1, 2))
    else:
        return ""
    try:
        read_expression(meant, is_condition=False)
    except ExpressionError:
        return "first if condition else second"
    return f"{text[:start]}{meant}"


def _respell(text: str) -> str:
    """Return a piece of a choice with the signs and quotation marks used here."""
    text = text.strip()
    for foreign, own in _SIGNS:
        text = text.replace(foreign, own)
    return f'"{text[1:-1]}"' if text[:1] == text[-1:] == "'" and '"' not in text and len(text) > 1 else text


def find_block_meant(start: BlockStart, end: BlockEnd) -> tuple[str, str] | None:
    """Return the start and end of a block that is written as in another language, as written here; None for others.

    `{{#if premium}}…{{/if}}` is `{{#premium}}` and `{{/premium}}`.
    """
    begun = _BLOCK.fullmatch(start.source.strip("{}"))
    if begun is None:
        return None
    word, what = begun[1].lower(), begun[2]
    if end.name != what and _ENDS.sub("", end.name).lower() != word:
        return None
    right = "{{/}}" if start.computed is not None else f"{{{{/{what}}}}}"
    return f"{{{{{'^' if word == 'unless' else '#'}{what}}}}}", right


def begins_foreign_block(name: str) -> bool:
    """Return whether a name is the beginning of a block in another language, such as `if premium`."""
    return _BLOCK.fullmatch(name) is not None


def find_doubtful_dates(construct: Tag | BlockStart | Directive) -> Sequence[TagFinding]:
    """Return a warning for each date pattern of a construct that probably writes an unintended date."""
    calls = construct.filters if isinstance(construct, Tag) else ()
    if construct.computed is None and not calls:
        return ()
    if construct.computed is not None:
        calls = (*calls, *list_calls(construct.computed))
    patterns = dict.fromkeys(straighten(call.argument) for call in calls if call.name == "date")
    return [_doubt(construct, pattern, doubt) for pattern in patterns if (doubt := find_doubt(pattern))]


def _doubt(construct: Tag | BlockStart | Directive, pattern: str, doubt: Doubt) -> TagFinding:
    suggestion = _replace_pattern(construct.source, pattern, doubt.meant) if doubt.meant else ""
    advice = f"; did you mean {suggestion}?" if suggestion else "."
    message = f"{construct.source}, date pattern {pattern!r}: {doubt.reason}{advice}"
    return TagFinding("Warning", "doubtful-date-pattern", message, construct.source, suggestion)


def _replace_pattern(source: str, pattern: str, meant: str) -> str:
    """Return a construct's source with another date pattern, empty when quotation marks prevent it."""
    form = rf"""(?P<filter>\bdate\s*:\s*)(?P<quote>["']?){re.escape(pattern)}(?P=quote)(?!\w)"""
    found = re.search(form, straighten(source))
    if found is None or (found["quote"] and found["quote"] in meant):
        return ""
    start, end = found.span()
    quote = found["quote"] or '"'
    return f"{source[:start]}{found['filter']}{quote}{meant}{quote}{source[end:]}"


def may_be_foreign(part: bytes, *, has_single_braces: bool) -> bool:
    """Return whether a part's text may contain other languages; nearly all parts cannot."""
    # A single character is found twenty times as fast as several.
    if b"%" in part and (b"&lt;%" in part or b"{%" in part):
        return True
    return (b"+" in part and b"+++" in part) or (has_single_braces and any(mark in part for mark in _SINGLE_BRACES))


def find_foreign(text: str) -> Iterator[TagFinding]:
    """Yield the expressions of other template languages in a paragraph."""
    for form, advice in _FOREIGN:
        for found in form.finditer(text):
            source = found[0][:_LONGEST]
            message = f"{source!r} belongs to another template language and stays as text; {found.expand(advice)}."
            yield TagFinding("Info", "looks-like-expression", message, source)
