"""The reference page of what has changed in the API since each release, as Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from tools.api_changes.comparing import Change, Json
from tools.api_changes.releases import Step, list_steps
from tools.api_changes.surface import read_surface

_NEW: Final = "new"


def write_api_changes(documents: Mapping[str, Json]) -> str:
    """Return the page of the changes, found by comparing each release's OpenAPI documents with the next one's."""
    lines = [
        "# API changes by release",
        "",
        "Operations, parameters, members, values and codes that were added or removed, by the OpenAPI documents.",
        "[Versions and changes](../api/versions.md) says what stays in every release, and what can be added.",
    ]
    for step in list_steps({name: read_surface(document) for name, document in documents.items()}):
        lines += ["", f"## {_name(step)}"]
        for version, changes in sorted(step.changes.items(), reverse=True):
            lines += ["", f"### {_name(step)}: {version}", "", *_write_changes(changes)]
    return "\n".join([*lines, ""])


def _name(step: Step) -> str:
    return f"Since {step.since}" if step.until is None else f"{step.until}, since {step.since}"


def _write_changes(changes: Sequence[Change]) -> Iterator[str]:
    breaking = [change for change in changes if change.breaking]
    if breaking:
        yield from ("Breaking:", "", *(f"- `{change.subject}`: {change.text}" for change in breaking), "")
    yield from _list_new(changes)
    other = [change for change in changes if not change.breaking and change.text != _NEW]
    yield from (f"- `{change.subject}`: {change.text}" for change in other)
    if not changes:
        yield "Nothing."


def _list_new(changes: Iterable[Change]) -> Iterator[str]:
    """Yield a line for what is new, members and parameters beside their types and operations."""
    new: dict[str, list[str]] = {}
    for change in changes:
        if not change.breaking and change.text == _NEW:
            owner, separator, member = _split(change.subject)
            new.setdefault(owner, []).extend([member] if separator else [])
    for owner, members in new.items():
        told = ", ".join(f"`{member}`" for member in members)
        yield f"- `{owner}`: new" + (f" {told}" if told else "")


def _split(subject: str) -> tuple[str, str, str]:
    """Return an operation and its parameter, or a type and its member; a subject without either as it is."""
    method, _, rest = subject.partition(" ")
    if method.isupper():
        path, separator, member = rest.partition(" ")
        return f"{method} {path}", separator, member
    return subject.rpartition(".") if subject[:1].isupper() else (subject, "", "")
