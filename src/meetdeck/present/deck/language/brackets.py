"""The second spelling of the language, in square brackets: `[tag:customer.name:uppercase]`, `[image:logo]`.

Nothing but the exact forms counts, since square brackets are common in presentations; `syntax.scan` finds them, and
makes of them what the same words between braces are.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Final, Literal, NamedTuple

from meetdeck.present.deck.language.filters import FilterCall

# Each modifier's filter.
MODIFIERS: Final[Mapping[str, str]] = {
    "capitalize": "capitalize",
    "uppercase": "upper",
    "lowercase": "lower",
    "title": "title",
    "trim": "trim",
}

# Possessive: hostile text is read once.
_NAME: Final = r"[\w-]++(?:\.[\w-]++)*+"
TAG: Final = rf"\[tag:(?P<tag>{_NAME})(?P<modifiers>(?::[\w.-]++)*+)\]"
IMAGE: Final = rf"\[image:(?P<image>{_NAME})\]"
SLIDE_NAME: Final = re.compile(rf"\[slide:({_NAME})\]")

NAME_ALONE: Final = re.compile(_NAME)
_TAG: Final = re.compile(TAG)
# In an address, PowerPoint percent-encodes the brackets, and letters that are not ASCII.
_ENCODED_TAG: Final = re.compile(r"(?:\[|%5[bB])tag(?::|%3[aA])((?:[\w.:-]|%[0-9A-Fa-f]{2})+?)(?:\]|%5[dD])")
_ENCODED: Final = re.compile("(?:%[0-9A-Fa-f]{2})+")
# What begins like a tag, to its end or to where it cannot be one.
_LIKE_TAG: Final = re.compile(r"\[\s*tag\s*:[^\[\]{}\ufffc]{0,200}+\]?", re.IGNORECASE)
_LIKE_OTHERS: Final[Mapping[str, re.Pattern[str]]] = {
    word: re.compile(rf"\[{word}:{_NAME}\]", re.IGNORECASE) for word in ("image", "slide")
}
_BEGINNING: Final = re.compile(rb"\[\s*(?:tag|image|slide)\s*:", re.IGNORECASE)
_MARKUP: Final = re.compile(rb"<[^>]*>")


class UnknownModifierError(ValueError):
    """A modifier does not exist; `suggestion` is the nearest, or empty."""

    def __init__(self, modifier: str) -> None:
        nearest = get_close_matches(modifier.lower(), MODIFIERS, 1)
        self.modifier = modifier
        self.suggestion = nearest[0] if nearest else ""
        hint = f"did you mean {self.suggestion!r}?" if nearest else f"there are {', '.join(MODIFIERS)}."
        super().__init__(f"there is no modifier {modifier!r}; {hint}")


class NearMiss(NamedTuple):
    """Text at `[start, end)` that looks like a form in square brackets; `suggestion` is the form that may be meant."""

    start: int
    end: int
    suggestion: str


def may_stand_in(part: bytes) -> bool:
    """Return whether a part's XML may hold a form in square brackets, split over runs or not.

    For nearly all parts one look for a bracket tells that it does not.
    """
    if b"[" not in part:
        return False
    return _BEGINNING.search(part) is not None or _BEGINNING.search(_MARKUP.sub(b"", part)) is not None


def may_stand_in_text(text: str) -> bool:
    """Return whether a text may hold a tag in square brackets, or a text like one."""
    return "[" in text and _LIKE_TAG.search(text) is not None


def read_modifiers(modifiers: str) -> tuple[FilterCall, ...]:
    """Return the filters of modifiers like `:trim:uppercase`. Raises UnknownModifierError."""
    return tuple(FilterCall(_get_filter(modifier), "") for modifier in modifiers.split(":")[1:])


def _get_filter(modifier: str) -> str:
    if modifier not in MODIFIERS:
        raise UnknownModifierError(modifier)
    return MODIFIERS[modifier]


def decode_address(address: str) -> str:
    """Return an address with its tags in square brackets undone from percent-encoding, and nothing else."""
    return _ENCODED_TAG.sub(lambda found: f"[tag:{_decode(found[1])}]", address)


def encode_address(address: str) -> str:
    """Return an address with its tags in either spelling percent-encoded as PowerPoint writes them."""
    encoded = _TAG.sub(lambda found: f"%5B{found[0][1:-1]}%5D", address)
    return encoded.replace("{", "%7B").replace("}", "%7D").replace(" ", "%20")


def _decode(text: str) -> str:
    return _ENCODED.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode(errors="replace"), text)


def find_near_misses(text: str, start: int, end: int) -> Iterator[NearMiss]:
    """Yield the near misses of tags in a stretch of text: `[Tag:name]`, `[tag: name]`, `[tag:name:]`.

    Brackets around other words, such as `[Tag: see appendix]`, are none.
    """
    for found in _LIKE_TAG.finditer(text, start, end):
        suggestion = _tidy_tag(found[0])
        if suggestion or (found[0].startswith("[tag:") and found[0][-1] == "]" and not found[0][5].isspace()):
            yield NearMiss(*found.span(), suggestion)


def find_near_forms(text: str, word: Literal["image", "slide"]) -> Iterator[NearMiss]:
    """Yield the near misses of pictures or of slides' names: `[Image:logo]`, `[SLIDE:cover]`."""
    for found in _LIKE_OTHERS[word].finditer(text):
        exact = f"[{word}{found[0][len(word) + 1 :]}"
        if found[0] != exact:
            yield NearMiss(*found.span(), exact)


def _tidy_tag(text: str) -> str:
    """Return the tag that a near miss is without blanks and in lower case; empty when it is none then."""
    name, *modifiers = (word.strip() for word in text.strip("[]").split(":")[1:])
    known = [modifier.lower() for modifier in modifiers if modifier]
    is_tag = NAME_ALONE.fullmatch(name) and MODIFIERS.keys() >= set(known)
    return f"[tag:{':'.join((name, *known))}]" if is_tag else ""
