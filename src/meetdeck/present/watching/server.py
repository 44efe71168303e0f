"""The page of a watched template: an application only for this machine, at an unguessable address."""

from pathlib import Path
from typing import Final

import msgspec
from litestar import Litestar, Response, Router, get
from litestar.config.allowed_hosts import AllowedHostsConfig
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from meetdeck.present.watching.board import Board

_FILES: Final = Path(__file__).parent / "static"
_TYPES: Final = {".css": "text/css", ".js": "text/javascript", ".html": "text/html"}
_LONGEST_WAIT_SECONDS: Final = 20.0
_HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def build_watching_app(board: Board, token: str, port: int) -> Litestar:
    """Return the application for a port; its pages are below `/{token}/`, and there is nothing else."""

    @get("/")
    async def show_page() -> Response[bytes]:
        return _answer_file("watch.html")

    @get("/static/{name:str}")
    async def show_file(name: FromPath[str]) -> Response[bytes]:
        return _answer_file(name)

    @get("/state")
    async def show_state(after: FromQuery[int] = 0) -> Response[bytes]:
        state = await board.wait(after, _LONGEST_WAIT_SECONDS)
        return Response(msgspec.json.encode(state), media_type="application/json", headers=_HEADERS)

    @get("/pictures/{name:str}")
    async def show_picture(name: FromPath[str]) -> Response[bytes]:
        picture = board.find(name)
        if picture is None:
            raise NotFoundException
        headers = _HEADERS | {"Cache-Control": "private, max-age=3600, immutable"}
        return Response(picture, media_type="image/webp", headers=headers)

    router = Router(f"/{token}", route_handlers=[show_page, show_file, show_state, show_picture])
    # No name of another site leads here.
    hosts = AllowedHostsConfig(allowed_hosts=[f"127.0.0.1:{port}", f"localhost:{port}"])
    return Litestar([router], openapi_config=None, allowed_hosts=hosts)


def _answer_file(name: str) -> Response[bytes]:
    path = _FILES / name
    if Path(name).name != name or path.suffix not in _TYPES or not path.is_file():
        raise NotFoundException
    return Response(path.read_bytes(), media_type=_TYPES[path.suffix], headers=_HEADERS)
