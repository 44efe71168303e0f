"""A portal's styling: the accepted CSS, in a layer of its own (docs/api/portals.md#portal-styling): pure.

Anything that could fetch something is looked for in the tokens, wherever they are, so that it does not matter how a
browser combines rules. The rules are read as well, to name what a browser would skip in silence.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import structlog
import tinycss2
from tinycss2.ast import (
    AtKeywordToken,
    AtRule,
    Comment,
    CurlyBracketsBlock,
    FunctionBlock,
    LiteralToken,
    Node,
    ParenthesesBlock,
    ParseError,
    QualifiedRule,
    SquareBracketsBlock,
    StringToken,
    URLToken,
    WhitespaceToken,
)

from meetdeck.booking.configuration.portals.service.hosts import find_host
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase

log = structlog.stdlib.get_logger()

LAYER: Final = "portal"

_END: Final = "#end"  # follows the CSS while it is checked: it is alone once everything before it is closed
_MOST_FAULTS: Final = 20
_LONGEST_SHOWN: Final = 100
_UNREADABLE: Final = {
    re.compile("</style", re.IGNORECASE): r"</style would end the style sheet; in a text, write <\/style",
    re.compile(r"[0-9]{600}"): "This number is too long",  # Python does not parse numbers of any length
}

_HOLD_RULES: Final = {"media", "supports", "container", "layer", "scope", "starting-style"}
_HOLD_FRAMES: Final = {"keyframes", "-webkit-keyframes", "-moz-keyframes"}
_HOLD_DECLARATIONS: Final = {"font-face", "page", "property", "counter-style", "view-transition", "position-try"}
_AT_RULES: Final = _HOLD_RULES | _HOLD_FRAMES | _HOLD_DECLARATIONS
_NAMED_AT_RULES: Final = ", ".join(f"@{name}" for name in sorted(_AT_RULES) if not name.startswith("-"))
# Functions in which a text is an address.
_TAKE_ADDRESSES: Final = {"url", "src", "image", "image-set", "-webkit-image-set", "cross-fade", "-webkit-cross-fade"}
_BRACKETS: Final[dict[type[Node], str]] = {
    ParenthesesBlock: "(",
    SquareBracketsBlock: "[",
    CurlyBracketsBlock: "{",
    FunctionBlock: "(",
}
_SYNTAX: Final = {
    "bad-string": "A text is not closed on its line",
    "eof-in-string": "A text is not closed",
    "bad-url": "An address is not closed, or has a character that requires quotation marks around it",
    "eof-in-url": "An address is not closed",
}


class _Flaw(NamedTuple):
    """A fault of the CSS, in a line of it."""

    line: int
    detail: str


def find_faults_of_styling(css: str, logo_url: str) -> list[Fault]:
    """Return a fault with its line for each part of the CSS that is refused, the first ones of many.

    `logo_url`: the portal's; addresses may lead only to its host.
    """
    flaws = _find_flaws(css, logo_url)[:_MOST_FAULTS]
    return [Fault("/styling", phrase("Line {line}: {detail}.", line=flaw.line, detail=flaw.detail)) for flaw in flaws]


def wrap_styling(css: str, logo_url: str) -> str:
    """Return the CSS in the layer `portal`; empty for refused CSS, which is logged.

    It may have been stored before it was checked.
    """
    if flaws := _find_flaws(css, logo_url):
        log.warning("styling left out", line=flaws[0].line, reason=flaws[0].detail)
        return ""
    return f"@layer {LAYER} {{\n{css}\n}}\n" if css.strip() else ""


def _find_flaws(css: str, logo_url: str) -> list[_Flaw]:
    for pattern, detail in _UNREADABLE.items():
        if found := pattern.search(css):
            return [_Flaw(1 + css.count("\n", 0, found.start()), detail)]
    *tokens, last = tinycss2.parse_component_value_list(f"{css}\n{_END}")
    flaws = [*_find_flaws_of_tokens([*tokens, last], find_host(logo_url))]
    if not flaws and (flaw := _find_open(last)):
        flaws = [flaw]
    return sorted(flaws or _find_flaws_of_rules(tokens))


def _find_open(last: Node) -> _Flaw | None:
    """Return the innermost block, string or comment that is still open at the end of the CSS."""
    opened = last
    while inside := _list_inside(last):
        opened, last = last, inside[-1]
    if isinstance(last, Comment):
        return _Flaw(last.source_line, "This comment is not closed")
    return None if opened is last else _Flaw(opened.source_line, f"This {_BRACKETS[type(opened)]} is not closed")


def _list_inside(token: Node) -> Sequence[Node]:
    """Return the contents of a block or of a function's parentheses."""
    if isinstance(token, FunctionBlock):
        return token.arguments
    return token.content if isinstance(token, CurlyBracketsBlock | ParenthesesBlock | SquareBracketsBlock) else ()


def _find_flaws_of_tokens(tokens: Sequence[Node], logo: tuple[str, str] | None) -> Iterator[_Flaw]:
    """Return tokens that are not CSS, fetch something from elsewhere, or belong to a whole style sheet."""
    pending = [(token, "") for token in tokens]
    while pending:
        token, function = pending.pop()
        name = token.lower_name if isinstance(token, FunctionBlock) and token.lower_name in _TAKE_ADDRESSES else ""
        if function and not name:
            detail = _find_fault_of_argument(token, function, logo)
        else:
            detail = _find_fault_of_token(token, logo)
        if detail is None:
            pending += [(inside, name) for inside in _list_inside(token)]
        else:
            yield _Flaw(token.source_line, detail)


def _find_fault_of_token(token: Node, logo: tuple[str, str] | None) -> str | None:
    if isinstance(token, URLToken):
        return _find_fault_of_address(token.value, logo)
    if isinstance(token, ParseError):
        return _SYNTAX.get(token.kind, f"This {token.kind} closes nothing that is open")
    if isinstance(token, AtKeywordToken) and token.lower_value not in _AT_RULES:
        return f"@{_show(token.lower_value)} is not allowed here; allowed are {_NAMED_AT_RULES}"
    if isinstance(token, LiteralToken) and token.value in {"<!--", "-->"}:
        return f"{token.value} belongs to HTML. Write comments as /* … */"
    return None


def _find_fault_of_argument(token: Node, function: str, logo: tuple[str, str] | None) -> str | None:
    """Return the fault of an argument of a function in which a text is an address.

    Addresses must be written out: what a variable or another function composes is not known.
    """
    if isinstance(token, StringToken):
        return _find_fault_of_address(token.value, logo)
    is_type = isinstance(token, FunctionBlock) and token.lower_name == "type"
    if type(token) in _BRACKETS and not is_type:
        return f"In {function}() addresses must be written out, without other functions"
    return _find_fault_of_token(token, logo)


def _find_fault_of_address(address: str, logo: tuple[str, str] | None) -> str | None:
    if logo is None:
        return f"'{_show(address)}' is an address. Only those on the logo's host are allowed, and logoUrl names no host"
    _, host = logo
    if find_host(address) == ("https", host):
        return None
    return f"'{_show(address)}' is not on the logo's host: addresses begin with https://{host}/"


def _find_flaws_of_rules(tokens: Sequence[Node]) -> Iterator[_Flaw]:
    """Return the parts that browsers would skip: anything but rules among rules, or declarations among declarations."""
    pending = [(tokens, False)]
    while pending:
        content, is_style = pending.pop()
        parse = tinycss2.parse_blocks_contents if is_style else tinycss2.parse_rule_list
        for node in parse(content, skip_comments=True, skip_whitespace=True):
            if isinstance(node, ParseError):
                wanted = "declaration: write name: value;" if is_style else "rule: write selector { name: value; }"
                yield _Flaw(node.source_line, f"This is not a {wanted}")
            elif isinstance(node, QualifiedRule):
                if detail := _find_fault_of_selector(node.prelude):
                    yield _Flaw(node.source_line, detail)
                pending.append((node.content, True))
            elif isinstance(node, AtRule) and node.content is not None:
                holds_declarations = node.lower_at_keyword in _HOLD_DECLARATIONS
                holds_rules = node.lower_at_keyword in _HOLD_FRAMES or not is_style
                pending.append((node.content, holds_declarations or not holds_rules))


def _find_fault_of_selector(prelude: Sequence[Node]) -> str | None:
    if all(isinstance(token, WhitespaceToken | Comment) for token in prelude):
        return "A selector is missing before this {"
    if any(isinstance(token, LiteralToken) and token.value == ";" for token in prelude):
        return "A declaration or semicolon before this { belongs to no rule"
    return None


def _show(text: str) -> str:
    """Return a text in a displayable, short form: an escape may represent half a character."""
    shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return shown.encode(errors="replace").decode()
