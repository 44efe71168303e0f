"""Members in several languages, of any Struct: `localized_name` beside `name`, which holds the main language's text.

A Struct that is answered holds the texts by language; one that is taken, those to change (docs/api.md#translations).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, NamedTuple, TypeVar, cast

import msgspec
from msgspec import Meta, UnsetType
from msgspec.structs import fields, replace

from meetdeck.booking.localization.languages import Languages
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import LanguageTagError, members_of, read_language_tag

S = TypeVar("S", bound=msgspec.Struct)

_PREFIX = "localized_"
_MOST_GIVEN = 200

Translations = dict[str, str]
"""Texts by the canonical tag of their language."""

GivenTranslations = Annotated[
    dict[str, Annotated[str, Meta(max_length=10_000)] | None],
    Meta(
        max_length=_MOST_GIVEN,
        description="Texts by language tag (BCP 47), in any case of its letters; null or an empty text removes a "
        "language, and those that are not named stay.",
    ),
]
"""The type of a `localized…` member of a body."""


class Pair(NamedTuple):
    """A member that holds the main language's text, and the one that holds the texts by language."""

    plain: str
    localized: str
    plain_name: str
    """The name that callers write."""
    localized_name: str


class Text(NamedTuple):
    """A stored text: in the main language, and in others, among them such as are not enabled any more."""

    main: str
    others: Mapping[str, str]

    def switch_main(self, old: str, new: str) -> "Text":
        """Return the text when another language becomes the main one; without a text in it, the old one stays there."""
        if old == new:
            return self
        others = {**self.others, old: self.main}
        return Text(others.pop(new, self.main), others)

    def change(self, changes: Mapping[str, str | None] | UnsetType) -> "Text":
        """Return the text with others changed; null removes one."""
        by_tag: Mapping[str, str | None] = {} if isinstance(changes, UnsetType) else changes
        return Text(self.main, {tag: text for tag, text in {**self.others, **by_tag}.items() if text is not None})


def show(stored: S, languages: Languages) -> S:
    """Return a stored Struct as callers read it: texts of the main language, and of the enabled ones that have one."""
    changed: dict[str, object] = {}
    for pair in list_pairs(type(stored)):
        texts = {**getattr(stored, pair.localized), languages.main: getattr(stored, pair.plain)}
        changed[pair.localized] = {tag: texts[tag] for tag in languages.enabled if tag in texts}
    for name in _list_nested(type(stored)):
        changed[name] = [show(item, languages) for item in getattr(stored, name)]
    return replace(stored, **changed) if changed else stored


def choose_language(resource: S, tag: str | None) -> S:
    """Return a resource whose `localized…` members hold one language alone; None for all that there are.

    Where there is no text in the language, the main one stands.
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
    """Return a resource whose plain members hold the texts of a language, where there are any; None: the main one."""
    if tag is None:
        return resource
    spoken = {
        pair.plain: getattr(resource, pair.localized).get(tag, getattr(resource, pair.plain))
        for pair in list_pairs(type(resource))
    }
    return replace(resource, **spoken)


def resolve_texts(body: S, before: msgspec.Struct | None, languages: Languages, faults: list[Fault], at: str = "") -> S:
    """Return a body whose plain members hold the main language's texts, and `localized…` the changes of the others.

    `before` is the resource as it was read, None for a new one: what is sent as it was is no change. Of a list's items
    it is the one of the same `name`. Faults get pointers below `at`.
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
    """Return a settled body whose `localized…` members hold all texts to store: those of the main language apart.

    `stored` is the Struct as it is stored; its main language may become another one. Of a list's items it is the one of
    the same `name`.
    """
    changed: dict[str, object] = {}
    for pair in list_pairs(type(settled)):
        main_before: str = getattr(stored, pair.plain) if stored is not None else ""
        before = Text(main_before, getattr(stored, pair.localized) if stored is not None else {})
        text = before.switch_main(old_main, new_main).change(getattr(settled, pair.localized))
        changed[pair.localized] = text.others
        if getattr(settled, pair.plain) == main_before:
            changed[pair.plain] = text.main
    for name in _list_nested(type(settled)):
        known = {one.name: one for one in getattr(stored, name)} if stored is not None else {}
        changed[name] = [
            merge(item, known.get(item.name), old_main=old_main, new_main=new_main) for item in getattr(settled, name)
        ]
    return replace(settled, **changed) if changed else settled


def _resolve_pair(
    pair: Pair, body: msgspec.Struct, before: msgspec.Struct | None, languages: Languages, faults: list[Fault], at: str
) -> dict[str, object]:
    text: str = getattr(body, pair.plain)
    by_tag: Mapping[str, str | None] | UnsetType = getattr(body, pair.localized)
    if isinstance(by_tag, UnsetType):
        return {}
    text_before: str = getattr(before, pair.plain) if before is not None else ""
    texts_before: Translations = getattr(before, pair.localized) if before is not None else {}
    limits = members_of(type(body))[pair.plain_name].shape.text
    read = _read_tags(by_tag, faults, f"{at}/{pair.localized_name}", trimmed=limits is not None)
    changes = {tag: each or None for tag, each in read.items() if each != texts_before.get(tag, "")}
    for tag, each in changes.items():
        checked = each or "" if tag == languages.main else each  # there is always a text of the main language
        detail = languages.find_fault(tag) or (limits.find_fault(checked) if limits and checked is not None else None)
        if detail:
            faults.append(Fault(f"{at}/{pair.localized_name}/{tag}", detail))
    if languages.main in changes:
        main = changes.pop(languages.main) or ""
        if text not in {text_before, main}:
            detail = phrase(
                "{plain_name} is this language's text, too, and says something else; send one of them.",
                plain_name=pair.plain_name,
            )
            faults.append(Fault(f"{at}/{pair.localized_name}/{languages.main}", detail))
        text = main
    return {pair.plain: text, pair.localized: changes}


def _read_tags(by_tag: Mapping[str, str | None], faults: list[Fault], at: str, *, trimmed: bool) -> dict[str, str]:
    """Return texts by canonical tag, `trimmed` without the spaces around; empty for none."""
    read: dict[str, str] = {}
    for written, text in by_tag.items():
        try:
            read[read_language_tag(written)] = (text or "").strip() if trimmed else text or ""
        except LanguageTagError as error:
            faults.append(Fault(f"{at}/{written}", str(error)))
    return read


@cache
def list_pairs(struct: type[msgspec.Struct]) -> tuple[Pair, ...]:
    """Return the members of a Struct that hold texts in several languages."""
    names = {field.name: field.encode_name for field in fields(struct)}
    plain = [name.removeprefix(_PREFIX) for name in names if name.startswith(_PREFIX)]
    return tuple(Pair(name, f"{_PREFIX}{name}", names[name], names[f"{_PREFIX}{name}"]) for name in plain)


@cache
def _list_nested(struct: type[msgspec.Struct]) -> dict[str, str]:
    """Return the members of a Struct that are lists of others with such members, and the names that callers write."""
    items = {member: member.shape.item for member in members_of(struct).values() if member.shape.item is not None}
    return {
        member.name: member.encode_name
        for member, item in items.items()
        if item.struct is not None and list_pairs(item.struct)
    }
