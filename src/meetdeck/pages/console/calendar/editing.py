"""The form for everything about a meeting that a move does not change: its fields, and their patch. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from meetdeck.pages.console.calendar.questions import Question
from meetdeck.pages.console.forms import Choice, Field, Record, Subject
from meetdeck.pages.texts import mark

_GUEST: Final = (
    Field("name", mark("Name")),
    Field("email", mark("E-mail"), "email", is_required=True),
    Field("isCustomer", mark("This is the customer"), "tick"),
)
_FIELDS: Final = (
    Field("title", mark("Title"), hint=mark("Shown in calendars and messages. Leave empty to use the topic.")),
    Field("type", mark("Way to meet"), "one", source="meeting-types", is_required=True),
    Field("videoLink", mark("Video link"), hint=mark("Where an online meeting is held.")),
    Field("topicId", mark("Meeting topic"), "one", source="topics", empty=None),
    Field("description", mark("Description"), "text", mark("In the appointment that everybody gets.")),
    Field(
        "additionalEmployees",
        mark("More employees"),
        "several",
        mark("Their time is taken, too."),
        "employees",
        section=mark("Who takes part"),
    ),
    Field(
        "alsoServiceGroups",
        mark("Also from these service groups"),
        "several",
        mark("One more free person of each group joins."),
        "service-groups",
    ),
    Field(
        "externalAttendees",
        mark("The customer and guests"),
        "rows",
        mark("Everybody here gets the messages of the meeting."),
        columns=_GUEST,
        more=mark("Add a guest"),
    ),
    Field("customerId", mark("Customer's id"), is_required=True, section=mark("The customer")),
    Field("customerTypeId", mark("Customer type"), "one", source="customer-types", empty=None),
    Field("crmId", mark("The meeting in your CRM"), empty=None),
)
_WORDS: Final = {"phone": mark("Telephone")}
_ANSWERS: Final = "answers"
_TOLD: Final = frozenset(
    {"title", "type", "videoLink", "additionalEmployees", "alsoServiceGroups", "externalAttendees"}
)
"""The members whose changes are announced to the attendees."""


def make_subject(questions: Mapping[str, Question]) -> Subject:
    """Return the form of a meeting, with a field for the answer to each question."""
    answers = [_make_field(place, one) for place, one in enumerate(questions.values())]
    if answers:
        answers[0] = answers[0]._replace(section=mark("What the customer told us"))
    fields = (*_FIELDS, *answers)
    return Subject("meetings", "booking/meetings", fields, ("title",), by_patch=True)


def _make_field(place: int, question: Question) -> Field:
    label = question.label or question.name
    member = f"{_ANSWERS}/{place}"
    if question.is_tick:
        return Field(member, label, "one", source="ticked")
    if question.options:
        words = zip(question.options, question.option_words or question.options, strict=True)
        return Field(member, label, "one", choices=tuple(Choice(value, text) for value, text in words))
    return Field(member, label, "text" if question.type == "Text" else "line")


def list_questions(
    known: Mapping[str, Question], meeting: Mapping[str, Any], asked: Iterable[str]
) -> dict[str, Question]:
    """Return the questions of a form by their keys: the portal's, then others with answers."""
    answered = (one["key"] for one in meeting.get("customFields", []))
    return {key: known.get(key) or Question(key, _WORDS.get(key, key)) for key in dict.fromkeys((*asked, *answered))}


def read_meeting(opened: Record, questions: Iterable[str]) -> Record:
    """Return a meeting with its members in the form's format: answers by index, guests without their replies."""
    meeting = opened.resource
    guests: list[dict[str, Any]] = [
        {"name": one["name"], "email": one["email"], "isCustomer": one.get("isCustomer", False)}
        for one in meeting.get("externalAttendees", [])
    ]
    if guests and meeting.get("portalId") and not any(one["isCustomer"] for one in guests):
        guests[0]["isCustomer"] = True
    given = {one["key"]: one["value"] for one in meeting.get("customFields", [])}
    answers = {str(place): given.get(key, "") for place, key in enumerate(questions)}
    return Record({**meeting, "externalAttendees": guests, _ANSWERS: answers}, opened.tag)


def make_patch(changes: Mapping[str, Any], opened: Record, questions: Iterable[str]) -> dict[str, Any]:
    """Return the members of a meeting that a form changes; `changes` are those of its fields."""
    patch = {member: value for member, value in changes.items() if not member.startswith(f"{_ANSWERS}/")}
    if len(patch) < len(changes):
        given = {key: cast("str", opened.resource[_ANSWERS][str(place)]) for place, key in enumerate(questions)}
        keys = list(given)
        for member, value in changes.items():
            if member.startswith(f"{_ANSWERS}/"):
                given[keys[int(member.partition("/")[2])]] = value
        patch["customFields"] = [{"key": key, "value": value} for key, value in given.items() if value]
    return patch


def sends_messages(patch: Mapping[str, Any]) -> bool:
    """Return whether attendees get a message about a change."""
    return bool(_TOLD & patch.keys())
