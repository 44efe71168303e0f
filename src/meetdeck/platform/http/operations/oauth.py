"""The addresses of the built-in token issuer (test environment): token, userinfo, discovery, JWKS.

The page where people sign in is `web/sign_in.py`.
"""

import binascii
from base64 import b64decode
from datetime import datetime
from http import HTTPStatus
from typing import Any

from litestar import Controller, Response, get, post, route

from meetdeck.platform.errors import Invalid, Unauthenticated
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import Service
from meetdeck.platform.http.requests import read_form_texts
from meetdeck.platform.identity import TOKEN_LIFETIME, Authorization, RefusedToken, TokenIssuer
from meetdeck.platform.process.clock import Clock

_MOST_BYTES = 64 * 1024


class OAuth(Controller):
    """Tokens for clients and for people; errors follow RFC 6749, section 5.2, instead of problem+json.

    Wrong secrets are not slowed down: this is the test environment, and a secret is 256 random bits.
    """

    @post("/oauth/token", status_code=200, include_in_schema=False, request_max_body_size=_MOST_BYTES)
    async def issue_token(
        self,
        request: AnyRequest,
        issuer: Service[TokenIssuer],
        authorization: Service[Authorization],
        clock: Service[Clock],
    ) -> Response[dict[str, Any]]:
        """Answer tokens for a client's id and secret, sent as a form or by HTTP Basic, or for a person's code.

        A person has a code, and afterwards a refresh token.
        """
        try:
            tokens = await _issue(issuer, authorization, request, clock())
        except RefusedToken as error:
            return _refuse(error)
        return Response(tokens, headers={"Cache-Control": "no-store"})

    @route("/oauth/userinfo", http_method=["GET", "POST"], status_code=200, include_in_schema=False)
    async def describe_user(
        self, request: AnyRequest, authorization: Service[Authorization], clock: Service[Clock]
    ) -> dict[str, Any]:
        """Answer the claims about the person or client of an access token (OpenID Connect Core, section 5.3)."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Unauthenticated("Send the header `Authorization: Bearer <ACCESS_TOKEN>`.")
        return await authorization.describe_user(token.strip(), clock())

    @get("/.well-known/openid-configuration", include_in_schema=False)
    async def describe(self, issuer: Service[TokenIssuer]) -> dict[str, Any]:
        """Answer the discovery document."""
        return issuer.describe()

    @get("/oauth/jwks", include_in_schema=False)
    async def publish_keys(self, issuer: Service[TokenIssuer]) -> dict[str, Any]:
        """Answer the public keys."""
        return issuer.publish_keys()


async def _issue(
    issuer: TokenIssuer, authorization: Authorization, request: AnyRequest, now: datetime
) -> dict[str, Any]:
    form = await _read_form(request)
    client_id, client_secret = _read_credentials(request.headers.get("Authorization"), form)
    match form.get("grant_type"):
        case "client_credentials":
            return await _issue_to_client(issuer, client_id, client_secret, now)
        case "authorization_code" | "refresh_token":
            return await authorization.exchange(form | {"client_id": client_id, "client_secret": client_secret}, now)
        case _:
            grants = "client_credentials, authorization_code or refresh_token"
            raise RefusedToken("unsupported_grant_type", f"Send grant_type={grants}, form-encoded.")


async def _read_form(request: AnyRequest) -> dict[str, str]:
    """Return the form's texts. Raises RefusedToken for a repeated one (RFC 6749, section 3.2)."""
    try:
        parts = await read_form_texts(request)
    except Invalid as error:
        raise RefusedToken("invalid_request", error.detail) from error
    form = dict(parts)
    if len(form) < len(parts):
        raise RefusedToken("invalid_request", "Send each parameter once.")
    return form


async def _issue_to_client(issuer: TokenIssuer, client_id: str, client_secret: str, now: datetime) -> dict[str, Any]:
    if not client_id or not client_secret:
        raise RefusedToken("invalid_client", "Send client_id and client_secret, form-encoded.")
    try:
        token = await issuer.issue(client_id, client_secret, now)
    except (Unauthenticated, Invalid) as error:
        raise RefusedToken("invalid_client", error.detail) from error
    return {"access_token": token, "token_type": "Bearer", "expires_in": int(TOKEN_LIFETIME.total_seconds())}


def _read_credentials(authorization: str | None, form: dict[str, Any]) -> tuple[str, str]:
    if authorization and authorization.lower().startswith("basic "):
        try:
            client_id, _, client_secret = b64decode(authorization[6:], validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return "", ""
        return client_id, client_secret
    return str(form.get("client_id", "")), str(form.get("client_secret", ""))


def _refuse(error: RefusedToken) -> Response[dict[str, Any]]:
    return Response(
        {"error": error.error, "error_description": error.description},
        status_code=error.status,
        headers={"WWW-Authenticate": 'Basic realm="meetdeck"'} if error.status is HTTPStatus.UNAUTHORIZED else {},
    )
