"""Sign-in at the built-in token issuer (test environment): people choose who they are, and a code becomes their tokens.

Authorization code with PKCE (RFC 6749, section 4.1; RFC 7636), as in OpenID Connect Core, section 3.1.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from itertools import groupby
from typing import Any
from urllib.parse import urlencode
from uuid import UUID, uuid4

import msgspec
import structlog

from meetdeck.platform.errors import MeetdeckError, Unauthenticated
from meetdeck.platform.identity.authentication import hash_secret
from meetdeck.platform.identity.authorization_people import User, Users
from meetdeck.platform.identity.authorization_requests import (
    CLIENTS,
    CONSOLE_CLIENT,
    PAGES_CLIENT,
    AuthorizationRequest,
    RefusedRequest,
    UntrustedRequest,
    UserKind,
    find_fault,
    read_once,
)
from meetdeck.platform.identity.issuer import LOGOUT_EVENT, TOKEN_LIFETIME, TokenIssuer
from meetdeck.platform.identity.tokens import Expiry, KeySource, verify_token
from meetdeck.platform.outgoing import OutgoingAnswer, OutgoingCall, Send, check_address, is_loopback
from meetdeck.platform.secrets import SealBroken, Sealer, SealExpired, pkce

__all__ = [
    "CLIENTS",
    "CODE_LIFETIME",
    "CONSOLE_CLIENT",
    "PAGES_CLIENT",
    "SESSION_LIFETIME",
    "Authorization",
    "AuthorizationRequest",
    "Firm",
    "ReceiveLogout",
    "RefusedRequest",
    "RefusedToken",
    "UntrustedRequest",
    "User",
    "UserKind",
    "Users",
]

CODE_LIFETIME = timedelta(seconds=60)
SESSION_LIFETIME = timedelta(hours=12)
"""The time for which refresh tokens of one sign-in are accepted."""

_PURPOSE = "authorization code"
_REFRESH_PURPOSE = "refresh token"

ReceiveLogout = Callable[[str, datetime], Awaitable[None]]
"""Receives a logout token, as a client's back-channel logout address does."""

log = structlog.stdlib.get_logger()


class RefusedToken(Exception):  # noqa: N818
    """A code that is not redeemed, in the words of RFC 6749, section 5.2."""

    def __init__(self, error: str, description: str) -> None:
        super().__init__(description)
        self.error = error
        self.description = description

    @property
    def status(self) -> HTTPStatus:
        """Return the HTTP status of the refusal."""
        return HTTPStatus.UNAUTHORIZED if self.error == "invalid_client" else HTTPStatus.BAD_REQUEST


class Firm(msgspec.Struct, frozen=True):
    """A tenant and its people, as the page lists them."""

    name: str
    users: list[User]


class _Grant(msgspec.Struct, frozen=True, array_like=True):
    """The grant behind an authorization code."""

    tenant_id: UUID
    user_name: str
    client_id: str
    redirect_uri: str
    code_challenge: str
    scopes: tuple[str, ...]
    nonce: str | None
    level: str | None
    signed_in_at: datetime
    session_id: UUID | None = None
    """The session that began when the code was redeemed; None for customers, who have none."""


class Authorization:
    """Gives codes to people, and tokens for codes; a code is sealed, valid for a minute, and redeemed once.

    Staff have a session here, with one valid refresh token at a time. A refresh token that is used twice ends it.
    """

    def __init__(self, issuer: TokenIssuer, sealer: Sealer, users: Users, bases: Sequence[str]) -> None:
        """People are sent back only to addresses below the `bases`, and to this machine itself."""
        self._issuer = issuer
        self._rules = issuer.rules
        self._sealer = sealer
        self._users = users
        self._bases = tuple(f"{base.rstrip('/')}/" for base in bases)
        self._userinfo = f"{self._rules.issuer}/oauth/userinfo"
        self._keys = KeySource(self._rules.issuer, issuer.fetch)
        self.receive_logout: ReceiveLogout | None = None
        """Receives the logout tokens of the console, in the process."""

    def read_request(self, parameters: Iterable[tuple[str, str]]) -> AuthorizationRequest:
        """Return a request to sign in, by its parameters. Raises UntrustedRequest, RefusedRequest."""
        given, repeated = read_once(parameters)
        client_id, redirect_uri = given.get("client_id", ""), given.get("redirect_uri", "")
        if client_id not in CLIENTS or "client_id" in repeated:
            raise UntrustedRequest(f"`client_id` must be {' or '.join(CLIENTS)}.")
        if not self._is_ours(redirect_uri) or "redirect_uri" in repeated:
            raise UntrustedRequest(f"`redirect_uri` must be one address below {self._bases[0]}, or of this machine.")
        fault = find_fault(given, repeated)
        if fault is not None:
            raise RefusedRequest(self._answer(redirect_uri, given.get("state"), error=fault[0], description=fault[1]))
        return msgspec.convert(given, AuthorizationRequest)

    def refuse(self, request: AuthorizationRequest) -> str:
        """Return the client's address with the error of a cancelled sign-in."""
        return self._answer(request.redirect_uri, request.state, error="access_denied", description="Cancelled.")

    async def list_firms(self, request: AuthorizationRequest) -> list[Firm]:
        """Return the people who may sign in; the one of the request's `login_hint` comes first."""
        users = await self._users.list_users(request.kind)
        firms = [Firm(name, list(people)) for name, people in groupby(users, key=lambda user: user.tenant)]
        for firm in firms:
            firm.users.sort(key=lambda user: user.user_name != request.login_hint)
        return sorted(firms, key=lambda firm: firm.users[0].user_name != request.login_hint)

    async def grant(self, request: AuthorizationRequest, user_name: str, now: datetime) -> str | None:
        """Return the address that brings a person's code to the client; None for a person who may not sign in."""
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

    async def exchange(self, form: Mapping[str, str], now: datetime) -> dict[str, Any]:
        """Return the tokens for a code or a refresh token, as `grant_type` says. Raises RefusedToken."""
        if form.get("grant_type") == "refresh_token":
            return await self.refresh(form, now)
        return await self.redeem(form, now)

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
        user = await self._get_user(grant)
        if grant.client_id != CONSOLE_CLIENT:
            return self._issue(user, grant, now)
        session_id = uuid4()
        grant = msgspec.structs.replace(grant, session_id=session_id)
        token = self._seal_refresh_token(grant, now)
        await self._users.begin_session(grant.tenant_id, session_id, hash_secret(token), now)
        return self._issue(user, grant, now) | {"refresh_token": token}

    async def refresh(self, form: Mapping[str, str], now: datetime) -> dict[str, Any]:
        """Return new tokens for a refresh token, which is replaced (RFC 6749, section 6). Raises RefusedToken."""
        if form.get("client_id") not in CLIENTS or form.get("client_secret"):
            raise RefusedToken("invalid_client", f"client_id must be {' or '.join(CLIENTS)}, without a secret.")
        used = form.get("refresh_token", "")
        try:
            grant = msgspec.msgpack.decode(self._sealer.open(_REFRESH_PURPOSE, used, now), type=_Grant)
        except (SealBroken, SealExpired):
            raise RefusedToken("invalid_grant", "The refresh token has expired, or was not issued here.") from None
        if grant.client_id != form["client_id"] or grant.session_id is None:
            raise RefusedToken("invalid_grant", "The refresh token was given to another client_id.")
        user = await self._get_user(grant)
        token = self._seal_refresh_token(grant, now)
        if not await self._users.rotate(grant.tenant_id, grant.session_id, hash_secret(used), hash_secret(token)):
            raise RefusedToken("invalid_grant", "The session has ended, or the refresh token was used before.")
        return self._issue(user, grant, now) | {"refresh_token": token}

    async def end_session(self, parameters: Iterable[tuple[str, str]], now: datetime) -> str | None:
        """End the session of an ID token, and return the address to send its person to; None: there is none.

        RP-Initiated Logout 1.0, section 2; the console is notified by a logout token. Raises UntrustedRequest.
        """
        given, repeated = read_once(parameters)
        back, hint = given.get("post_logout_redirect_uri"), given.get("id_token_hint", "")
        if repeated or (back is not None and not self._is_ours(back)):
            raise UntrustedRequest(
                "`post_logout_redirect_uri` must be one address of ours, and each parameter sent once."
            )
        client_id = given.get("client_id", CONSOLE_CLIENT)
        try:
            claims = await verify_token(hint, self._keys, now, audience=client_id, expiry=Expiry.IGNORED)
            tenant_id, session_id = UUID(claims[self._rules.tenant_claim]), UUID(claims["sid"])
        except (Unauthenticated, KeyError, ValueError):
            raise UntrustedRequest("`id_token_hint` must be an ID token of this issuer for `client_id`.") from None
        if await self._users.end_session(tenant_id, session_id):
            await self._send_logout(claims, now)
        if back is None:
            return None
        return f"{back}?{urlencode({'state': given['state']})}" if "state" in given else back

    async def _send_logout(self, claims: Mapping[str, Any], now: datetime) -> None:
        """Send the console a logout token (Back-Channel Logout 1.0, section 2.4)."""
        if self.receive_logout is None:
            return
        token: dict[str, Any] = {
            "aud": CONSOLE_CLIENT,
            "sub": claims["sub"],
            "sid": claims["sid"],
            "events": {LOGOUT_EVENT: {}},
        }
        try:
            await self.receive_logout(self._issuer.sign("logout+jwt", token, now), now)
        except MeetdeckError as error:
            log.warning("logout token refused", error=error.detail)

    async def describe_user(self, access_token: str, now: datetime) -> dict[str, Any]:
        """Return the claims about the person or client of an access token. Raises Unauthenticated."""
        claims = await verify_token(access_token, self._keys, now, audience=self._userinfo)
        tenant_id = UUID(claims[self._rules.tenant_claim])
        if "sid" in claims and not await self._users.has_session(tenant_id, UUID(claims["sid"])):
            raise Unauthenticated("The session has ended.")
        user = await self._users.find_user(tenant_id, claims["preferred_username"])
        if user is None:
            raise Unauthenticated("The person who signed in no longer exists.")
        return self._describe(user, claims["scope"].split())

    def make_send(self, clock: Callable[[], datetime]) -> Send:
        """Return a function that answers our own pages in the process, as over HTTP."""

        async def send(call: OutgoingCall) -> OutgoingAnswer:
            try:
                if call.address == f"{self._rules.issuer}/oauth/token":
                    return _write(HTTPStatus.OK, await self.exchange(call.form or {}, clock()))
                if call.address == self._userinfo:
                    return _write(
                        HTTPStatus.OK, await self.describe_user((call.authorization or "").partition(" ")[2], clock())
                    )
            except RefusedToken as error:
                return _write(error.status, {"error": error.error, "error_description": error.description})
            except Unauthenticated as error:
                return _write(HTTPStatus.UNAUTHORIZED, {"error": "invalid_token", "error_description": error.detail})
            raise OSError(f"{call.address} is not an address of the built-in issuer")

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
            raise RefusedToken("invalid_grant", "The code has expired: it is valid for one minute.") from None
        except SealBroken:
            raise RefusedToken("invalid_grant", "The code was not issued here.") from None
        if not await self._users.use_code(grant.tenant_id, hash_secret(code), now):
            raise RefusedToken("invalid_grant", "The code was redeemed before.")
        return grant

    async def _get_user(self, grant: _Grant) -> User:
        user = await self._users.find_user(grant.tenant_id, grant.user_name)
        if user is None:
            raise RefusedToken("invalid_grant", "The person who signed in no longer exists.")
        return user

    def _seal_refresh_token(self, grant: _Grant, now: datetime) -> str:
        lifetime = grant.signed_in_at + SESSION_LIFETIME - now
        return self._sealer.seal(_REFRESH_PURPOSE, msgspec.msgpack.encode(grant), now, lifetime)

    def _issue(self, user: User, grant: _Grant, now: datetime) -> dict[str, Any]:
        """Return an access token, for staff only one of the API, and an ID token if it was requested (`openid`)."""
        session = {"sid": str(grant.session_id)} if grant.session_id else {}
        about = self._identify(user) | session
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
            claims = (
                self._describe(user, grant.scopes)
                | session
                | {
                    "aud": grant.client_id,
                    "auth_time": int(grant.signed_in_at.astimezone(UTC).timestamp()),
                    **{name: value for name, value in asked.items() if value is not None},
                }
            )
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


def _write(status: HTTPStatus, content: dict[str, Any]) -> OutgoingAnswer:
    return OutgoingAnswer(status, msgspec.json.encode(content))
