"""Texts in several languages over HTTP: the organization's languages, and topics to translate."""

from typing import Any

import httpx

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.patches import replace

SETTINGS = "v3/booking/config/organization-settings"
SETTING = f"{SETTINGS}/{NORDLYS.id_of('organization setting', NORDLYS.name)}"
TOPICS = "v3/booking/config/meeting-topics"
LOCATIONS = "v3/booking/config/locations"

Json = dict[str, Any]


async def expect(answer: httpx.Response, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json()


async def change(api: Api, *operations: Json, at: str = SETTING) -> Json:
    return await expect(await api.request("PATCH", at, json=operations))


async def refuse(api: Api, *operations: Json, at: str = SETTING) -> httpx.Response:
    answer = await api.request("PATCH", at, json=operations)
    assert answer.status_code == 400, answer.text
    return answer


async def enable(api: Api, *tags: str, main: str = "en-GB") -> Json:
    return await change(api, replace("/enabledLocales", list(tags)), replace("/mainLocale", main))


async def add_topic(api: Api, name: str = "Pensions", **members: Any) -> str:
    """Add a topic, and return its address."""
    topic = await expect(await api.post(TOPICS, {"name": name, **members}), 201)
    return f"{TOPICS}/{topic['id']}"


async def read(api: Api, address: str, **query: str) -> Json:
    return await expect(await api.get(address, params=query))
