"""The outcome of an import or a dry run, and its lines for the terminal."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast
from uuid import UUID

import msgspec

from meetdeck.booking.importing.rows import FileProblem
from meetdeck.platform.values import encode_wire

MOST_EXAMPLES: Final = 5
_MOST_SHOWN: Final = 60  # characters of a value


class Example(msgspec.Struct, frozen=True, rename="camel"):
    """A member that changes, with the name of its resource."""

    name: str
    member: str
    old: str
    new: str


class Count(msgspec.Struct, rename="camel"):
    """The numbers of new, changed and unchanged resources of a kind, as files name it, with examples of changes."""

    kind: str
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    examples: list[Example] = []

    @property
    def plural(self) -> str:
        """Return the kind as people write it: `customer types`."""
        return self.kind.replace("-", " ")

    def add(
        self, name: str, before: msgspec.Struct | None, after: msgspec.Struct, name_of: Callable[[UUID], str]
    ) -> None:
        """Count a new or changed resource."""
        if before is None:
            self.new += 1
            return
        self.changed += 1
        if len(self.examples) < MOST_EXAMPLES:
            self.examples = [*self.examples, *_list_differences(name, before, after, name_of)][:MOST_EXAMPLES]


class Outcome(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The outcome of an import; with problems, or in a dry run, nothing was changed."""

    dry_run: bool
    counts: list[Count]
    problems: list[FileProblem]
    warnings: list[FileProblem]

    def count_problems(self) -> str:
        """Return the number of problems, as in `3 problems in 2 rows`."""
        rows = len({(problem.file, problem.line) for problem in self.problems})
        return f"{_count(len(self.problems), 'problem')} in {_count(rows, 'row')}"

    def describe(self) -> Iterator[str]:
        """Yield the changes, made or not, as lines for the terminal."""
        width = max((len(count.plural) for count in self.counts), default=0)
        for count in self.counts:
            figures = f"{count.new:,} new, {count.changed:,} changed, {count.unchanged:,} unchanged"
            yield f"{count.plural.capitalize():<{width}}  {figures}"
            for one in count.examples:
                yield f"  {one.name}: {one.member}: {one.old} → {one.new}"
            if count.changed and len(count.examples) == MOST_EXAMPLES:
                yield "  …"
        yield "A dry run: nothing was changed." if self.dry_run else "Imported."


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _list_differences(
    name: str, before: msgspec.Struct, after: msgspec.Struct, name_of: Callable[[UUID], str]
) -> Iterator[Example]:
    old, new = _flatten(before), _flatten(after)
    for member, value in new.items():
        if old.get(member) != value:
            yield Example(name, member, _show(old.get(member), name_of), _show(value, name_of))


def _flatten(body: object, prefix: str = "") -> dict[str, object]:
    """Return a body's members by their dotted names."""
    members: Mapping[str, Any] = msgspec.to_builtins(body, enc_hook=encode_wire, builtin_types=(UUID,))
    flat: dict[str, object] = {}
    for name, value in members.items():
        is_nested = isinstance(value, dict)
        flat.update(_flatten(cast("object", value), f"{prefix}{name}.") if is_nested else {f"{prefix}{name}": value})
    return flat


def _show(value: object, name_of: Callable[[UUID], str]) -> str:
    if isinstance(value, list):
        text = ", ".join(_show(each, name_of) for each in cast("list[object]", value))
    elif isinstance(value, UUID):
        text = name_of(value)
    elif isinstance(value, dict):
        text = " ".join(_show(each, name_of) for each in cast("dict[str, object]", value).values())
    elif isinstance(value, bool):
        text = str(value).lower()
    else:
        text = "" if value is None else str(value)
    text = " ".join(text.split())
    return (text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…") or "(empty)"
