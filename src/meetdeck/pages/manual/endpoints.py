"""The manual at `/docs`, open to everybody like the API page: it shows no tenant's data."""

from functools import lru_cache
from mimetypes import guess_type
from typing import Any, Final, NamedTuple

from litestar import Controller, MediaType, Response, get
from litestar.params import FromPath

from meetdeck.pages.html import answer_page, make_policy
from meetdeck.pages.manual.links import HOME, place_links
from meetdeck.pages.manual.made import find_file, get_files, is_made, read_page
from meetdeck.platform.http.answers import AnyRequest, Conditions, answer_unchanged, entity_tag
from meetdeck.platform.http.limits import limit_addresses
from meetdeck.web.pages import show_incomplete

_KEPT: Final = "public, max-age=31536000, immutable"
_CHECKED: Final = "no-cache"
_HASHED: Final = frozenset({".pf_fragment", ".pf_index", ".pf_meta"})
"""The endings of the index's files whose names change with their content."""


class _Page(NamedTuple):
    html: str
    tag: str


class Manual(Controller):
    """The manual's pages, pictures and index of words. Links are relative: a proxy may add a path prefix."""

    path = "/docs"

    @get("/", media_type=MediaType.HTML, include_in_schema=False, middleware=[limit_addresses])
    async def show_home(self, request: AnyRequest) -> Response[Any]:
        """Show the manual's first page."""
        return _show(request, HOME)

    @get("/{name:path}", media_type=MediaType.HTML, include_in_schema=False, middleware=[limit_addresses])
    async def show_page(self, request: AnyRequest, name: FromPath[str]) -> Response[Any]:
        """Show a page. Raises NotFound."""
        return _show(request, name.strip("/"))

    @get("/images/{name:path}", include_in_schema=False)
    async def send_picture(self, request: AnyRequest, name: FromPath[str]) -> Response[Any]:
        """Answer a picture. Raises NotFound."""
        return _send(request, "images", name.lstrip("/"))

    @get("/pagefind/{name:path}", include_in_schema=False)
    async def send_index(self, request: AnyRequest, name: FromPath[str]) -> Response[Any]:
        """Answer a file of the index of words, or of what searches it. Raises NotFound."""
        return _send(request, "pagefind", name.lstrip("/"))


def _show(request: AnyRequest, name: str) -> Response[Any]:
    if not is_made():
        return show_incomplete(request, "manual")
    page = _place(name, slash="/" if request.scope["raw_path"].endswith(b"/") else "")
    if _is_known(request, page.tag):
        return answer_unchanged(page.tag)
    headers = {"Cache-Control": _CHECKED, "ETag": page.tag}
    return answer_page(page.html, policy=make_policy(searches=True), headers=headers)


@lru_cache(maxsize=512)
def _place(name: str, *, slash: str) -> _Page:
    """Return a page with the addresses of this installation. Raises NotFound."""
    html = place_links(read_page(name), _address_of("page", name) + slash, _address_of)
    return _Page(html, entity_tag(html.encode()))


def _address_of(kind: str, name: str) -> str:
    """Return the address of a target of the manual's links, below the installation's root."""
    if kind == "file":
        return "static/icon.svg" if name == "icon" else f"pages/{get_files()[name].name}"
    places = {"page": f"docs/{name}", "image": f"docs/images/{name}", "base": "docs/", "root": name}
    return "docs" if (kind, name) == ("page", HOME) else places[kind]


def _send(request: AnyRequest, folder: str, name: str) -> Response[Any]:
    path = find_file(folder, name)
    content = path.read_bytes()
    tag = entity_tag(content)
    if _is_known(request, tag):
        return answer_unchanged(tag)
    headers = {"Cache-Control": _KEPT if path.suffix in _HASHED else _CHECKED, "ETag": tag}
    return Response(content, media_type=guess_type(name)[0] or "application/octet-stream", headers=headers)


def _is_known(request: AnyRequest, tag: str) -> bool:
    return Conditions(if_none_match=request.headers.get("If-None-Match")).is_known(tag)
