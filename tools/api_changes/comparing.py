"""Compares two surfaces of one version of the API: what was added, and what breaks callers."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple, cast

Json = dict[str, Any]
_LIST: Final = "[]{}"


class Change(NamedTuple):
    """A change: its operation, member or code, and what became of it."""

    breaking: bool
    subject: str
    text: str


class _Member(NamedTuple):
    required: bool
    types: str
    limits: Mapping[str, float]


def compare(old: Json, new: Json) -> list[Change]:
    """Return the changes from one surface to another, those that break callers first."""
    comparison = _Comparison(old, new)
    comparison.compare()
    return sorted(comparison.changes, key=lambda change: (not change.breaking, change.subject, change.text))


class _Comparison:
    """Follows two surfaces from their operations and events to the types that they use, each pair once."""

    def __init__(self, old: Json, new: Json) -> None:
        self._old = old
        self._new = new
        self._seen: set[tuple[str, str, bool]] = set()
        self.changes: dict[Change, None] = {}

    def compare(self) -> None:
        """Find all changes."""
        for name in self._pair("", "", self._old["operations"], self._new["operations"]):
            self._compare_operations(name, self._old["operations"][name], self._new["operations"][name])
        for name in self._pair("", " as an event", self._old["events"], self._new["events"]):
            self._compare_types(name, self._old["events"][name], self._new["events"][name], taken=False)
        codes = (dict.fromkeys(surface["codes"]) for surface in (self._old, self._new))
        for _ in self._pair("", " as an error code", *codes):
            pass

    def _note(self, subject: str, text: str, *, breaking: bool) -> None:
        self.changes[Change(breaking, subject, text)] = None

    def _pair(self, owner: str, kind: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
        """Yield the names in both, and note those that are only in one."""
        for name in sorted(old.keys() | new.keys()):
            if name in old and name in new:
                yield name
            else:
                self._note(owner + name, f"{'removed' if name in old else 'new'}{kind}", breaking=name in old)

    def _compare_operations(self, name: str, old: Json, new: Json) -> None:
        if old["id"] != new["id"]:
            self._note(name, f"called `{new['id']}` by generated clients, no longer `{old['id']}`", breaking=True)
        self._compare_members(f"{name} ", old["parameters"], new["parameters"], taken=True)
        if "body!" in new and "body!" not in old:
            self._note(name, "needs a body", breaking=True)
        bodies = [surface.get("body!", surface.get("body", {})) for surface in (old, new)]
        for media_type in self._pair(f"{name} body ", "", *bodies):
            self._compare_types(name, bodies[0][media_type], bodies[1][media_type], taken=True)
        for status in self._pair(f"{name} answer ", "", old["answers"], new["answers"]):
            answers = (old["answers"][status], new["answers"][status])
            for media_type in self._pair(f"{name} answer {status} ", "", *answers):
                self._compare_types(name, answers[0][media_type], answers[1][media_type], taken=False)

    def _compare_types(self, subject: str, old: str, new: str, *, taken: bool) -> None:
        """Note the alternatives that requests lose or answers gain, and compare the named types on both sides."""
        before, after = set(old.split("|")), set(new.split("|"))
        if before == {"any"} or after == {"any"}:
            return
        gone, come = sorted(before - after), sorted(after - before)
        if len(gone) == len(come) == 1 and self._is_renamed(gone[0], come[0]):
            self._compare_named(gone[0], come[0], taken=taken)
            self._note(_base(gone[0]), f"called `{_base(come[0])}`", breaking=False)
        elif gone or come:
            strange = [one for one in come if not self._is_new_choice(one, before)]
            self._note(subject, f"was {_say(old)}, is {_say(new)}", breaking=bool(gone if taken else strange))
        for name in sorted(before & after):
            self._compare_named(name, name, taken=taken)

    def _is_new_choice(self, come: str, before: set[str]) -> bool:
        """Return whether an alternative of an answer is one more named type, of which callers ignore those unknown."""
        return come in self._new["types"] and len(before & self._old["types"].keys()) > 1

    def _is_renamed(self, old: str, new: str) -> bool:
        """Return whether two named types stand for one another: both of one shape."""
        types = (self._old["types"].get(_base(old)), self._new["types"].get(_base(new)))
        return (
            None not in types and type(types[0]) is type(types[1]) and old[len(_base(old)) :] == new[len(_base(new)) :]
        )

    def _compare_named(self, old: str, new: str, *, taken: bool) -> None:
        before, after = self._old["types"].get(_base(old)), self._new["types"].get(_base(new))
        if (pair := (_base(old), _base(new), taken)) in self._seen or before is None or after is None:
            return
        self._seen.add(pair)
        name = _base(new)
        if isinstance(before, dict) and isinstance(after, dict):
            self._compare_members(f"{name}.", cast("Json", before), cast("Json", after), taken=taken)
        elif isinstance(before, list) and isinstance(after, list):
            values = set(cast("list[str]", before)), set(cast("list[str]", after))
            self._compare_values(name, *values, taken=taken)
        elif isinstance(before, str) and isinstance(after, str):
            self._compare_types(name, before.split(" ")[0], after.split(" ")[0], taken=taken)
        else:
            self._note(name, "another kind of type", breaking=True)

    def _compare_values(self, name: str, old: set[str], new: set[str], *, taken: bool) -> None:
        for value in sorted(old - new):
            self._note(name, f"no longer has the value `{value}`", breaking=taken)
        for value in sorted(new - old):
            self._note(name, f"new value `{value}`", breaking=False)

    def _compare_members(self, owner: str, old: Mapping[str, str], new: Mapping[str, str], *, taken: bool) -> None:
        before, after = _read_members(old), _read_members(new)
        for name in sorted(after.keys() - before.keys()):
            needed = taken and after[name].required
            self._note(owner + name, "new and required" if needed else "new", breaking=needed)
        for name in sorted(before.keys() - after.keys()):
            self._note(owner + name, "removed", breaking=True)
        for name in sorted(before.keys() & after.keys()):
            self._compare_member(owner + name, before[name], after[name], taken=taken)

    def _compare_member(self, subject: str, old: _Member, new: _Member, *, taken: bool) -> None:
        if taken and new.required and not old.required:
            self._note(subject, "required", breaking=True)
        if not taken and old.required and not new.required:
            self._note(subject, "not always there", breaking=True)
        if taken:
            for name, limit in new.limits.items():
                before = old.limits.get(name)
                if before is None or (limit < before if name == "max" else limit > before):
                    self._note(subject, f"{'at most' if name == 'max' else 'at least'} {limit:g}", breaking=True)
        self._compare_types(subject, old.types, new.types, taken=taken)


def _read_members(written: Mapping[str, str]) -> dict[str, _Member]:
    found: dict[str, _Member] = {}
    for name, text in written.items():
        types, *limits = text.split(" ")
        pairs = (limit.split("=") for limit in limits)
        found[name.removesuffix("!")] = _Member(name.endswith("!"), types, {key: float(value) for key, value in pairs})
    return found


def _base(alternative: str) -> str:
    return alternative.rstrip(_LIST)


def _say(types: str) -> str:
    return " or ".join(f"`{one}`" for one in types.split("|"))
