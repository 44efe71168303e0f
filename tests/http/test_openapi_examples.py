"""The bodies that the API page begins with: each works as pasted, in the order in which a person tries them."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from meetdeck.booking import examples
from meetdeck.demo.firm import NORDLYS
from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.platform.values import Version
from meetdeck.present.examples import CONTENT
from support.documents import DOCUMENTS, Json, follow, operations_of
from support.factories import Api

Step = tuple[str, str, Json]

# What the first round made stands in the way of the second, and says so.
_THERE_ALREADY = {"time_slot_taken", "already_exists", "label_exists", "key_refused"}


def list_writes(version: Version, *, by_heading: bool) -> list[Step]:
    """Return what makes or changes something, in the document's order or, by heading, in the page's."""
    document = DOCUMENTS[version]
    places = {tag["name"]: place for place, tag in enumerate(document["tags"])}
    writes = [step for step in operations_of(document) if step[1] in {"post", "put", "patch"}]
    return sorted(writes, key=lambda step: places[step[2]["tags"][0]]) if by_heading else writes


class Page:
    """A person at the API page: pastes examples, and what an earlier answer said where there can be none."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.made: dict[str, str] = {}

    async def execute(self, path: str, method: str, operation: Json) -> tuple[int, str]:
        """Execute an operation; return the status, and the code of a refusal."""
        query: dict[str, Any] = {}
        address = path.removeprefix("/api/")
        shared = DOCUMENTS[Version(address.split("/")[0])]["components"]["parameters"]
        for written in operation["parameters"]:
            parameter = shared[written["$ref"].rsplit("/", 1)[1]] if "$ref" in written else written
            name = parameter["name"]
            if parameter["in"] == "path":
                address = address.replace(f"{{{name}}}", str(parameter.get("example") or self.made[name]))
            elif parameter["in"] == "query" and parameter.get("required"):
                query[name] = parameter["example"]
        answer = await self.api.request(method.upper(), address, params=query, **self._body_of(operation))
        said: Json = answer.json() if "json" in answer.headers.get("Content-Type", "") else {}
        if answer.status_code == 201:
            first, *more = re.sub("(?<=sh)es$|s$", "", address.split("/")[-1]).split("-")
            self.made[f"{first}{''.join(map(str.title, more))}Id"] = str(said.get("contentId") or said.get("id", ""))
            self.made["connectionId"] = self.made.get("calendarConnectionId", "")
        return answer.status_code, said.get("code", "") if answer.status_code >= 400 else ""

    def _body_of(self, operation: Json) -> Json:
        content = operation.get("requestBody", {"content": {}})["content"]
        if set(content) == {"multipart/form-data"}:
            return {"files": {"file": ("review.pptx", TEMPLATE_FILE.read_bytes())}}
        if not content:
            return {}
        (example,) = (one["example"] for media_type, one in content.items() if "json" in media_type)
        pasted = msgspec.json.encode(example).replace(CONTENT.encode(), self.made["contentId"].encode())
        return {"json": msgspec.json.decode(pasted)}


def _is_short_of_a_renderer(code: str) -> bool:
    return code == "renderer_unavailable"  # nothing can render in these tests


@pytest.mark.parametrize("order", ["document", "page"])
@pytest.mark.parametrize("version", list(Version))
async def test_every_example_works_as_pasted_and_a_second_time_is_refused_only_by_the_first(
    version: Version, order: str, api: Api
) -> None:
    elevated = await api.of(api.firm, elevated=True)
    await elevated.request("DELETE", f"v3/booking/config/employee-schedules/{api.id_of('schedule', 'Bo Lind')}")
    page = Page(elevated)
    await page.execute(f"/api/{version}/present/contents", "post", _find_upload(version))
    steps = list_writes(version, by_heading=order == "page")
    assert len(steps) > 15
    for path, method, operation in steps:
        status, code = await page.execute(path, method, operation)
        assert status < 300 or _is_short_of_a_renderer(code), f"{method} {path}: {status} {code}"
    for path, method, operation in steps:
        status, code = await page.execute(path, method, operation)
        assert status < 300 or _is_short_of_a_renderer(code) or code in _THERE_ALREADY, f"{method} {path}: {code}"


def _find_upload(version: Version) -> Json:
    document = DOCUMENTS[version]
    return follow(document["paths"][f"/api/{version}/present/contents"]["post"], document)


def list_ids() -> Iterator[tuple[str, str]]:
    yield examples.EMPLOYEE, str(NORDLYS.id_of("employee", "Anna Holm"))
    yield examples.COLLEAGUE, str(NORDLYS.id_of("employee", "Bo Lind"))
    yield examples.ROOM, str(NORDLYS.id_of("room", "Fjorden"))
    yield examples.TOPIC, str(NORDLYS.id_of("topic", "Annual review"))
    yield examples.CUSTOMER_TYPE, str(NORDLYS.id_of("customer type", "Private"))
    yield examples.LOCATION, str(NORDLYS.id_of("location", "Aarhus"))
    yield examples.COMPETENCE_GROUP, str(NORDLYS.id_of("competence group", "Annual review"))
    yield examples.SERVICE_GROUP, str(NORDLYS.id_of("service group", "Aarhus"))
    yield examples.PORTAL, str(NORDLYS.id_of("portal", NORDLYS.name))
    yield examples.SCHEDULE, str(NORDLYS.id_of("schedule", "Anna Holm"))
    yield examples.SETTING, str(NORDLYS.id_of("organization setting", NORDLYS.name))


def test_the_examples_name_what_the_demo_has() -> None:
    for shown, demo in list_ids():
        assert shown == demo


async def test_what_an_example_replaces_is_what_the_demo_has_already(api: Api) -> None:
    for kinds, kind, name, example in (
        ("employees", "employee", "Anna Holm", examples.SAME_EMPLOYEE),
        ("rooms", "room", "Fjorden", examples.SAME_ROOM),
        ("meeting-topics", "topic", "Annual review", examples.SAME_TOPIC),
        ("customer-types", "customer type", "Private", examples.SAME_CUSTOMER_TYPE),
    ):
        address = f"v3/booking/config/{kinds}/{api.id_of(kind, name)}"
        before = (await api.get(address)).json()
        assert (await api.request("PUT", address, json=example)).json() == before
