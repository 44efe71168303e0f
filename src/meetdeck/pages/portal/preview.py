"""Drawing unsaved portals: an operation of the API, because the pages draw them (ADR 0138)."""

from datetime import timedelta
from typing import Final
from uuid import uuid4

from litestar import Controller, post

from meetdeck.booking import examples
from meetdeck.booking.configuration.portals.schemas import (
    AuthenticationType,
    PortalContent,
    PortalPreview,
    PreviewQuery,
    PreviewStep,
)
from meetdeck.booking.configuration.portals.service.portals import draw_up_portal
from meetdeck.booking.slots.model import MeetingType
from meetdeck.pages.html import make_drawing_policy
from meetdeck.pages.portal.answers import find_logo_origins
from meetdeck.pages.portal.journey import Portals
from meetdeck.pages.portal.requests import Page
from meetdeck.pages.portal.schemas import Choices, Hold, Person, Visit
from meetdeck.pages.portal.service.offers import MeetingOption, list_topics, list_ways
from meetdeck.pages.portal.service.visits import Request, open_draft
from meetdeck.pages.portal.steps import show_details, show_first_step
from meetdeck.platform.database import Connection
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import CurrentCall, Service
from meetdeck.platform.http.requests import Body, Query, accepts

_AHEAD: Final = timedelta(days=7)
_LENGTH: Final = timedelta(hours=1)
_HELD_FOR: Final = timedelta(minutes=5)


class PortalPreviews(Controller):
    """The pages of unsaved portals."""

    path = "/config/portals"
    tags = ("Portals",)

    @post(
        "/preview",
        status_code=200,
        summary="See a portal",
        **accepts(body=PortalContent, query=PreviewQuery, example=examples.NEW_PORTAL),
    )
    async def preview_portal(
        self,
        call: CurrentCall,
        request: AnyRequest,
        portals: Service[Portals],
        payload: Body[PortalContent],
        params: Query[PreviewQuery],
    ) -> PortalPreview:
        """Return a page of the portal that a body describes; nothing is stored, and no time is held."""
        language = params.language.value if params.language is not None else ""
        asked = Request(Choices(language=language), request.headers.get("Accept-Language", ""), call.now)
        async with call.transaction() as connection:
            portal = await draw_up_portal(connection, payload)
            visit = await open_draft(connection, call.principal.tenant_id, portal, asked)
            hold = await _make_up_hold(connection, visit)
        page = Page(request, portals, visit)
        if params.step is PreviewStep.DETAILS:
            drawn = await show_details(page, hold, _make_up_person(visit))
        else:
            drawn = await show_first_step(page)
        return PortalPreview(drawn.content.decode(), make_drawing_policy(find_logo_origins(portal)))


async def _make_up_hold(connection: Connection, visit: Visit) -> Hold:
    """Return an invented hold, for the first topic and meeting type of the portal."""
    topics = await list_topics(connection, visit)
    topic = topics[0] if topics else None
    ways = await list_ways(connection, visit, topic.id if topic is not None else None)
    way = ways[0] if ways else MeetingOption(MeetingType.ONLINE, "")
    starts_at = visit.now.replace(minute=0, second=0, microsecond=0) + _AHEAD
    return Hold(
        portal_id=visit.portal.id,
        token=uuid4(),
        time_slot_id=uuid4(),
        topic_id=topic.id if topic is not None else None,
        topic=topic.name if topic is not None else "",
        meeting_type=way.meeting_type,
        place=way.place,
        address=way.address,
        employee_id=uuid4(),
        advisor=visit.texts.translate("Advisor"),
        starts_at=starts_at,
        ends_at=starts_at + _LENGTH,
        expires_at=visit.now + _HELD_FOR,
        held_at=visit.now,
    )


def _make_up_person(visit: Visit) -> Person | None:
    """Return an invented signed-in customer, if the portal's customers sign in."""
    if visit.portal.authentication_type is AuthenticationType.ANONYMOUS:
        return None
    return Person(portal_id=visit.portal.id, customer_id="1", name="Freja Holm", email="freja@example.com")
