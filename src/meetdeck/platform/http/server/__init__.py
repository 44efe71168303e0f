"""uvicorn, its limits, and its sockets."""

from meetdeck.platform.http.server.acceptor import share
from meetdeck.platform.http.server.connection_counts import ConnectionCounts
from meetdeck.platform.http.server.protocol import BoundedProtocol
from meetdeck.platform.http.server.uvicorn_server import Drain, Server, SharedListener, WorkerServer, allow_open_files

__all__ = [
    "BoundedProtocol",
    "ConnectionCounts",
    "Drain",
    "Server",
    "SharedListener",
    "WorkerServer",
    "allow_open_files",
    "share",
]
