"""HEAD and OPTIONS at every address (RFC 9110, sections 9.3.2 and 9.3.7): no handler names them."""

import asyncio

from litestar.types import HTTPDisconnectEvent, Message, Send

ANY = "any method"
"""A method that no handler has and no caller can name: the router refuses it, and lists those of the address."""

_ROUTED_AS = {"HEAD": "GET", "OPTIONS": ANY}


def route_as(method: str) -> str:
    """Return the method under which a request is routed: the handler of GET also answers HEAD."""
    return _ROUTED_AS.get(method, method)


def list_methods(allow: str) -> str:
    """Return an `Allow` header of the handlers' methods, and of those that every address has."""
    methods = {method.strip() for method in allow.split(",")} | {"OPTIONS"}
    return ", ".join(sorted(methods | {"HEAD"} if "GET" in methods else methods))


class HeadOnly:
    """Sends the head of an answer and drops its body; a streamed body is not produced."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._begun = asyncio.Event()

    async def send(self, message: Message) -> None:
        """Send a message of the answer unless it is a part of the body."""
        if message["type"] == "http.response.body":
            return
        await self._send(message)
        self._begun.set()

    async def receive(self) -> HTTPDisconnectEvent:
        """Report that the caller has left, once the head is sent: that ends a stream."""
        await self._begun.wait()
        return {"type": "http.disconnect"}

    async def end(self) -> None:
        """End the answer."""
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})
