"""Mails to a mail server that runs here: what it gets, and what it says no to."""

import asyncio
import socket
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

from meetdeck.booking.scheduling.meetings.schemas.icalendar import ICalMethod, Party
from meetdeck.messages.carriers.carrier import MessageDeferred, MessageRefused, MessageUnanswered
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
        self.says_once: dict[str, str] = {}
        self.on_content: Callable[[], None] | None = None
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self.connections: list[SMTP] = []
        self.commands: list[str] = []

    def make_connection(self, **options: Any) -> SMTP:
        self.connections.append(Connection(self, **options))
        return self.connections[-1]

    def drop(self) -> None:
        """Close all connections, as a server does that restarts."""
        for one in self.connections:
            transport: Any = one.transport
            if transport is not None:
                transport.abort()

    def answer(self, step: str) -> str:
        self.commands.append(step)
        return self.says_once.pop(step, self.says.get(step, "250 OK"))

    async def handle_MAIL(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        envelope.mail_from = address
        return self.answer("MAIL")

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        envelope.rcpt_tos.append(address)
        answer = self.answer("RCPT")
        await self.goes_on.wait()
        return answer

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        self.got.append(envelope)
        if self.on_content is not None:
            self.on_content()
        return self.answer("content")

    async def handle_QUIT(self, _server: Any, _session: Any, _envelope: Any) -> str:  # noqa: N802
        self.commands.append("QUIT")
        return "221 Bye"


class Connection(SMTP):
    """A connection to the server, which may refuse a mail before its content."""

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        if (said := self.event_handler.answer("DATA")) != "250 OK":
            await self.push(said)
        else:
            await super().smtp_DATA(arg)

    async def smtp_AUTH(self, arg: str) -> None:  # noqa: N802
        self.event_handler.commands.append("AUTH")
        await super().smtp_AUTH(arg)


def check(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: LoginPassword) -> AuthResult:
    return AuthResult(success=data == LoginPassword(b"meetdeck", b"pass@word"), handled=False)


@pytest.fixture
def server() -> Server:
    return Server()


@asynccontextmanager
async def serve(server: Server, port: int = 0) -> AsyncGenerator[int]:
    """Lend the port of a mail server that wants a password."""
    make: Any = partial(server.make_connection, authenticator=check, auth_required=True, auth_require_tls=False)
    async with await asyncio.get_running_loop().create_server(make, "127.0.0.1", port) as running:
        yield running.sockets[0].getsockname()[1]
        server.drop()


@pytest_asyncio.fixture
async def port(server: Server) -> AsyncGenerator[int]:
    async with serve(server) as port:
        yield port


@pytest_asyncio.fixture
async def carrier(port: int) -> AsyncGenerator[SmtpCarrier]:
    carrier = make_carrier(port, _PASSWORD)
    yield carrier
    carrier.close()


def make_carrier(port: int, password: str, **options: Any) -> SmtpCarrier:
    return SmtpCarrier(read_smtp_url(f"smtp://meetdeck:{password}@127.0.0.1:{port}"), **options)


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


async def until(is_true: Callable[[], bool]) -> None:
    """Wait until something is true, at most five seconds."""
    for _ in range(500):
        if is_true():
            return
        await asyncio.sleep(0.01)
    pytest.fail("not in time")


async def carry(carrier: SmtpCarrier, **members: Any) -> None:
    await carrier.carry(UUID(int=1), make_mail(**members))


async def test_the_server_gets_text_html_and_the_appointment(server: Server, carrier: SmtpCarrier) -> None:
    await carry(carrier, text=".Hej\n..\n")
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
    assert parts[0].get_payload(decode=True) == b".Hej\r\n..\r\n"
    invitation = parts[2]
    assert (invitation.get_param("method"), invitation.get_content_charset()) == ("REQUEST", "utf-8")
    assert invitation.get_payload(decode=True) == CALENDAR
    assert attachment.get_filename() == "invite.ics"  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("step", "said", "expected"),
    [
        ("RCPT", "550 5.1.1 <freja@example.com>: no such user", MessageRefused),
        ("content", "554 5.7.1 spam", MessageRefused),
        ("MAIL", "550 5.7.60 freja@example.com is not you", MessageDeferred),
        ("RCPT", "450 4.2.1 mailbox is busy", MessageDeferred),
        ("DATA", "451 4.3.1 freja@example.com: no room", MessageDeferred),
        ("content", "451 4.3.0 freja@example.com later", MessageDeferred),
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
    make: Any = partial(server.make_connection, hostname="mail.example", tls_context=own, require_starttls=True)
    async with await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0) as running:
        url = f"smtp+starttls://127.0.0.1:{running.sockets[0].getsockname()[1]}"
        carrier = SmtpCarrier(read_smtp_url(url), most_mails=1)
        await carry(carrier)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "gone.pem"))
        await carry(carrier)
    assert (len(server.got), len(server.connections)) == (2, 2)


async def test_mails_share_a_connection_until_it_is_idle_or_full(server: Server, port: int) -> None:
    carrier = make_carrier(port, _PASSWORD, idle_seconds=0.05, most_mails=3)
    for number in range(4):
        await carry(carrier, id=UUID(int=number))
    assert [parse(one.content)["Message-ID"][:38] for one in server.got] == [f"<{UUID(int=n)}@" for n in range(4)]
    await until(lambda: server.commands.count("QUIT") == 2)  # after the third mail, and the fourth
    assert (len(server.connections), server.commands.count("AUTH")) == (2, 2)


async def test_mails_at_the_same_time_have_a_connection_each(server: Server, carrier: SmtpCarrier) -> None:
    await asyncio.gather(*(carry(carrier, id=UUID(int=number)) for number in range(6)))
    assert len({parse(one.content)["Message-ID"] for one in server.got}) == 6
    assert len(server.connections) == 6
    await until(lambda: server.commands.count("QUIT") == 2)  # four are kept
    carrier.close()
    await until(lambda: server.commands.count("QUIT") == 6)


@pytest.mark.parametrize("is_noticed", [True, False])
async def test_a_connection_that_the_server_dropped_is_replaced(
    server: Server, carrier: SmtpCarrier, *, is_noticed: bool
) -> None:
    await asyncio.gather(carry(carrier), carry(carrier))
    server.drop()
    await asyncio.sleep(0.05 if is_noticed else 0)
    await carry(carrier, subject="Nyt")
    assert [parse(one.content)["Subject"] for one in server.got] == ["Dit møde", "Dit møde", "Nyt"]
    assert len(server.connections) == 3


async def test_a_server_that_restarts_gets_the_next_mail_once(server: Server) -> None:
    async with serve(server) as port:
        carrier = make_carrier(port, _PASSWORD)
        await carry(carrier)
    with pytest.raises(MessageDeferred, match="cannot be reached"):
        await carry(carrier)
    async with serve(server, port):
        await carry(carrier)
        await carry(carrier)
        assert (len(server.got), len(server.connections)) == (3, 2)
        carrier.close()


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ("MAIL", "421 4.4.2 idle for too long"),
        ("MAIL", "452 4.5.3 too many mails"),
        ("RCPT", "421 4.3.0 too many mails"),
        ("DATA", "421 4.3.2 shutting down"),
    ],
)
async def test_a_connection_that_ends_before_the_content_costs_no_mail(
    server: Server, carrier: SmtpCarrier, step: str, said: str
) -> None:
    await carry(carrier)
    server.says_once[step] = said
    await carry(carrier, subject="Nyt")
    assert [parse(one.content)["Subject"] for one in server.got] == ["Dit møde", "Nyt"]
    assert len(server.connections) == 2


async def test_a_mail_whose_content_was_sent_is_not_sent_again_by_itself(server: Server, carrier: SmtpCarrier) -> None:
    await carry(carrier)
    server.on_content = server.drop
    with pytest.raises(MessageUnanswered):
        await carry(carrier, subject="Nyt")
    assert [parse(one.content)["Subject"] for one in server.got] == ["Dit møde", "Nyt"]


async def test_a_refused_mail_is_offered_once(server: Server, carrier: SmtpCarrier) -> None:
    await carry(carrier)
    server.says["RCPT"] = "550 5.1.1 no such user"
    with pytest.raises(MessageRefused):
        await carry(carrier)
    assert (server.commands.count("RCPT"), len(server.got)) == (2, 1)


async def test_a_connection_whose_mail_was_cancelled_is_not_used_again(server: Server, carrier: SmtpCarrier) -> None:
    await carry(carrier)
    cancelled = asyncio.create_task(carry(carrier))
    server.goes_on.clear()
    await until(lambda: server.commands.count("RCPT") == 2)
    cancelled.cancel()
    with pytest.raises(asyncio.CancelledError):
        await cancelled
    server.goes_on.set()
    await carry(carrier, subject="Nyt")
    assert (parse(server.got[-1].content)["Subject"], len(server.connections)) == ("Nyt", 2)
