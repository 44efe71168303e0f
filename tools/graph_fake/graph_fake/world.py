"""Everything that the fake knows."""

from datetime import datetime

import msgspec

from graph_fake.calendars import Calendars, Change
from graph_fake.clock import Clock
from graph_fake.directory import Person, Tenant
from graph_fake.events import Event
from graph_fake.faults import Faults
from graph_fake.problems import GraphProblem
from graph_fake.subscriptions import Subscriptions
from graph_fake.throttling import Throttle
from graph_fake.tokens import Tokens


class RecordedRequest(msgspec.Struct, rename="camel", kw_only=True):
    """A request that came, and how it ended; `status` 0: it was never answered."""

    number: int
    at: datetime
    method: str
    path: str
    query: str
    application: str
    body: object
    status: int = 0
    seconds: float = 0.0


class World:
    """Tenants and their calendars, and the rules of the traffic to them."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.tokens = Tokens()
        self.throttle = Throttle()
        self.faults = Faults()
        self.subscriptions = Subscriptions(self.clock)
        self.latency_seconds = 0.0
        self.asked: list[RecordedRequest] = []
        self.tenants: dict[str, Tenant] = {}
        self._calendars: dict[str, Calendars] = {}

    def add_tenant(self, id: str) -> Tenant:  # noqa: A002 - its name everywhere
        """Return a tenant, which is made if there is none of this id."""
        if (known := self.tenants.get(id)) is not None:
            return known
        tenant = self.tenants[id] = Tenant(id)

        def notify(person: Person, event: Event, change: Change) -> None:
            self.subscriptions.notify(tenant, person, event, change)

        self._calendars[id] = Calendars(tenant, self.clock, notify)
        return tenant

    def get_tenant(self, id: str) -> Tenant:  # noqa: A002 - its name everywhere
        """Return a tenant. Raises GraphProblem."""
        if (tenant := self.tenants.get(id)) is None:
            raise GraphProblem(404, "ResourceNotFound", f"There is no tenant {id}.")
        return tenant

    def get_calendars(self, tenant: Tenant) -> Calendars:
        """Return the calendars of a tenant."""
        return self._calendars[tenant.id]
