"""Conflicting changes by two people: the value typed, beside the current one."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from meetdeck.pages.texts import Texts


class Difference(NamedTuple):
    """A field whose value somebody else has changed meanwhile."""

    label: str
    mine: str
    theirs: str


def compare(
    texts: Texts, labels: Mapping[str, str], mine: Mapping[str, Any], theirs: Mapping[str, Any]
) -> list[Difference]:
    """Return the members in which a form differs from the present state; `labels` are their names in English."""
    return [
        Difference(texts.translate(label), _show(texts, mine[name]), _show(texts, theirs[name]))
        for name, label in labels.items()
        if mine[name] != theirs[name]
    ]


def _show(texts: Texts, value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value) or texts.translate("All")
