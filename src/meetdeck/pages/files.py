"""The style sheets and scripts of pages: assembled once, and cached by browsers under names made from their content."""

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from litestar import Controller, Response, get
from litestar.params import FromPath

from meetdeck.pages.theme.stylesheet import write_theme
from meetdeck.pages.typeface import read_fonts, write_faces
from meetdeck.platform.errors import NotFound
from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.http.around import CODINGS, choose_coding, compress_for_good

_ASSETS: Final = Path(__file__).parent.parent / "web/assets"
_SHARED: Final = Path(__file__).parent / "static"
_OURS: Final = Path(__file__).parent / "portal/static"
_CONSOLE: Final = Path(__file__).parent / "console/static"
_MAILBOX: Final = Path(__file__).parent / "mailbox/static"
_MANUAL: Final = Path(__file__).parent / "manual/static"
_DESIGN: Final = _ASSETS / "designsystemet"
_BASE: Final = "base"
_COMPONENTS: Final = [
    "alert",
    "button",
    "card",
    "details",
    "error-summary",
    "field",
    "fieldset",
    "heading",
    "input",
    "label",
    "link",
    "list",
    "paragraph",
    "skip-link",
    "validation-message",
]
_MORE_COMPONENTS: Final = ["table", "tag", "breadcrumbs", "pagination", "search", "tabs", "spinner", "file-upload"]
"""Components of the console beside those of the portals."""
_LIBRARIES: Final = {"calendar": "event-calendar"}
"""The libraries that single parts of the console use; only their pages load them."""
_COLOR: Final = re.compile(r"theme-([0-9A-F]{6})-")
_KEPT_A_WEEK: Final = "private, max-age=604800, immutable"
_KEPT: Final = "public, max-age=31536000, immutable"


class PageFile(NamedTuple):
    """A file that pages link to: its name changes with its content."""

    name: str
    media_type: str
    content: bytes
    compressed: Mapping[str, bytes]
    """By content coding: compressed only once, since it is sent often."""


class PageFiles(Controller):
    """The files of the pages."""

    @get("/pages/{name:str}", include_in_schema=False)
    async def send_file(self, request: AnyRequest, name: FromPath[str]) -> Response[bytes]:
        """Answer a file of the pages, which browsers can cache without asking again."""
        file = next((each for each in _list_files(name) if each.name == name), None)
        if file is None:
            raise NotFound("There is no such file; pages link to the current ones.")
        return answer_kept(request, file)


def _list_files(name: str) -> list[PageFile]:
    color = _COLOR.match(name)
    return [
        *([get_theme(f"#{color[1]}")] if color else []),
        get_style_sheet(),
        get_theme(),
        get_mailbox_style(),
        get_manual_style(),
        get_manual_script(),
        get_script(),
        get_console_style(),
        get_console_script(),
        *get_part_scripts().values(),
        *get_part_styles().values(),
        *get_fonts().values(),
    ]


def answer_kept(request: AnyRequest, file: PageFile) -> Response[bytes]:
    """Answer a file whose content never changes under its name."""
    headers = {"Cache-Control": _KEPT, "Vary": "Accept-Encoding", "Cross-Origin-Resource-Policy": "same-origin"}
    coding = choose_coding(",".join(request.headers.getall("Accept-Encoding", [])))
    if coding is None or coding not in file.compressed:
        return Response(file.content, media_type=file.media_type, headers=headers)
    headers["Content-Encoding"] = coding
    return Response(file.compressed[coding], media_type=file.media_type, headers=headers)


def answer_picture(picture: bytes) -> Response[bytes]:
    """Answer the picture of an employee, which never changes under its address, and is to be forgotten some day."""
    headers = {"Cache-Control": _KEPT_A_WEEK, "Cross-Origin-Resource-Policy": "same-origin"}
    return Response(picture, media_type="image/webp", headers=headers)


def embed(file: PageFile) -> str:
    """Return a file as an address that contains it (`data:`)."""
    return f"data:{file.media_type};base64,{b64encode(file.content).decode()}"


def make_style_sheet(stem: str, text: str) -> PageFile:
    """Return a style sheet whose name contains a digest of its content."""
    return make_file(stem, "css", "text/css", text)


def make_file(stem: str, ending: str, media_type: str, text: str) -> PageFile:
    """Return a file whose name contains a digest of its content."""
    content = text.encode()
    compressed = {coding: compress_for_good(coding, content) for coding in CODINGS}
    return PageFile(_name(stem, content, ending), media_type, content, compressed)


def _name(stem: str, content: bytes, ending: str) -> str:
    return f"{stem}-{sha256(content).hexdigest()[:16]}.{ending}"


@cache
def get_style_sheet() -> PageFile:
    """Return the style sheet of all portals: the parts of Designsystemet that pages use, then our own."""
    return _join_style_sheet("portal", _COMPONENTS, [_OURS / "portal.css"])


@cache
def get_console_style() -> PageFile:
    """Return the style sheet of the console, made the same way; each part of it has its own file."""
    parts = sorted(path for path in _CONSOLE.glob("*.css") if path.stem != "console")
    return _join_style_sheet("console", [*_COMPONENTS, *_MORE_COMPONENTS], [_CONSOLE / "console.css", *parts])


def _join_style_sheet(stem: str, components: Sequence[str], ours: Sequence[Path]) -> PageFile:
    read = Path.read_text
    parts = [
        _write_faces(),
        "@layer ds.theme, ds.base, ds.components, meetdeck, portal;",
        read(_DESIGN / "designsystemet.css"),
        f"@layer ds.base{{{read(_DESIGN / f'{_BASE}.css')}}}",
        *(f"@layer ds.components{{{read(_DESIGN / f'{each}.css')}}}" for each in components),
        *(f"@layer meetdeck{{{read(each)}}}" for each in (_SHARED / "tokens.css", *ours)),
    ]
    return make_style_sheet(stem, "\n".join(parts))


def _write_faces() -> str:
    return write_faces({part: font.name for part, font in get_fonts().items()})


@cache
def get_fonts() -> dict[str, PageFile]:
    """Return the typeface's files, which are already compressed, by their part of the alphabet."""
    fonts = read_fonts().items()
    return {part: PageFile(_name(f"inter-{part}", font, "woff2"), "font/woff2", font, {}) for part, font in fonts}


@lru_cache(maxsize=256)
def get_theme(brand_color: str | None = None) -> PageFile:
    """Return the style sheet with the colors of pages other than portals, made from a firm's color or ours."""
    stem = f"theme-{brand_color.removeprefix('#')}" if brand_color is not None else "theme"
    return make_style_sheet(stem, write_theme(brand_color))


@cache
def get_mailbox_style() -> PageFile:
    """Return the style sheet of the mailbox, beside that of portals."""
    return make_style_sheet("mailbox", f"@layer meetdeck{{{(_MAILBOX / 'mailbox.css').read_text()}}}")


@cache
def get_manual_style() -> PageFile:
    """Return the style sheet of the manual, which has no components of Designsystemet: it is small."""
    parts = (_write_faces(), (_SHARED / "tokens.css").read_text(), (_MANUAL / "manual.css").read_text())
    return make_style_sheet("manual", "\n".join(parts))


@cache
def get_manual_script() -> PageFile:
    """Return the script of the manual, which searches and copies; pages are read without it, too."""
    return make_file("manual", "js", "text/javascript", (_MANUAL / "manual.js").read_text())


@cache
def get_script() -> PageFile:
    """Return the script of all portals: pages work without it, too."""
    return make_file("portal", "js", "text/javascript", _join_scripts(_SHARED / "dates.js", _OURS / "portal.js"))


@cache
def get_console_script() -> PageFile:
    """Return the script of the console, after htmx; pages work without it, too."""
    paths = (_ASSETS / "htmx/htmx.min.js", _SHARED / "dates.js", _CONSOLE / "console.js")
    return make_file("console", "js", "text/javascript", _join_scripts(*paths))


def _join_scripts(*paths: Path) -> str:
    return "\n".join(path.read_text() for path in paths)


@cache
def get_part_scripts() -> dict[str, PageFile]:
    """Return the scripts of single parts of the console, by the names of their files without `.js`."""
    paths = sorted(path for path in _CONSOLE.glob("*.js") if path.stem != "console")
    return {
        path.stem: make_file(path.stem, "js", "text/javascript", _read_library(path, "js") + path.read_text())
        for path in paths
    }


@cache
def get_part_styles() -> dict[str, PageFile]:
    """Return the style sheets of the libraries that single parts of the console use, by the names of these."""
    texts = {part: f"@layer ds.base{{{_read_library(Path(part), 'css')}}}" for part in _LIBRARIES}
    return {part: make_style_sheet(part, text) for part, text in texts.items()}


def _read_library(path: Path, ending: str) -> str:
    """Return the library of a part of the console, empty if it has none."""
    name = _LIBRARIES.get(path.stem)
    return (_ASSETS / f"{name}/{name}.min.{ending}").read_text() + "\n" if name else ""
