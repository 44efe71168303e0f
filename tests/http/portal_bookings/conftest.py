"""A portal for anybody, and a visitor of its page; nobody has a meeting yet."""

from typing import Any

import pytest
import pytest_asyncio

from meetdeck.services import Services
from support.factories import Api
from support.fakes import HandClock
from support.portal_forms import FormVisitor
from support.portal_mails import Mailbox

Json = dict[str, Any]


@pytest_asyncio.fixture
async def portal(api: Api) -> Json:
    """Make a portal for anybody, with a hidden field that the address fills, and one with a default."""
    fields = [
        {"name": "phone", "label": "Telephone", "type": "Phone", "validation": {"required": True}},
        {"name": "campaign", "hidden": True},
        {"name": "source", "hidden": True, "defaultValue": "page"},
    ]
    body = {"name": "Ours", "address": "ours", "authenticationType": "Anonymous", "fields": fields}
    answer = await api.post("v3/config/portals", body)
    assert answer.status_code == 201, answer.text
    return answer.json()


@pytest.fixture
def visitor(api: Api, portal: Json) -> FormVisitor:
    """Lend a visitor of the portal."""
    return FormVisitor(api.http, portal["address"])


@pytest.fixture
def mailbox(services: Services, clock: HandClock) -> Mailbox:
    """Lend the mails to customers."""
    return Mailbox(services, clock)
