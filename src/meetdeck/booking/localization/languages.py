"""The organization's languages, and the one that a caller requests."""

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec
from asyncpg import Record
from msgspec import Meta

from meetdeck.booking import defaults
from meetdeck.platform.database import Connection, load_queries
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import LanguageTagError, SinceV3, read_language_tag, refuse

queries = load_queries(__file__, "languages.sql")

MOST_LANGUAGES = 50
_ALL = "all"

Lang = SinceV3[
    Annotated[
        str,
        Meta(
            description="A language tag (BCP 47): `localized…` members then hold this language alone, with the main "
            "language's text where it has none of its own. `all`, or nothing: every language that has a text.",
            examples=[_ALL],
        ),
    ]
]
"""The type of a query's member `lang`."""


class LanguageQuery(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A query that chooses the language of the answer."""

    lang: Lang = _ALL


class Languages(msgspec.Struct, frozen=True):
    """The languages of an organization, as canonical tags: the main one, and all enabled ones, including it."""

    main: str = defaults.MAIN_LOCALE
    enabled: list[str] = msgspec.field(default_factory=lambda: [defaults.MAIN_LOCALE])

    def find_fault(self, tag: str) -> str | None:
        """Return why texts cannot be written in the language of a canonical tag, None if they can."""
        if tag in self.enabled:
            return None
        return f"{tag} is not enabled; enabledLocales of the organization's settings has {', '.join(self.enabled)}."


def find_closest(main: str, enabled: Sequence[str], wanted: str) -> str | None:
    """Return the enabled language that is closest to a tag: the same, or one that differs in script or region.

    None if that is the main one, or if there is none.
    """
    closest = choose_closest([main, *enabled], wanted)
    return None if closest == main else closest


def choose_closest(tags: Iterable[str], wanted: str) -> str | None:
    """Return the tag that is closest to another: the same, or else the first of the same language, or else None."""
    alike = [tag for tag in tags if name_language(tag) == name_language(wanted)]
    return wanted if wanted in alike else next(iter(alike), None)


def name_language(tag: str) -> str:
    """Return the language of a tag without script and region: da for da-DK."""
    return tag.split("-", maxsplit=1)[0].lower()


async def lock_languages(connection: Connection) -> Languages:
    """Return the organization's languages, which cannot change until the transaction ends."""
    row: Record | None = await queries.lock_languages(connection)
    return read_stored(row["main"], row["enabled"]) if row is not None else Languages()


def read_stored(main: str | None, enabled: Sequence[str] | None) -> Languages:
    """Return the languages in the settings' columns, which are null if nothing was set yet."""
    return Languages(main, list(enabled)) if main is not None and enabled is not None else Languages()


async def switch_main(connection: Connection, old: str, new: str) -> None:
    """Make another language the main one of everything with texts, except the settings themselves, which are locked."""
    if old != new:
        await queries.switch_main(connection, old=old, new=new)


def read_languages(main: str, enabled: Sequence[str], faults: list[Fault]) -> Languages:
    """Return the languages in a body of the organization's settings; faults are added to `faults`."""
    tags = [_read_tag(tag, f"/enabledLocales/{place}", faults) for place, tag in enumerate(enabled)]
    chosen = _read_tag(main, "/mainLocale", faults)
    if not faults and chosen not in tags:
        faults.append(
            Fault(
                "/mainLocale",
                phrase("{chosen} is not in enabledLocales, which has {tags}.", chosen=chosen, tags=", ".join(tags)),
            )
        )
    return Languages(chosen, list(dict.fromkeys(tags)))


def _read_tag(tag: str, pointer: str, faults: list[Fault]) -> str:
    try:
        return read_language_tag(tag.strip())
    except LanguageTagError as error:
        faults.append(Fault(pointer, str(error)))
        return tag


def read_lang(lang: str | msgspec.UnsetType) -> str | None:
    """Return the canonical tag of a query's `lang`, None for all languages. Raises InvalidInput."""
    if lang is msgspec.UNSET or lang.strip().lower() == _ALL:
        return None
    try:
        return read_language_tag(lang.strip())
    except LanguageTagError as error:
        refuse([Fault("/query/lang", phrase("{error} Or request all.", error=error))])
        raise
