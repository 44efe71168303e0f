"""The HTTP proxy through which calls leave a closed network: CONNECT (RFC 9110, section 9.3.6)."""

import asyncio
import ssl
from base64 import b64encode
from http import HTTPStatus
from typing import Final, NamedTuple
from urllib.parse import unquote

import httpx

from meetdeck.platform.outgoing.addresses import check_address
from meetdeck.platform.outgoing.destinations import Destination

_PORT: Final = 80  # that of http://, as in `http_proxy`
_STATUS_BYTES: Final = slice(9, 12)  # of "HTTP/1.1 200 Connection established"


class Proxy(NamedTuple):
    """A proxy, and the `Proxy-Authorization` to send; None: it asks for none."""

    host: str
    port: int
    authorization: str | None = None

    async def open_tunnel(
        self, server: Destination, trust: ssl.SSLContext
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a TLS connection to a server through the proxy. Raises OSError when either refuses it."""
        try:
            reader, writer = await asyncio.open_connection(self.host, self.port)
        except OSError as error:
            raise OSError(f"the proxy {self.host}:{self.port} does not answer: {error}") from error
        try:
            await self._connect(server, reader, writer)
            await writer.start_tls(trust, server_hostname=server.host)
        except BaseException:
            writer.transport.abort()
            raise
        return reader, writer

    async def _connect(self, server: Destination, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Ask for a tunnel to a server. Raises OSError when the proxy does not open it."""
        place = f"[{server.host}]:{server.port}" if ":" in server.host else f"{server.host}:{server.port}"
        lines = [f"CONNECT {place} HTTP/1.1", f"Host: {place}"]
        if self.authorization is not None:
            lines.append(f"Proxy-Authorization: {self.authorization}")
        writer.write("\r\n".join([*lines, "", ""]).encode("ascii"))
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            raise OSError(f"the proxy {self.host}:{self.port} gave no answer of HTTP") from None
        status = head[_STATUS_BYTES].decode("latin-1")
        if not head.startswith(b"HTTP/1.") or not status.startswith("2"):
            signs_in = (
                " (it asks for a user and a password)"
                if status == str(HTTPStatus.PROXY_AUTHENTICATION_REQUIRED.value)
                else ""
            )
            raise OSError(
                f"the proxy {self.host}:{self.port} answered {status}{signs_in} instead of connecting to {place}"
            )


def read_proxy(text: str) -> Proxy:
    """Return the proxy of an address like `http://user:password@proxy.bank.example:3128`. Raises ValueError."""
    beginning, at, place = text.rpartition("@")
    scheme, _, login = beginning.partition("://") if at else (text.partition("://")[0], "", "")
    if scheme != "http" or (at and ":" not in login):
        raise ValueError(
            "a proxy is http://host:port or http://user:password@host:port; through it, calls stay encrypted"
        )
    url = httpx.URL(check_address(f"http://{place}" if at else text))
    if url.path not in {"", "/"} or url.query:
        raise ValueError("a proxy's address ends with its port")
    user, _, password = login.partition(":")
    encoded = b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
    return Proxy(url.raw_host.decode("ascii"), url.port or _PORT, f"Basic {encoded}" if at else None)
