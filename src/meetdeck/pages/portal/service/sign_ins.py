"""Customers who sign in for a portal: their held time and choices travel to the provider and back."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from meetdeck.booking.configuration.portals.schemas import AuthenticationType
from meetdeck.pages.portal.schemas import Hold, Person, Visit
from meetdeck.platform.identity import Person as SignedInPerson
from meetdeck.platform.identity import ProviderUnavailable, SignInCancelled, SignInFailed, SignInKind, SignIns
from meetdeck.platform.process import MovedClocks

RETURN_PATH = "/p/signed-in"
"""The address, below the installation's own, to which providers send customers back."""

_KINDS = {
    AuthenticationType.IDENTITY_PROVIDER: SignInKind.IDENTITY_PROVIDER,
    AuthenticationType.NATIONAL_ID: SignInKind.NATIONAL_ID,
}


class SignInPayload(msgspec.Struct, frozen=True):
    """The payload of a sign-in: the portal's address, the held time, and the choices."""

    address: str
    hold: Hold
    choices: list[tuple[str, str]]


class SignInResult(NamedTuple):
    """A customer who comes back from a provider: signed in, or with the reason why not."""

    luggage: SignInPayload
    person: Person | None
    error: SignInCancelled | SignInFailed | ProviderUnavailable | None = None


class CustomerSignIns:
    """Sends customers to a portal's provider, and receives them."""

    def __init__(self, sign_ins: SignIns, base_url: str, moved: MovedClocks) -> None:
        self._sign_ins = sign_ins
        self._moved = moved
        self._redirect_uri = f"{base_url}{RETURN_PATH}"

    async def begin(self, visit: Visit, hold: Hold) -> str:
        """Return the provider's address to which the customer is sent. Raises ProviderUnavailable."""
        luggage = SignInPayload(visit.address, hold, visit.choices.params)
        kind = _KINDS[visit.portal.authentication_type]
        payload = msgspec.msgpack.encode(luggage)
        now = self._moved.to_real(visit.tenant_id, visit.now)
        return await self._sign_ins.begin(kind, self._redirect_uri, payload, now, language=visit.texts.language)

    async def find_origin(self, visit: Visit, hold: Hold) -> str:
        """Return the origin of the provider's page, to which a form may lead; empty if the provider is unavailable."""
        try:
            parts = urlsplit(await self.begin(visit, hold))
        except ProviderUnavailable:
            return ""
        return f"{parts.scheme}://{parts.netloc}"

    async def finish(self, answer: Mapping[str, str], now: datetime) -> SignInResult:
        """Return the customer who comes back. Raises SignInFailed for anything but an answer to our request."""
        try:
            signed_in = await self._sign_ins.finish(answer, now)
            person = self._sign_ins.read_person(signed_in)
        except (SignInCancelled, SignInFailed, ProviderUnavailable) as error:
            if error.payload is None:
                raise
            return SignInResult(_read(error.payload), None, error)
        luggage = _read(signed_in.payload)
        return SignInResult(luggage, _make_person(person, luggage))


def _make_person(signed_in: SignedInPerson, luggage: SignInPayload) -> Person:
    return Person(
        portal_id=luggage.hold.portal_id,
        customer_id=signed_in.customer_id,
        name=signed_in.name or "",
        email=signed_in.email or "",
    )


def _read(payload: bytes) -> SignInPayload:
    return msgspec.msgpack.decode(payload, type=SignInPayload)
