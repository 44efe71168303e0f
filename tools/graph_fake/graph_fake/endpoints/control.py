"""The addresses by which a test makes and watches the world; Graph has none of them."""

from datetime import datetime, timedelta
from typing import Final

import msgspec
from litestar import Response, delete, get, patch, post, put
from litestar.params import FromPath

from graph_fake.events import Draft
from graph_fake.faults import Fault
from graph_fake.problems import GraphProblem, read_body
from graph_fake.requests import Call, answer, answer_nothing, get_world
from graph_fake.seeding import Seed, plant
from graph_fake.subscriptions import Delivery
from graph_fake.throttling import Limits


class _ClockChange(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """Seconds to move by; a moment to stop at; or to run again."""

    move_seconds: float = 0.0
    stop_at: datetime | None = None
    runs: bool = False


class _Behavior(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """The fake's behavior; members that are left out stay unchanged."""

    latency_seconds: float | None = None
    limits: Limits | None = None
    notifications: Delivery | None = None


@post("/_control/tenants")
async def plant_tenant(request: Call) -> Response[bytes]:
    """Make a tenant, or add to one."""
    world = get_world(request)
    try:
        tenant = plant(world, read_body(await request.body(), Seed))
    except msgspec.ValidationError as error:
        raise GraphProblem(400, "BadRequest", str(error)) from None
    people = {each.mail: each.id for each in tenant.people.values()}
    return answer({"id": tenant.id, "people": people, "groups": [*tenant.groups]}, 201)


@delete("/_control/tenants/{tenant_id:str}/people/{key:str}", status_code=200)
async def remove_person(tenant_id: FromPath[str], key: FromPath[str], request: Call) -> Response[bytes]:
    """Remove a person, as one that leaves the firm."""
    tenant = get_world(request).get_tenant(tenant_id)
    tenant.remove_person(tenant.get_person(key))
    return answer_nothing()


@get("/_control/tenants/{tenant_id:str}/people/{key:str}/events")
async def list_events_of(tenant_id: FromPath[str], key: FromPath[str], request: Call) -> Response[bytes]:
    """Return all events of a mailbox."""
    world = get_world(request)
    tenant = world.get_tenant(tenant_id)
    events = world.get_calendars(tenant).list_events(tenant.get_person(key))
    return answer([each.to_resource(world.clock.now()) for each in events])


@patch("/_control/tenants/{tenant_id:str}/people/{key:str}/events/{event_id:str}")
async def change_event_of(
    tenant_id: FromPath[str], key: FromPath[str], event_id: FromPath[str], request: Call
) -> Response[bytes]:
    """Change an event as its person would in Outlook: no token, no limit."""
    world = get_world(request)
    tenant = world.get_tenant(tenant_id)
    draft = read_body(await request.body(), Draft)
    event = world.get_calendars(tenant).change(tenant.get_person(key), event_id, draft, None)
    return answer(event.to_resource(world.clock.now()))


@delete("/_control/tenants/{tenant_id:str}/people/{key:str}/events/{event_id:str}", status_code=200)
async def remove_event_of(
    tenant_id: FromPath[str], key: FromPath[str], event_id: FromPath[str], request: Call
) -> Response[bytes]:
    """Remove an event as its person would in Outlook."""
    world = get_world(request)
    tenant = world.get_tenant(tenant_id)
    world.get_calendars(tenant).remove(tenant.get_person(key), event_id)
    return answer_nothing()


@get("/_control/clock")
async def read_clock(request: Call) -> Response[bytes]:
    """Return the fake's time."""
    return answer({"now": get_world(request).clock.now()})


@post("/_control/clock", status_code=200)
async def move_clock(request: Call) -> Response[bytes]:
    """Move the fake's clock, stop it, or let it run."""
    clock, change = get_world(request).clock, read_body(await request.body(), _ClockChange)
    if change.stop_at is not None or change.runs:
        clock.stop_at(change.stop_at)
    clock.move(timedelta(seconds=change.move_seconds))
    return answer({"now": clock.now()})


@put("/_control/behavior")
async def set_behavior(request: Call) -> Response[bytes]:
    """Set latency, limits and the delivery of notifications."""
    world, wanted = get_world(request), read_body(await request.body(), _Behavior)
    if wanted.latency_seconds is not None:
        world.latency_seconds = wanted.latency_seconds
    world.throttle.limits = wanted.limits or world.throttle.limits
    world.subscriptions.delivery = wanted.notifications or world.subscriptions.delivery
    return answer({"latencySeconds": world.latency_seconds, "limits": world.throttle.limits})


@post("/_control/faults")
async def script_faults(request: Call) -> Response[bytes]:
    """Add faults to those that are waiting."""
    world = get_world(request)
    world.faults.waiting += read_body(await request.body(), list[Fault])
    return answer(world.faults.waiting, 201)


@get("/_control/faults")
async def list_faults(request: Call) -> Response[bytes]:
    """Return the faults that are still waiting."""
    return answer(get_world(request).faults.waiting)


@delete("/_control/faults", status_code=200)
async def clear_faults(request: Call) -> Response[bytes]:
    """Forget the faults that are waiting."""
    get_world(request).faults.waiting.clear()
    return answer_nothing()


@get("/_control/requests")
async def list_requests(request: Call) -> Response[bytes]:
    """Return the requests to Graph after the one numbered `after`, and what the limits saw."""
    world = get_world(request)
    after = int(request.query_params.get("after", "0"))
    throttle = world.throttle
    counts = {"mostAtOnce": throttle.most_seen_at_once, "throttled": throttle.refused, "told": world.subscriptions.told}
    return answer({"value": world.asked[after:], **counts})


HANDLERS: Final = [
    plant_tenant,
    remove_person,
    list_events_of,
    change_event_of,
    remove_event_of,
    read_clock,
    move_clock,
    set_behavior,
    script_faults,
    list_faults,
    clear_faults,
    list_requests,
]
