"""A certificate for tests: by default of this machine, self-signed, valid for an hour, or expired."""

import ssl
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from meetdeck.platform.process import clock

_HOUR = timedelta(hours=1)


def make_certificate(folder: Path, *, host: str = "localhost", is_expired: bool = False) -> ssl.SSLContext:
    """Write `certificate.pem` and `key.pem`; return an SSL context that trusts only them."""
    key, now = generate_private_key(SECP256R1()), clock.now()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName(host), x509.IPAddress(ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 2 * _HOUR)
        .not_valid_after(now - _HOUR if is_expired else now + _HOUR)
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return ssl.create_default_context(cafile=str(folder / "certificate.pem"))
