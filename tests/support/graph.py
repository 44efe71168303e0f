"""The fake of Microsoft Graph with one tenant, and an application that calls it as a firm's would."""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import cache
from typing import Any, Final

import httpx
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from joserfc import jwt
from joserfc.jwk import RSAKey

from graph_fake.app import make_app
from graph_fake.clock import Clock
from graph_fake.seeding import plant, read_document
from graph_fake.tokens import ASSERTION_TYPE
from graph_fake.world import World
from support.served_apps import serve_app

TENANT: Final = "7a1b8c8e-0d3c-4c0a-9f55-000000000001"
CLIENT: Final = "7a1b8c8e-0d3c-4c0a-9f55-0000000000c1"
SECRET: Final = "a secret of the application"
GROUP: Final = "advisors"
HOST: Final = "http://graph.test"
CONNECTIONS: Final = "v3/booking/config/calendar-connections"
ALL: Final = ("Calendars.ReadWrite", "GroupMember.Read.All", "User.ReadBasic.All", "Place.Read.All")
SCOPE: Final = {"grant_type": "client_credentials", "client_id": CLIENT, "scope": f"{HOST}/.default"}


class Graph:
    """A world, a client of HTTP to it, and the token that `sign_in` got."""

    def __init__(self) -> None:
        self.world = World()
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(make_app(self.world)), base_url=HOST)

    def plant(self, **members: Any) -> None:
        """Make people, groups, applications and events, as `POST /_control/tenants` does."""
        plant(self.world, read_document({"id": TENANT, **members}))

    def plant_firm(self, *mails: str, permissions: tuple[str, ...] = ALL, **application: Any) -> None:
        """Make users, a group of them, and an application with a secret."""
        app = {"clientId": CLIENT, "secrets": [SECRET], "permissions": [*permissions], **application}
        self.plant(
            applications=[app],
            people=[{"mail": mail} for mail in mails],
            groups=[{"id": GROUP, "members": [*mails]}],
        )

    async def request_token(self, **form: str) -> httpx.Response:
        """Return the token endpoint's answer."""
        return await self.http.post(f"/{TENANT}/oauth2/v2.0/token", data=SCOPE | {"client_secret": SECRET} | form)

    async def sign_in(self) -> None:
        """Use a token of the application from now on."""
        answer = await self.request_token()
        self.http.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"

    async def get(self, path: str, **query: Any) -> Any:
        """Return what GET answers, which succeeds."""
        answer = await self.http.get(f"/v1.0{path}", params=query)
        assert answer.status_code == httpx.codes.OK, answer.text
        return answer.json()

    async def create(self, mail: str, **members: Any) -> Any:
        """Return a new event of a mailbox."""
        answer = await self.http.post(f"/v1.0/users/{mail}/events", json=make_event(**members))
        assert answer.status_code == httpx.codes.CREATED, answer.text
        return answer.json()

    async def request_schedule(self, *mails: str, by: str = "", **members: Any) -> httpx.Response:
        """Return what getSchedule answers of 24 November 2026."""
        body = {"schedules": [*mails], "startTime": at("00:00"), "endTime": at("23:59"), **members}
        return await self.http.post(f"/v1.0/users/{by or mails[0]}/calendar/getSchedule", json=body)

    async def list_times(self, mail: str) -> list[tuple[str, str]]:
        """Return status and start of each item that getSchedule tells of a mailbox."""
        rows = (await self.request_schedule(mail)).json()["value"]
        return [(item["status"], item["start"]["dateTime"][11:16]) for item in rows[0]["scheduleItems"]]


@asynccontextmanager
async def serve_graph(graph: Graph) -> AsyncGenerator[str]:
    """Serve the fake on a port of its own until the block ends; yield its address."""
    async with serve_app(make_app(graph.world)) as address:
        yield address


def write_connection(address: str, **members: Any) -> dict[str, Any]:
    """Return the body of a calendar connection to the fake at an address."""
    return {
        "name": "Microsoft 365",
        "kind": "Microsoft365",
        "directoryId": TENANT,
        "clientId": CLIENT,
        "groupId": GROUP,
        "clientSecret": SECRET,
        "address": address,
        "loginAddress": address,
        **members,
    }


def at(time: str, zone: str = "UTC") -> dict[str, str]:
    """Return a time of 24 November 2026 as Graph writes it."""
    return {"dateTime": f"2026-11-24T{time}:00", "timeZone": zone}


def make_event(start: str = "09:00", end: str = "10:00", **members: Any) -> dict[str, Any]:
    """Return the body of an event."""
    return {"subject": "Review", "start": at(start), "end": at(end), **members}


def invite(*mails: str) -> list[dict[str, Any]]:
    """Return attendees."""
    return [{"emailAddress": {"address": mail, "name": mail}, "type": "required"} for mail in mails]


def make_key(clock: Clock, owner: str = "firm") -> tuple[str, str]:
    """Return the private key of an owner and its certificate, as PEM."""
    key, name = _make_private_key(owner), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "firm")])
    now = clock.now()
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .sign(key, SHA256())
    )
    return _write_key(key), certificate.public_bytes(Encoding.PEM).decode()


def make_assertion(key: str, certificate: str, clock: Clock, **claims: Any) -> dict[str, str]:
    """Return the fields of a form that prove a certificate."""
    der = x509.load_pem_x509_certificate(certificate.encode()).public_bytes(Encoding.DER)
    thumbprint = urlsafe_b64encode(hashlib.sha256(der).digest()).rstrip(b"=").decode()
    now = int(clock.now().timestamp())
    told = {"iss": CLIENT, "sub": CLIENT, "aud": f"{HOST}/{TENANT}/oauth2/v2.0/token", "jti": "1", "exp": now + 300}
    head = {"alg": "PS256", "x5t#S256": thumbprint}
    signed = jwt.encode(head, told | claims, RSAKey.import_key(key), algorithms=["PS256"])
    return {"client_assertion_type": ASSERTION_TYPE, "client_assertion": signed, "client_secret": ""}


@cache
def _make_private_key(owner: str) -> RSAPrivateKey:  # noqa: ARG001 - each owner has one
    return generate_private_key(65537, 2048)


def _write_key(key: RSAPrivateKey) -> str:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
