"""Checking customers' answers to a portal's fields (docs/api/portals.md): pure."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from meetdeck.booking.configuration.portals.schemas import FieldType, Portal, PortalField
from meetdeck.booking.configuration.portals.service.patterns import matches
from meetdeck.platform.errors import Fault
from meetdeck.platform.phrases import phrase
from meetdeck.platform.values import SingleLine

LONGEST_ANSWER = 10_000
_MOST_FAULTS = 100  # limits the response to a million wrong answers
_NAMED_FIELDS = 20
_NAMED_OPTIONS = 20
_PHONE = re.compile(r"\+?[0-9 ()./-]+")
_PHONE_DIGITS = range(3, 21)
_EMAIL = SingleLine(1, 320, is_address=True)


class Answer(NamedTuple):
    """A meeting's custom field: the name of the portal's field, and its value. Empty means not answered."""

    key: str
    value: str


def find_questions(portals: Sequence[Portal], portal_id: UUID | None, topic_id: UUID | None) -> dict[str, PortalField]:
    """Return the fields that a meeting's answers belong to, by their names.

    Those of the meeting's own portal come first, then those of portals for its topic, which staff answer.
    """
    nearest = sorted(portals, key=lambda one: (one.id != portal_id, one.topic_id != topic_id, one.topic_id is not None))
    fields: dict[str, PortalField] = {}
    for portal in nearest:
        for field in portal.fields:
            fields.setdefault(field.name, field)
    return fields


def find_faults(fields: Sequence[PortalField], answers: Sequence[Answer]) -> list[Fault]:
    """Return a fault for each invalid answer; pointers begin with `/customFields`. Hidden fields need no answer."""
    by_name = {field.name: field for field in fields}
    answered = {answer.key for answer in answers}
    missing = (
        Fault("/customFields", phrase("{name} is required.", name=field.name))
        for field in fields
        if field.needs_answer and field.name not in answered
    )
    return [*islice(_find_wrong(by_name, answers), _MOST_FAULTS), *missing]


def _find_wrong(fields: Mapping[str, PortalField], answers: Sequence[Answer]) -> Iterator[Fault]:
    places: dict[str, int] = {}
    for place, (key, value) in enumerate(answers):
        field = fields.get(key)
        if field is None:
            yield Fault(f"/customFields/{place}/key", _describe_fields(fields))
        elif places.setdefault(key, place) != place:
            yield Fault(
                f"/customFields/{place}/key",
                phrase("{key} is answered by /customFields/{places} already.", key=key, places=places[key]),
            )
        elif detail := _find_fault(field, value.strip()):
            yield Fault(f"/customFields/{place}/value", detail)


def _describe_fields(fields: Mapping[str, PortalField]) -> str:
    shown = [name for name, field in fields.items() if not field.hidden]
    if not shown:
        return phrase("The portal has no such field; it has none.")
    return phrase("The portal has no such field; it has {names}.", names=_name_first(shown, _NAMED_FIELDS))


def _name_first(names: Sequence[str], most: int) -> str:
    named, more = ", ".join(names[:most]), len(names) - most
    return phrase("{uses} and {number} more", uses=named, number=more) if more > 0 else named


def find_fault_of_default(field: PortalField) -> str | None:
    """Return why a field's own default is not a valid answer; None if it is valid or missing."""
    return _find_fault(field, field.default_value.strip()) if field.default_value.strip() else None


def _find_fault(field: PortalField, value: str) -> str | None:
    if not value:
        return phrase("{name} is required.", name=field.name) if field.needs_answer else None
    if len(value) > LONGEST_ANSWER:
        return phrase("Must have at most {limit} characters.", limit=LONGEST_ANSWER)
    if detail := _CHECKS[field.type](value) or _check_option(field, value):
        return detail
    if field.type is FieldType.CHECKBOX and field.needs_answer and value.lower() != "true":
        return phrase("{name} must be checked: write true.", name=field.name)
    pattern = field.validation.pattern
    if pattern is not None and not matches(pattern, value):
        return phrase("Must match the pattern {pattern}.", pattern=pattern)
    return None


def _check_phone(value: str) -> str | None:
    is_number = _PHONE.fullmatch(value) and sum(map(str.isdigit, value)) in _PHONE_DIGITS
    return None if is_number else phrase("Enter a telephone number like +45 70 10 20 30.")


def _check_box(value: str) -> str | None:
    return None if value.lower() in {"true", "false"} else phrase("Write true or false.")


def _check_choice(value: str) -> str | None:
    return phrase("A choice is a single line.") if "\n" in value or "\r" in value else None


def _check_option(field: PortalField, value: str) -> str | None:
    if not field.options or value in field.options:
        return None
    return phrase("Choose one of {names}.", names=_name_first(field.options, _NAMED_OPTIONS))


def _check_nothing(_: str) -> None:
    return None


_CHECKS: dict[FieldType, Callable[[str], str | None]] = {
    FieldType.TEXT: _check_nothing,
    FieldType.PHONE: _check_phone,
    FieldType.EMAIL: _EMAIL.find_fault,
    FieldType.CHECKBOX: _check_box,
    FieldType.DROPDOWN: _check_choice,
}
