"""The form of a waiting-list entry: its fields, and their values after a search that found nothing."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

from meetdeck.pages.console.forms import Field, Subject
from meetdeck.pages.texts import mark

WISH: Final = Subject(
    "wishes",
    "booking/wishes",
    (
        Field("name", mark("Customer"), is_required=True),
        Field("email", mark("E-mail"), "email", mark("The offer goes there.")),
        Field("phone", mark("Telephone")),
        Field("customerId", mark("Customer's id"), empty=None),
        Field("topicId", mark("Meeting topic"), "one", source="topics", empty=None),
        Field(
            "meetingTypes",
            mark("Ways to meet"),
            "several",
            mark("Choose none to include all of them."),
            "meeting-types",
        ),
        Field("location", mark("Place"), "one", mark("Leave empty for anywhere."), "locations"),
        Field("employeeIds", mark("Advisors"), "several", mark("Choose none if anyone will do."), "employees"),
        Field("customerTypeId", mark("Customer type"), "one", source="customer-types", empty=None),
        Field("from", mark("First day"), "day", is_required=True),
        Field("to", mark("Last day"), "day", is_required=True),
    ),
    ("name",),
)
_DAY: Final = timedelta(days=1)
_FROM_SEARCH: Final = {
    "topicId": "topic",
    "meetingTypes": "type",
    "location": "place",
    "employeeIds": "employee",
    "customerTypeId": "customer",
    "email": "email",
    "phone": "phone",
    "name": "name",
    "customerId": "customer_id",
}
"""The parameters of a search's address, by the fields that they fill in."""
_USUAL_DAYS: Final = 30


def fill_in(query: Mapping[str, str], today: date) -> dict[str, list[str]]:
    """Return the texts of the form after a search; a month from its first day on, unless it says otherwise."""
    values = {field: [query[name]] for field, name in _FROM_SEARCH.items() if query.get(name)}
    try:
        first = max(date.fromisoformat(query.get("day", "")), today)
    except ValueError:
        first = today
    return {**values, "from": [first.isoformat()], "to": [(first + timedelta(days=_USUAL_DAYS)).isoformat()]}


def make_body(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the typed entry; its last day is included."""
    last = date.fromisoformat(values["to"])
    return {**values, "from": f"{values['from']}T00:00:00", "to": f"{last + _DAY}T00:00:00"}
