"""The tokens of an expression: names, numbers, quoted texts and signs, in every form that PowerPoint gives them."""

import re
from typing import Final, Literal, NamedTuple

from meetdeck.present.deck.language.typing_marks import straighten

Kind = Literal["name", "text", "sign", "end"]

KEYWORDS: Final = frozenset({"and", "or", "not", "if", "else"})
# Each spelling of a sign by the one that the parser knows.
_SPELLINGS: Final = {
    "==": "=",
    "<>": "!=",
    "\u2260": "!=",
    "\u2265": ">=",
    "\u2264": "<=",
    "\u00d7": "*",
    "\u22c5": "*",
    "\u00f7": "/",
}
_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+)|"(?P<double>[^"]*)"|'(?P<single>[^']*)'"""
    r"""|(?P<sign>[<>!=]=|<>|[<>=+*/%()|:,\u2260\u2265\u2264\u00d7\u22c5\u00f7])"""
    r"""|(?P<atom>[^\s{}|"':#^/\\()<>=!+*%,\u2260\u2265\u2264\u00d7\u22c5\u00f7]+)|(?P<other>.)""",
    re.DOTALL,
)
_NUMBER: Final = re.compile("[0-9]+(?:[.][0-9]+)?")
# A sign with blanks or nothing around it is meant as one, even if the rest makes no sense.
_MEANT: Final = re.compile(
    r"(?:\A|\s)(?:[<>=!]=|<>|[<>=+*/\u2260\u2265\u2264\u00d7\u22c5\u00f7])(?:\s|\Z)|[-(]\Z|\|\s*\|"
)
QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")


class Token(NamedTuple):
    """A token at `[start, end)` of its text; `spaced` when a blank precedes it."""

    kind: Kind
    text: str
    start: int
    end: int
    spaced: bool = False

    @property
    def is_number(self) -> bool:
        """Return whether it is a number in digits, such as 100 or 0.25."""
        return self.kind == "name" and _NUMBER.fullmatch(self.text) is not None


class ExpressionError(ValueError):
    """A text is not an expression: the message says what is wrong at `position` (from 0).

    `fix` is a possible correction: the text between two positions, and its replacement. `in_filter` when a filter is
    wrong, and not the expression around it.
    """

    def __init__(self, message: str, position: int, fix: tuple[int, int, str] | None = None) -> None:
        super().__init__(message)
        self.position = position
        self.fix = fix
        self.in_filter = False

    def correct(self, text: str) -> str:
        """Return a text with the correction, empty without one."""
        if self.fix is None:
            return ""
        start, end, instead = self.fix
        return text[:start] + instead + text[end:]


def read_tokens(straight: str, text: str) -> list[Token]:
    """Return the tokens of a text, `straight` with straight quotes and plain hyphens; an `end` is the last.

    Raises `ExpressionError` for a character that no expression contains.
    """
    tokens: list[Token] = []
    spaced = False
    for found in _TOKEN.finditer(straight):
        kind, (start, end) = found.lastgroup, found.span()
        if kind == "blank":
            spaced = True
            continue
        if kind == "other":
            raise ExpressionError(*_explain(straight, start))
        if kind in {"double", "single"}:
            tokens.append(Token("text", text[start + 1 : end - 1], start, end, spaced))
        elif kind == "sign":
            tokens.append(Token("sign", _SPELLINGS.get(found[0], found[0]), start, end, spaced))
        else:
            tokens += _split_minus(Token("name", found[0], start, end, spaced), tokens[-1:])
        spaced = False
    return [*tokens, Token("end", "", len(straight), len(straight))]


def _split_minus(atom: Token, before: list[Token]) -> list[Token]:
    """Return an atom, or the minus that it is or begins with and the rest of it.

    A hyphen inside a name, or after a blank and another name, is part of a name: `e-mail`.
    """
    text, start = atom.text, atom.start
    if text in KEYWORDS:
        return [atom._replace(kind="sign")]
    begins = text[0] == "-" and text != "-"
    after_name = bool(before) and before[0].kind == "name"
    if not begins or after_name:
        return [atom._replace(kind="sign") if text == "-" else atom]
    minus = Token("sign", "-", start, start + 1, atom.spaced)
    rest = _split_minus(Token("name", text[1:], start + 1, atom.end), [minus])
    return [minus, *rest]


def _explain(text: str, position: int) -> tuple[str, int, tuple[int, int, str] | None]:
    """Return the error message for a character that begins no token."""
    character = text[position]
    if character in "\"'":
        return "a quotation mark is not closed", position, (len(text), len(text), character)
    if character == "!":
        return "! is not an operator here; write not", position, (position, position + 1, "not ")
    return f"{character!r} is not allowed in an expression", position, None


def is_meant_as_expression(text: str) -> bool:
    """Return whether an invalid expression was surely meant as one, and not as a name with signs in it."""
    outside = QUOTED.sub("x", straighten(text))
    return _MEANT.search(outside) is not None or outside.count("(") != outside.count(")")
