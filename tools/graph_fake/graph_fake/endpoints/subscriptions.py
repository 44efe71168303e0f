"""Subscriptions of change notifications."""

import re
from typing import Final

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.params import FromPath

from graph_fake.paging import write_page
from graph_fake.problems import GraphProblem, read_body
from graph_fake.requests import READS, Call, answer, answer_nothing, get_address, get_caller, get_world, open_mailbox
from graph_fake.subscriptions import SubscriptionDraft

_RESOURCE: Final = re.compile(r"/?users/([^/]+)/(?:calendar/)?events", re.IGNORECASE)


class _Renewal(msgspec.Struct, rename="camel"):
    """The body that renews a subscription."""

    expiration_date_time: str


@post("/v1.0/subscriptions")
async def add_subscription(request: Call) -> Response[bytes]:
    """Create a subscription: an address is notified of a mailbox's changes."""
    draft = read_body(await request.body(), SubscriptionDraft)
    if (found := _RESOURCE.fullmatch(draft.resource)) is None:
        raise GraphProblem(400, "ExtensionError", f"The resource {draft.resource} is not one of the fake's.")
    _, person = open_mailbox(request, found[1], READS)
    caller = get_caller(request)
    subscriptions = get_world(request).subscriptions
    added = await subscriptions.add(caller.tenant, caller.application.client_id, person, draft)
    return answer(added.to_resource(), 201)


@get("/v1.0/subscriptions")
async def list_subscriptions(request: Call) -> Response[bytes]:
    """Return a page of the caller's subscriptions."""
    found = get_world(request).subscriptions.list_of(get_caller(request).application.client_id)
    return answer(write_page([each.to_resource() for each in found], request.query_params, get_address(request), 100))


@patch("/v1.0/subscriptions/{id:str}")
async def renew_subscription(id: FromPath[str], request: Call) -> Response[bytes]:  # noqa: A002 - its name in the address
    """Extend a subscription."""
    subscriptions = get_world(request).subscriptions
    found = subscriptions.get(id, get_caller(request).application.client_id)
    found.expires_at = subscriptions.read_expiry(read_body(await request.body(), _Renewal).expiration_date_time)
    return answer(found.to_resource())


@delete("/v1.0/subscriptions/{id:str}", status_code=200)
async def delete_subscription(id: FromPath[str], request: Call) -> Response[bytes]:  # noqa: A002 - its name in the address
    """Delete a subscription."""
    subscriptions = get_world(request).subscriptions
    del subscriptions.kept[subscriptions.get(id, get_caller(request).application.client_id).id]
    return answer_nothing()


HANDLERS: Final = [add_subscription, list_subscriptions, renew_subscription, delete_subscription]
