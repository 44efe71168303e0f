"""The services behind a portal's pages, and how a request becomes a visit."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Self
from uuid import uuid4

import msgspec
from litestar.datastructures import UploadFile

from meetdeck.pages.portal.links import ManageLinks
from meetdeck.pages.portal.schemas import Choices, Hold, Person, Ticket, Visit
from meetdeck.pages.portal.seals import Seals
from meetdeck.pages.portal.service.bookings import Bookings
from meetdeck.pages.portal.service.details import find_hidden_answers
from meetdeck.pages.portal.service.managing import Managing
from meetdeck.pages.portal.service.sign_ins import CustomerSignIns
from meetdeck.pages.portal.service.visits import Request, open_visit
from meetdeck.pages.rates import Rates
from meetdeck.platform.clock import Clock
from meetdeck.platform.db import Database
from meetdeck.platform.encryption import Encryption
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.idempotency import Fingerprints
from meetdeck.platform.sealing import Sealer
from meetdeck.platform.settings import Settings
from meetdeck.platform.sign_ins import SignIns


class Form(msgspec.Struct, frozen=True):
    """A form that was sent: its inputs, each once."""

    values: Mapping[str, str]

    def get(self, name: str) -> str:
        """Return the value of an input, empty for none."""
        return self.values.get(name, "")


class Secrets(NamedTuple):
    """The services that hide what is stored, made of the installation's key."""

    encryption: Encryption
    fingerprints: Fingerprints


@dataclass(frozen=True, slots=True, kw_only=True)
class Portals:
    """Opens the visits of portals, and holds the services that their pages stand on."""

    database: Database
    clock: Clock
    seals: Seals
    bookings: Bookings
    managing: Managing
    sign_ins: CustomerSignIns
    rates: Rates

    @classmethod
    def open(
        cls, settings: Settings, database: Database, clock: Clock, key: bytes, secrets: Secrets, sign_ins: SignIns
    ) -> Self:
        """Put the services together; `key` is the installation's."""
        return cls(
            database=database,
            clock=clock,
            seals=Seals(Sealer(key)),
            bookings=Bookings(database, secrets.encryption, secrets.fingerprints),
            managing=Managing(database, secrets.encryption, ManageLinks(key)),
            sign_ins=CustomerSignIns(sign_ins, settings.base_url),
            rates=Rates(
                visits=settings.address_rate_limit,
                holds=settings.address_hold_limit,
                portal_holds=settings.portal_hold_limit,
            ),
        )

    def now(self) -> datetime:
        """Return the moment of a request."""
        return self.clock()

    async def visit(self, request: AnyRequest, address: str) -> Visit:
        """Return the visit of a page that was asked for. Raises PortalUnknown."""
        return await self._open(request, address, Choices.read(request.query_params.multi_items()))

    async def visit_again(self, request: AnyRequest, address: str, params: Iterable[tuple[str, str]]) -> Visit:
        """Return the visit of a customer who comes back from elsewhere, with the choices made before."""
        return await self._open(request, address, Choices.read(params))

    async def visit_by_form(self, request: AnyRequest, address: str) -> tuple[Visit, Form]:
        """Return the visit of a page whose form was sent, and the form. Raises PortalUnknown."""
        form = await read_form(request)
        ours = {"ticket", "hold", "person", "time", "name", "email", "page", "website"}
        given = [
            (name, value) for name, value in form.values.items() if name not in ours and not name.startswith("answer-")
        ]
        return await self._open(request, address, Choices.read(given)), form

    def count_hold(self, request: AnyRequest, visit: Visit) -> None:
        """Count a time that is to be held. Raises TooManyVisits."""
        self.rates.count_hold(_find_visitor(request), str(visit.portal.id))

    async def _open(self, request: AnyRequest, address: str, choices: Choices) -> Visit:
        self.rates.count_visit(_find_visitor(request))
        accepted = request.headers.get("Accept-Language", "")
        return await open_visit(self.database, address, Request(choices, accepted, self.clock()))

    def make_ticket(self, visit: Visit) -> Ticket:
        """Return a new right to hold a time."""
        return Ticket(portal_id=visit.portal.id, token=uuid4(), hidden=find_hidden_answers(visit, visit.choices))

    def find_ticket(self, visit: Visit, form: Form) -> Ticket | None:
        """Return the ticket that a form was sent with."""
        return self.seals.find(Ticket, form.get("ticket"), visit.portal.id, visit.now)

    def find_hold(self, visit: Visit, form: Form) -> Hold | None:
        """Return the held time that a form was sent with."""
        return self.seals.find(Hold, form.get("hold"), visit.portal.id, visit.now)

    def find_person(self, visit: Visit, form: Form) -> Person | None:
        """Return the customer who signed in before a form was sent."""
        return self.seals.find(Person, form.get("person"), visit.portal.id, visit.now)


def _find_visitor(request: AnyRequest) -> str:
    """Return the network address of a browser, as far as we see it."""
    return request.client.host if request.client is not None else ""


async def read_form(request: AnyRequest) -> Form:
    """Return the inputs of a form; of several of one name the last."""
    sent = {name: value for name, value in (await request.form()).multi_items() if not isinstance(value, UploadFile)}
    request.state["sent"] = sent  # a page that refuses the form gives them back
    return Form(sent)
