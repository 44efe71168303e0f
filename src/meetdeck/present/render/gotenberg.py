"""Rendering with Gotenberg: LibreOffice behind HTTP, on as many machines as the operator provides.

One request for each presentation: POST /forms/libreoffice/convert with the file and no other field. The options that we
need are Gotenberg's defaults, and version 9 refuses the names that version 8 has for them (docs/decisions/0027).
"""

import asyncio
import logging
import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from uuid import UUID

import httpx

from meetdeck.platform.errors import MeetdeckError
from meetdeck.platform.process.log_facts import find_logged_request_id
from meetdeck.platform.process.tracing import WorkKind, get_traceparent, measure
from meetdeck.present.render.admission import Admission
from meetdeck.present.render.conversion import convert
from meetdeck.present.render.renderer import RendererBusy, RendererUnavailable, RenderingFailed, RenderingGivenUp

_log = logging.getLogger(__name__)

_ROUTE: Final = "forms/libreoffice/convert"
_VERSION_ROUTE: Final = "version"
_FILE_NAME: Final = "presentation.pptx"  # Gotenberg goes by the extension
_MEDIA_TYPE: Final = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
DEFAULT_SIZE: Final = 4
_ATTEMPTS: Final = 2  # a connection may have been closed while it was idle, a machine replaced
_MOST_WORDS: Final = 16_384  # bytes of an error's text; one lists every extension that it knows
_MOST_LOGGED: Final = 500  # characters of it
_SECONDS: Final = re.compile(r"[0-9]{1,5}")  # the other form, a date, is left aside
_FORM_REFUSED: Final = "Invalid form data"  # our request, not the presentation
_LOOK: Final = "look at MEETDECK_GOTENBERG_URL"
_CALL: Final = WorkKind(calls_out=True, attributes={"http.request.method": "POST"})
_MEANING: Final[dict[int, str]] = {
    400: "rejects our request",
    401: "requires a user and password, or different ones",
    403: "denies access",
    404: "is not at that address",
} | dict.fromkeys((301, 302, 303, 307, 308), "redirects, which is not followed")


@dataclass(frozen=True, slots=True)
class GotenbergLimits:
    """The limits: of waiting callers, of time for a presentation, of an answer's bytes."""

    waiting: int = 64
    job_seconds: float = 60.0
    connect_seconds: float = 5.0
    pdf_bytes: int = 256 * 2**20
    retry_seconds: int = 5  # what a caller is told when Gotenberg itself does not say


class GotenbergRenderer:
    """Renders with the Gotenberg (8 or later) at `url`, which may contain a user and password, and a path.

    `size` decks are sent to it at once (default: 4). Each Gotenberg behind `url` converts one at a time; time spent
    waiting there counts against its own time limit, time spent waiting here does not.
    """

    def __init__(self, url: str, *, size: int | None = None, limits: GotenbergLimits | None = None) -> None:
        self._limits = limits or GotenbergLimits()
        self._admission = Admission(size or DEFAULT_SIZE, self._limits.waiting)
        self._http = httpx.AsyncClient(
            base_url=url,
            headers={"Accept-Encoding": "identity"},
            timeout=httpx.Timeout(None, connect=self._limits.connect_seconds),
            follow_redirects=False,
            trust_env=False,
        )
        self._is_closed = False

    async def to_pdf(self, pptx: bytes, *, tenant_id: UUID | None = None) -> bytes:
        """Render the visible slides, one page each (see `Renderer.to_pdf`)."""
        self._check_open()
        async with self._admission.admit(tenant_id):
            return await convert(pptx, self._render, tenant_id)

    async def get_version(self) -> str:
        """Return this Gotenberg's version (see `Renderer.get_version`); before version 8 it is unknown."""
        self._check_open()
        try:
            async with self._http.stream("GET", _VERSION_ROUTE, timeout=self._limits.connect_seconds) as answer:
                if answer.status_code == HTTPStatus.NOT_FOUND:
                    return "Gotenberg"
                if answer.status_code != HTTPStatus.OK:
                    raise await self._read_refusal(answer)
                return f"Gotenberg {(await _read(answer, _MOST_WORDS) or b'').decode(errors='replace').strip()}"
        except httpx.RequestError as error:
            raise self._unreachable() from error

    async def close(self) -> None:
        """Close every connection; waiting callers get RendererUnavailable."""
        self._is_closed = True
        await self._http.aclose()

    async def _render(self, package: bytes) -> bytes:
        try:
            async with asyncio.timeout(self._limits.job_seconds):
                return await self._send(package)
        except TimeoutError as error:
            raise RenderingGivenUp(
                f"The presentation takes longer than {self._limits.job_seconds:g} s; make it smaller or split it."
            ) from error

    async def _send(self, package: bytes) -> bytes:
        """Convert once, and once more when no answer arrived."""
        for attempt in range(1, _ATTEMPTS + 1):
            self._check_open()  # closing cuts every connection
            try:
                return await self._convert(package)
            except httpx.RequestError as error:
                _log.warning("Gotenberg does not answer (attempt %d): %r", attempt, error)
        raise self._unreachable()

    async def _convert(self, package: bytes) -> bytes:
        request_id = find_logged_request_id()  # finds this request in Gotenberg's log, too
        file = (_FILE_NAME, package, _MEDIA_TYPE)
        with measure("POST Gotenberg", _CALL):
            told = {"Gotenberg-Trace": request_id, "traceparent": get_traceparent()}
            headers = {name: value for name, value in told.items() if value}
            async with self._http.stream("POST", _ROUTE, files={"files": file}, headers=headers) as answer:
                if answer.status_code != HTTPStatus.OK:
                    raise await self._read_refusal(answer)
                pdf = await _read(answer, self._limits.pdf_bytes)
        if pdf is None:
            raise RenderingFailed(
                f"The PDF would have more than {self._limits.pdf_bytes >> 20} MB; make the presentation smaller."
            )
        if not pdf.startswith(b"%PDF-"):
            raise RendererUnavailable(f"The server at Gotenberg's address sends no PDF; {_LOOK}.")
        return pdf

    async def _read_refusal(self, answer: httpx.Response) -> MeetdeckError:
        words = (await _read(answer, _MOST_WORDS) or b"").decode(errors="replace").strip()
        _log.warning("Gotenberg answers %d: %s", answer.status_code, words[:_MOST_LOGGED])
        seconds = _SECONDS.fullmatch(answer.headers.get("Retry-After", ""))
        return _refusal(answer.status_code, words, int(seconds[0]) if seconds else self._limits.retry_seconds)

    def _unreachable(self) -> RendererUnavailable:
        return RendererUnavailable(
            f"Gotenberg cannot be reached; {_LOOK} and whether it runs.",
            retry_after_seconds=self._limits.retry_seconds,
        )

    def _check_open(self) -> None:
        if self._is_closed:
            raise RendererUnavailable("The renderer is closed.")


def _refusal(status: int, words: str, retry_seconds: int) -> MeetdeckError:
    """Return our caller's error for a status; Gotenberg's own words are for us, and are logged."""
    match status:
        case 400 if not words.startswith(_FORM_REFUSED):
            return RenderingFailed("LibreOffice cannot render the presentation; save it again in PowerPoint.")
        case 413:
            return RenderingFailed("The presentation is larger than Gotenberg accepts; make it smaller.")
        case 429:
            return RendererBusy(
                f"Gotenberg is busy. Try again in {retry_seconds} s.", retry_after_seconds=retry_seconds
            )
        case 502 | 503 | 504:  # its time is up, which counts waiting too, or it is about to be there again
            return RendererUnavailable(
                f"Gotenberg did not answer in time ({status}). Try again in {retry_seconds} s.",
                retry_after_seconds=retry_seconds,
            )
        case _:
            meaning = _MEANING.get(status, "failed")
            return RendererUnavailable(f"Gotenberg {meaning} ({status}); {_LOOK} and at Gotenberg's log.")


async def _read(answer: httpx.Response, limit: int) -> bytes | None:
    """Return the whole body, or None when it is longer than `limit` bytes."""
    body = bytearray()
    async for chunk in answer.aiter_raw():
        body += chunk
        if len(body) > limit:
            return None
    return bytes(body)
