"""Saving a connection or calendar: its readings change its entity tag all the time, so its settings are compared."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from meetdeck.pages.console.forms import Record, Subject, forms
from meetdeck.pages.console.kit import Api
from meetdeck.platform.values import write_json


def find_tag(subject: Subject, resource: Mapping[str, Any]) -> str:
    """Return a tag of the settings of a resource, which its form sends back."""
    return sha256(write_json(_find_shown(subject, resource))).hexdigest()[:32]


async def save(
    api: Api, subject: Subject, opened: Record, values: Mapping[str, Any], more: Mapping[str, Any] | None = None
) -> None:
    """Save the changed members of a resource, and `more`, unless its settings have changed. Raises ApiRefusal."""
    changed = forms.list_changes(subject, opened, values) | dict(more or {})
    if changed:
        path = f"{subject.path}/{opened.resource['id']}"
        await api.patch(path, changed, before=_find_shown(subject, opened.resource))


def hide_secrets(subject: Subject, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form's values with None for its secrets, which no page shows."""
    hidden = {field.member for field in subject.fields if field.is_secret}
    return {name: None if name in hidden else value for name, value in values.items()}


def _find_shown(subject: Subject, resource: Mapping[str, Any]) -> dict[str, Any]:
    return {field.member: field.find(resource) for field in subject.fields if not field.is_secret}
