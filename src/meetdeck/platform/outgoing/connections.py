"""Connections of calls to the outside: one exchange of HTTP/1.1 at a time, kept open for a while for the next."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from time import thread_time
from typing import Final

import h11

_READ_BYTES: Final = 65_536
_IDLE_SECONDS: Final = 5.0
_MOST_IDLE: Final = 50
_MOST_INTERIM: Final = 10
"""Interim answers (1xx, RFC 9110 section 15.2) before the answer: usually none, or one."""
_FRAMING_FACTOR: Final = 8
"""Bytes on the wire for each byte of content, at most: a chunk of one byte takes six."""
_MOST_HEAD_BYTES: Final = 65_536
_MOST_PROCESSOR_SECONDS: Final = 1.0
"""For reading an answer: 16 MB in large pieces take a twentieth, in chunks of one byte a minute."""
_EVENTS_AT_ONCE: Final = 64
"""Pieces of an answer that are read before others have their turn on the event loop."""

_Key = tuple[str, int, bool]


class Connection:
    """An open connection."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, clock: Callable[[], float] = thread_time
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.CLIENT)
        self._received_bytes = 0
        """Bytes received since the last request, including heads and framing."""
        self._clock = clock
        self._spent_seconds = 0.0
        """Processor time spent on reading since the last request, until `_resumed_at`."""
        self._resumed_at = 0.0
        self._events = 0

    @property
    def is_answering(self) -> bool:
        """Return whether the server has sent anything since the last request."""
        return self._received_bytes > 0

    @property
    def is_open(self) -> bool:
        """Return whether the server has not closed it."""
        return not self._reader.at_eof() and not self._writer.is_closing()

    @property
    def is_reusable(self) -> bool:
        """Return whether another request may follow: both sides are finished, and neither closes the connection."""
        return self._http.states == {h11.CLIENT: h11.DONE, h11.SERVER: h11.DONE} and self.is_open

    async def exchange(self, head: h11.Request, body: bytes, most_bytes: int) -> tuple[h11.Response, bytes, bool]:
        """Return the answer to a request, the beginning of its body, and whether that is all.

        At most `most_bytes` of the body are read, and a multiple of it in chunks and heads. Raises ConnectionResetError
        when the server closed it without an answer, RemoteProtocolError for anything but HTTP, for endless interim
        answers, or for an answer that takes too much processor time.
        """
        if self._http.our_state is h11.DONE:
            self._http.start_next_cycle()
            self._received_bytes = 0
        self._spent_seconds, self._events = 0.0, 0
        events = (head, h11.Data(data=body), h11.EndOfMessage()) if body else (head, h11.EndOfMessage())
        self._writer.write(b"".join(self._http.send(event) or b"" for event in events))
        await self._writer.drain()
        self._resumed_at = self._clock()
        most_received = _MOST_HEAD_BYTES + _FRAMING_FACTOR * most_bytes
        answer = await self._read_head()
        content = bytearray()
        while len(content) <= most_bytes and self._received_bytes <= most_received:
            event = await self._next()
            if isinstance(event, h11.Data):
                content += event.data
            elif isinstance(event, h11.EndOfMessage):
                return answer, bytes(content), True
        return answer, bytes(content[:most_bytes]), False

    def close(self) -> None:
        """Close it at once, even in the middle of an exchange."""
        self._writer.transport.abort()

    async def _read_head(self) -> h11.Response:
        for _ in range(_MOST_INTERIM + 1):
            event = await self._next()
            if isinstance(event, h11.Response):
                return event
        raise h11.RemoteProtocolError(f"more than {_MOST_INTERIM} interim answers before the answer")

    async def _next(self) -> h11.Event:
        """Return the server's next event. Raises ConnectionResetError when it has closed the connection."""
        self._events += 1
        if self._events % _EVENTS_AT_ONCE == 0:
            self._count_seconds()
            await asyncio.sleep(0)
            self._resumed_at = self._clock()
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._count_seconds()
            data = await self._reader.read(_READ_BYTES)
            self._resumed_at = self._clock()
            if not data and not self.is_answering:
                raise ConnectionResetError("the connection was closed without an answer")
            self._received_bytes += len(data)
            self._http.receive_data(data)
        if not isinstance(event, h11.Event) or isinstance(event, h11.ConnectionClosed):
            raise ConnectionResetError("the connection was closed in the middle of an answer")
        return event

    def _count_seconds(self) -> None:
        """Add the processor time since the event loop came back here. Raises RemoteProtocolError for too much."""
        self._spent_seconds += self._clock() - self._resumed_at
        if self._spent_seconds > _MOST_PROCESSOR_SECONDS:
            raise h11.RemoteProtocolError(
                f"reading the answer took more than {_MOST_PROCESSOR_SECONDS:g} seconds of processor time"
            )


class IdleConnections:
    """Connections kept for a while for a next request."""

    def __init__(self) -> None:
        self._waiting: defaultdict[_Key, dict[Connection, asyncio.TimerHandle]] = defaultdict(dict)
        self._count = 0

    def take(self, key: _Key) -> Connection | None:
        """Return one to a server that is still open, and remove it from those that wait."""
        while waiting := self._waiting.get(key):
            connection = next(reversed(waiting))
            self._remove(key, connection)
            if connection.is_open:
                return connection
            connection.close()
        return None

    def put(self, key: _Key, connection: Connection) -> None:
        """Keep a connection for reuse, unless there are too many."""
        if self._count >= _MOST_IDLE:
            connection.close()
            return
        loop = asyncio.get_running_loop()
        self._waiting[key][connection] = loop.call_later(_IDLE_SECONDS, self._expire, key, connection)
        self._count += 1

    def close(self) -> None:
        """Close all."""
        for key, waiting in [*self._waiting.items()]:
            for connection in [*waiting]:
                self._expire(key, connection)

    def _expire(self, key: _Key, connection: Connection) -> None:
        self._remove(key, connection)
        connection.close()

    def _remove(self, key: _Key, connection: Connection) -> None:
        self._waiting[key].pop(connection).cancel()
        self._count -= 1
        if not self._waiting[key]:
            del self._waiting[key]
