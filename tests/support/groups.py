"""Groups over HTTP, of both kinds: creating, reading and patching one, and the demo firm's references in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

from meetdeck.demo.firm import NORDLYS
from support.factories import Api

ANNA, BO, CAMILLA, DAVID, EVA = (str(NORDLYS.id_of("employee", one.name)) for one in NORDLYS.advisors[:5])
GITTE, HASSAN = (str(NORDLYS.id_of("employee", name)) for name in ("Gitte Møller", "Hassan Ali"))
PRIVATE, BUSINESS = (str(NORDLYS.id_of("customer type", name)) for name in ("Private", "Business"))
REVIEW, PENSION, INVESTING = (
    str(NORDLYS.id_of("topic", name)) for name in ("Annual review", "Pension check", "Investing")
)
PENSION_GROUP, REVIEW_GROUP = (
    str(NORDLYS.id_of("competence group", name)) for name in ("Pension check", "Annual review")
)
AARHUS, COPENHAGEN = (str(NORDLYS.id_of("service group", name)) for name in ("Aarhus", "København"))
UNKNOWN = str(uuid4())

ALWAYS: dict[str, Any] = {"customerTypeIds": [], "topicIds": [], "meetingTypes": [], "locations": []}
PLAIN: dict[str, Any] = {
    "priority": 0,
    "responseTime": "00:00:00",
    "bufferBefore": "00:00:00",
    "bufferAfter": "00:00:00",
    "meetingTypes": None,
    "locations": None,
}
TRIGGER: dict[str, Any] = {
    "customerTypeIds": [BUSINESS, PRIVATE],
    "topicIds": [REVIEW, PENSION],
    "meetingTypes": ["Telephone", "Online"],
    "locations": ["Odense", "Aarhus"],
}
LEVEL: dict[str, Any] = {
    "priority": 7,
    "responseTime": "2.04:00:00",
    "bufferBefore": "00:15:00",
    "bufferAfter": "00:30:00",
    "meetingTypes": ["Online", "Physical"],
    "locations": ["Odense"],
}

Group = dict[str, Any]


@dataclass(frozen=True)
class Groups:
    """The groups of one kind, at their address."""

    path: str

    async def create(self, api: Api, name: str = "Seniors", **members: Any) -> Group:
        """Make a group: `create(api, employeeIds=[ANNA])`."""
        answer = await api.post(self.path, {"name": name} | members)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def read(self, api: Api, group_id: str) -> Group:
        """Read a group."""
        answer = await api.get(f"{self.path}/{group_id}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def patch(
        self, api: Api, group: Group, *operations: Mapping[str, object], part: str = "", **arguments: Any
    ) -> httpx.Response:
        """Patch a group, or a part of it that has its own address: `part="/service-level"`."""
        return await api.request("PATCH", f"{self.path}/{group['id']}{part}", json=operations, **arguments)

    async def require_each(self, api: Api, group: Group, changes: Sequence[tuple[Mapping[str, object], Group]]) -> None:
        """Patch a group by one operation after another; each must have its outcome, and change nothing else."""
        for operation, outcome in changes:
            answer = await self.patch(api, group, operation)
            assert answer.status_code == 200, f"{operation}: {answer.text}"
            assert answer.json() == group | outcome, operation
            group = answer.json()
            assert await self.read(api, group["id"]) == group


COMPETENCE_GROUPS = Groups("v3/booking/config/competence-groups")
SERVICE_GROUPS = Groups("v3/booking/config/service-groups")
