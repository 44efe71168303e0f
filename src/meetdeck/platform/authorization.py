"""People at the built-in token issuer (test environment): they choose who they are, and a code becomes their tokens.

Authorization code with PKCE (RFC 6749, section 4.1; RFC 7636), as OpenID Connect Core, section 3.1, has it.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from http import HTTPStatus
from itertools import groupby
from typing import Any, Protocol
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from meetdeck.platform import pkce
from meetdeck.platform.addresses import check_address, is_loopback
from meetdeck.platform.errors import Invalid, Unauthenticated
from meetdeck.platform.issuer import TOKEN_LIFETIME, TokenIssuer
from meetdeck.platform.outgoing import OutgoingAnswer, OutgoingCall, Send
from meetdeck.platform.sealing import SealBroken, Sealer, SealExpired
from meetdeck.platform.tokens import KeySource, verify_token

CODE_LIFETIME = timedelta(seconds=60)
PAGES_CLIENT = "meetdeck-pages"
CONSOLE_CLIENT = "meetdeck-console"

_PURPOSE = "authorization code"
_PROMPTS = {"login", "select_account", "consent"}  # what is done at each request anyway


class UserKind(StrEnum):
    """The two kinds of people."""

    STAFF = "Staff"
    CUSTOMER = "Customer"


CLIENTS = {PAGES_CLIENT: UserKind.CUSTOMER, CONSOLE_CLIENT: UserKind.STAFF}
"""Our own pages as clients, and the kind of people that each lets in; they are public, and have no secret."""


class User(msgspec.Struct, frozen=True):
    """Somebody who can sign in; the names are unique in the installation."""

    tenant_id: UUID
    tenant: str
    user_name: str
    user_id: UUID
    kind: UserKind
    name: str
    email: str
    roles: tuple[str, ...] = ()


class Users(Protocol):
    """The people of all tenants, and the codes that were redeemed."""

    async def list_users(self, kind: UserKind) -> list[User]:
        """Return everybody of a kind, tenant by tenant."""
        ...

    async def find_user(self, tenant_id: UUID, user_name: str) -> User | None:
        """Return somebody by name."""
        ...

    async def use_code(self, tenant_id: UUID, digest: bytes, now: datetime) -> bool:
        """Write down that a code was redeemed, by its hash; return False when it was before."""
        ...


class UntrustedRequest(Invalid):
    """A request to sign in that nobody may be sent back from: of an unknown client, or to a strange address."""

    code = "untrusted_request"


class RefusedRequest(Exception):  # noqa: N818 - as the specification calls it
    """A request to sign in that breaks a rule; `address` tells the client (RFC 6749, section 4.1.2.1)."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.address = address


class RefusedToken(Exception):  # noqa: N818
    """A code that is not redeemed, in the words of RFC 6749, section 5.2."""

    def __init__(self, error: str, description: str) -> None:
        super().__init__(description)
        self.error = error
        self.description = description

    @property
    def status(self) -> HTTPStatus:
        """Return the status that goes along."""
        return HTTPStatus.UNAUTHORIZED if self.error == "invalid_client" else HTTPStatus.BAD_REQUEST


class AuthorizationRequest(msgspec.Struct, frozen=True):
    """A request to sign in that is well-formed, and comes from one of our own pages."""

    client_id: str
    redirect_uri: str
    code_challenge: str
    scope: str = ""
    state: str | None = None
    nonce: str | None = None
    acr_values: str = ""
    login_hint: str = ""

    @property
    def kind(self) -> UserKind:
        """Return the kind of people that may sign in."""
        return CLIENTS[self.client_id]

    @property
    def parameters(self) -> dict[str, str]:
        """Return the parameters of the same request, to be sent again."""
        given = {name: str(value) for name, value in msgspec.structs.asdict(self).items() if value}
        return given | {"response_type": "code", "code_challenge_method": pkce.METHOD}


class Firm(msgspec.Struct, frozen=True):
    """A tenant and its people, as the page lists them."""

    name: str
    users: list[User]


class _Grant(msgspec.Struct, frozen=True, array_like=True):
    """What a code stands for."""

    tenant_id: UUID
    user_name: str
    client_id: str
    redirect_uri: str
    code_challenge: str
    scopes: tuple[str, ...]
    nonce: str | None
    level: str | None
    signed_in_at: datetime


class Authorization:
    """Gives codes to people, and tokens for codes; a code is sealed, good for a minute, and redeemed once."""

    def __init__(self, issuer: TokenIssuer, sealer: Sealer, users: Users, bases: Sequence[str]) -> None:
        """People are sent back to addresses below the `bases` alone, and to this machine itself."""
        self._issuer = issuer
        self._rules = issuer.rules
        self._sealer = sealer
        self._users = users
        self._bases = tuple(f"{base.rstrip('/')}/" for base in bases)
        self._userinfo = f"{self._rules.issuer}/oauth/userinfo"
        self._keys = KeySource(self._rules.issuer, issuer.fetch)

    def read_request(self, parameters: Iterable[tuple[str, str]]) -> AuthorizationRequest:
        """Return a request to sign in, by its parameters. Raises UntrustedRequest, RefusedRequest."""
        given, repeated = _read_once(parameters)
        client_id, redirect_uri = given.get("client_id", ""), given.get("redirect_uri", "")
        if client_id not in CLIENTS or "client_id" in repeated:
            raise UntrustedRequest(f"`client_id` must be {' or '.join(CLIENTS)}.")
        if not self._is_ours(redirect_uri) or "redirect_uri" in repeated:
            raise UntrustedRequest(f"`redirect_uri` must be one address below {self._bases[0]}, or of this machine.")
        fault = _find_fault(given, repeated)
        if fault is not None:
            raise RefusedRequest(self._answer(redirect_uri, given.get("state"), error=fault[0], description=fault[1]))
        return msgspec.convert(given, AuthorizationRequest)

    def refuse(self, request: AuthorizationRequest) -> str:
        """Return the address that tells the client that somebody did not want to sign in."""
        return self._answer(request.redirect_uri, request.state, error="access_denied", description="Cancelled.")

    async def list_firms(self, request: AuthorizationRequest) -> list[Firm]:
        """Return the people who may sign in; the one of the request's `login_hint` comes first."""
        users = await self._users.list_users(request.kind)
        firms = [Firm(name, list(people)) for name, people in groupby(users, key=lambda user: user.tenant)]
        for firm in firms:
            firm.users.sort(key=lambda user: user.user_name != request.login_hint)
        return sorted(firms, key=lambda firm: firm.users[0].user_name != request.login_hint)

    async def grant(self, request: AuthorizationRequest, user_name: str, now: datetime) -> str | None:
        """Return the address that brings a code for somebody to the client; None for nobody who may sign in."""
        users = await self._users.list_users(request.kind)
        user = next((one for one in users if one.user_name == user_name), None)
        if user is None:
            return None
        grant = _Grant(
            tenant_id=user.tenant_id,
            user_name=user.user_name,
            client_id=request.client_id,
            redirect_uri=request.redirect_uri,
            code_challenge=request.code_challenge,
            scopes=tuple(request.scope.split()),
            nonce=request.nonce,
            level=next(iter(request.acr_values.split()), None),
            signed_in_at=now,
        )
        code = self._sealer.seal(_PURPOSE, msgspec.msgpack.encode(grant), now, CODE_LIFETIME)
        return self._answer(request.redirect_uri, request.state, code=code)

    async def redeem(self, form: Mapping[str, str], now: datetime) -> dict[str, Any]:
        """Return the tokens for a code (RFC 6749, section 4.1.4). Raises RefusedToken; a code has one try."""
        if form.get("client_id") not in CLIENTS or form.get("client_secret"):
            raise RefusedToken("invalid_client", f"client_id must be {' or '.join(CLIENTS)}, without a secret.")
        missing = [name for name in ("code", "redirect_uri", "code_verifier") if not form.get(name)]
        if missing:
            raise RefusedToken("invalid_request", f"Send {' and '.join(missing)}, form-encoded.")
        grant = await self._open_code(form["code"], now)
        if (grant.client_id, grant.redirect_uri) != (form["client_id"], form["redirect_uri"]):
            raise RefusedToken("invalid_grant", "The code was given to another client_id or redirect_uri.")
        if not pkce.is_met(grant.code_challenge, form["code_verifier"]):
            raise RefusedToken("invalid_grant", "The code_verifier is not the one of the code_challenge.")
        user = await self._users.find_user(grant.tenant_id, grant.user_name)
        if user is None:
            raise RefusedToken("invalid_grant", "Who signed in is not there any more.")
        return self._issue(user, grant, now)

    async def describe_user(self, access_token: str, now: datetime) -> dict[str, Any]:
        """Return the claims about whoever an access token was issued to. Raises Unauthenticated."""
        claims = await verify_token(access_token, self._keys, now, audience=self._userinfo)
        user = await self._users.find_user(UUID(claims[self._rules.tenant_claim]), claims["preferred_username"])
        if user is None:
            raise Unauthenticated("Who signed in is not there any more.")
        return self._describe(user, claims["scope"].split())

    def make_send(self, clock: Callable[[], datetime]) -> Send:
        """Return a function that answers our own pages in the process, as over HTTP."""

        async def send(call: OutgoingCall) -> OutgoingAnswer:
            try:
                if call.address == f"{self._rules.issuer}/oauth/token":
                    return _write(HTTPStatus.OK, await self.redeem(call.form or {}, clock()))
                if call.address == self._userinfo:
                    return _write(
                        HTTPStatus.OK, await self.describe_user((call.authorization or "").partition(" ")[2], clock())
                    )
            except RefusedToken as error:
                return _write(error.status, {"error": error.error, "error_description": error.description})
            except Unauthenticated as error:
                return _write(HTTPStatus.UNAUTHORIZED, {"error": "invalid_token", "error_description": error.detail})
            raise OSError(f"{call.address} is no address of the built-in issuer")

        return send

    def _is_ours(self, address: str) -> bool:
        try:
            check_address(address)
        except ValueError:
            return False
        return address.isascii() and (address.startswith(self._bases) or is_loopback(address))

    def _answer(
        self,
        redirect_uri: str,
        state: str | None,
        *,
        code: str | None = None,
        error: str | None = None,
        description: str | None = None,
    ) -> str:
        """Return the address of an answer, which names its issuer (RFC 9207)."""
        answer = {"code": code, "error": error, "error_description": description, "state": state}
        given = {name: value for name, value in answer.items() if value is not None}
        return f"{redirect_uri}?{urlencode(given | {'iss': self._rules.issuer})}"

    async def _open_code(self, code: str, now: datetime) -> _Grant:
        try:
            grant = msgspec.msgpack.decode(self._sealer.open(_PURPOSE, code, now), type=_Grant)
        except SealExpired:
            raise RefusedToken("invalid_grant", "The code has expired: it is good for a minute.") from None
        except SealBroken:
            raise RefusedToken("invalid_grant", "The code is none of this issuer's.") from None
        if not await self._users.use_code(grant.tenant_id, hashlib.sha256(code.encode()).digest(), now):
            raise RefusedToken("invalid_grant", "The code was redeemed before.")
        return grant

    def _issue(self, user: User, grant: _Grant, now: datetime) -> dict[str, Any]:
        """Return an access token, of the API for staff alone, and an ID token for whoever asked for one (`openid`)."""
        about = self._identify(user)
        staff = [self._rules.audience] if user.kind is UserKind.STAFF else []
        access = about | {
            "aud": [*staff, self._userinfo],
            "client_id": grant.client_id,
            "scope": " ".join(grant.scopes),
        }
        tokens: dict[str, Any] = {
            "access_token": self._issuer.sign("at+jwt", access, now),
            "token_type": "Bearer",
            "expires_in": int(TOKEN_LIFETIME.total_seconds()),
            "scope": " ".join(grant.scopes),
        }
        if "openid" in grant.scopes:
            asked = {"nonce": grant.nonce, "acr": grant.level}
            claims = self._describe(user, grant.scopes) | {
                "aud": grant.client_id,
                "auth_time": int(grant.signed_in_at.astimezone(UTC).timestamp()),
                **{name: value for name, value in asked.items() if value is not None},
            }
            tokens["id_token"] = self._issuer.sign("JWT", claims, now)
        return tokens

    def _identify(self, user: User) -> dict[str, Any]:
        return {
            "sub": user.user_name,
            "preferred_username": user.user_name,
            self._rules.tenant_claim: str(user.tenant_id),
            self._rules.user_claim: str(user.user_id),
            self._rules.roles_claim: list(user.roles),
        }

    def _describe(self, user: User, scopes: Sequence[str]) -> dict[str, Any]:
        said = {"profile": {"name": user.name}, "email": {"email": user.email, "email_verified": True}}
        more = {name: value for scope, claims in said.items() if scope in scopes for name, value in claims.items()}
        return self._identify(user) | more


def _read_once(parameters: Iterable[tuple[str, str]]) -> tuple[dict[str, str], list[str]]:
    """Return the parameters, empty ones left out, and the names of those that came several times."""
    given: dict[str, str] = {}
    repeated: list[str] = []
    for name, value in parameters:
        if name in given:
            repeated.append(name)
        elif value:
            given[name] = value
    return given, repeated


def _find_fault(given: Mapping[str, str], repeated: Sequence[str]) -> tuple[str, str] | None:
    """Return the error and its description for a request that breaks a rule."""
    kind = given.get("response_type")
    has_challenge = pkce.is_challenge(given.get("code_challenge", ""))
    prompts = set(given.get("prompt", "").split())
    rules = (
        (repeated, "invalid_request", "Send each parameter once."),
        ("request" in given, "request_not_supported", "Send the parameters themselves."),
        ("request_uri" in given, "request_uri_not_supported", "Send the parameters themselves."),
        (not kind, "invalid_request", "Send response_type=code."),
        (kind != "code", "unsupported_response_type", "Send response_type=code."),
        (given.get("response_mode", "query") != "query", "invalid_request", "The response_mode is query."),
        (
            given.get("code_challenge_method") != pkce.METHOD or not has_challenge,
            "invalid_request",
            f"Send code_challenge and code_challenge_method={pkce.METHOD} (RFC 7636).",
        ),
        (prompts == {"none"}, "login_required", "Nobody is signed in beforehand: ask without prompt=none."),
        (prompts - _PROMPTS, "invalid_request", "prompt is none, or some of login, select_account and consent."),
    )
    return next(((error, description) for broken, error, description in rules if broken), None)


def _write(status: HTTPStatus, content: dict[str, Any]) -> OutgoingAnswer:
    return OutgoingAnswer(status, msgspec.json.encode(content))
