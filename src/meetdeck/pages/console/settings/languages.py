"""The texts of resources in the organization's other languages: fields for each, and the page of what is missing."""

from typing import Any, Final, NamedTuple

import msgspec
from litestar import Response, get

from meetdeck.pages.console.forms import Field, Subject
from meetdeck.pages.console.kit import Api, ConsoleController, CurrentPage
from meetdeck.pages.console.settings.subjects import SUBJECTS

_ORGANIZATION: Final = "booking/config/organization-settings"
_MOST_SHOWN: Final = 50


class _Languages(msgspec.Struct, frozen=True, rename="camel"):
    main_locale: str
    enabled_locales: list[str]


class Gap(NamedTuple):
    """A resource without a text in a language: its name, and the path below the console of its form."""

    name: str
    link: str


class ShownLanguage(NamedTuple):
    """A language, and what is not written in it; of very much the first, and how much more there is."""

    tag: str
    is_main: bool
    gaps: list[Gap]
    more: int


async def localize(api: Api, subject: Subject) -> Subject:
    """Return a subject whose form also has the texts in the organization's other languages."""
    if not any(field.localized for field in subject.fields):
        return subject
    languages = await api.get(_ORGANIZATION, _Languages)
    others = [tag for tag in languages.enabled_locales if tag != languages.main_locale]
    fields = [one for field in subject.fields for one in (field, *_list_translations(field, others))]
    return subject._replace(fields=tuple(fields))


def _list_translations(field: Field, others: list[str]) -> list[Field]:
    if not field.localized:
        return []
    named = field._replace(is_required=False, hint="", localized="", section="")
    return [named._replace(member=f"{field.localized}/{tag}", language=tag) for tag in others]


class LanguagePages(ConsoleController):
    """The page of languages."""

    path = "/console/settings/languages"

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show the languages, and for each what is not written in it yet."""
        languages = await page.api.get(_ORGANIZATION, _Languages)
        resources: list[tuple[Subject, dict[str, Any]]] = []
        for subject in SUBJECTS:
            if any(field.localized for field in subject.fields):
                found = await page.api.get(subject.list_path or subject.path, list[dict[str, Any]])
                resources += [(subject, one) for one in found]
        shown = [
            _show_language(tag, resources, is_main=tag == languages.main_locale) for tag in languages.enabled_locales
        ]
        return page.show("languages.html", written=shown)


def _show_language(tag: str, resources: list[tuple[Subject, dict[str, Any]]], *, is_main: bool) -> ShownLanguage:
    gaps = [
        Gap(str(one[subject.columns[0]]), f"settings/{subject.slug}/{one['id']}")
        for subject, one in resources
        if not is_main and any(_is_missing(field, one, tag) for field in subject.fields)
    ]
    return ShownLanguage(tag, is_main, gaps[:_MOST_SHOWN], max(0, len(gaps) - _MOST_SHOWN))


def _is_missing(field: Field, resource: dict[str, Any], tag: str) -> bool:
    """Return whether a field has a text, but none in a language."""
    return bool(field.localized and field.find(resource) and not resource[field.localized].get(tag))
