"""The command: runs the watcher and its page's server until interrupted."""

import asyncio
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.clock import now
from meetdeck.present.render.office import OfficePool
from meetdeck.present.render.renderer import MissingRenderer, Renderer, find_office
from meetdeck.present.watching.board import Board
from meetdeck.present.watching.server import build_watching_app
from meetdeck.present.watching.watcher import Watcher

_HOST = "127.0.0.1"


def watch(template: Path, data: Path | None = None, *, port: int = 0) -> None:
    """Show a template in the browser and check it at each save, until Ctrl+C. Raises SetupError.

    Port 0 is a free one. The page's address is printed.
    """
    for path in (template, *([data] if data else [])):
        if not path.is_file():
            raise SetupError(f"There is no file {path}.")

    def announce(address: str) -> None:
        print(f"{template} is checked at each save, and shown at\n  {address}\nPress Ctrl+C to stop it.", flush=True)

    with suppress(KeyboardInterrupt):
        asyncio.run(run(template, data, port=port, announce=announce))


async def run(template: Path, data: Path | None, *, port: int, announce: Callable[[str], None]) -> None:
    """Watch and serve until cancelled; `announce` receives the address of the page. Raises SetupError."""
    token = secrets.token_urlsafe(16)
    board = Board(template.name)
    renderer = _open_renderer()
    with _listen(port) as listener:
        bound: int = listener.getsockname()[1]
        app = build_watching_app(board, token, bound)
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1))
        watching = asyncio.create_task(Watcher(template, data, renderer, board, now).run())
        watching.add_done_callback(lambda _: setattr(server, "should_exit", True))
        announce(f"http://{_HOST}:{bound}/{token}/")
        try:
            await server.serve(sockets=[listener])
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
            await renderer.close()


def _open_renderer() -> Renderer:
    office = find_office()
    return OfficePool(office, size=1) if office else MissingRenderer()


def _listen(port: int) -> socket.socket:
    """Return a listening socket: programs that open the address at once wait until the server accepts them."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise SetupError(
            f"Port {port} cannot be used: {error}. Choose another port, or leave out the option."
        ) from None
    return listener
