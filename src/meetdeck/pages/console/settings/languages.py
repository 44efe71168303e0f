"""The texts of resources in the organization's other languages: fields for each, and a page of missing ones."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from litestar import Response, get

from meetdeck.pages.console.forms import Field, Resource, Subject
from meetdeck.pages.console.kit import Api, ConsoleController, CurrentPage
from meetdeck.pages.console.settings.subjects import SUBJECTS

_ORGANIZATION: Final = "booking/config/organization-settings"
_MOST_SHOWN: Final = 50


class _Languages(msgspec.Struct, frozen=True, rename="camel"):
    main_locale: str
    enabled_locales: list[str]


class Gap(NamedTuple):
    """A resource with missing texts in a language: its name, their number, and the path of its form."""

    name: str
    missing: int
    link: str


class ShownLanguage(NamedTuple):
    """A language, and the resources with missing texts: of very many only the first, and the number of others.

    `missing` texts of `total` are not translated.
    """

    tag: str
    is_main: bool
    gaps: list[Gap]
    more: int
    missing: int
    total: int


async def localize(api: Api, subject: Subject) -> Subject:
    """Return a subject whose form also has the texts in the organization's other languages."""
    if not _has_texts(subject.fields):
        return subject
    languages = await api.get(_ORGANIZATION, _Languages)
    others = [tag for tag in languages.enabled_locales if tag != languages.main_locale]
    return subject._replace(fields=_translate(subject.fields, others))


def _translate(fields: Iterable[Field], others: Sequence[str]) -> tuple[Field, ...]:
    """Return fields with an additional one for each text in each other language, also in their rows."""
    return tuple(
        one
        for field in fields
        for one in (field._replace(columns=_translate(field.columns, others)), *_list_translations(field, others))
    )


def _list_translations(field: Field, others: Sequence[str]) -> list[Field]:
    if not field.localized:
        return []
    named = field._replace(is_required=False, hint="", localized="", section="", empty=None)
    return [named._replace(member=f"{field.localized}/{tag}", language=tag) for tag in others]


def _has_texts(fields: Iterable[Field]) -> bool:
    return any(field.localized or _has_texts(field.columns) for field in fields)


class LanguagePages(ConsoleController):
    """The page of languages."""

    path = "/console/settings/languages"

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show the languages, and the missing texts in each."""
        languages = await page.api.get(_ORGANIZATION, _Languages)
        resources: list[tuple[Subject, dict[str, Any]]] = []
        for subject in SUBJECTS:
            if _has_texts(subject.fields):
                found = await page.api.get(subject.list_path or subject.path, list[dict[str, Any]])
                resources += [(subject, one) for one in found]
        shown = [
            _show_language(tag, resources, is_main=tag == languages.main_locale) for tag in languages.enabled_locales
        ]
        return page.show("languages.html", written=shown)


def _show_language(tag: str, resources: list[tuple[Subject, dict[str, Any]]], *, is_main: bool) -> ShownLanguage:
    gaps: list[Gap] = []
    total = 0
    for subject, one in resources:
        texts = list(_list_texts(subject.fields, one))
        total += len(texts)
        missing = 0 if is_main else sum(not text.get(tag) for text in texts)
        if missing:
            gaps.append(Gap(str(one[subject.columns[0]]), missing, f"settings/{subject.slug}/{one['id']}"))
    more, missing = max(0, len(gaps) - _MOST_SHOWN), sum(gap.missing for gap in gaps)
    return ShownLanguage(tag, is_main, gaps[:_MOST_SHOWN], more, missing, total)


def _list_texts(fields: Iterable[Field], resource: Resource) -> Iterator[Mapping[str, object]]:
    """Yield the texts by language of each text of a resource, also in its rows."""
    for field in fields:
        if field.localized and field.find(resource):
            yield resource[field.localized]
        for row in resource.get(field.member) or () if field.columns else ():
            yield from _list_texts(field.columns, row)
