"""Mails to a mail server that runs here: what it gets, and what it says no to."""

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, Party
from meetdeck.messages.carriers.carrier import MessageDeferred, MessageRefused
from meetdeck.messages.carriers.smtp import SmtpCarrier
from meetdeck.messages.writing.mail import Calendar, Mail
from meetdeck.platform.outgoing import read_smtp_url
from support.certificates import make_certificate
from support.fakes import MONDAY_MORNING
from support.messages import parse

CALENDAR = b"BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nSUMMARY:M\xc3\xb8de\r\nEND:VCALENDAR\r\n"

_PASSWORD = "pass%40word"

# It is right to warn of a server that takes a password without TLS; this one is on this machine.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")


class Server:
    """A handler of mails that keeps them, or answers what a test says."""

    def __init__(self) -> None:
        self.got: list[Any] = []
        self.says: dict[str, str] = {}

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        envelope.rcpt_tos.append(address)
        return self.says.get("RCPT", "250 OK")

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.got.append(envelope)
        return self.says.get("DATA", "250 OK")


def check(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: LoginPassword) -> AuthResult:
    return AuthResult(success=data == LoginPassword(b"meetdeck", b"pass@word"), handled=False)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest_asyncio.fixture
async def port(server: Server) -> AsyncGenerator[int]:
    """Lend the port of a mail server that wants a password."""
    make: Any = partial(SMTP, server, authenticator=check, auth_required=True, auth_require_tls=False)
    async with await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0) as running:
        yield running.sockets[0].getsockname()[1]


@pytest.fixture
def carrier(port: int) -> SmtpCarrier:
    return make_carrier(port, _PASSWORD)


def make_carrier(port: int, password: str) -> SmtpCarrier:
    return SmtpCarrier(read_smtp_url(f"smtp://meetdeck:{password}@127.0.0.1:{port}"))


def make_mail(**members: Any) -> Mail:
    usual: dict[str, Any] = {
        "sender": Party("Nordlys", "meetings@nordlys.example"),
        "to": Party("Frøja Nielsen", "freja@example.com"),
        "reply_to": Party("Anna Holm", "anna@nordlys.example"),
        "subject": "Dit møde",
        "text": "Hej\n",
        "html": "<p>Hej</p>",
        "calendar": Calendar(CALENDAR, ICalMethod.REQUEST),
        "id": UUID(int=7),
        "thread_id": UUID(int=8),
        "language": "da",
        "sent_at": MONDAY_MORNING,
    }
    return Mail(**usual | members)


async def carry(carrier: SmtpCarrier, **members: Any) -> None:
    await carrier.carry(UUID(int=1), make_mail(**members))


async def test_the_server_gets_text_html_and_the_appointment(server: Server, carrier: SmtpCarrier) -> None:
    await carry(carrier)
    (envelope,) = server.got
    assert (envelope.mail_from, envelope.rcpt_tos) == ("meetings@nordlys.example", ["freja@example.com"])
    mail = parse(envelope.content)
    assert (mail["Subject"], mail["To"]) == ("Dit møde", "Frøja Nielsen <freja@example.com>")
    assert (mail["Reply-To"], mail["Auto-Submitted"]) == ("Anna Holm <anna@nordlys.example>", "auto-generated")
    assert mail["Message-ID"] == f"<{UUID(int=7)}@nordlys.example>"
    assert mail["Date"].datetime == MONDAY_MORNING
    alternative, attachment = mail.iter_parts()
    assert alternative.get_content_type() == "multipart/alternative"  # pyright: ignore[reportAttributeAccessIssue]
    parts: list[Any] = list(alternative.iter_parts())  # pyright: ignore[reportAttributeAccessIssue]
    assert [part.get_content_type() for part in parts] == ["text/plain", "text/html", "text/calendar"]
    invitation = parts[2]
    assert (invitation.get_param("method"), invitation.get_content_charset()) == ("REQUEST", "utf-8")
    assert invitation.get_payload(decode=True) == CALENDAR
    assert attachment.get_filename() == "invite.ics"  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("step", "said", "expected"),
    [
        ("RCPT", "550 5.1.1 <freja@example.com>: no such user", MessageRefused),
        ("DATA", "554 5.7.1 spam", MessageRefused),
        ("RCPT", "450 4.2.1 mailbox is busy", MessageDeferred),
        ("DATA", "451 4.3.0 freja@example.com later", MessageDeferred),
    ],
)
async def test_a_no_is_for_good_or_for_now_and_names_nobody(
    server: Server, carrier: SmtpCarrier, step: str, said: str, expected: type[Exception]
) -> None:
    server.says[step] = said
    with pytest.raises(expected) as caught:
        await carry(carrier)
    assert said[:9] in str(caught.value)
    assert "freja" not in str(caught.value)


async def test_a_wrong_password_is_ours_to_mend(port: int) -> None:
    with pytest.raises(MessageDeferred, match="535"):
        await carry(make_carrier(port, "wrong"))


async def test_a_server_that_is_not_there_is_asked_again() -> None:
    with pytest.raises(MessageDeferred, match="cannot be reached"):
        await carry(make_carrier(1, _PASSWORD))


async def test_nobody_writes_headers_or_other_recipients(server: Server, carrier: SmtpCarrier) -> None:
    await carry(carrier, to=Party("F\r\nBcc: all@example.com", "freja@example.com"), subject="A\nX-Spam: no")
    mail = parse(server.got[0].content)
    assert (mail["Bcc"], mail["X-Spam"], server.got[0].rcpt_tos) == (None, None, ["freja@example.com"])
    for address in ("a,b@example.com", "<x>@example.com", "a@b@c.example", "a b@example.com", "ø@example.com", "a@"):
        with pytest.raises(MessageRefused):
            await carry(carrier, to=Party("F", address))


async def test_a_domain_may_be_of_any_alphabet(server: Server, carrier: SmtpCarrier) -> None:
    await carry(carrier, to=Party("F", "freja@øl.example"))
    assert server.got[0].rcpt_tos == ["freja@xn--l-4ga.example"]


async def test_trusted_authorities_and_our_own_name_are_read_once_for_all_mails(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "getfqdn", ["meetdeck.example"].pop)
    make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    own.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    make: Any = partial(SMTP, server, hostname="mail.example", tls_context=own, require_starttls=True)
    async with await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0) as running:
        carrier = SmtpCarrier(read_smtp_url(f"smtp+starttls://127.0.0.1:{running.sockets[0].getsockname()[1]}"))
        await carry(carrier)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "gone.pem"))
        await carry(carrier)
    assert len(server.got) == 2
