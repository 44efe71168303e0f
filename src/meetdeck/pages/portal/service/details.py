"""The form of a portal: the customer's name and e-mail address unless they signed in, and the portal's fields."""

from collections.abc import Mapping
from typing import Final

import msgspec

from meetdeck.booking.configuration.portals.schemas import AuthenticationType, FieldType, PortalField
from meetdeck.booking.configuration.portals.service.answers import LONGEST_ANSWER, Answer, find_faults
from meetdeck.booking.localization.texts import speak_items
from meetdeck.pages.portal.schemas import Choices, FormValues, Visit
from meetdeck.platform.values import SingleLine

_NAME: Final = SingleLine(1, 200)
_EMAIL: Final = SingleLine(1, 320, is_address=True)
_PREFIX: Final = "answer-"
TICKED: Final = "true"


class FormField(msgspec.Struct, frozen=True):
    """A field as a page shows it: its name in the form, its value, and what is wrong with it."""

    name: str
    label: str
    type: FieldType
    value: str
    required: bool
    placeholder: str = ""
    description: str = ""
    options: Mapping[str, str] = {}
    """The options of a Dropdown: the text of each in the visitor's language, by its value."""
    autocomplete: str = ""
    error: str = ""

    @property
    def shown_value(self) -> str:
        """Return the value as a page shows it."""
        return self.options.get(self.value, self.value)


def needs_person(visit: Visit) -> bool:
    """Return whether the form asks for a name and an e-mail address, because nobody has signed in."""
    return visit.portal.authentication_type is AuthenticationType.ANONYMOUS


def read_typed(form: Mapping[str, str]) -> FormValues:
    """Return the values of a form that was sent."""
    answers = {
        name.removeprefix(_PREFIX): value.strip()[: LONGEST_ANSWER + 1]
        for name, value in form.items()
        if name.startswith(_PREFIX)
    }
    return FormValues(
        name=form.get("name", "").strip()[:400], email=form.get("email", "").strip()[:400], answers=answers
    )


def is_answer(name: str) -> bool:
    """Return whether an input of a form is the answer to a field of the portal."""
    return name.startswith(_PREFIX)


def list_fields(visit: Visit, typed: FormValues, *, is_checked: bool = False) -> list[FormField]:
    """Return the form's fields in their order, with errors in their values if it `is_checked`."""
    shown = [_make_field(visit, field, typed, is_checked=is_checked) for field in list_visible(visit)]
    return [*_list_own_fields(visit, typed, is_checked=is_checked), *shown]


def list_visible(visit: Visit) -> list[PortalField]:
    """Return the portal's fields that customers see, in the order of pages."""
    return sorted((field for field in visit.portal.fields if not field.hidden), key=lambda field: field.order)


def list_answers(visit: Visit, typed: FormValues, hidden: Mapping[str, str]) -> list[Answer]:
    """Return the answers to the portal's fields: the typed ones, and those of hidden fields."""
    shown = [Answer(field.name, _find_value(field, typed, is_sent=True)) for field in list_visible(visit)]
    return [answer for answer in shown if answer.value] + [Answer(name, value) for name, value in hidden.items()]


def find_hidden_answers(visit: Visit, choices: Choices) -> dict[str, str]:
    """Return the answers to hidden fields: the parameters of the address that fill them in, or else their defaults."""
    given = dict(choices.others)
    found: dict[str, str] = {}
    for field in visit.portal.fields:
        value = field.default_value or given.get(field.name, "").strip()
        if field.hidden and value and not find_faults([field], [Answer(field.name, value)]):
            found[field.name] = value
    return found


def first_values(visit: Visit) -> FormValues:
    """Return the initial values of a form: the fields' defaults."""
    return FormValues(
        answers={str(field.id): field.default_value for field in list_visible(visit) if field.default_value}
    )


def _list_own_fields(visit: Visit, typed: FormValues, *, is_checked: bool) -> list[FormField]:
    if not needs_person(visit):
        return []
    hint = visit.texts.translate("Where we can reach you about the meeting.")
    return list_person_fields(visit, typed, is_checked=is_checked, hint=hint)


def list_person_fields(visit: Visit, typed: FormValues, *, is_checked: bool, hint: str) -> list[FormField]:
    """Return the fields of a person's name and e-mail address; the `hint` says why the address is needed."""
    translate = visit.texts.translate
    wrong_name = translate("Enter your name.") if is_checked and _NAME.find_fault(typed.name) else ""
    wrong_email = _EMAIL.find_fault(typed.email) and translate("Enter an e-mail address like name@example.com.")
    return [
        FormField(
            "name",
            translate("Your name"),
            FieldType.TEXT,
            typed.name,
            required=True,
            autocomplete="name",
            error=wrong_name,
        ),
        FormField(
            "email",
            translate("Your e-mail address"),
            FieldType.EMAIL,
            typed.email,
            required=True,
            autocomplete="email",
            description=hint,
            error=(wrong_email or "") if is_checked else "",
        ),
    ]


def _make_field(visit: Visit, field: PortalField, typed: FormValues, *, is_checked: bool) -> FormField:
    value = _find_value(field, typed, is_sent=is_checked)
    is_wrong = is_checked and find_faults([field], [Answer(field.name, value)] if value else [])
    return FormField(
        name=f"{_PREFIX}{field.id}",
        label=field.label or field.name,
        type=field.type,
        value=value,
        required=field.needs_answer,
        placeholder=field.placeholder,
        description=field.description,
        options=speak_items(field.options, field.localized_options, visit.content_language),
        autocomplete={FieldType.PHONE: "tel", FieldType.EMAIL: "email"}.get(field.type, ""),
        error=_explain(visit, field, value) if is_wrong else "",
    )


def _find_value(field: PortalField, typed: FormValues, *, is_sent: bool) -> str:
    """Return a field's value; an unticked box is not sent at all."""
    value = typed.answers.get(str(field.id), "")
    if field.type is FieldType.CHECKBOX and is_sent:
        return TICKED if value == TICKED else "false"
    return value


def _explain(visit: Visit, field: PortalField, value: str) -> str:
    """Return how to correct a wrong value, in the customer's words."""
    translate, label = visit.texts.translate, field.label or field.name
    if field.type is FieldType.CHECKBOX:
        return translate("Tick “{label}” to continue.", label=label)
    if field.type is FieldType.DROPDOWN:
        return translate("Choose an answer to “{label}”.", label=label)
    if not value:
        return translate("Fill in “{label}”.", label=label)
    if len(value) > LONGEST_ANSWER:
        return translate(
            "“{label}” is too long: at most {number} characters are allowed.", label=label, number=LONGEST_ANSWER
        )
    return {
        FieldType.EMAIL: translate("Enter an e-mail address like name@example.com."),
        FieldType.PHONE: translate("Enter a telephone number like +45 70 10 20 30."),
    }.get(field.type) or translate("“{label}” does not look right. Check what you typed.", label=label)


def find_fault_of_email(email: str) -> str | None:
    """Return why a text is not an e-mail address, None if it is one."""
    return _EMAIL.find_fault(email)


def has_text(visit: Visit) -> bool:
    """Return whether the form has any text field."""
    kinds = {FieldType.TEXT, FieldType.EMAIL, FieldType.PHONE}
    return needs_person(visit) or any(field.type in kinds for field in list_visible(visit))
