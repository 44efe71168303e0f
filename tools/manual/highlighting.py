"""Code as HTML: highlighted by Pygments with few classes, which the manual's style sheet colors."""

from html import escape
from typing import Final

from pygments import lex
from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType] - its types are partial
from pygments.token import Comment, Keyword, Literal, Name, Number, String, _TokenType  # pyright: ignore[reportPrivateUsage] - tokens have no other type
from pygments.util import ClassNotFound

_NAMES: Final = {
    "sh": "Shell",
    "bash": "Shell",
    "python": "Python",
    "ts": "TypeScript",
    "json": "JSON",
    "http": "HTTP",
    "sql": "SQL",
}
_PLAIN: Final = frozenset({"", "text", "txt", "mermaid"})
_CLASSES: Final[tuple[tuple[_TokenType, str], ...]] = (
    (Comment, "c"),
    (Name.Tag, "k"),
    (Name.Attribute, "k"),
    (Keyword, "k"),
    (String, "s"),
    (Number, "n"),
    (Literal, "n"),
    (Name.Variable, "v"),
)


def highlight(code: str, language: str) -> str:
    """Return code as a `pre` element, in the colors of a language if there is one of that name."""
    name = _NAMES.get(language, language.upper())
    label = f' data-language="{escape(name)}"' if name and language not in _PLAIN else ""
    return f'<div class="code"{label}><pre tabindex="0"><code>{_color(code.rstrip(), language)}</code></pre></div>\n'


def _color(code: str, language: str) -> str:
    if language in _PLAIN:
        return escape(code)
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        return escape(code)
    parts: list[tuple[str, str]] = []
    for kind, text in lex(code, lexer):
        found = _find_class(kind)
        if parts and parts[-1][0] == found:
            parts[-1] = (found, parts[-1][1] + text)
        else:
            parts.append((found, text))
    parts[-1] = (parts[-1][0], parts[-1][1].rstrip("\n"))  # lexers end each code with a new line
    return "".join(
        f'<span class="{found}">{escape(text)}</span>' if found and text.strip() else escape(text)
        for found, text in parts
    )


def _find_class(kind: _TokenType) -> str:
    return next((name for family, name in _CLASSES if kind in family), "")
