"""The addresses of the built-in token issuer (test environment): token, discovery, JWKS."""

import binascii
from base64 import b64decode
from typing import Any

from litestar import Controller, Response, get, post
from litestar.datastructures import UploadFile

from meetdeck.platform.clock import Clock
from meetdeck.platform.errors import Invalid, Unauthenticated
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.services import Service
from meetdeck.platform.issuer import TOKEN_LIFETIME, TokenIssuer

_MOST_BYTES = 64 * 1024


class OAuth(Controller):
    """Client credentials (RFC 6749, section 4.4); errors as its section 5.2 wants them, not as problem+json.

    Wrong secrets are not slowed down: this is the test environment, and a secret is 256 random bits.
    """

    @post("/oauth/token", status_code=200, include_in_schema=False, request_max_body_size=_MOST_BYTES)
    async def issue_token(
        self, request: AnyRequest, issuer: Service[TokenIssuer], clock: Service[Clock]
    ) -> Response[dict[str, Any]]:
        """Answer an access token for a client's id and secret, sent as a form or by HTTP Basic."""
        form = {name: value for name, value in (await request.form()).items() if not isinstance(value, UploadFile)}
        if form.get("grant_type") != "client_credentials":
            return _refuse(400, "unsupported_grant_type", "Send grant_type=client_credentials, form-encoded.")
        client_id, client_secret = _read_credentials(request.headers.get("Authorization"), form)
        if not client_id or not client_secret:
            return _refuse(401, "invalid_client", "Send client_id and client_secret, form-encoded.")
        try:
            token = await issuer.issue(client_id, client_secret, clock())
        except (Unauthenticated, Invalid) as error:
            return _refuse(401, "invalid_client", error.detail)
        return Response(
            {"access_token": token, "token_type": "Bearer", "expires_in": int(TOKEN_LIFETIME.total_seconds())},
            headers={"Cache-Control": "no-store"},
        )

    @get("/.well-known/openid-configuration", include_in_schema=False)
    async def describe(self, issuer: Service[TokenIssuer]) -> dict[str, Any]:
        """Answer the discovery document."""
        return issuer.describe()

    @get("/oauth/jwks", include_in_schema=False)
    async def publish_keys(self, issuer: Service[TokenIssuer]) -> dict[str, Any]:
        """Answer the public keys."""
        return issuer.publish_keys()


def _read_credentials(authorization: str | None, form: dict[str, Any]) -> tuple[str, str]:
    if authorization and authorization.lower().startswith("basic "):
        try:
            client_id, _, client_secret = b64decode(authorization[6:], validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return "", ""
        return client_id, client_secret
    return str(form.get("client_id", "")), str(form.get("client_secret", ""))


def _refuse(status: int, error: str, description: str) -> Response[dict[str, Any]]:
    return Response(
        {"error": error, "error_description": description},
        status_code=status,
        headers={"WWW-Authenticate": 'Basic realm="meetdeck"'} if status == 401 else {},  # noqa: PLR2004 - RFC 6749, 5.2
    )
