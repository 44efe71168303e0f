"""The made pages, reference pages among them: each link leads to a page and an anchor of it."""

import re
from collections.abc import Mapping

import pytest
from tools.manual.reference.calls import choose_example, shorten, write_curl, write_python, write_typescript
from tools.manual.reference.document import list_operations

from meetdeck.app import describe_api
from meetdeck.pages.manual.made import MADE, is_made
from meetdeck.platform.values import Version

_LINK = re.compile(r'href="manual:page/([^"#]*)(?:#([^"]*))?"')
_ID = re.compile(r' id="([^"]+)"')


@pytest.fixture(scope="module")
def pages() -> Mapping[str, str]:
    if not is_made():
        pytest.skip("the manual is not made: scripts/setup.sh test")
    folder = MADE / "pages"
    return {path.relative_to(folder).with_suffix("").as_posix(): path.read_text() for path in folder.rglob("*.html")}


def test_every_link_leads_to_a_page_and_an_anchor_of_it(pages: Mapping[str, str]) -> None:
    anchors = {name: set(_ID.findall(page)) for name, page in pages.items()}
    links = {(name, *link) for name, page in pages.items() for link in _LINK.findall(page)}
    assert len(links) > 3000
    assert [link for link in links if link[1] not in pages or (link[2] and link[2] not in anchors[link[1]])] == []


def test_every_anchor_of_a_page_is_there_once_and_its_links_within_lead_to_them(pages: Mapping[str, str]) -> None:
    for name, page in pages.items():
        ids = _ID.findall(page)
        assert len(ids) == len(set(ids)), name
        assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids), name


@pytest.mark.parametrize("version", list(Version))
def test_every_operation_has_a_section_with_its_address_and_leads_to_the_api_page(
    version: Version, pages: Mapping[str, str]
) -> None:
    shown = "".join(page for name, page in pages.items() if name.startswith(f"reference/api-{version}/"))
    for operation in list_operations(describe_api(version)):
        assert f"<code>{operation.path}</code>" in shown
        assert f'/{operation.name}">' in shown, operation.name


def test_codes_settings_commands_events_and_metrics_have_their_entries(pages: Mapping[str, str]) -> None:
    for page, entries in {
        "error-codes": ['id="time_slot_taken"', "Report it with its <code>requestId</code>", 'id="not_served"'],
        "findings": ['id="unclosed-tag"', "Save the file again"],
        "settings": [
            "<code>MEETDECK_PORT</code>",
            "0 to 65,535",
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "MEETDECK_PORTAL_ISSUER",
        ],
        "commands": ['id="meetdeck-template-watch"', "<code>TEMPLATE</code>", "<code>--migrate</code>"],
        "events": ['id="meetingcreated"', 'href="manual:page/reference/api-v3/meetings#type-meeting"'],
        "metrics": ["<code>meetdeck_requests_total</code>", "<code>meetdeck_ready</code>"],
    }.items():
        for entry in entries:
            assert entry in pages[f"reference/{page}"], entry


def test_a_call_is_the_same_in_three_languages() -> None:
    document = describe_api(Version.V3)
    (operation,) = (one for one in list_operations(document) if one.name == "reserveTimeSlot")
    example = choose_example(document, operation)
    assert (
        write_curl(operation, example).code
        == """curl -X POST "$API/booking/time-slots/reserve" \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "Ocp-Apim-Subscription-Key: $KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "timeSlot": {
      "startDate": "2035-03-05T09:00:00Z",
      "endDate": "2035-03-05T10:00:00Z",
      "status": "Reserved",
      "employeeId": "60ecab82-498d-5ad2-a150-ee4898e01c4b"
    },
    "token": "0b7f1f3e-6a2d-4c55-9d0e-7f3a1c2b4d5e"
  }'"""
    )
    assert (
        write_python(document, operation, example).code
        == """from datetime import datetime
from uuid import UUID
from meetdeck_client.models import ReserveTimeSlot, SlotStatus, SlotToReserve

client.time_slots.reserve(
    ReserveTimeSlot(
        time_slot=SlotToReserve(
            start_date=datetime.fromisoformat("2035-03-05T09:00:00Z"),
            end_date=datetime.fromisoformat("2035-03-05T10:00:00Z"),
            status=SlotStatus.RESERVED,
            employee_id=UUID("60ecab82-498d-5ad2-a150-ee4898e01c4b"),
        ),
        token=UUID("0b7f1f3e-6a2d-4c55-9d0e-7f3a1c2b4d5e"),
    ),
)"""
    )
    assert (
        write_typescript(operation, example).code
        == """const answer = await client.post("/booking/time-slots/reserve", {
  body: {
    timeSlot: {
      startDate: "2035-03-05T09:00:00Z",
      endDate: "2035-03-05T10:00:00Z",
      status: "Reserved",
      employeeId: "60ecab82-498d-5ad2-a150-ee4898e01c4b",
    },
    token: "0b7f1f3e-6a2d-4c55-9d0e-7f3a1c2b4d5e",
  },
});"""
    )


@pytest.mark.parametrize(
    ("name", "part", "method"),
    [
        ("create_meeting", "meetings", "create"),
        ("list_meeting_history", "meetings", "list_history"),
        ("reserve_time_slot", "time_slots", "reserve"),
        ("read_events", "events", "read"),
        ("build_deck", "decks", "build"),
    ],
)
def test_a_method_is_called_like_its_operation_without_the_words_of_its_part(name: str, part: str, method: str) -> None:
    assert shorten(name, part) == method
