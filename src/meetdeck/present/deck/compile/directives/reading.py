"""Reading a shape's directives from its alternative text, and `[image:logo]` from its name, too."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from meetdeck.present.deck.language.constructs import BlockEnd, BlockStart, Directive, FoundConstruct
from meetdeck.present.deck.language.syntax import scan
from meetdeck.present.deck.opc.xml import Element

_ALTERNATIVE_TEXTS = ("descr", "title")
_LONGEST_KEPT = 1_000


def list_directives(properties: Element) -> list[Directive]:
    """Return the directives of a shape by its `p:cNvPr`, those of its name first."""
    name = properties.get("name", "") or ""
    texts = [properties.get(attribute, "") or "" for attribute in _ALTERNATIVE_TEXTS]
    # Most shapes have none: one search of each mark, for both texts.
    both = "\0".join(texts)
    if "{{" not in both and "[image:" not in both and "[image:" not in name:
        return []
    _, directives = split_name(name)
    for text in texts:
        directives += split_alternative_text(text)[1]
    return directives


def split_alternative_text(text: str) -> tuple[str, list[Directive]]:
    """Return an alternative text without its directives, and the directives."""
    return _split(text, name_only=False)


def split_chapter_ends(text: str) -> tuple[str, list[BlockEnd]]:
    """Return a text without the ends that end no block of its own, such as `{{/goals}}`, and these ends."""
    ends = find_chapter_ends(scan(text))
    for start, end, _ in reversed(ends):
        text = text[:start] + text[end:]
    return (text.strip() if ends else text), [one.construct for one in ends if isinstance(one.construct, BlockEnd)]


def find_chapter_ends(found: Iterable[FoundConstruct]) -> list[FoundConstruct]:
    """Return the ends that end no block before them."""
    ends: list[FoundConstruct] = []
    opened = 0
    for one in found:
        if isinstance(one.construct, BlockStart):
            opened += 1
        elif isinstance(one.construct, BlockEnd) and opened:
            opened -= 1
        elif isinstance(one.construct, BlockEnd):
            ends.append(one)
    return ends


def split_name(name: str) -> tuple[str, list[Directive]]:
    """Return a shape's name without its directives, and the directives: a name holds only pictures.

    A name that is nothing but a directive becomes the picture's name.
    """
    rest, directives = _split(name, name_only=True)
    return (rest or directives[0].name) if directives else name, directives


def _split(text: str, *, name_only: bool) -> tuple[str, list[Directive]]:
    if "{" not in text and "[" not in text:
        return text, []
    rest, directives = (_split_known if len(text) <= _LONGEST_KEPT else _split_anew)(text, name_only=name_only)
    return rest, [*directives]


def _split_anew(text: str, *, name_only: bool) -> tuple[str, Sequence[Directive]]:
    directives: list[Directive] = []
    pieces: list[str] = []
    position = 0
    for start, end, construct in scan(text, describes_shape=True):
        if isinstance(construct, Directive) and not (name_only and construct.source.startswith("{")):
            directives.append(construct)
            pieces.append(text[position:start])
            position = end
    rest = "".join((*pieces, text[position:]))
    return (rest.strip() if directives else rest), directives


# A text is read several times, and the slides of a house have the same.
_split_known = lru_cache(maxsize=1_024)(_split_anew)
