"""Calls to addresses that others chose: what is refused before anything is connected to, and what is read."""

import asyncio
import ipaddress
import ssl
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import thread_time

import pytest

from meetdeck.platform.outgoing import (
    AllowedHosts,
    Limits,
    OutgoingClient,
    OutgoingRefused,
    OutgoingRequest,
    destinations,
)
from meetdeck.platform.outgoing.client import Resolve
from meetdeck.platform.outgoing.destinations import IpAddress
from support.certificates import make_certificate
from support.receivers import answer, open_receiver

LIMITS = Limits(seconds=5, most_bytes=100)
HERE = ipaddress.ip_address("127.0.0.1")


@asynccontextmanager
async def open_client(
    *listed: str, closed_ports: Collection[int] | None = None, resolve: Resolve | None = None
) -> AsyncGenerator[OutgoingClient]:
    client = OutgoingClient(AllowedHosts(listed, closed_ports), resolve=resolve)
    yield client
    await client.close()


def names(*answers: Sequence[str]) -> Resolve:
    """Answer each question for a name with the next addresses."""
    left = list(answers)

    async def resolve(_host: str, _port: int) -> Sequence[IpAddress]:
        return [ipaddress.ip_address(each) for each in left.pop(0)]

    return resolve


@pytest.fixture
def _this_machine_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take 127.0.0.1 for a server of the Internet, the one that a test can have."""
    is_public = destinations.is_public

    def is_public_or_here(address: IpAddress) -> bool:
        return address == HERE or is_public(address)

    monkeypatch.setattr(destinations, "is_public", is_public_or_here)


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """Make a server's certificate that calls trust."""
    make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    return context


async def test_a_listed_host_is_called_and_its_answer_is_told() -> None:
    async with open_receiver() as receiver, open_client(receiver.host) as client:
        receiver.answers = [answer(503, b"later", Retry_After="7")]
        request = OutgoingRequest(f"{receiver.url}?a=b", "POST", {"Content-Type": "text/plain"}, b"hello")
        reply = await client.send(request, LIMITS)
    assert (reply.status, reply.body, reply.headers["retry-after"], reply.is_success) == (503, b"later", "7", False)
    (got,) = receiver.received
    assert got.line == "POST /hooks?a=b HTTP/1.1"
    assert (got.headers["host"], got.body) == (receiver.host, b"hello")


@pytest.mark.usefixtures("_this_machine_is_public")
async def test_a_name_that_leads_elsewhere_after_the_check_is_not_called() -> None:
    async with open_receiver() as receiver:
        address = f"https://rebinding.example:{receiver.port}/hooks"
        resolve = names(["127.0.0.1"], ["169.254.169.254"], ["127.0.0.1", "10.0.0.1"])
        async with open_client(resolve=resolve) as client:
            await client.require_allowed(address)
            for _ in range(2):  # with one public address among private ones, too
                with pytest.raises(OutgoingRefused, match="not public"):
                    await client.send(OutgoingRequest(address), LIMITS)
        assert receiver.connections == 0


@pytest.mark.usefixtures("_this_machine_is_public")
async def test_the_very_address_that_was_checked_is_called_by_the_name_that_was_asked_for(tls: ssl.SSLContext) -> None:
    async with open_receiver(tls) as receiver, open_client("localhost", resolve=names(["127.0.0.1"])) as client:
        reply = await client.send(OutgoingRequest(f"https://localhost:{receiver.port}/"), LIMITS)
    assert reply.is_success
    assert receiver.names == ["localhost"]
    assert receiver.received[0].headers["host"] == f"localhost:{receiver.port}"


@pytest.mark.usefixtures("_this_machine_is_public")
async def test_a_server_with_the_certificate_of_another_gets_nothing(tls: ssl.SSLContext) -> None:
    async with open_receiver(tls) as receiver, open_client(resolve=names(["127.0.0.1"])) as client:
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            await client.send(OutgoingRequest(f"https://other.example:{receiver.port}/"), LIMITS)
    assert receiver.received == []


@pytest.mark.usefixtures("_this_machine_is_public")
async def test_the_next_address_of_a_name_is_tried_when_one_does_not_answer(tls: ssl.SSLContext) -> None:
    resolve = names(["2001:4860::1", "127.0.0.1"])  # this machine has no way to the first, or nobody answers there
    async with open_receiver(tls) as receiver, open_client("localhost", resolve=resolve) as client:
        assert (await client.send(OutgoingRequest(f"https://localhost:{receiver.port}/"), LIMITS)).is_success


async def test_a_redirect_is_an_answer_and_no_way_on() -> None:
    async with open_receiver() as inside, open_receiver() as receiver, open_client(receiver.host) as client:
        receiver.answers = [answer(302, Location=inside.url)]
        assert (await client.send(OutgoingRequest(receiver.url), LIMITS)).status == 302
        assert inside.connections == 0


async def test_no_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_receiver() as proxy, open_receiver() as receiver, open_client(receiver.host) as client:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, f"http://{proxy.host}")
        assert (await client.send(OutgoingRequest(receiver.url), LIMITS)).is_success
        assert proxy.connections == 0


async def test_of_a_big_answer_no_more_is_read_than_allowed() -> None:
    async with open_receiver() as receiver, open_client(receiver.host) as client:
        receiver.answers = [answer(200, b"x" * 10_000_000)]
        reply = await client.send(OutgoingRequest(receiver.url), LIMITS)
    assert (reply.body, reply.is_whole) == (b"x" * 100, False)


async def test_a_server_that_does_not_answer_is_left_in_time() -> None:
    async with open_receiver() as receiver, open_client(receiver.host) as client:
        receiver.holds = asyncio.Event()
        with pytest.raises(OSError, match=r"no answer within 0\.2 seconds"):
            await client.send(OutgoingRequest(receiver.url), Limits(0.2, 100))


async def test_an_answer_that_is_none_of_http_is_a_failed_call() -> None:
    async with open_receiver() as receiver, open_client(receiver.host) as client:
        for nonsense in (b"SSH-2.0-OpenSSH\r\n\r\n", b"", b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"):
            receiver.answers = [nonsense]
            with pytest.raises(OSError, match=r"\w"):
                await client.send(OutgoingRequest(receiver.url), LIMITS)
    async with open_client(receiver.host) as client:
        with pytest.raises(OSError, match="refused"):
            await client.send(OutgoingRequest(receiver.url), LIMITS)


@pytest.mark.parametrize(
    ("begin", "endless", "told"),
    [
        (b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", "more than 10 interim answers"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", "more than 10 interim answers"),
        (b"HTTP/1.1 200 OK\r\n", b"X: y\r\n", "Receive buffer too long"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1;%s\r\nx\r\n" % (b"e" * 9_000), None),
    ],
)
async def test_an_answer_without_end_is_given_up_by_its_bytes(begin: bytes, endless: bytes, told: str | None) -> None:
    sent = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(begin)
        with suppress(ConnectionError):
            while True:
                writer.write(endless)
                await writer.drain()
                sent += len(endless)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server, open_client("127.0.0.1") as client:
        asked = OutgoingRequest(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        if told is None:
            reply = await client.send(asked, Limits(60, 100))
            assert (reply.status, reply.is_whole, len(reply.body) < 100) == (200, False, True)
        else:
            with pytest.raises(OSError, match=told):
                await client.send(asked, Limits(60, 100))
    assert sent < 20_000_000  # what the sockets hold, not what comes in a minute


@pytest.mark.parametrize(
    ("begin", "endless", "told"),
    [
        (b"", b"HTTP/1.1 103 Early Hints\r\n" + b"Link: </a>\r\n" * 1_000 + b"\r\n", "more than 10 interim answers"),
        (b"", b"HTTP/1.1 199 Odd\r\n\r\n", "more than 10 interim answers"),
        (b"", b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "no answer of HTTP"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n", "Receive buffer too long"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 9_000, "processor time"),
    ],
)
async def test_an_answer_costs_little_processor_time_in_whatever_pieces_it_comes(
    begin: bytes, endless: bytes, told: str
) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        with suppress(ConnectionError):
            writer.write(begin)
            while True:
                writer.write(endless)
                await writer.drain()
        writer.close()

    begun = thread_time()
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server, open_client("127.0.0.1") as client:
        asked = OutgoingRequest(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        with pytest.raises(OSError, match=told):
            await client.send(asked, Limits(120, 16 * 1024 * 1024))
    assert thread_time() - begun < 3


async def test_other_tasks_run_while_an_answer_of_many_pieces_is_read() -> None:
    pieces, turns, is_read = 5_000, 0, False

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * pieces + b"0\r\n\r\n")
        await writer.drain()
        writer.close()

    async def count() -> None:
        nonlocal turns
        while not is_read:
            turns += 1
            await asyncio.sleep(0)

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server, open_client("127.0.0.1") as client:
        counting = asyncio.create_task(count())
        asked = OutgoingRequest(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        reply = await client.send(asked, Limits(60, pieces))
        is_read = True
        await counting
    assert (len(reply.body), reply.is_whole) == (pieces, True)
    assert turns >= pieces / 64


async def test_a_connection_is_kept_for_the_next_call_and_made_anew_when_the_server_has_closed_it() -> None:
    made, served = 0, asyncio.Event()

    async def serve_twice(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal made
        made += 1
        for _ in range(2):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        writer.close()
        served.set()

    async with await asyncio.start_server(serve_twice, "127.0.0.1", 0) as server, open_client("127.0.0.1") as client:
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        for call in range(1, 5):
            assert (await client.send(OutgoingRequest(address), LIMITS)).body == b"ok"
            assert made == (call + 1) // 2
        await served.wait()


async def test_a_name_that_leads_nowhere_yet_may_be_written_down() -> None:
    async def resolve(_host: str, _port: int) -> Sequence[IpAddress]:
        raise OSError("not known")

    async with open_client(resolve=resolve) as client:
        await client.require_allowed("https://soon.example/hooks")
        with pytest.raises(OSError, match="not known"):
            await client.send(OutgoingRequest("https://soon.example/hooks"), LIMITS)


async def test_a_name_of_this_machine_or_its_network_is_refused_when_it_is_written_down() -> None:
    async with open_client(resolve=names(["10.0.0.1"])) as client:
        for address in ("https://crm.intranet/hooks", "https://localhost./hooks", "http://example.com/"):
            with pytest.raises(OutgoingRefused, match="may not be called"):
                await client.require_allowed(address)


async def test_loopback_is_called_by_name_and_address_where_it_is_open() -> None:
    async with open_receiver() as receiver, open_client(closed_ports={8080}) as client:
        for host in ("127.0.0.1", "localhost", "LOCALHOST."):
            reply = await client.send(OutgoingRequest(f"http://{host}:{receiver.port}/hooks"), LIMITS)
            assert reply.is_success
    assert len(receiver.received) == 3


async def test_a_name_of_this_machine_that_leads_elsewhere_is_not_called() -> None:
    resolve = names(["10.0.0.1"], ["8.8.8.8"], ["127.0.0.1", "169.254.169.254"])
    async with open_client(closed_ports={8080}, resolve=resolve) as client:
        for _ in range(3):
            with pytest.raises(OutgoingRefused, match="not this machine's own"):
                await client.send(OutgoingRequest("http://localhost:9360/hooks"), LIMITS)


async def test_a_foreign_name_that_leads_to_this_machine_is_not_called_though_loopback_is_open() -> None:
    async with open_receiver() as receiver:
        async with open_client(closed_ports={8080}, resolve=names(["127.0.0.1"], ["::1"])) as client:
            for _ in range(2):
                with pytest.raises(OutgoingRefused, match="not public"):
                    await client.send(OutgoingRequest(f"https://crm.example:{receiver.port}/hooks"), LIMITS)
        assert receiver.connections == 0


async def test_a_redirect_to_a_closed_port_is_not_followed() -> None:
    async with open_receiver() as closed, open_receiver() as receiver:
        receiver.answers = [answer(307, Location=f"http://127.0.0.1:{closed.port}/api")]
        async with open_client(closed_ports={closed.port}) as client:
            reply = await client.send(OutgoingRequest(receiver.url, "POST", {}, b"{}"), LIMITS)
        assert reply.status == 307
        assert closed.connections == 0
