"""Members in several languages, of any Struct: `localized_name` beside `name`, which holds the main language's text.

A Struct in an answer holds the texts by language; one in a request, those to change (docs/api/translations.md). A
member may also be a list of texts, such as a field's options: other languages then have as many, in the same order.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar, cast

import msgspec
from msgspec import Meta, UnsetType
from msgspec.structs import replace

from meetdeck.booking.localization.languages import Languages, choose_closest
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import LanguageTagError, Member, SingleLine, members_of, read_language_tag

S = TypeVar("S", bound=msgspec.Struct)

_PREFIX = "localized_"
_MOST_GIVEN = 200
_MOST_ITEMS = 1_000

_GivenText = Annotated[str, Meta(max_length=10_000)]

Translations = dict[str, str]
"""Texts by the canonical tag of their language."""

ListTranslations = dict[str, list[str]]
"""Lists of texts by the canonical tag of their language."""

GivenTranslations = Annotated[
    dict[str, _GivenText | None],
    Meta(
        max_length=_MOST_GIVEN,
        description="Texts by language tag (BCP 47), in any case of its letters; null or an empty text removes a "
        "language, and those that are not named stay.",
    ),
]
"""The type of a `localized…` member of a body."""

GivenListTranslations = Annotated[
    dict[str, Annotated[list[_GivenText], Meta(max_length=_MOST_ITEMS)] | None],
    Meta(
        max_length=_MOST_GIVEN,
        description="Lists by language tag (BCP 47), in any case of its letters, each as long as the main language's "
        "and in its order; null or an empty list removes a language, and those that are not named stay.",
    ),
]
"""The type of a `localized…` member of a body whose plain member is a list."""

_Value = str | list[str]


class Pair(NamedTuple):
    """A member with the main language's text, and the one with the texts by language."""

    plain: str
    localized: str
    plain_name: str
    """The name that callers use."""
    localized_name: str
    is_list: bool


class Text(NamedTuple):
    """A stored text, or list of texts: in the main language, and in others, even in some that are no longer enabled."""

    main: _Value
    others: Mapping[str, _Value]

    def switch_main(self, old: str, new: str) -> "Text":
        """Return the text after another language becomes the main one; without a text in it, the old one is kept."""
        if old == new:
            return self
        others = {**self.others, old: self.main}
        return Text(others.pop(new, self.main), others)

    def change(self, changes: Mapping[str, _Value | None] | UnsetType) -> "Text":
        """Return the text with changed translations; null removes one."""
        by_tag: Mapping[str, _Value | None] = {} if isinstance(changes, UnsetType) else changes
        return Text(self.main, {tag: text for tag, text in {**self.others, **by_tag}.items() if text is not None})


def show(stored: S, languages: Languages) -> S:
    """Return a stored Struct as callers read it: texts of the main language, and existing ones of enabled languages."""
    changed: dict[str, object] = {}
    for pair in list_pairs(type(stored)):
        texts = {**getattr(stored, pair.localized), languages.main: getattr(stored, pair.plain)}
        changed[pair.localized] = {tag: texts[tag] for tag in languages.enabled if tag in texts}
    for name in _list_nested(type(stored)):
        changed[name] = [show(item, languages) for item in getattr(stored, name)]
    return replace(stored, **changed) if changed else stored


def choose_language(resource: S, tag: str | None) -> S:
    """Return a resource whose `localized…` members hold only one language; None for all languages.

    Without a text in the language, the main one is used.
    """
    if tag is None:
        return resource
    changed: dict[str, object] = {}
    for pair in list_pairs(type(resource)):
        by_language = cast("Translations", getattr(resource, pair.localized))
        changed[pair.localized] = {tag: by_language.get(tag, getattr(resource, pair.plain))}
    for name in _list_nested(type(resource)):
        changed[name] = [choose_language(item, tag) for item in getattr(resource, name)]
    return replace(resource, **changed) if changed else resource


def speak(resource: S, tag: str | None) -> S:
    """Return a resource whose plain members hold the texts of the closest language with any; None: the main one.

    Lists stay in the main language: their items are values, for which `speak_items` returns the texts.
    """
    if tag is None:
        return resource
    spoken: dict[str, object] = {}
    for pair in list_pairs(type(resource)):
        by_language: Translations | UnsetType = getattr(resource, pair.localized)
        closest = choose_closest(by_language or {}, tag)
        if by_language and closest is not None and not pair.is_list:
            spoken[pair.plain] = by_language[closest] or getattr(resource, pair.plain)
    for name in _list_nested(type(resource)):
        spoken[name] = [speak(item, tag) for item in getattr(resource, name)]
    return replace(resource, **spoken) if spoken else resource


def speak_items(items: Sequence[str], by_language: ListTranslations | UnsetType, tag: str | None) -> dict[str, str]:
    """Return the texts of a list's items in the closest language that has them, by the main language's."""
    closest = choose_closest(by_language or {}, tag) if tag is not None else None
    shown = by_language[closest] if by_language and closest is not None else items
    return dict(zip(items, shown, strict=True)) if len(shown) == len(items) else dict(zip(items, items, strict=True))


def resolve_texts(body: S, before: msgspec.Struct | None, languages: Languages, faults: list[Fault], at: str = "") -> S:
    """Return a body whose plain members hold the main language's texts, and `localized…` the changes of the others.

    `before` is the resource as it was read, None for a new one: unchanged values are no changes. List items are matched
    by the same `name`. Faults get pointers below `at`.
    """
    changed: dict[str, object] = {}
    for pair in list_pairs(type(body)):
        changed |= _resolve_pair(pair, body, before, languages, faults, at)
    for name, encode_name in _list_nested(type(body)).items():
        items = cast("Sequence[msgspec.Struct]", getattr(body, name))
        known = {one.name: one for one in getattr(before, name)} if before is not None else {}
        changed[name] = [
            resolve_texts(item, known.get(cast("Any", item).name), languages, faults, f"{at}/{encode_name}/{place}")
            for place, item in enumerate(items)
        ]
    return replace(body, **changed) if changed else body


def merge(settled: S, stored: msgspec.Struct | None, *, old_main: str, new_main: str) -> S:
    """Return a resolved body whose `localized…` members hold all texts to store, except those of the main language.

    `stored` is the Struct as it is stored; its main language may become another one. List items are matched by the same
    `name`.
    """
    changed: dict[str, object] = {}
    for pair in list_pairs(type(settled)):
        main_before: _Value = getattr(stored, pair.plain) if stored is not None else _make_empty(pair)
        before = Text(main_before, getattr(stored, pair.localized) if stored is not None else {})
        text = before.switch_main(old_main, new_main).change(getattr(settled, pair.localized))
        changed[pair.localized] = text.others
        if getattr(settled, pair.plain) == main_before:
            changed[pair.plain] = text.main
        if pair.is_list:
            count = len(cast("_Value", changed.get(pair.plain, getattr(settled, pair.plain))))
            changed[pair.localized] = {tag: items for tag, items in text.others.items() if len(items) == count}
    for name in _list_nested(type(settled)):
        known = {one.name: one for one in getattr(stored, name)} if stored is not None else {}
        changed[name] = [
            merge(item, known.get(item.name), old_main=old_main, new_main=new_main) for item in getattr(settled, name)
        ]
    return replace(settled, **changed) if changed else settled


def _resolve_pair(
    pair: Pair, body: msgspec.Struct, before: msgspec.Struct | None, languages: Languages, faults: list[Fault], at: str
) -> dict[str, object]:
    plain: _Value = getattr(body, pair.plain)
    by_tag: Mapping[str, _Value | None] | UnsetType = getattr(body, pair.localized)
    if isinstance(by_tag, UnsetType):
        return {}
    plain_before: _Value = getattr(before, pair.plain) if before is not None else _make_empty(pair)
    known: Mapping[str, _Value] = (getattr(before, pair.localized) if before is not None else None) or {}
    shape = members_of(type(body))[pair.plain_name].shape
    limits = shape.item.text if pair.is_list and shape.item is not None else shape.text
    empty = _make_empty(pair)
    read = _read_tags(by_tag, faults, f"{at}/{pair.localized_name}", empty, trimmed=limits is not None)
    changes = {tag: each or None for tag, each in read.items() if each != known.get(tag, empty)}
    main = changes.get(languages.main) or empty
    if languages.main in changes and plain not in (plain_before, main):
        detail = phrase(
            "{plain_name} is also the text of this language, and differs; send one of them.",
            plain_name=pair.plain_name,
        )
        faults.append(Fault(f"{at}/{pair.localized_name}/{languages.main}", detail))
    plain = main if languages.main in changes else plain
    for tag, each in changes.items():
        checked = main if tag == languages.main else each  # a text of the main language always exists
        detail = languages.find_fault(tag) or _find_fault(checked, plain, limits)
        if detail:
            faults.append(Fault(f"{at}/{pair.localized_name}/{tag}", detail))
    changes.pop(languages.main, None)
    return {pair.plain: plain, pair.localized: changes}


def _find_fault(value: _Value | None, plain: _Value, limits: SingleLine | None) -> str | None:
    """Return the fault of a text, or of a list compared with the main language's; None if there is none."""
    if isinstance(value, str):
        return limits.find_fault(value) if limits else None
    if value is None:
        return None
    if len(value) != len(plain):
        return phrase("{count} texts, where the main language has {most}.", count=len(value), most=len(plain))
    found = (limits.find_fault(each) for each in value) if limits else ()
    return next(filter(None, found), None)


def _read_tags(
    by_tag: Mapping[str, _Value | None], faults: list[Fault], at: str, empty: _Value, *, trimmed: bool
) -> dict[str, _Value]:
    """Return texts by canonical tag, without surrounding spaces if `trimmed`; `empty` for none."""
    read: dict[str, _Value] = {}
    for written, value in by_tag.items():
        try:
            read[read_language_tag(written)] = _trim(value or empty) if trimmed else value or empty
        except LanguageTagError as error:
            faults.append(Fault(f"{at}/{written}", str(error)))
    return read


def _trim(value: _Value) -> _Value:
    return value.strip() if isinstance(value, str) else [each.strip() for each in value]


def _make_empty(pair: Pair) -> _Value:
    return [] if pair.is_list else ""


@cache
def list_pairs(struct: type[msgspec.Struct]) -> tuple[Pair, ...]:
    """Return the members of a Struct with texts in several languages."""
    known = {member.name: member for member in members_of(struct).values()}
    localized = [name for name in known if name.startswith(_PREFIX)]
    return tuple(_make_pair(known, name) for name in localized)


def _make_pair(known: Mapping[str, Member], localized: str) -> Pair:
    """Return the pair of a localized member; if there is no plain one with its name, it translates `display_…`."""
    stem = localized.removeprefix(_PREFIX)
    plain = known[stem] if stem in known else known[f"display_{stem}"]
    is_list = plain.shape.item is not None
    return Pair(plain.name, localized, plain.encode_name, known[localized].encode_name, is_list)


@cache
def _list_nested(struct: type[msgspec.Struct]) -> dict[str, str]:
    """Return the members of a Struct that are lists of Structs with such members, and the names that callers use."""
    items = {member: member.shape.item for member in members_of(struct).values() if member.shape.item is not None}
    return {
        member.name: member.encode_name
        for member, item in items.items()
        if item.struct is not None and list_pairs(item.struct)
    }
