"""The second spelling of the language, in square brackets: `[tag:name:uppercase]`, `[image:logo]`, `[slide:Fees]`.

Only the exact forms count, since square brackets are common in presentations; `syntax.scan` finds them, and reads them
like the same words between braces.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Final, NamedTuple
from unicodedata import category

from meetdeck.present.deck.language.filters import FilterCall
from meetdeck.present.deck.language.typing_marks import straighten, tidy, without_marks

# The filter of each modifier.
MODIFIERS: Final[Mapping[str, str]] = {
    "capitalize": "capitalize",
    "uppercase": "upper",
    "lowercase": "lower",
    "title": "title",
    "trim": "trim",
}

# Possessive, so that hostile text is read only once.
_NAME: Final = r"[\w-]++(?:\.[\w-]++)*+"
TAG: Final = rf"\[tag:(?P<tag>{_NAME})(?P<modifiers>(?::[\w.-]++)*+)\]"
IMAGE: Final = rf"\[image:(?P<image>{_NAME})\]"
# Anything that may be a slide's name, exact or not, up to where it cannot be one. Some keyboards type the
# wide colon.
_SLIDE: Final = re.compile(r"\[\s*slides?\s*[:\uff1a]([^\[\]\ufffc\n\v]*)\]?", re.IGNORECASE)
NAME_ALONE: Final = re.compile(_NAME)
_TAG: Final = re.compile(TAG)
# In an address, PowerPoint percent-encodes the brackets, and letters that are not ASCII.
_ENCODED_TAG: Final = re.compile(r"(?:\[|%5[bB])tag(?::|%3[aA])((?:[\w.:-]|%[0-9A-Fa-f]{2})+?)(?:\]|%5[dD])")
_ENCODED: Final = re.compile("(?:%[0-9A-Fa-f]{2})+")
# Text that begins like a tag, up to where it cannot be one.
_LIKE_TAG: Final = re.compile(r"\[\s*tag\s*:[^\[\]{}\ufffc]{0,200}+\]?", re.IGNORECASE)
_LIKE_IMAGE: Final = re.compile(rf"\[image:({_NAME})\]", re.IGNORECASE)
_BEGINNING: Final = re.compile(rb"\[\s*(?:tag|image|slides?)\s*(?::|\xef\xbc\x9a)", re.IGNORECASE)
# Allowed beside letters and digits; the last two are part of the spelling in Persian and in Hindi.
_JOINING: Final = "_-\u200c\u200d"
# In a form without its end, more words are more likely the text after it.
_MOST_WORDS: Final = 6
_SLIDE_ADVICE: Final = (
    "a slide's name is letters, digits and single blanks, with _, - and dots inside of words, and ends with ]."
)
_MARKUP: Final = re.compile(rb"<[^>]*>")


class UnknownModifierError(ValueError):
    """The modifier does not exist; `suggestion` is the nearest one, or empty."""

    def __init__(self, modifier: str) -> None:
        nearest = get_close_matches(modifier.lower(), MODIFIERS, 1)
        self.modifier = modifier
        self.suggestion = nearest[0] if nearest else ""
        hint = f"did you mean {self.suggestion!r}?" if nearest else f"there are {', '.join(MODIFIERS)}."
        super().__init__(f"there is no modifier {modifier!r}; {hint}")


class NearMiss(NamedTuple):
    """Text at `[start, end)` that looks like a form in square brackets; `suggestion` is the form that may be meant.

    Without a suggestion, `advice` says how to write it.
    """

    start: int
    end: int
    suggestion: str
    advice: str = "names in square brackets are letters, digits, _, - and dots; write others between braces."


class SlideName(NamedTuple):
    """A slide's name, marked at `[start, end)` of a text in its notes."""

    start: int
    end: int
    name: str


def may_stand_in(part: bytes) -> bool:
    """Return whether a part's XML may hold a form in square brackets, whole in a run or split.

    For nearly all parts, one search for a bracket rules it out.
    """
    if b"[" not in part:
        return False
    return _BEGINNING.search(part) is not None or _BEGINNING.search(_MARKUP.sub(b"", part)) is not None


def may_stand_in_text(text: str) -> bool:
    """Return whether a text may hold a tag in square brackets, or text that looks like one."""
    return "[" in text and _LIKE_TAG.search(text) is not None


def read_modifiers(modifiers: str) -> tuple[FilterCall, ...]:
    """Return the filters of modifiers like `:trim:uppercase`. Raises UnknownModifierError."""
    return tuple(FilterCall(_get_filter(modifier), "") for modifier in modifiers.split(":")[1:])


def _get_filter(modifier: str) -> str:
    if modifier not in MODIFIERS:
        raise UnknownModifierError(modifier)
    return MODIFIERS[modifier]


def decode_address(address: str) -> str:
    """Return an address in which only the tags in square brackets are decoded from percent-encoding."""
    return _ENCODED_TAG.sub(lambda found: f"[tag:{_decode(found[1])}]", address)


def encode_address(address: str) -> str:
    """Return an address with its tags in either spelling percent-encoded as PowerPoint writes them."""
    encoded = _TAG.sub(lambda found: f"%5B{found[0][1:-1]}%5D", address)
    return encoded.replace("{", "%7B").replace("}", "%7D").replace(" ", "%20")


def _decode(text: str) -> str:
    return _ENCODED.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode(errors="replace"), text)


def find_near_misses(text: str, start: int, end: int) -> Iterator[NearMiss]:
    """Yield the near misses of tags in a piece of text: `[Tag:name]`, `[tag: name]`, `[tag:name:]`.

    Brackets around other words, such as `[Tag: see appendix]`, are not reported.
    """
    for found in _LIKE_TAG.finditer(text, start, end):
        suggestion = _tidy_tag(found[0])
        if suggestion or (found[0].startswith("[tag:") and found[0][-1] == "]" and not found[0][5].isspace()):
            yield NearMiss(*found.span(), suggestion)


def find_near_pictures(text: str) -> Iterator[NearMiss]:
    """Yield the near misses of pictures: `[Image:logo]`."""
    for found in _LIKE_IMAGE.finditer(text):
        exact = f"[image:{found[1]}]"
        if found[0] != exact:
            yield NearMiss(*found.span(), exact)


def find_slide_names(text: str) -> Iterator[SlideName]:
    """Yield the slide names in notes: `[slide:Annual fees]`."""
    for found in _SLIDE.finditer(text):
        if name := _read_slide_name(found):
            yield SlideName(*found.span(), name)


def find_near_slide_names(text: str) -> Iterator[NearMiss]:
    """Yield the near misses of slide names: `[Slide:cover]`, `[slide: cover]`, `[slide:cover` without its end.

    Brackets around other words, such as `[Slide: 3, 4]`, are not reported.
    """
    for found in _SLIDE.finditer(text):
        if _read_slide_name(found):
            continue
        name = straighten(tidy(found[1]))
        is_name = _is_slide_name(name) and (found[0][-1] == "]" or name.count(" ") < _MOST_WORDS)
        if is_name:
            yield NearMiss(*found.span(), f"[slide:{name}]")
        elif found[0].startswith("[slide:") and not found[0][len("[slide:") :][:1].isspace():
            yield NearMiss(*found.span(), "", _SLIDE_ADVICE)


def _read_slide_name(form: re.Match[str]) -> str:
    """Return the name in an exact form, empty for any other."""
    if not (form[0].startswith("[slide:") and form[0].endswith("]")):
        return ""
    name = without_marks(form[1])
    return name if _is_slide_name(name) else ""


def _is_slide_name(name: str) -> bool:
    """Return whether a text is words with single blanks between them, joined by dots, hyphens or underscores inside."""
    return all(piece and all(map(_is_of_word, piece)) for word in name.split(" ") for piece in word.split("."))


def _is_of_word(character: str) -> bool:
    # The accents and vowel signs of many scripts are marks beside their letter.
    return character.isalnum() or character in _JOINING or category(character)[0] == "M"


def _tidy_tag(text: str) -> str:
    """Return a near miss without blanks and in lower case if that makes it a tag; else empty."""
    name, *modifiers = (word.strip() for word in text.strip("[]").split(":")[1:])
    known = [modifier.lower() for modifier in modifiers if modifier]
    is_tag = NAME_ALONE.fullmatch(name) and MODIFIERS.keys() >= set(known)
    return f"[tag:{':'.join((name, *known))}]" if is_tag else ""
