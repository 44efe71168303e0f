"""Signing people in, with no cookie and nothing stored: everything needed afterwards travels in `state`.

The reasons: docs/decisions/0074-people-sign-in-without-cookies.md.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, NamedTuple, Self

import msgspec
import structlog

from meetdeck.platform.identity.authorization_requests import CONSOLE_CLIENT, PAGES_CLIENT
from meetdeck.platform.identity.openid import (
    Provider,
    ProviderUnavailable,
    RelyingParty,
    SignInAttempt,
    SignInCancelled,
    SignInFailed,
    Tokens,
)
from meetdeck.platform.identity.openid_provider import ProviderCalls
from meetdeck.platform.identity.tokens import KeySource, read_text_claim
from meetdeck.platform.outgoing import Fetch, Send, make_fetch, make_send
from meetdeck.platform.secrets import SealBroken, Sealer, SealExpired, pkce
from meetdeck.platform.settings import ProviderSettings, Settings

LIFETIME = timedelta(minutes=15)
"""The time that a person may take to sign in."""

_PURPOSE = "sign-in"
_NAMES_OF_STAFF = ("name", "email")

log = structlog.stdlib.get_logger()


class SignInKind(StrEnum):
    """The methods to sign in: those of customers as portals name them, and that of staff."""

    IDENTITY_PROVIDER = "IdentityProvider"
    NATIONAL_ID = "NationalId"
    STAFF = "Staff"


class Person(msgspec.Struct, frozen=True):
    """A customer who signed in; `customer_id` is the same each time."""

    customer_id: str
    name: str | None = None
    email: str | None = None


class CompletedSignIn(NamedTuple):
    """A completed sign-in: the provider's claims, the kind of sign-in, and the payload given to `begin`."""

    claims: Mapping[str, Any]
    kind: SignInKind
    payload: bytes
    tokens: Tokens = Tokens()


class Claims(NamedTuple):
    """The names of the claims that become a `Person`."""

    customer: str = "sub"
    name: str = "name"
    email: str = "email"


class SignInMethod(NamedTuple):
    """A method to sign in: a provider, and the names of its claims."""

    party: RelyingParty
    claims: Claims = Claims()


class _State(msgspec.Struct, frozen=True, array_like=True):
    kind: SignInKind
    attempt: SignInAttempt
    payload: bytes


class SignIns:
    """Sends people to sign in and receives them again; any process of the installation may do the second."""

    def __init__(self, sealer: Sealer, methods: Mapping[SignInKind, SignInMethod]) -> None:
        self._sealer = sealer
        self._methods = methods

    @classmethod
    def open(cls, settings: Settings, sealer: Sealer, built_in: "BuiltInProvider | None" = None) -> Self:
        """Return the methods in the settings; the built-in issuer replaces each provider that is not set."""
        methods = {
            SignInKind.IDENTITY_PROVIDER: _open_method(settings.portal, built_in),
            SignInKind.NATIONAL_ID: _open_method(settings.national_id, built_in),
            SignInKind.STAFF: _open_staff_method(settings, built_in),
        }
        return cls(sealer, {kind: method for kind, method in methods.items() if method is not None})

    async def begin(
        self,
        kind: SignInKind,
        redirect_uri: str,
        payload: bytes,
        now: datetime,
        *,
        language: str | None = None,
        most_seconds: int | None = None,
    ) -> str:
        """Return the address to send a person to. Raises ProviderUnavailable, also when no provider is set.

        They return to `redirect_uri`, and `finish` returns the payload, which nobody else can read. It is a part
        of an address: at most some 2,000 bytes. `most_seconds`: they must sign in again (`SignInAttempt`).
        """
        attempt = SignInAttempt(redirect_uri, secrets.token_urlsafe(32), pkce.make_verifier(), most_seconds)
        state = msgspec.msgpack.encode(_State(kind, attempt, payload))
        sealed = self._sealer.seal(_PURPOSE, state, now, LIFETIME)
        return await self._find_method(kind).party.write_request(attempt, sealed, now, language=language)

    async def finish(self, answer: Mapping[str, str], now: datetime) -> CompletedSignIn:
        """Return the completed sign-in, by the parameters (`code`, `state`, `iss`, `error` …) of the return.

        Raises SignInCancelled, SignInFailed, ProviderUnavailable; their `payload` is the one of `begin`, or None when
        the answer is to no request of ours.
        """
        state = self._open_state(answer.get("state", ""), now)
        try:
            claims, tokens = await self._find_method(state.kind).party.authenticate(state.attempt, answer, now)
        except (SignInCancelled, SignInFailed, ProviderUnavailable) as error:
            error.payload = state.payload
            raise
        return CompletedSignIn(claims, state.kind, state.payload, tokens)

    def find_calls(self, kind: SignInKind) -> ProviderCalls:
        """Return the calls of the provider at which a kind of people signs in. Raises ProviderUnavailable."""
        return self._find_method(kind).party.calls

    def read_person(self, signed_in: CompletedSignIn) -> Person:
        """Return the customer who signed in. Raises SignInFailed when the claims name none."""
        names = self._find_method(signed_in.kind).claims
        customer_id = read_text_claim(signed_in.claims.get(names.customer))
        if customer_id is None:
            log.error("sign-in failed", error=f"no usable claim '{names.customer}', which is to be the customerId")
            failed = SignInFailed()
            failed.payload = signed_in.payload
            raise failed
        name, email = (read_text_claim(signed_in.claims.get(claim)) for claim in (names.name, names.email))
        return Person(customer_id, name, email)

    def _open_state(self, sealed: str, now: datetime) -> _State:
        try:
            return _read_state(self._sealer.open(_PURPOSE, sealed, now))
        except SealExpired as error:
            failed = SignInFailed("Signing in took too long. Start again from the page that you came from.")
            failed.payload = _read_state(error.payload).payload
            raise failed from None
        except SealBroken as error:
            log.warning("sign-in failed", error="its state was not issued here")
            raise SignInFailed from error

    def _find_method(self, kind: SignInKind) -> SignInMethod:
        method = self._methods.get(kind)
        if method is None:
            log.error("sign-in not set up", kind=kind)
            raise ProviderUnavailable("Signing in is not set up here. Tell the firm whose page you came from.")
        return method


class BuiltInProvider(NamedTuple):
    """The built-in issuer as a provider, called in the process and not through the network."""

    issuer: str
    fetch: Fetch
    send: Send
    client_id: str = PAGES_CLIENT


def _open_staff_method(settings: Settings, built_in: BuiltInProvider | None) -> SignInMethod | None:
    """Return the method for staff, with the claims that the API's tokens have."""
    wanted = (settings.claim_roles, settings.claim_tenant, settings.claim_user, *_NAMES_OF_STAFF)
    return _open_method(settings.console, built_in and built_in._replace(client_id=CONSOLE_CLIENT), wanted)


def _open_method(
    settings: ProviderSettings, built_in: BuiltInProvider | None, wanted: tuple[str, ...] = ()
) -> SignInMethod | None:
    """Return the method in the settings; without a provider in them, the built-in issuer."""
    claims = Claims(settings.claim_customer, settings.claim_name, settings.claim_email)
    if settings.issuer is not None and settings.client_id is not None:
        secret = settings.client_secret.get_secret_value() if settings.client_secret else None
        issuer, client_id, fetch, send = settings.issuer, settings.client_id, make_fetch(), make_send()
    elif built_in is not None:
        secret, (issuer, fetch, send, client_id) = None, built_in
    else:
        return None
    provider = Provider(
        issuer=issuer,
        client_id=client_id,
        client_secret=secret,
        scopes=settings.scopes,
        claims=wanted or tuple(claims),
        acr_values=tuple(settings.acr_values.split()),
        level_claim=settings.claim_level,
    )
    return SignInMethod(RelyingParty(provider, KeySource(issuer, fetch), send), claims)


def _read_state(opened: bytes) -> _State:
    return msgspec.msgpack.decode(opened, type=_State)
