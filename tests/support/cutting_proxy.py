"""A proxy that cuts connections: before a request arrives, or when its answer is on the way back."""

import socket
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from random import Random


class CuttingProxy:
    """Passes requests on to a port of this machine; of `share` of them, the caller gets no answer.

    Half of the cuts are before the service has the request, half after it has answered.
    """

    def __init__(self, target: int, share: float, seed: int) -> None:
        self._target = target
        self._share = share
        self._random = Random(seed)  # noqa: S311 - the same cuts each time
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.cut_before = 0
        self.cut_after = 0

    def serve(self) -> None:
        """Accept connections until the listener is closed."""
        with suppress(OSError):
            while True:
                caller, _ = self._listener.accept()
                threading.Thread(target=self._pass_on, args=(caller,), daemon=True).start()

    def close(self) -> None:
        """Accept no more connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _pass_on(self, caller: socket.socket) -> None:
        """Pass one connection's requests on, each with the fate that was drawn for it."""
        with caller, socket.create_connection(("127.0.0.1", self._target)) as service, suppress(OSError):
            while request := _read_message(caller):
                drawn = self._random.random()
                if drawn < self._share / 2:
                    self.cut_before += 1
                    return
                service.sendall(request)
                answer = _read_message(service)
                if drawn < self._share:
                    self.cut_after += 1
                    return
                caller.sendall(answer)


def _read_message(connection: socket.socket) -> bytes:
    """Return the next request or answer of a connection; empty: there is none."""
    read = b""
    while b"\r\n\r\n" not in read:
        if not (data := connection.recv(65_536)):
            return b""
        read += data
    head, _, body = read.partition(b"\r\n\r\n")
    fields = head.lower()
    if b"transfer-encoding: chunked" in fields:
        while not body.endswith(b"0\r\n\r\n"):
            body += connection.recv(65_536)
    else:
        (length,) = [int(line[15:]) for line in fields.split(b"\r\n") if line.startswith(b"content-length:")] or [0]
        while len(body) < length:
            body += connection.recv(65_536)
    return head + b"\r\n\r\n" + body


@contextmanager
def cut_connections(target: int, *, share: float, seed: int = 1) -> Generator[CuttingProxy]:
    """Cut a share of the requests to a port during the block."""
    proxy = CuttingProxy(target, share, seed)
    thread = threading.Thread(target=proxy.serve, daemon=True)
    thread.start()
    try:
        yield proxy
    finally:
        proxy.close()
        thread.join()
