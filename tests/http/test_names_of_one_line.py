"""Names and addresses are one line everywhere: nothing in them begins a line of its own or turns the others around."""

from typing import Any

import pytest

from meetdeck.platform.errors import Fault
from support.factories import Api
from support.meetings import ANNA, TIMES

MEETING = {"customerId": "C-1", "employeeId": ANNA, **TIMES}
BREAKS = ["\n", "\x0b", "\x85", "\u2028", "\u202e", "\u2066"]


def _bodies(name: str) -> list[tuple[str, dict[str, Any]]]:
    return [
        ("v3/present/recipes", {"name": name, "template": "Annual review", "slides": ["Cover"]}),
        ("v3/booking/config/labels", {"labelName": name}),
        ("v3/booking/config/service-groups", {"name": "Group", "labels": [name]}),
        ("v3/booking/config/meeting-topics", {"name": "Topic", "localizedName": {"da": name}}),
        ("v3/config/portals", {"name": "Portal", "fields": [{"name": "about", "label": name}]}),
        ("v3/booking/meetings", MEETING | {"title": name}),
        ("v3/booking/meetings", MEETING | {"externalAttendees": [{"name": name, "email": "a@example.com"}]}),
        ("v3/booking/meetings", MEETING | {"externalAttendees": [{"name": "A", "email": f"{name}@example.com"}]}),
        ("v2/booking/meetings", MEETING | {"crmId": "1", "title": name}),
    ]


@pytest.mark.parametrize("line_break", BREAKS, ids=[f"U+{ord(each):04X}" for each in BREAKS])
async def test_what_breaks_or_turns_a_line_is_refused(api: Api, line_break: str) -> None:
    for path, body in _bodies(f"a{line_break}b"):
        answer = await api.post(path, body)
        assert answer.status_code == 400, (path, body)
        (error,) = answer.json()["errors"]
        assert Fault(**error).pointer.startswith("/")


async def test_marks_of_direction_may_stay(api: Api) -> None:
    answer = await api.post("v3/booking/config/employees", {"name": "\u200f\u05d0\u05de\u200f Holm"})
    assert answer.status_code == 201
