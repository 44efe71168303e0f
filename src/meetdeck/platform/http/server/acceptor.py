"""Accepting connections of a listening socket that several processes share, in turns."""

import asyncio
import errno
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from meetdeck.platform.process.threads import run_in_thread

_LOOK_SECONDS: Final = 5
_KNOCK_SECONDS: Final = 0.02
_PAUSE_SECONDS: Final = 0.1
_SHORT_PAUSE_SECONDS: Final = 0.002
_MOST_PAUSES: Final = 10
_NO_ROOM: Final = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def share(listener: socket.socket) -> None:
    """Prepare a listening socket for acceptors, once for all processes.

    Waiting for a connection ends now and then, for an acceptor that is to stop and whose knocking nobody hears.
    """
    listener.settimeout(None)
    seconds = struct.pack("ll", _LOOK_SECONDS, 0)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, seconds)


class Acceptor:
    """Accepts connections in a thread that waits in `accept`, and hands each to the event loop.

    The system wakes the thread that has waited longest, so that processes take turns. Processes that poll a shared
    socket get their connections in no order, one process most of them (0077). The next one is accepted when the loop
    has taken the last: a process whose loop is stuck takes no more.
    """

    def __init__(
        self,
        listener: socket.socket,
        make_protocol: Callable[[], asyncio.Protocol],
        is_ahead: Callable[[], bool],
    ) -> None:
        """Accept for a protocol; `is_ahead` returns whether another process has fewer connections."""
        self._listener = listener
        self._is_ahead = is_ahead
        self._make_protocol = make_protocol
        self._loop = asyncio.get_running_loop()
        self._is_stopped = False
        self._thread = threading.Thread(target=self._accept, name="acceptor", daemon=True)

    def start(self) -> None:
        """Start to accept."""
        self._thread.start()

    async def stop(self) -> None:
        """Accept no more; each accepted connection belongs to the event loop when this returns."""
        self._is_stopped = True
        while self._thread.is_alive():
            self._knock()
            await run_in_thread(self._thread.join, _KNOCK_SECONDS)

    def _knock(self) -> None:
        """Wake the acceptor that has waited longest, in the end our own thread, by a silent connection."""
        with socket.socket(self._listener.family) as knocking:
            knocking.settimeout(0)
            with suppress(OSError):
                knocking.connect(self._listener.getsockname())

    def _accept(self) -> None:
        while not self._is_stopped:
            self._let_others_go_first()
            try:
                connection, _ = self._listener.accept()
            except (BlockingIOError, ConnectionAbortedError):  # no caller came meanwhile, or it has left again
                continue
            except OSError as error:
                if error.errno not in _NO_ROOM:
                    raise
                time.sleep(_PAUSE_SECONDS)
                continue
            connection.settimeout(0)
            asyncio.run_coroutine_threadsafe(self._hand_over(connection), self._loop).result()

    def _let_others_go_first(self) -> None:
        """Wait a moment while another process has fewer connections: on busy cores it may be late in its turn."""
        for _ in range(_MOST_PAUSES):
            if self._is_stopped or not self._is_ahead():
                return
            time.sleep(_SHORT_PAUSE_SECONDS)

    async def _hand_over(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make_protocol, connection)
        except OSError:  # the connection is already closed
            connection.close()
