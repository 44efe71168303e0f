"""The form of a portal: what it asks, what is wrong, and what becomes of the answers."""

from typing import Any

import pytest

from meetdeck.booking.configuration.portals.schemas import AuthenticationType, FieldType
from meetdeck.booking.configuration.portals.service.answers import LONGEST_ANSWER
from meetdeck.pages.portal.schemas import Choices, FormValues, Visit
from meetdeck.pages.portal.service.details import (
    find_hidden_answers,
    first_values,
    has_text,
    list_answers,
    list_fields,
    read_typed,
)
from support.portal_factory import make_field, make_visit

FREJA = {"name": "Freja Holm", "email": "freja@example.com"}
SIGNED_IN: dict[str, Any] = {"authentication_type": AuthenticationType.IDENTITY_PROVIDER}


def find_errors(visit: Visit, **answers: str) -> dict[str, str]:
    """Return what is wrong with answers, by the fields' labels."""
    by_name = {field.name: str(field.id) for field in visit.portal.fields}
    typed = FormValues(**FREJA, answers={by_name[name]: value for name, value in answers.items()})
    return {field.label: field.error for field in list_fields(visit, typed, is_checked=True) if field.error}


def test_fields_stand_in_their_order_after_the_customers_own_and_hidden_ones_are_not_there() -> None:
    visit = make_visit(
        make_field("last", order=2), make_field("secret", hidden=True), make_field("first", order=-1, label="First")
    )
    assert [field.label for field in list_fields(visit, FormValues())] == [
        "Your name",
        "Your e-mail address",
        "First",
        "last",
    ]


def test_who_signed_in_is_not_asked_for_a_name() -> None:
    visit = make_visit(make_field("about"), **SIGNED_IN)
    assert [field.label for field in list_fields(visit, FormValues())] == ["about"]
    assert not has_text(make_visit(make_field("ok", type=FieldType.CHECKBOX), **SIGNED_IN))
    assert has_text(visit)


def test_nothing_is_wrong_before_the_form_is_sent() -> None:
    visit = make_visit(make_field("phone", type=FieldType.PHONE, required=True))
    assert [field.error for field in list_fields(visit, FormValues(email="x"))] == ["", "", ""]


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ({"type": FieldType.TEXT, "required": True}, "", "Fill in “About”."),
        ({"type": FieldType.TEXT}, "", None),
        ({"type": FieldType.EMAIL}, "freja@", "Enter an e-mail address like name@example.com."),
        ({"type": FieldType.PHONE}, "none", "Enter a telephone number like +45 70 10 20 30."),
        ({"type": FieldType.PHONE}, "+45 70 10 20 30", None),
        ({"type": FieldType.CHECKBOX, "required": True}, "", "Tick “About” to continue."),
        ({"type": FieldType.CHECKBOX}, "", None),
        ({"type": FieldType.DROPDOWN, "options": ["A", "B"], "required": True}, "", "Choose an answer to “About”."),
        ({"type": FieldType.DROPDOWN, "options": ["A", "B"]}, "C", "Choose an answer to “About”."),
        ({"pattern": "[0-9]{4}"}, "12345", "“About” does not look right. Check what you typed."),
        ({"pattern": "[0-9]{4}"}, "1234", None),
    ],
)
def test_an_error_says_what_to_do(field: dict[str, Any], value: str, error: str | None) -> None:
    visit = make_visit(make_field("about", label="About", **field))
    assert find_errors(visit, about=value).get("About") == error


def test_an_answer_has_a_greatest_length_and_is_not_cut_to_it_in_silence() -> None:
    visit = make_visit(make_field("about"))
    field_id = visit.portal.fields[0].id
    typed = read_typed({**FREJA, f"answer-{field_id}": "x" * 20_000})
    assert len(typed.answers[str(field_id)]) == LONGEST_ANSWER + 1
    (wrong,) = [each for each in list_fields(visit, typed, is_checked=True) if each.error]
    assert wrong.error == f"“about” is too long: at most {LONGEST_ANSWER} characters are allowed."


@pytest.mark.parametrize("email", ["", "freja", "freja@example.com, karen@example.com", "freja@example.com\nBcc: x"])
def test_who_is_not_known_must_give_a_name_and_one_address(email: str) -> None:
    typed = read_typed({"name": " ", "email": email})
    errors = [field.error for field in list_fields(make_visit(), typed, is_checked=True)]
    assert errors == ["Enter your name.", "Enter an e-mail address like name@example.com."]


def test_answers_are_of_shown_fields_that_were_answered_and_of_hidden_ones() -> None:
    tick = make_field("call", type=FieldType.CHECKBOX)
    about, secret = make_field("about"), make_field("secret", hidden=True)
    visit = make_visit(tick, about, secret)
    typed = FormValues(answers={str(about.id): "", str(secret.id): "mine", "unknown": "x"})
    assert [(one.key, one.value) for one in list_answers(visit, typed, {"secret": "theirs"})] == [
        ("call", "false"),
        ("secret", "theirs"),
    ]


def test_a_hidden_field_keeps_its_default_or_takes_the_address_parameter_that_it_can() -> None:
    visit = make_visit(
        make_field("source", hidden=True, default_value="portal"),
        make_field("campaign", hidden=True),
        make_field("year", hidden=True, pattern="[0-9]{4}"),
        make_field("about"),
    )
    given = Choices(others=(("source", "me"), ("campaign", " autumn "), ("year", "MMXXVI"), ("about", "x")))
    assert find_hidden_answers(visit, given) == {"source": "portal", "campaign": "autumn"}


def test_a_shown_field_begins_with_its_default() -> None:
    field = make_field("about", default_value="My pension")
    assert first_values(make_visit(field)).answers == {str(field.id): "My pension"}
