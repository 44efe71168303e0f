"""Pages for people: the start page and the API page. They load nothing from elsewhere."""

import re
from collections.abc import Mapping
from html import escape
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any

from litestar import Controller, MediaType, Response, get
from litestar.datastructures import CacheControlHeader
from litestar.file_system import BaseLocalFileSystem
from litestar.static_files import create_static_files_router  # pyright: ignore[reportUnknownVariableType] - its types are partial
from litestar.status_codes import HTTP_200_OK, HTTP_308_PERMANENT_REDIRECT, HTTP_503_SERVICE_UNAVAILABLE
from litestar.types import FileInfo

from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.calls import Service
from meetdeck.platform.http.limits import limit_addresses
from meetdeck.platform.settings import Area, Settings
from meetdeck.web.demo_portals import DemoPortal, list_demo_portals

_FOLDER = Path(__file__).parent
_FILES = [_FOLDER / "static", _FOLDER / "assets"]
"""Our own files, and those of others, which are fetched at set-up (assets/ of the repository) and may be missing."""

_LINK = re.compile(r"\$\{root\}static/([^\"]+)")
# Swagger UI sets its own styles and shows answered pictures as blobs; scripts come only from us.
_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'"

_INCOMPLETE = {
    "api": "It uses third-party files (Swagger UI) that are not in this installation.",
    "manual": "The manual is generated at set-up, which has not happened in this installation.",
}
"""The reason why a page is not installed."""
_WITH_CONSOLE = frozenset({Area.PRESENT, Area.BOOKING, Area.PAGES})  # it calls the API of all parts
_CONSOLE = '        <li><a href="${root}console">The console</a><span>where staff work; no passwords here</span></li>\n'


def _open_to_other_sites(response: Response[bytes]) -> Response[bytes]:
    """Allow other sites to import our scripts: a page that frames a portal imports the resizing script."""
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


class _StaticFileSystem(BaseLocalFileSystem):
    """The local files. An address that is not a valid file name names no file of ours."""

    async def info(self, path: str | PathLike[str], **kwargs: Any) -> FileInfo:  # noqa: ANN401 - Litestar's
        """Return the facts about a file. Raises FileNotFoundError, also for names that are too long or have a NUL."""
        try:
            return await super().info(path, **kwargs)  # pyright: ignore[reportUnknownMemberType] - their types are partial
        except (OSError, ValueError):
            raise FileNotFoundError(path) from None


static_files = create_static_files_router(
    "/static",
    directories=[*_FILES],
    file_system=_StaticFileSystem(),
    include_in_schema=False,
    after_request=_open_to_other_sites,
    cache_control=CacheControlHeader(max_age=3600, public=True),
)


class Pages(Controller):
    """Pages without credentials; they show no tenant's data. Links are relative: a proxy may add a path prefix."""

    @get("/", media_type=MediaType.HTML, middleware=[limit_addresses])
    async def show_start(self, request: AnyRequest, settings: Service[Settings]) -> Response[str]:
        """Show what this installation serves; in the test environment also the demo data, health and metrics."""
        if request.scope["raw_path"] == b"":  # https://host/firm, below which our links would lead to https://host/docs
            return Response("", status_code=HTTP_308_PERMANENT_REDIRECT, headers={"Location": f"{settings.base_url}/"})
        if settings.environment != "test":
            return _show(request, "start.html", portals="", for_test="")
        demo_portals = list_demo_portals(settings.data_dir) if Area.PAGES in settings.only else []
        links = [_link_portal(portal) for portal in demo_portals]
        if settings.only >= _WITH_CONSOLE:
            links.append(_CONSOLE)
        portals = f"      <ul>\n{''.join(links)}      </ul>\n" if links else ""
        return _show(request, "start.html", portals=portals, for_test=read_template("start-test.html"))

    @get("/docs/api", media_type=MediaType.HTML, middleware=[limit_addresses])
    async def show_api(self, request: AnyRequest) -> Response[str]:
        """Show the API: every address, field and error, ready to try out."""
        return _show(request, "api.html")

    @get("/favicon.ico", include_in_schema=False)
    async def show_icon(self) -> Response[str]:
        """Show the icon where browsers look for it if an answer is not a page."""
        icon = (_FOLDER / "static" / "icon.svg").read_text(encoding="utf-8")
        return Response(icon, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600, public"})


def _link_portal(portal: DemoPortal) -> str:
    """Return a line of the start page that leads to a portal's page."""
    name = escape(portal.name).replace("$", "$$")  # the text that follows is a template again
    return (
        f'        <li><a href="${{root}}{portal.path}">{name}</a><span>where its customers book a meeting</span></li>\n'
    )


def _show(request: AnyRequest, name: str, **parts: str) -> Response[str]:
    """Answer a page, or one that says what to do if one of its files is missing.

    `$root` in a page is the relative path to the installation's own root from the page's address.
    """
    if not _is_whole(name):
        return show_incomplete(request, "api")
    return _fill(request, name, HTTP_200_OK, parts)


def show_incomplete(request: AnyRequest, part: str) -> Response[str]:
    """Answer that the files of a page are not installed, and what to do (503); `part` is `api` or `manual`."""
    return _fill(request, "incomplete.html", HTTP_503_SERVICE_UNAVAILABLE, {"part": _INCOMPLETE[part]})


def _fill(request: AnyRequest, name: str, status: int, parts: Mapping[str, str]) -> Response[str]:
    root = "../" * (request.scope["raw_path"].count(b"/") - 1)
    page = Template(read_template(name)).substitute(
        {part: Template(text).substitute(root=root) for part, text in parts.items()}, root=root
    )
    headers = {"Content-Security-Policy": _POLICY, "Cache-Control": "no-cache"}
    return Response(page, media_type=MediaType.HTML, status_code=status, headers=headers)


def _is_whole(name: str) -> bool:
    """Return whether all files of a page exist."""
    return all(any((folder / file).is_file() for folder in _FILES) for file in _LINK.findall(read_template(name)))


def read_template(name: str) -> str:
    """Return one of our own templates."""
    return (_FOLDER / "templates" / name).read_text(encoding="utf-8")
