"""Language tags (BCP 47, RFC 5646): their canonical form, and whether language and region exist."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Final, cast

import msgspec
from babel import Locale
from msgspec import Meta

from meetdeck.platform.phrases import phrase
from meetdeck.platform.values.annotations import SingleLine

_LONGEST: Final = 35  # what a reader must take (RFC 5646, section 4.4.1)

# RFC 5646, section 2.1, `langtag`: grandfathered tags and those of private use alone name no language that is known.
_TAG: Final = re.compile(
    r"""
    (?P<language>[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})
    (?:-[a-z]{4})?                            # script
    (?:-(?P<region>[a-z]{2}|[0-9]{3}))?
    (?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*  # variants
    (?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*       # extensions
    (?:-x(?:-[a-z0-9]{1,8})+)?                # private use
    """,
    re.IGNORECASE | re.VERBOSE | re.ASCII,
)
_REGION_LETTERS: Final = 2
_SCRIPT_LETTERS: Final = 4


class LanguageTagError(ValueError):
    """The text is not a language tag, or names an unknown language or region; the message says which."""


@lru_cache(maxsize=512)
def read_language_tag(text: str) -> str:
    """Return a tag in canonical case (RFC 5646, section 2.1.1): `da-dk` is `da-DK`. Raises LanguageTagError."""
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    found = _TAG.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        raise LanguageTagError(phrase("'{tag}' is not a language tag (BCP 47); write it like en-GB or da.", tag=shown))
    language, region = found["language"].split("-")[0].lower(), found["region"]
    languages, regions = _list_known()
    if language not in languages:
        raise LanguageTagError(
            phrase(
                "'{tag}': there is no language '{language}'; write it like en-GB or da.", tag=shown, language=language
            )
        )
    if region is not None and region.upper() not in regions:
        raise LanguageTagError(
            phrase("'{tag}': there is no region '{region}'; write it like en-GB or da.", tag=shown, region=region)
        )
    return _write_canonical(text)


@dataclass(frozen=True, slots=True)
class _TagLine(SingleLine):
    """Marks a text that is a language tag; it is kept in canonical case."""

    def read(self, text: str) -> str:
        """Return the tag as it is kept. Raises msgspec.ValidationError with its fault."""
        try:
            return read_language_tag(text.strip())
        except LanguageTagError as error:
            raise msgspec.ValidationError(str(error)) from None


LanguageTag = Annotated[str, _TagLine(1, _LONGEST), Meta(description="A language tag (BCP 47).", examples=["en-GB"])]
"""The type of a member that names a language, whether the organization has enabled it or not."""


def _write_canonical(tag: str) -> str:
    """Return a well-formed tag with regions in capitals, scripts with a capital, and the rest in small letters."""
    written: list[str] = []
    behind_singleton = False
    for subtag in tag.lower().split("-"):
        if not written or behind_singleton:
            written.append(subtag)
        elif len(subtag) == _REGION_LETTERS:
            written.append(subtag.upper())
        else:
            written.append(subtag.title() if len(subtag) == _SCRIPT_LETTERS and subtag.isalpha() else subtag)
        behind_singleton = behind_singleton or len(subtag) == 1
    return "-".join(written)


@lru_cache(maxsize=1)
def _list_known() -> tuple[frozenset[str], frozenset[str]]:
    """Return the languages and regions that CLDR knows by name."""
    english = Locale("en")
    languages = cast("dict[str, str]", english.languages)
    regions = cast("dict[str, str]", english.territories)
    return frozenset(languages), frozenset(regions)
