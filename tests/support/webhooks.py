"""Webhooks as a test creates them, and the attempts that are due."""

from datetime import datetime, timedelta
from typing import Any

from meetdeck.services import Services
from support.factories import TUESDAY_AT_TEN, Api
from support.fakes import HandClock

WEBHOOKS = "v3/events/webhooks"

_DUE = "select count(*) from webhook_delivery where status = 'Waiting' and at <= $1"


class Webhooks:
    """The webhooks of an API's firm, called with the elevated role."""

    def __init__(self, api: Api, services: Services, clock: HandClock) -> None:
        self.api = api
        self.services = services
        self.clock = clock

    async def create(self, url: str, **members: Any) -> dict[str, Any]:
        """Make a webhook; return it with its secret."""
        answer = await self.api.post(WEBHOOKS, {"url": url} | members)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def get(self, webhook: dict[str, Any]) -> dict[str, Any]:
        """Return the current state of a webhook."""
        return await self.read(f"{WEBHOOKS}/{webhook['id']}")

    async def list_deliveries(self, webhook: dict[str, Any], **query: Any) -> list[dict[str, Any]]:
        """Return a webhook's attempts, the newest first."""
        return await self.read(f"{WEBHOOKS}/{webhook['id']}/deliveries", **query)

    async def call(self, webhook: dict[str, Any], action: str, body: object = None) -> dict[str, Any]:
        """Rotate, test or replay."""
        answer = await self.api.post(f"{WEBHOOKS}/{webhook['id']}/{action}", body)
        assert answer.is_success, answer.text
        return answer.json()

    async def patch(self, webhook: dict[str, Any], member: str, value: object) -> dict[str, Any]:
        """Change a member."""
        patch = [{"op": "replace", "path": f"/{member}", "value": value}]
        answer = await self.api.request("PATCH", f"{WEBHOOKS}/{webhook['id']}", json=patch)
        assert answer.is_success, answer.text
        return answer.json()

    async def wait_until(self, moment: datetime) -> None:
        """Move the clock, and sign in again: tokens live an hour."""
        self.clock.moment = moment
        self.api = await self.api.of(self.api.firm, elevated=True)

    async def send_due(self) -> int:
        """Route what happened and make all attempts that are due; return how many there were."""
        await self.services.routing.route(self.clock())
        async with self.services.database.transaction(self.api.firm.tenant_id) as connection:
            due: int = await connection.fetchval(_DUE, self.clock())
        await self.services.jobs.run_due(self.clock)
        return due

    async def read(self, path: str, **query: Any) -> Any:
        """GET below /api."""
        answer = await self.api.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()


async def book(api: Api, starts_at: datetime = TUESDAY_AT_TEN) -> dict[str, Any]:
    """Book an hour with Anna, of which webhooks are notified; return the meeting."""
    times = {"startDate": starts_at.isoformat(), "endDate": (starts_at + timedelta(hours=1)).isoformat()}
    answered = await api.book(employeeId=api.id_of("employee", "Anna Holm"), type="Online", **times)
    assert answered.status_code == 201, answered.text
    return answered.json()
