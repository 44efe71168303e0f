"""Calls through the operator's proxy (docs/operations/outgoing-calls.md#outgoing-proxy)."""

import ssl
from base64 import b64encode
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from meetdeck.platform.outgoing import (
    AllowedHosts,
    Limits,
    OutgoingClient,
    OutgoingRefused,
    OutgoingRequest,
    read_proxy,
)
from meetdeck.platform.outgoing.destinations import IpAddress, read_ip
from support.certificates import make_certificate
from support.forward_proxy import ForwardProxy, open_forward_proxy
from support.receivers import open_receiver

LIMITS = Limits(seconds=5, most_bytes=100)


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """Make the certificate of graph.example, which calls trust."""
    make_certificate(tmp_path, host="graph.example")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate.pem", tmp_path / "key.pem")
    return context


@asynccontextmanager
async def open_client(
    proxy: ForwardProxy, *listed: str, leads_to: Sequence[str] = ()
) -> AsyncGenerator[OutgoingClient]:
    async def resolve(host: str, _port: int) -> Sequence[IpAddress]:
        if not leads_to:
            raise OSError(f"{host} is not known")
        return [address for text in leads_to if (address := read_ip(text)) is not None]

    url = f"http://meetdeck:p%40ss@127.0.0.1:{proxy.port}"
    client = OutgoingClient(AllowedHosts(listed), proxy=read_proxy(url), resolve=resolve)
    yield client
    await client.close()


async def test_a_name_that_only_the_proxy_knows_is_called_through_it_by_tls(tls: ssl.SSLContext) -> None:
    async with open_receiver(tls) as receiver, open_forward_proxy(receiver.port) as proxy, open_client(proxy) as client:
        reply = await client.send(OutgoingRequest("https://graph.example/v1.0/users"), LIMITS)
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):  # a proxy cannot pass as another server
            await client.send(OutgoingRequest("https://other.example:8443/"), LIMITS)
    assert reply.is_success
    assert receiver.names == ["graph.example", "other.example"]
    login = b64encode(b"meetdeck:p@ss").decode()
    assert proxy.heads == [
        f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\nProxy-Authorization: Basic {login}\r\n\r\n"
        for place in ("graph.example:443", "other.example:8443")
    ]
    assert [each.line for each in receiver.received] == ["GET /v1.0/users HTTP/1.1"]


async def test_a_name_that_leads_inside_is_refused_before_the_proxy_is_asked() -> None:
    async with open_forward_proxy(1) as proxy, open_client(proxy, leads_to=["10.0.0.1"]) as client:
        for address in ("https://inside.example/", "https://10.0.0.1/", "http://outside.example/"):
            with pytest.raises(OutgoingRefused):
                await client.send(OutgoingRequest(address), LIMITS)
    assert proxy.heads == []


async def test_a_listed_host_is_called_directly() -> None:
    async with open_receiver() as receiver, open_forward_proxy(1) as proxy, open_client(proxy, receiver.host) as client:
        assert (await client.send(OutgoingRequest(receiver.url), LIMITS)).is_success
    assert proxy.heads == []


@pytest.mark.parametrize(
    ("answer", "problem"),
    [("407 Proxy Authentication Required", "407.*a user and a password"), ("403 Forbidden", "answered 403 instead of")],
)
async def test_a_refusal_of_the_proxy_is_named(answer: str, problem: str) -> None:
    async with open_forward_proxy(1) as proxy, open_client(proxy) as client:
        proxy.answer = answer
        with pytest.raises(OSError, match=problem):
            await client.send(OutgoingRequest("https://graph.example/"), LIMITS)
