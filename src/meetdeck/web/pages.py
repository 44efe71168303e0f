"""Pages for people: the start page and the API page. They need nothing from outside."""

from pathlib import Path

from litestar import Controller, MediaType, Response, get
from litestar.static_files import create_static_files_router  # pyright: ignore[reportUnknownVariableType] - its types are partial

_FOLDER = Path(__file__).parent
# Swagger UI sets styles of its own and shows pictures that it was answered as blobs; scripts come from us alone.
_POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'"

static_files = create_static_files_router("/static", directories=[_FOLDER / "static"], include_in_schema=False)


class Pages(Controller):
    """Pages without credentials; they show no tenant's data."""

    @get("/", media_type=MediaType.HTML)
    async def show_start(self) -> Response[str]:
        """Show what is here."""
        return _show("start.html")

    @get("/docs", media_type=MediaType.HTML)
    async def show_api(self) -> Response[str]:
        """Show the API: every address, field and error, ready to try out."""
        return _show("docs.html")


def _show(name: str) -> Response[str]:
    page = (_FOLDER / "templates" / name).read_text(encoding="utf-8")
    return Response(page, media_type=MediaType.HTML, headers={"Content-Security-Policy": _POLICY})
