"""Portals over HTTP (contract section 4, Portals; docs/api/lists.md#label-filters, docs/api/portals.md)."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.database import Database
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock
from support.patches import pointers, replace
from support.portals import NORDLYS_PORTAL, PORTALS, Json, create, names_of, patch, read
from support.statements import logged_statements

ANNA = str(NORDLYS.id_of("employee", "Anna Holm"))
PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))
REVIEW, PENSION = (str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check"))
UNKNOWN = str(uuid4())
TIMES = {"startDate": TUESDAY_AT_TEN.isoformat(), "endDate": (TUESDAY_AT_TEN + timedelta(hours=1)).isoformat()}

PAGE: Json = {"address": None, "languages": ["en", "da"], "embedHosts": [], "brandColor": None, "confirmEmail": False}
BARE: Json = {"options": [], "order": 0, "description": "", "defaultValue": ""}


def by_language(label: str = "", placeholder: str = "") -> Json:
    texts = {"localizedLabel": label, "localizedPlaceholder": placeholder, "localizedDescription": ""}
    return {name: {"en-GB": text} for name, text in texts.items()} | {"localizedOptions": {"en-GB": []}}


# ---------------------------------------------------------------------------------------------------- create and read


async def test_a_portal_reads_back_as_it_was_written(api: Api) -> None:
    crm_mapping = str(uuid4())
    answer = await api.post(
        PORTALS,
        {
            "name": " Book 🌞 us ",
            "location": "Aarhus",
            "authenticationType": "nationalid",
            "fields": [
                {
                    "name": "cvr",
                    "label": "CVR number",
                    "type": "TEXT",
                    "placeholder": "12345678",
                    "hidden": False,
                    "validation": {"required": True, "pattern": r"\d{8}"},
                },
                {"name": "newsletter", "type": "Checkbox"},
            ],
            "logoUrl": "https://example.com/logo.svg?size=2",
            "logoHeight": 48,
            "styling": " body { color: red }\n",
            "customerTypeId": PRIVATE,
            "topicId": REVIEW,
            "crmMappingConfigurationId": crm_mapping,
            "icalEnabled": False,
            "labels": ["VIP", "Aarhus"],
        },
    )
    assert answer.status_code == 201, answer.text
    portal = answer.json()
    first, second = (field["id"] for field in portal["fields"])
    assert first != second
    assert portal == {
        "id": portal["id"],
        "name": "Book 🌞 us",
        "location": "Aarhus",
        "fields": [
            {
                "id": first,
                "name": "cvr",
                "label": "CVR number",
                "type": "Text",
                "placeholder": "12345678",
                "hidden": False,
                "validation": {"required": True, "pattern": r"\d{8}"},
                **BARE,
                **by_language("CVR number", "12345678"),
            },
            {
                "id": second,
                "name": "newsletter",
                "label": "",
                "type": "Checkbox",
                "placeholder": "",
                "hidden": False,
                "validation": {"required": False, "pattern": None},
                **BARE,
                **by_language(),
            },
        ],
        "logoUrl": "https://example.com/logo.svg?size=2",
        "logoHeight": 48,
        "styling": " body { color: red }\n",
        "authenticationType": "NationalId",
        "customerTypeId": PRIVATE,
        "topicId": REVIEW,
        "crmMappingConfigurationId": crm_mapping,
        "icalEnabled": False,
        "labels": ["VIP", "Aarhus"],
        "localizedName": {"en-GB": "Book 🌞 us"},
        **PAGE,
    }
    assert answer.headers["Location"] == f"http://meetdeck.test/api/{PORTALS}/{portal['id']}"
    assert await read(api, portal["id"]) == portal
    assert (await api.get(f"v3/config/portals/{portal['id']}")).json() == portal


async def test_only_the_name_is_needed(api: Api) -> None:
    portal = await create(api)
    assert portal == {
        "id": portal["id"],
        "name": "Book us",
        "location": "",
        "fields": [],
        "logoUrl": "",
        "logoHeight": None,
        "styling": "",
        "authenticationType": "IdentityProvider",
        "customerTypeId": None,
        "topicId": None,
        "crmMappingConfigurationId": None,
        "icalEnabled": True,
        "labels": [],
        "localizedName": {"en-GB": "Book us"},
        **PAGE,
    }


async def test_a_portal_as_it_was_read_makes_another_one(api: Api) -> None:
    portal = await create(api, fields=[{"name": "cvr"}], labels=["VIP"])
    copy = (await api.post(PORTALS, portal)).json()
    assert copy["fields"][0]["id"] != portal["fields"][0]["id"]
    copy["fields"][0]["id"] = portal["fields"][0]["id"]
    assert copy == portal | {"id": copy["id"]}


async def test_hidden_fields_are_shown_to_those_who_ask(api: Api) -> None:
    portal = await create(api, fields=[{"name": "campaign", "hidden": True}, {"name": "cvr"}])
    assert names_of(portal["fields"]) == ["campaign", "cvr"]
    assert names_of((await api.get(f"{PORTALS}/{portal['id']}")).json()["fields"]) == ["cvr"]
    assert names_of((await read(api, portal["id"]))["fields"]) == ["campaign", "cvr"]
    for query, expected in (("", ["cvr"]), ("?includeHiddenFields=true", ["campaign", "cvr"])):
        listed = (await api.get(f"{PORTALS}{query}")).json()
        assert [names_of(one["fields"]) for one in listed if one["id"] == portal["id"]] == [expected]


async def test_portals_are_listed_by_name_and_filtered_by_labels(api: Api) -> None:
    await create(api, "C", labels=["vip"])
    await create(api, "A", labels=["Aarhus", "VIP"])
    await create(api, "B")
    assert names_of((await api.get(PORTALS)).json()) == ["A", "B", "C", "Nordlys Rådgivning"]
    for query, expected in (
        ({"labels": "VIP"}, ["A", "C"]),
        ({"labels": "VIP,aarhus"}, ["A"]),
        ({"labels": ["VIP", "aarhus"], "labelMatch": "ANY"}, ["A", "C"]),
        ({"labels": "unknown"}, []),
    ):
        listed = (await api.get(PORTALS, params=query)).json()
        assert names_of(listed) == expected, query


async def test_the_list_takes_as_many_statements_however_many_portals_there_are(api: Api, database: Database) -> None:
    with logged_statements(database) as few:
        assert len((await api.get(PORTALS, params={"labels": []})).json()) == 1
    for number in range(29):
        await create(api, f"Portal {number}", fields=[{"name": "a"}, {"name": "b"}], labels=["VIP"])
    with logged_statements(database) as many:
        assert len((await api.get(PORTALS)).json()) == 30
    assert len(few) == len(many)


async def test_what_makes_no_portal_is_refused_with_every_fault(api: Api) -> None:
    refused: list[tuple[Json, list[str]]] = [
        ({}, ["/name"]),
        ({"name": " "}, ["/name"]),
        ({"name": "x" * 201, "location": "x" * 201}, ["/name", "/location"]),
        (
            {"name": 7, "authenticationType": "Password", "icalEnabled": 1},
            ["/name", "/authenticationType", "/icalEnabled"],
        ),
        ({"name": "A", "logoUrl": "javascript:alert(1)"}, ["/logoUrl"]),
        ({"name": "A", "logoUrl": "https://"}, ["/logoUrl"]),
        ({"name": "A", "logoUrl": "https://[/logo.png"}, ["/logoUrl"]),
        ({"name": "A", "logoUrl": "https://example.com/a b"}, ["/logoUrl"]),
        ({"name": "A", "logoUrl": "https://example.com/" + "x" * 2_000}, ["/logoUrl"]),
        ({"name": "A", "logoHeight": 0}, ["/logoHeight"]),
        ({"name": "A", "logoHeight": 2_001}, ["/logoHeight"]),
        ({"name": "A", "styling": "x" * 100_001}, ["/styling"]),
        ({"name": "A", "labels": [" "]}, ["/labels/0"]),
        ({"name": "A", "fields": [{}, {"name": "a", "type": "Number"}]}, ["/fields/0/name", "/fields/1/type"]),
        ({"name": "A", "fields": [{"name": "a"}, {"name": "b"}, {"name": " a "}]}, ["/fields/2/name"]),
        ({"name": "A", "fields": [{"name": str(number)} for number in range(201)]}, ["/fields"]),
        (
            {"name": "A", "fields": [{"name": "a", "validation": {"pattern": "x" * 1_001}}]},
            ["/fields/0/validation/pattern"],
        ),
        ({"name": "A", "fields": [{"name": "a", "validation": {"pattern": "(a"}}]}, ["/fields/0/validation/pattern"]),
        (
            {"name": "A", "fields": [{"name": "a", "validation": {"pattern": "(?=a)"}}]},
            ["/fields/0/validation/pattern"],
        ),
    ]
    for body, expected in refused:
        answer = await api.post(PORTALS, body)
        assert answer.status_code == 400, answer.text
        assert pointers(answer) == expected, answer.text
    for body in ({"name": "\0"}, {"name": "A", "fields": [{"name": "a\0b"}]}):
        assert (await api.post(PORTALS, body)).json()["code"] == "unstorable_text"


async def test_what_a_portal_names_must_exist(api: Api) -> None:
    answer = await api.post(PORTALS, {"name": "A", "customerTypeId": UNKNOWN, "topicId": PRIVATE})
    assert (answer.status_code, answer.json()["code"]) == (404, "reference_not_found")
    assert pointers(answer) == ["/customerTypeId", "/topicId"]


async def test_anothers_portal_is_404(api: Api) -> None:
    other = await api.other()
    portal = {"id": NORDLYS_PORTAL}
    answers = [
        await other.get(f"{PORTALS}/{NORDLYS_PORTAL}"),
        await patch(other, portal),
        await other.request("DELETE", f"{PORTALS}/{NORDLYS_PORTAL}"),
        await api.get(f"{PORTALS}/{UNKNOWN}"),
    ]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(404, "not_found")] * 4
    assert NORDLYS_PORTAL not in {one["id"] for one in (await other.get(PORTALS)).json()}
    assert (await api.get(PORTALS.replace("v3", "v2"))).status_code == 404


# ------------------------------------------------------------------------------------------------------------- delete


async def test_a_portal_is_deleted_and_gives_its_labels_back(api: Api) -> None:
    portal = await create(api, fields=[{"name": "a"}], labels=["VIP"])
    answer = await api.request("DELETE", f"{PORTALS}/{portal['id']}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert (await api.get(f"{PORTALS}/{portal['id']}")).status_code == 404
    assert (await api.get("v3/booking/config/labels")).json()["items"][0]["usageCount"] == 0


async def test_a_portal_with_a_meeting_to_come_is_not_deleted(api: Api, clock: HandClock) -> None:
    portal = await create(api)
    meeting = (await api.book(employeeId=ANNA, portalId=portal["id"], **TIMES)).json()
    answer = await api.request("DELETE", f"{PORTALS}/{portal['id']}")
    assert (answer.status_code, answer.json()["code"]) == (409, "in_use")
    assert answer.json()["detail"] == (
        "The portal Book us is in use by meeting at 2026-03-03T09:00Z. Change or delete that first."
    )
    clock.moment = TUESDAY_AT_TEN + timedelta(hours=1)
    api = await api.of(NORDLYS)
    assert (await api.request("DELETE", f"{PORTALS}/{portal['id']}")).status_code == 204
    assert (await api.get(f"v3/booking/meetings/{meeting['id']}")).json()["portalId"] == portal["id"]


async def test_nobody_books_in_a_portal_that_goes_at_that_moment(api: Api) -> None:
    for hour in range(8):
        portal = await create(api)
        times = {name: TUESDAY_AT_TEN + timedelta(hours=hour + place) for place, name in enumerate(TIMES)}
        booked, deleted = await asyncio.gather(
            api.book(
                employeeId=ANNA, portalId=portal["id"], **{name: time.isoformat() for name, time in times.items()}
            ),
            api.request("DELETE", f"{PORTALS}/{portal['id']}"),
        )
        assert (booked.status_code, deleted.status_code) in {(201, 409), (404, 204)}


async def test_a_dropdown_offers_its_options_and_answers_are_one_of_them(api: Api) -> None:
    more = {"options": ["Yes", "No"], "order": 2, "description": "Either way.", "defaultValue": "No"}
    portal = await create(
        api, fields=[{"name": "news", "type": "Dropdown", **more}, {"name": "free", "type": "Dropdown"}]
    )
    assert portal["fields"][0] == portal["fields"][0] | more
    for value, status in (("Perhaps", 400), ("Yes", 201)):
        answers = [{"key": "news", "value": value}, {"key": "free", "value": "anything"}]
        booked = await api.book(
            employeeId=api.id_of("employee", "Anna Holm"),
            startDate="2026-03-03T09:00:00Z",
            endDate="2026-03-03T10:00:00Z",
            portalId=portal["id"],
            customFields=answers,
        )
        assert booked.status_code == status, booked.text
    assert (await patch(api, portal, replace("/fields/0/defaultValue", "Yes"))).json()["fields"][0][
        "defaultValue"
    ] == "Yes"


@pytest.mark.parametrize(
    ("field", "pointer"),
    [
        ({"type": "Text", "options": ["Yes"]}, "/fields/0/options"),
        ({"type": "Dropdown", "options": ["Yes", "Yes"]}, "/fields/0/options"),
        ({"type": "Dropdown", "options": ["Yes"], "defaultValue": "No"}, "/fields/0/defaultValue"),
        ({"type": "Email", "defaultValue": "nobody"}, "/fields/0/defaultValue"),
        ({"type": "Dropdown", "options": [" "]}, "/fields/0/options/0"),
    ],
)
async def test_options_and_defaults_that_no_answer_could_be_are_refused(field: Json, pointer: str, api: Api) -> None:
    refused = await api.post(PORTALS, {"name": "A", "fields": [{"name": "a", **field}]})
    assert (refused.status_code, pointers(refused)) == (400, [pointer])
