"""A mail server that keeps its mails, and fails at the step that a test names."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from email.message import EmailMessage
from typing import Any

from aiosmtpd.smtp import SMTP

from meetdeck.messages.carriers.smtp import SmtpCarrier
from meetdeck.platform.outgoing import read_smtp_url
from support.messages import parse, read_event

LOSE, HANG = "lose the connection", "hang"


class Inbox:
    """The mails that a server accepted; `does` decides what it does at RCPT, or with a mail: it fails, or answers."""

    def __init__(self) -> None:
        self.port = 0
        self.does: dict[str, str] = {}
        self.mails: list[EmailMessage] = []
        self.came = asyncio.Event()
        self.closes = asyncio.Event()
        """Ends hanging connections."""

    def list_to(self, address: str) -> list[EmailMessage]:
        """Return the mails to an address, in the order in which they came."""
        return [mail for mail in self.mails if address in mail["To"]]

    async def handle_RCPT(self, server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        """Accept a recipient, unless the test says otherwise."""
        envelope.rcpt_tos.append(address)
        return await self._answer(server, "RCPT")

    async def handle_DATA(self, server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep a mail, unless the test says otherwise; one whose answer is lost is kept."""
        does = self.does.get("DATA", "250 OK")
        if does in {LOSE, HANG, "250 OK"}:
            self.mails.append(parse(envelope.content))
            self.came.set()
        return await self._answer(server, "DATA")

    async def _answer(self, server: Any, step: str) -> str:
        does = self.does.get(step, "250 OK")
        if does == LOSE:
            server.transport.abort()
        if does == HANG:
            await self.closes.wait()
        return does


@asynccontextmanager
async def open_inbox() -> AsyncGenerator[Inbox]:
    """Lend a mail server of this process."""
    inbox = Inbox()
    connections: list[Any] = []

    def make() -> Any:
        connections.append(SMTP(inbox))
        return connections[-1]

    async with await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0) as running:
        inbox.port = running.sockets[0].getsockname()[1]
        yield inbox
        inbox.closes.set()
        for one in connections:
            if one.transport is not None:
                one.transport.abort()
        await asyncio.sleep(0.05)  # until they are closed


def make_carrier(inbox: Inbox, **options: Any) -> SmtpCarrier:
    """Return the carrier that sends mails to a server."""
    return SmtpCarrier(read_smtp_url(f"smtp://127.0.0.1:{inbox.port}"), **options)


def read_calendar(mail: EmailMessage) -> tuple[str, Any]:
    """Return the method of the appointment in a mail, and its event."""
    part = next(one for one in mail.walk() if one.get_content_type() == "text/calendar")
    content: Any = part.get_payload(decode=True)
    return read_event(content)
