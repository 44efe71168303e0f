"""Mailboxes on servers that answer oddly, late or without end. Answers of a good server are in http/test_replies.py."""

import asyncio
import re
import ssl
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from meetdeck.messages.replies.imap import write_folder
from meetdeck.messages.replies.mailbox import Mailbox, MailboxUnavailable
from meetdeck.messages.replies.reading import LARGEST_BYTES
from meetdeck.platform.outgoing import MailServer
from support.certificates import make_certificate

Says = Callable[[str], bytes]
"""A server's answer to a command, without the tag: the lines before `OK`."""


@asynccontextmanager
async def serve(
    says: Says = lambda _: b"", *, context: ssl.SSLContext | None = None, password: str = ""
) -> AsyncGenerator[tuple[MailServer, list[bytes]]]:
    """Lend a server, and the list of the commands that it gets, each with its literals."""
    commands: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK hello\r\n")
        while line := await reader.readline():
            tag, _, command = line.removesuffix(b"\r\n").partition(b" ")
            while literal := re.search(rb"\{(\d+)\}$", command):
                writer.write(b"+ go on\r\n")
                command = command[: literal.start()] + await reader.readexactly(int(literal[1]))
                command += (await reader.readline()).removesuffix(b"\r\n")
            commands.append(command)
            writer.write(says(command.decode()) + tag + b" OK done\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", ssl=context)
    async with server:
        scheme, port = "imaps" if context else "imap", server.sockets[0].getsockname()[1]
        yield MailServer(scheme, "127.0.0.1", port, "jørgen", password, "Møder"), commands


async def test_names_and_passwords_of_any_letters_log_in() -> None:
    async with serve(password='a"b\\c') as (server, commands), Mailbox.open(server):
        pass
    assert commands == ["LOGIN jørgen ".encode() + rb'"a\"b\\c"', b'SELECT "M&APg-der"', b"LOGOUT"]


def test_folders_are_named_as_the_standard_says() -> None:
    assert write_folder("~peter/mail/台北/日本語") == b"~peter/mail/&U,BTFw-/&ZeVnLIqe-"
    assert write_folder("Q&A") == b"Q&-A"


async def test_a_mail_is_found_among_what_the_server_says_meanwhile() -> None:
    said = {
        "SELECT": b"* FLAGS (\\Seen)\r\n* OK [UIDVALIDITY 17] UIDs valid\r\n",
        "UID SEARCH": b"* 12 EXISTS\r\n* SEARCH 7 3\r\n* search 5\r\n",
        "UID FETCH": b"* 2 FETCH (FLAGS (\\Seen))\r\n* 3 FETCH (UID 7 BODY[]<0> {8}\r\nm2 OK {3} FLAGS ())\r\n",
    }

    def says(command: str) -> bytes:
        return next((said[name] for name in said if command.startswith(name)), b"")

    async with serve(says) as (server, _), Mailbox.open(server) as mailbox:
        assert (mailbox.validity, await mailbox.list_unread()) == (17, [3, 5, 7])
        assert await mailbox.read(7) == b"m2 OK {3"


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param(b"* 1 FETCH (BODY[] {999999999}\r\n", id="a mail of a gigabyte"),
        pytest.param(b"* OK " + b"x" * (5 << 20), id="a line of megabytes"),
        pytest.param(b"* OK x\r\n" * (1 << 20), id="a million lines"),
        pytest.param(b"+ go on\r\n", id="a question that nobody asked"),
    ],
)
async def test_an_answer_of_any_size_is_refused(hostile: bytes) -> None:
    async with serve(lambda command: hostile if "FETCH" in command else b"") as (server, _):
        with pytest.raises(MailboxUnavailable, match=r"ImapError|says"):
            async with Mailbox.open(server) as mailbox:
                await mailbox.read(1)


async def test_a_mail_that_is_too_large_for_a_reply_is_left() -> None:
    mails = {1: b"x" * (LARGEST_BYTES + 1), 2: b"x" * LARGEST_BYTES}

    def says(command: str) -> bytes:
        asked = re.fullmatch(rf"UID FETCH (\d) \(BODY\.PEEK\[\]<0\.{LARGEST_BYTES + 1}>\)", command)
        return (
            b"* 1 FETCH (BODY[]<0> {%d}\r\n%s)\r\n" % (len(mails[int(asked[1])]), mails[int(asked[1])])
            if asked
            else b""
        )

    async with serve(says) as (server, _), Mailbox.open(server) as mailbox:
        assert (await mailbox.read(1), await mailbox.read(2)) == (None, mails[2])


async def test_a_silent_server_is_given_up() -> None:
    connections: list[asyncio.StreamWriter] = []

    async def listen(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)

    async with await asyncio.start_server(listen, "127.0.0.1") as silent:
        server = MailServer("imap", "127.0.0.1", silent.sockets[0].getsockname()[1], "a", "b", "INBOX")
        with pytest.raises(MailboxUnavailable, match="TimeoutError"):
            async with Mailbox.open(server, patience_seconds=0.1):
                pass
        (connection,) = connections
        connection.close()


async def test_only_a_server_with_a_trusted_certificate_hears_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    async with serve(context=context) as (server, commands):
        with pytest.raises(MailboxUnavailable, match="SSLCertVerificationError"):
            async with Mailbox.open(server):
                pass
        assert commands == []
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
        async with Mailbox.open(server):
            assert len(commands) == 2
