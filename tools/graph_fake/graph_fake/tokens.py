"""The token endpoint's rules: a client secret or a signed assertion becomes an access token, which Graph reads."""

import hashlib
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey, import_key

from graph_fake.directory import Application, Caller, Tenant
from graph_fake.problems import GraphProblem

ASSERTION_TYPE: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_LIFE: Final = timedelta(seconds=3_599)
_SKEW: Final = timedelta(minutes=5)
_SIGNED_BY: Final = ["RS256", "PS256", "ES256"]


class TokenRefused(Exception):  # noqa: N818 - a state of the answer
    """A request for a token that is refused, as Entra does: status, error and sentence."""

    def __init__(self, status: int, error: str, description: str) -> None:
        super().__init__(description)
        self.status = status
        self.error = error
        self.description = description


class Tokens:
    """Issues access tokens and reads them."""

    def __init__(self) -> None:
        self._key = OctKey.import_key(secrets.token_bytes(32))

    def issue(self, tenant: Tenant, form: Mapping[str, str], endpoint: str, now: datetime) -> dict[str, object]:
        """Return the answer to a request for a token. Raises TokenRefused."""
        if form.get("grant_type") != "client_credentials":
            raise TokenRefused(400, "unsupported_grant_type", "AADSTS70003: The app requested an unsupported grant.")
        if not form.get("scope", "").endswith("/.default"):
            raise TokenRefused(400, "invalid_scope", "AADSTS1002012: The provided value for scope is not valid.")
        application = tenant.applications.get(form.get("client_id", ""))
        if application is None:
            raise TokenRefused(400, "unauthorized_client", "AADSTS700016: The application was not found.")
        if form.get("client_assertion_type") == ASSERTION_TYPE:
            _check_assertion(application, form.get("client_assertion", ""), endpoint, now)
        elif form.get("client_secret", "") not in application.secrets:
            raise TokenRefused(401, "invalid_client", "AADSTS7000215: Invalid client secret provided.")
        claims: dict[str, Any] = {
            "tid": tenant.id,
            "appid": application.client_id,
            "roles": sorted(application.permissions),
            "exp": int((now + _LIFE).timestamp()),
        }
        token = jwt.encode({"alg": "HS256"}, claims, self._key)
        seconds = int(_LIFE.total_seconds())
        return {"token_type": "Bearer", "expires_in": seconds, "ext_expires_in": seconds, "access_token": token}

    def identify(self, token: str, tenants: Mapping[str, Tenant], now: datetime) -> Caller:
        """Return the caller that a token names. Raises GraphProblem."""
        try:
            claims = jwt.decode(token, self._key, algorithms=["HS256"]).claims
            tenant = tenants[claims["tid"]]
            application = tenant.applications[claims["appid"]]
        except (JoseError, ValueError, KeyError):
            raise _invalid("Access token validation failure.") from None
        if now.timestamp() >= claims["exp"]:
            raise _invalid("Lifetime validation failed, the token is expired.")
        return Caller(tenant, application, frozenset(claims["roles"]))


class _Head(msgspec.Struct):
    """The header members by which an assertion names its certificate."""

    x5t: str = ""
    x5t_sha256: str = msgspec.field(default="", name="x5t#S256")


def _check_assertion(application: Application, assertion: str, endpoint: str, now: datetime) -> None:
    """Raise TokenRefused unless an assertion is signed by a known certificate and meant for this endpoint."""
    try:
        head = msgspec.json.decode(_decode_part(assertion), type=_Head)
        certificate = _find_certificate(application, head)
        public_key = certificate.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        kind = "EC" if isinstance(certificate.public_key(), EllipticCurvePublicKey) else "RSA"
        claims = jwt.decode(assertion, import_key(public_key, kind), algorithms=_SIGNED_BY).claims
    except (JoseError, ValueError, LookupError, msgspec.MsgspecError) as error:
        text = f"AADSTS700027: The certificate with identifier used to sign the client assertion failed: {error}"
        raise TokenRefused(401, "invalid_client", text) from None
    if claims.get("iss") != application.client_id or claims.get("sub") != application.client_id:
        raise TokenRefused(401, "invalid_client", "AADSTS700021: Issuer or subject is not the client.")
    if claims.get("aud") != endpoint:
        raise TokenRefused(401, "invalid_client", f"AADSTS700023: The audience is not {endpoint}.")
    if not claims.get("jti"):
        raise TokenRefused(401, "invalid_client", "AADSTS7000120: The assertion has no jti.")
    _check_times(claims, now)


def _check_times(claims: Mapping[str, Any], now: datetime) -> None:
    """Raise TokenRefused for an assertion that is over, or not yet valid; clocks may be five minutes apart."""
    begins, ends = claims.get("nbf", 0), claims.get("exp")
    if not isinstance(ends, int) or ends <= (now - _SKEW).timestamp() or begins > (now + _SKEW).timestamp():
        raise TokenRefused(401, "invalid_client", "AADSTS700024: Client assertion is not within its valid time range.")


def _find_certificate(application: Application, head: _Head) -> x509.Certificate:
    """Return the certificate whose thumbprint an assertion names. Raises LookupError, ValueError."""
    for text in application.certificates:
        certificate = x509.load_pem_x509_certificate(text.encode())
        der = certificate.public_bytes(Encoding.DER)
        thumbprints = {_encode(hashlib.sha256(der).digest()), _encode(hashlib.sha1(der).digest())}  # noqa: S324 - RFC 7515
        if {head.x5t, head.x5t_sha256} & thumbprints:
            return certificate
    raise LookupError("Key was not found.")


def _decode_part(assertion: str) -> bytes:
    part = assertion.partition(".")[0]
    return urlsafe_b64decode(part + "=" * (-len(part) % 4))


def _encode(digest: bytes) -> str:
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


def _invalid(message: str) -> GraphProblem:
    return GraphProblem(401, "InvalidAuthenticationToken", message)
