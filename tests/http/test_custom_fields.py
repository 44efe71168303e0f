"""The custom fields of meetings that are booked in a portal (docs/api/portals.md). In depth: tests/unit."""

from datetime import timedelta
from typing import Any

import httpx

from meetdeck.demo.firm import NORDLYS
from support.factories import TUESDAY_AT_TEN, Api

ANNA = str(NORDLYS.id_of("employee", "Anna Holm"))
TIMES = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + timedelta(hours=1)).isoformat()}

Json = dict[str, Any]


async def create(api: Api, fields: list[Json]) -> Json:
    answer = await api.post("v3/booking/config/portals", {"name": "Book us", "fields": fields})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def book(api: Api, portal: Json, *answers: tuple[str, str], version: str = "v3") -> httpx.Response:
    fields = [{"key": key, "value": value} for key, value in answers]
    return await api.book(
        version=version, crmId="CRM-1", employeeId=ANNA, portalId=portal["id"], customFields=fields, **TIMES
    )


async def test_a_meetings_custom_fields_must_be_right_for_its_portal(api: Api) -> None:
    portal = await create(
        api,
        fields=[
            {"name": "cvr", "validation": {"required": True, "pattern": r"\d{8}"}},
            {"name": "email", "type": "Email"},
            {"name": "terms", "type": "Checkbox", "validation": {"required": True}},
            {"name": "campaign", "hidden": True, "validation": {"required": True}},
        ],
    )
    wrong = [("cvr", "1234567"), ("email", "nobody"), ("age", "7"), ("email", "f@example.com")]
    refused = await book(api, portal, *wrong)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_request")
    assert [(one["pointer"], one["detail"]) for one in refused.json()["errors"]] == [
        ("/customFields/0/value", r"Must match the pattern \d{8}."),
        ("/customFields/1/value", "Write an e-mail address like anna@example.com."),
        ("/customFields/2/key", "The portal has no such field; it has cvr, email, terms."),
        ("/customFields/3/key", "email is answered by /customFields/1 already."),
        ("/customFields", "terms is required."),
    ]
    assert (await book(api, portal, *wrong, version="v2")).json()["errors"] == refused.json()["errors"]
    booked = await book(api, portal, ("cvr", "12345678"), ("terms", "true"), ("campaign", "Spring"))
    assert booked.status_code == 201, booked.text
    assert [one["key"] for one in booked.json()["customFields"]] == ["cvr", "terms", "campaign"]


async def test_a_meeting_without_a_portal_may_have_any_custom_fields(api: Api) -> None:
    answer = await api.book(employeeId=ANNA, customFields=[{"key": "any", "value": "thing"}], **TIMES)
    assert answer.status_code == 201
    assert answer.json()["customFields"] == [{"key": "any", "value": "thing"}]
