"""Reads requests for a portal's pages: handlers get the requested page, or the form that was sent to it."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Self, TypeAlias
from uuid import UUID

import msgspec
from litestar import Response
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath

from meetdeck.pages.forms import list_texts, read_form, read_refused_form
from meetdeck.pages.portal.answers import show_page
from meetdeck.pages.portal.journey import Portals
from meetdeck.pages.portal.schemas import Choices, FormValues, Hold, Person, Ticket, Visit, WishTicket
from meetdeck.pages.portal.service.details import is_answer, needs_person, read_typed
from meetdeck.pages.portal.service.holds import Visitor
from meetdeck.pages.portal.service.topics import NUMBER, SEARCH
from meetdeck.pages.portal.service.visits import FoundPortal
from meetdeck.pages.portal.service.wish_form import WISH_INPUTS, is_way
from meetdeck.platform.errors import TooManyRequests, Unavailable
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import Service
from meetdeck.platform.http.limits import (
    find_caller_address,
    limit_address,
    limit_address_changes,
    limit_holds,
    limit_mails,
)

_OURS = {"ticket", "hold", "person", "time", "name", "email", "page", "website", SEARCH, NUMBER, *WISH_INPUTS}
"""The inputs of our forms that are not choices."""


class Page(msgspec.Struct, frozen=True):
    """A request for a page of a portal."""

    request: AnyRequest
    portals: Portals
    visit: Visit

    @classmethod
    async def open(cls, request: AnyRequest, portals: Portals, portal: FoundPortal, choices: Choices) -> Self:
        """Return the page of a portal. Raises PortalUnknown, TenantDisabled."""
        accepted = request.headers.get("Accept-Language", "")
        visit = await portals.visit(portal, choices, accepted, str(request.path_params.get("token", "")))
        request.state["language"], request.state["visit"] = visit.texts.language, visit
        return cls(request, portals, visit)

    def show(
        self,
        name: str,
        status: int = HTTPStatus.OK,
        *,
        form_origin: str = "",
        **values: Any,  # noqa: ANN401 - a template's
    ) -> Response[bytes]:
        """Answer the page of a template, whose forms may lead to our own pages, and to one other origin."""
        return show_page(self.request, self.visit, name, values, status=status, form_origin=form_origin)

    @property
    def visitor(self) -> Visitor:
        """Return the visitor who requests the page."""
        return Visitor(self.visit, find_caller_address(self.request.scope))

    async def count_hold(self) -> None:
        """Count a time that is about to be held or kept. Raises RateLimited."""
        await limit_holds(self.request.scope, self.visit.portal.id)

    async def count_mail(self) -> None:
        """Count a mail to a typed and unconfirmed address, if mails are sent. Raises MailsLimited."""
        visit = self.visit
        if needs_person(visit) and await self.portals.sends_mail(visit):
            await limit_mails(self.request.scope, visit.tenant_id, visit.portal.id)

    async def confirms_email(self) -> bool:
        """Return whether a meeting is booked only after the customer has confirmed the typed address."""
        visit = self.visit
        return visit.portal.confirm_email and needs_person(visit) and await self.portals.sends_mail(visit)

    async def count_address_change(self, meeting_id: UUID) -> None:
        """Count a change of the customer's address of a meeting. Raises AddressChangesLimited."""
        await limit_address_changes(self.request.scope, meeting_id)


class SentForm(msgspec.Struct, frozen=True):
    """A form that was sent to a page: its inputs, and the values that they carry."""

    page: Page
    values: Mapping[str, str]

    def get(self, name: str) -> str:
        """Return the value of an input, empty if there is none."""
        return self.values.get(name, "")

    @property
    def ticket(self) -> Ticket | None:
        """Return the form's permission to hold a time."""
        return self.page.portals.seals.find(Ticket, self.get("ticket"), self.page.visit.portal.id, self.page.visit.now)

    @property
    def hold(self) -> Hold | None:
        """Return the form's held time."""
        return self.page.portals.seals.find(Hold, self.get("hold"), self.page.visit.portal.id, self.page.visit.now)

    @property
    def person(self) -> Person | None:
        """Return the customer who signed in before the form was sent."""
        return self.page.portals.seals.find(Person, self.get("person"), self.page.visit.portal.id, self.page.visit.now)

    @property
    def slip(self) -> WishTicket | None:
        """Return the form's permission to add a waiting-list entry."""
        return self.page.portals.seals.find(
            WishTicket, self.get("wish"), self.page.visit.portal.id, self.page.visit.now
        )

    @property
    def typed(self) -> FormValues:
        """Return the typed values."""
        return read_typed(self.values)

    async def give_back(self) -> None:
        """Give back the form's held time, if any."""
        if self.hold is not None:
            await self.page.portals.holding.give_back(self.page.visit, self.hold)

    @property
    def has_typed(self) -> bool:
        """Return whether the form contains typed values."""
        return any(name in {"name", "email"} or is_answer(name) for name in self.values)


def _is_ours(name: str) -> bool:
    """Return whether an input of our forms is not a choice."""
    return name in _OURS or is_answer(name) or is_way(name)


CurrentPage: TypeAlias = NamedDependency[Page]
"""The type of a handler's parameter `page`."""

CurrentForm: TypeAlias = NamedDependency[SentForm]
"""The type of a handler's parameter `form`."""


async def find_portal(request: AnyRequest, portals: Portals, address: str) -> FoundPortal:
    """Return the portal at an address, and count the request. Raises PortalUnknown, RateLimited."""
    await limit_address(request.scope)
    return await portals.find(address)


async def open_page(request: AnyRequest, portals: Service[Portals], address: FromPath[str]) -> Page:
    """Return the requested page, with the choices in its address."""
    portal = await find_portal(request, portals, address)
    chosen = [(name, value) for name, value in request.query_params.multi_items() if name not in {SEARCH, NUMBER}]
    return await Page.open(request, portals, portal, Choices.read(chosen))


async def open_form(request: AnyRequest, portals: Service[Portals], address: FromPath[str]) -> SentForm:
    """Return the form, with the choices that it carries; of several inputs with one name the last.

    The form is read once the portal is known. A page that refuses it shows its texts again.
    """
    try:
        portal = await find_portal(request, portals, address)
    except (TooManyRequests, Unavailable):
        request.state["sent"] = dict(await read_refused_form(request))
        raise
    request.state["sent"] = sent = dict(list_texts(await read_form(request)))
    chosen = [(name, value) for name, value in sent.items() if not _is_ours(name)]
    return SentForm(await Page.open(request, portals, portal, Choices.read(chosen)), sent)


PAGE_DEPENDENCIES = {"page": Provide(open_page), "form": Provide(open_form)}
"""The dependencies of a portal's handlers; only those that a handler names are created."""
