"""A person at the API page, who pastes the documents' examples in order."""

import re
from typing import Any, Self

import msgspec

from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.platform.values import Version
from meetdeck.present.examples import CONTENT
from support.documents import DOCUMENTS, Json, follow, operations_of
from support.factories import Api

Step = tuple[str, str, Json]

_PARAMETERS = {"calendarConnectionId": "connectionId", "scimTokenId": "tokenId"}
"""The parameters that are not called like the last part of the address where their resource is made."""


def list_writes(version: Version, *, by_heading: bool) -> list[Step]:
    """Return what makes or changes something, in the document's order or, by heading, in the page's."""
    document = DOCUMENTS[version]
    places = {tag["name"]: place for place, tag in enumerate(document["tags"])}
    writes = [step for step in operations_of(document) if step[1] in {"post", "put", "patch"}]
    return sorted(writes, key=lambda step: places[step[2]["tags"][0]]) if by_heading else writes


class Page:
    """A person at the API page: pastes examples, and what an earlier answer said where there can be none."""

    def __init__(self, api: Api, version: Version) -> None:
        self.api = api
        self.version = version
        self.made: dict[str, str] = {}
        self.answers: dict[str, Any] = {}
        """The first answer in JSON of each operation, by its id."""

    @classmethod
    async def open(cls, api: Api, version: Version) -> Self:
        """Return the page of a version, for an elevated caller: a content is stored, and Bo has no schedule."""
        elevated = await api.of(api.firm, elevated=True)
        await elevated.request("DELETE", f"v3/booking/config/employee-schedules/{api.id_of('schedule', 'Bo Lind')}")
        page = cls(elevated, version)
        path = f"/api/{version}/present/contents"
        await page.execute(path, "post", follow(DOCUMENTS[version]["paths"][path]["post"], DOCUMENTS[version]))
        return page

    async def execute(self, path: str, method: str, operation: Json) -> tuple[int, str]:
        """Execute an operation; return the status, and the code of a refusal."""
        query: dict[str, Any] = {}
        address = path.removeprefix("/api/")
        for parameter in operation["parameters"]:
            name = parameter["name"]
            if parameter["in"] == "path":
                address = address.replace(f"{{{name}}}", str(parameter.get("example") or self.made[name]))
            elif parameter["in"] == "query" and parameter.get("required"):
                query[name] = parameter["example"] if "example" in parameter else self.made[name]
        answer = await self.api.request(method.upper(), address, params=query, **self._body_of(operation))
        said: Any = answer.json() if "json" in answer.headers.get("Content-Type", "") else {}
        if answer.is_success and said:
            self.answers.setdefault(operation["operationId"], said)
        if answer.status_code == 201:
            self._remember(address, str(said.get("contentId") or said.get("id", "")))
        return answer.status_code, said.get("code", "") if answer.status_code >= 400 else ""

    def _remember(self, address: str, made: str) -> None:
        """Keep the id of a new resource, under the name of the parameter that takes it."""
        first, *more = re.sub("(?<=sh)es$|s$", "", address.rsplit("/", maxsplit=1)[-1]).split("-")
        name = f"{first}{''.join(map(str.title, more))}Id"
        self.made[_PARAMETERS.get(name, name)] = made

    def _body_of(self, operation: Json) -> Json:
        content = operation.get("requestBody", {"content": {}})["content"]
        if set(content) == {"multipart/form-data"}:
            return {"files": {"file": ("review.pptx", TEMPLATE_FILE.read_bytes())}}
        if not content:
            return {}
        (example,) = (one["example"] for media_type, one in content.items() if "json" in media_type)
        pasted = msgspec.json.encode(example).replace(CONTENT.encode(), self.made["contentId"].encode())
        return {"json": msgspec.json.decode(pasted)}
