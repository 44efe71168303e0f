"""The form of a resource: opened, filled in, checked, and saved by the API."""

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from meetdeck.pages.console.forms.choices import EMPLOYEES, find_choices, load_choices
from meetdeck.pages.console.forms.fields import MOST_SHOWN, Choice, Field, FieldMistake, move_item, to_members
from meetdeck.pages.console.forms.lengths import ODD_UNIT, SECONDS, UNITS
from meetdeck.pages.console.forms.subject import Subject
from meetdeck.pages.console.kit import (
    SOURCES,
    Api,
    ApiAnswer,
    ApiRefusal,
    ConsolePage,
    Difference,
    SentForm,
    TaggedResource,
)
from meetdeck.pages.texts import Texts

MOST_CHOSEN = 50
"""The number of chosen employees that are shown; the others stay chosen, and are found by typing."""
FIND = "find"
"""The name of the buttons that search for more choices of a field."""
ROW = "row"
"""The name of the buttons that add, remove and move rows."""

_MOST_SHARED: Final = 10
"""The number of choices shared by two versions that are named in both."""
_SHOWN: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT, HTTPStatus.NOT_FOUND})
"""The refusals that a form shows."""


Record: TypeAlias = TaggedResource[dict[str, Any]]
"""Any resource, as decoded JSON."""


class ShownRow(NamedTuple):
    """A row as a page shows it, with its fields; it is open if one of them is wrong, or empty and required."""

    key: str
    title: str
    cells: list["ShownField"]
    is_open: bool


class ShownField(NamedTuple):
    """A field as a page shows it; of many choices, those that are chosen or were searched are shown."""

    field: Field
    texts: list[str]
    choices: list[Choice]
    is_searched: bool
    wanted: str
    error: str
    rows: list[ShownRow]
    unit: str = ""
    """The selected unit of a length."""

    @property
    def listed(self) -> tuple[list[Choice], list[Choice]]:
        """Return the choices that are ticks, and those that are added from a list."""
        if not self.field.is_added:
            return self.choices, []
        chosen = {*self.texts}
        return [one for one in self.choices if one.value in chosen], [
            one for one in self.choices if one.value not in chosen
        ]

    @property
    def units(self) -> list[tuple[str, str]]:
        """Return the units of a length with their words in English; seconds only if it has them."""
        return [*([(ODD_UNIT, SECONDS)] if self.unit == ODD_UNIT else []), *UNITS.items()]

    @property
    def suggests(self) -> bool:
        """Return whether the field suggests choices while the user types."""
        return self.field.source in SOURCES

    @property
    def chosen_values(self) -> list[str]:
        """Return the values that are chosen and shown."""
        chosen = {*self.texts}
        return [one.value for one in self.choices if one.value in chosen]

    @property
    def unseen(self) -> int:
        """Return how many more are chosen."""
        return len({*self.texts}) - len(self.chosen_values) if self.is_searched else 0


class ChoiceSearch(NamedTuple):
    """A search in a field with many choices, and its results."""

    wanted: str = ""
    found: Sequence[Choice] = ()


class Faults(NamedTuple):
    """The faults of a form: a sentence for each field's name, and sentences that belong to no field."""

    by_field: dict[str, str]
    others: list[str]

    @property
    def summary(self) -> list[tuple[str, str]]:
        """Return all faults, each with the name of its field."""
        return [*self.by_field.items(), *(("", text) for text in self.others)]


async def open_resource(api: Api, subject: Subject, key: str) -> Record:
    """Return a resource. Raises ApiRefusal."""
    answer = await api.send("GET", f"{subject.path}/{key}", query=subject.query)
    return TaggedResource(answer.read(dict[str, Any]), answer.tag)


def read_values(subject: Subject, form: SentForm) -> tuple[dict[str, Any], Faults]:
    """Return the typed values by their fields' members, and the invalid ones."""
    values: dict[str, Any] = {}
    faults = Faults({}, [])
    for field in subject.fields:
        try:
            values[field.member] = field.read(form.list_all)
        except FieldMistake as mistyped:
            faults.by_field[mistyped.field.name] = mistyped.explain(form.page.texts)
    return values, faults


async def create(api: Api, subject: Subject, values: Mapping[str, Any]) -> ApiAnswer:
    """Create a resource. Raises ApiRefusal."""
    return await api.send("POST", subject.path, to_members(values))


async def save(api: Api, subject: Subject, key: str, opened: Record, values: Mapping[str, Any]) -> str:
    """Save the changed members of a resource; return its new entity tag, empty if nothing was changed.

    Raises ApiRefusal, also if it was changed meanwhile.
    """
    changed = list_changes(subject, opened, values)
    if not changed:
        return ""
    path = f"{subject.path}/{key}"
    if subject.by_patch:
        return (await api.patch(path, changed, opened.tag)).tag
    body = opened.resource | to_members(changed)
    return (await api.send("PUT", path, body, headers={"If-Match": opened.tag})).tag


def find_values(subject: Subject, resource: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a resource by the members of its fields."""
    return {field.member: field.find(resource) for field in subject.fields}


def list_changes(subject: Subject, opened: Record, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that differ from a resource's, by member; earlier choices keep their order."""
    changes: dict[str, Any] = {}
    for field in subject.fields:
        before: Any = field.find(opened.resource)
        value: Any = values[field.member]
        if field.kind == "several":
            before, value = _keep_order(before or [], value or [], field.empty)
        if value != before:
            changes[field.member] = value
    return changes


def find_faults(subject: Subject, refused: ApiRefusal, texts: Texts) -> Faults:
    """Return the API's refusals, beside the fields to which they refer; raises it again if a form cannot show it."""
    is_about_members = refused.status == HTTPStatus.FORBIDDEN and bool(refused.faults)
    if refused.status not in _SHOWN and not is_about_members:
        raise refused
    faults = Faults({}, [])
    for fault in refused.faults:
        field = subject.find_field(fault.pointer)
        if field is None:
            faults.others.append(fault.detail)
        else:
            told = texts.translate("Only administrators can change this.") if is_about_members else fault.detail
            faults.by_field.setdefault(field.name, told)
    if not refused.faults:
        faults.others.append(refused.detail)
    return faults


async def list_differences(
    api: Api, texts: Texts, subject: Subject, mine: Mapping[str, Any], theirs: Record
) -> list[Difference]:
    """Return the fields in which a form differs from the API's present state."""
    changes = list_changes(subject, theirs, mine)
    apart = [_compare_field(one, changes[one.member], theirs) for one in subject.fields if one.member in changes]
    named: dict[str, list[str]] = {}
    for one in apart:
        named.setdefault(one.field.source, []).extend([*one.field.write(one.mine), *one.field.write(one.theirs)])
    choices = await load_choices(api, texts, subject.list_sources(), named)
    return [
        Difference(
            texts.translate(one.field.label),
            _show_version(texts, one, one.mine, choices.get(one.field.source, [])),
            _show_version(texts, one, one.theirs, choices.get(one.field.source, [])),
        )
        for one in apart
    ]


class _FieldDifference(NamedTuple):
    """A field with two values; of two long lists the items that only one has, and the number of common ones."""

    field: Field
    mine: Any
    theirs: Any
    shared: int = 0


def _compare_field(field: Field, mine: Any, opened: Record) -> _FieldDifference:  # noqa: ANN401 - any value
    theirs: Any = field.find(opened.resource)
    shared = {*(mine or ())} & {*(theirs or ())} if field.kind == "several" else set[str]()
    if len(shared) <= _MOST_SHARED:
        return _FieldDifference(field, mine, theirs)
    mine, theirs = ([key for key in value if key not in shared] for value in (mine, theirs))
    return _FieldDifference(field, mine, theirs, len(shared))


def _show_version(texts: Texts, one: _FieldDifference, value: Any, choices: Sequence[Choice]) -> str:  # noqa: ANN401 - any value
    shown = one.field.show(value, choices, texts)
    if not one.shared:
        return shown
    both = texts.translate_plural("(and {number} that is in both)", "(and {number} that are in both)", one.shared)
    return f"{shown} {both}".strip()


async def show_fields(
    page: ConsolePage,
    subject: Subject,
    values: Mapping[str, list[str]],
    faults: Faults,
    form: SentForm | None = None,
    opened: Record | None = None,
) -> list[ShownField]:
    """Return the fields with the texts of their inputs, their choices and faults.

    Of the employees already chosen in a resource, some are shown. No resource is a choice for itself.
    """
    named: dict[str, list[str]] = {}
    for field in subject.fields:
        chosen = values.get(field.name, [])
        if field.source == EMPLOYEES:
            before = {*field.write(field.find(opened.resource))} if opened is not None else set[str]()
            kept = [key for key in chosen if key in before][:MOST_CHOSEN]
            chosen = [*(key for key in chosen if key not in before), *kept]
        named.setdefault(field.source, []).extend(chosen)
    choices = await load_choices(page.api, page.texts, subject.list_sources(), named)
    if subject.slug in choices and opened is not None:
        itself = opened.resource["id"]
        choices[subject.slug] = [one for one in choices[subject.slug] if one.value != itself]
    searched: dict[str, ChoiceSearch] = {}
    for field in subject.fields if form is not None else ():
        wanted = form.get(f"{FIND}:{field.name}") if form is not None else ""
        found = await find_choices(page.api, field, wanted, choices.get(field.source, []))
        searched[field.name] = ChoiceSearch(wanted, found)
    return [_show_field(field, values, choices, faults, searched) for field in subject.fields]


def show_field(field: Field, values: Mapping[str, list[str]], errors: Iterable[tuple[str, str]]) -> ShownField:
    """Return a single field without choices, with the texts of its inputs and its fault, if any."""
    return _show_field(field, values, {}, Faults(dict(errors), []), {})


def _show_field(
    field: Field,
    values: Mapping[str, list[str]],
    choices: Mapping[str, list[Choice]],
    faults: Faults,
    searched: Mapping[str, ChoiceSearch],
) -> ShownField:
    chosen = values.get(field.name, [])
    wanted, found = searched.get(field.name, ChoiceSearch())
    offered = [*field.choices] or choices.get(field.source, [])
    is_searched = field.kind == "several" and len(offered) > MOST_SHOWN and not field.is_added
    if is_searched:
        offered = _narrow(offered, chosen, found)
    elif field.kind == "one":
        offered = _keep(offered, chosen)
    rows: list[ShownRow] = []
    for key in chosen if field.kind == "rows" else ():
        cells = [_show_field(cell, values, choices, faults, {}) for cell in field.list_cells(key)]
        titles = [cell.texts[0] for cell in cells if any(cell.texts) and cell.field.kind == "line"]
        titles += [one.label for cell in cells for one in cell.choices if cell.texts == [one.value]]
        is_open = not titles or any(cell.error for cell in cells)
        rows.append(ShownRow(key, titles[0] if titles else "", cells, is_open))
    unit = "".join(values.get(field.unit_name, [])[-1:]) or field.unit
    return ShownField(field, chosen, offered, is_searched, wanted, faults.by_field.get(field.name, ""), rows, unit)


def add_unseen(subject: Subject, form: SentForm, opened: Record) -> SentForm:
    """Return a form with the resource's choices that were not shown, so that they stay chosen."""
    unseen: list[tuple[str, str]] = []
    for name, field in ((f"{field.name}.seen", field) for field in subject.fields):
        if name in form.values:
            shown = {*form.get(name).split(","), *form.list_all(field.name)}
            unseen += [(field.name, key) for key in field.write(field.find(opened.resource)) if key not in shown]
    return msgspec.structs.replace(form, sent=(*form.sent, *unseen))


def write_values(subject: Subject, resource: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the texts of a form's inputs for a resource, by the names of the fields."""
    values: dict[str, list[str]] = {}
    for field in subject.fields:
        values |= field.write_all(field.find(resource))
    return values


def keep_values(subject: Subject, form: SentForm) -> dict[str, list[str]]:
    """Return the texts of a form's inputs as they were sent; rows as changed by the pressed button."""
    values = {name: form.list_all(name) for name in form.values}
    name, _, deed = form.get(ROW).partition(":")
    field = next((one for one in subject.fields if one.kind == "rows" and one.name == name), None)
    return values if field is None else move_item(field, values, deed)


def _narrow(offered: Sequence[Choice], chosen: Sequence[str], found: Sequence[Choice]) -> list[Choice]:
    """Return the chosen values, and those that were found."""
    taken = set(chosen)
    return [*(one for one in offered if one.value in taken), *(one for one in found if one.value not in taken)]


def _keep(offered: Sequence[Choice], chosen: Sequence[str]) -> list[Choice]:
    """Return the choices, with a value that is no longer one of them."""
    known = {one.value for one in offered}
    return [*offered, *(Choice(text, text) for text in chosen if text and text not in known)]


def _keep_order(before: list[str], chosen: list[str], empty: object) -> tuple[list[str] | None, list[str] | None]:
    """Return the chosen values, earlier ones first and in their order; None for none if `empty` is None."""
    ordered = [*(one for one in before if one in chosen), *(one for one in chosen if one not in before)]
    return (before or None, ordered or None) if empty is None else (before, ordered)
