"""Saving a connection or calendar: its readings change its entity tag all the time, so its settings are compared."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from meetdeck.pages.console.forms import Faults, Record, Subject, forms
from meetdeck.pages.console.kit import ApiRefusal, ConsolePage, Difference, SentForm
from meetdeck.platform.values import write_json


def find_tag(subject: Subject, resource: Mapping[str, Any]) -> str:
    """Return a tag of the settings of a resource, which its form sends back."""
    return sha256(write_json(_find_shown(subject, resource))).hexdigest()[:32]


class Change(NamedTuple):
    """A form that was sent: saved, or what is wrong with it, or how it differs from what others saved meanwhile."""

    faults: Faults
    differences: Sequence[Difference] = ()

    @property
    def is_saved(self) -> bool:
        """Return whether the form was saved."""
        return not self.faults.summary and not self.differences


async def _read_nothing(_: SentForm) -> Mapping[str, Any]:
    return {}


async def change(
    form: SentForm,
    subject: Subject,
    opened: Record,
    *,
    read_more: Callable[[SentForm], Awaitable[Mapping[str, Any]]] = _read_nothing,
    find_faults: Callable[[ConsolePage, Subject, ApiRefusal], Faults] | None = None,
) -> Change:
    """Save a form, with the members of `read_more`, unless somebody has changed the settings since it was shown.

    An empty secret stays as it is. Raises ApiRefusal if the other version cannot be read.
    """
    page = form.page
    values, faults = forms.read_values(subject, form)
    if faults.summary:
        return Change(faults)
    if form.get("tag") != find_tag(subject, opened.resource):
        mine = _hide_secrets(subject, values)
        return Change(faults, await forms.list_differences(page.api, page.texts, subject, mine, opened))
    try:
        changed = forms.list_changes(subject, opened, values) | dict(await read_more(form))
        if changed:
            path = f"{subject.path}/{opened.resource['id']}"
            await page.api.patch(path, changed, before=_find_shown(subject, opened.resource))
    except ApiRefusal as refused:
        return Change((find_faults or _find_faults)(page, subject, refused))
    return Change(faults)


def _find_faults(page: ConsolePage, subject: Subject, refused: ApiRefusal) -> Faults:
    return forms.find_faults(subject, refused, page.texts)


def _hide_secrets(subject: Subject, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form's values with None for its secrets, which no page shows."""
    hidden = {field.member for field in subject.fields if field.is_secret}
    return {name: None if name in hidden else value for name, value in values.items()}


def _find_shown(subject: Subject, resource: Mapping[str, Any]) -> dict[str, Any]:
    return {field.member: field.find(resource) for field in subject.fields if not field.is_secret}
