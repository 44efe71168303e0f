"""The signed assertion with which an application authenticates by its certificate (RFC 7523)."""

import hashlib
from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import uuid4

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from joserfc import jwt
from joserfc.jwk import RSAKey

KIND: Final = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
_LIFE: Final = timedelta(minutes=10)
_END_OF_KEY: Final = "-----BEGIN CERTIFICATE-----"


class Credential(NamedTuple):
    """A private key and the thumbprint of its certificate."""

    key: RSAKey
    thumbprint: str
    ends_at: datetime


def read_credential(pem: str) -> Credential:
    """Return the key and certificate in a PEM text. Raises ValueError, which does not contain the text."""
    key_pem, marker, certificate_pem = pem.partition(_END_OF_KEY)
    try:
        key = load_pem_private_key(key_pem.encode(), None)
        certificate = x509.load_pem_x509_certificate((marker + certificate_pem).encode())
    except (ValueError, TypeError):
        raise ValueError("It must be PEM: the private key, not encrypted, and then the certificate.") from None
    if not isinstance(key, RSAPrivateKey):
        raise ValueError("Its key must be an RSA key.")  # noqa: TRY004 - of a text, not of a type
    if key.public_key() != certificate.public_key():
        raise ValueError("The certificate does not belong to the key.")
    digest = hashlib.sha256(certificate.public_bytes(Encoding.DER)).digest()
    thumbprint = urlsafe_b64encode(digest).rstrip(b"=").decode()
    return Credential(RSAKey.import_key(key_pem), thumbprint, certificate.not_valid_after_utc)


def sign_assertion(credential: Credential, client_id: str, endpoint: str, now: datetime) -> str:
    """Return an assertion for a token endpoint."""
    claims: dict[str, object] = {
        "iss": client_id,
        "sub": client_id,
        "aud": endpoint,
        "jti": str(uuid4()),
        "nbf": int(now.timestamp()),
        "exp": int((now + _LIFE).timestamp()),
    }
    head = {"alg": "PS256", "x5t#S256": credential.thumbprint}
    return jwt.encode(head, claims, credential.key, algorithms=["PS256"])
