"""Reading the forms of pages, up to the size of our own forms (0153)."""

from typing import Final
from urllib.parse import parse_qsl

from litestar.datastructures import UploadFile
from litestar.enums import RequestEncodingType
from litestar.exceptions import ClientException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge

from meetdeck.platform.http.answers import AnyRequest
from meetdeck.platform.process.threads import run_in_thread

MOST_FORM_BYTES: Final = 256 * 1024
"""The limit of a form. Pages with uploads have their own limit, only for multipart forms."""

_LARGE_FORM_BYTES: Final = 32 * 1024
"""Decoding the escapes of a larger form takes as long as serving several requests: a thread does it."""

MOST_FIELDS: Final = 1000

MOST_STAFF_FIELDS: Final = 5000
"""The limit for people with a session: the form of a portal with 200 questions has 2,400 fields."""


async def read_form(request: AnyRequest, most_fields: int = MOST_FIELDS) -> list[tuple[str, str | UploadFile]]:
    """Return the names and values of a form; empty for a body of another kind.

    Raises RequestEntityTooLarge as soon as the form is known to exceed a limit, ClientException for a malformed one.
    Call it only when it is known that the page exists and that the caller may send the form.
    """
    kind = request.content_type[0]
    if kind == RequestEncodingType.MULTI_PART:
        return await _read_parts(request)
    if kind != RequestEncodingType.URL_ENCODED:
        return []
    body = await _read_body(request)
    if len(body) > _LARGE_FORM_BYTES:
        return [*await run_in_thread(_parse, body, most_fields)]
    return [*_parse(body, most_fields)]


def _parse(body: bytes, most_fields: int) -> list[tuple[str, str]]:
    """Return the fields of a form. The separators are counted first: parsing half a million names takes seconds."""
    try:
        return parse_qsl(body.decode("latin-1"), keep_blank_values=True, max_num_fields=most_fields)
    except ValueError:
        raise RequestEntityTooLarge from None


async def read_refused_form(request: AnyRequest) -> list[tuple[str, str]]:
    """Return the texts of a form that is refused, to show them again; empty if it is larger than our own forms."""
    is_multipart = request.content_type[0] == RequestEncodingType.MULTI_PART
    if is_multipart and not 0 < (request.content_length or 0) <= MOST_FORM_BYTES:
        return []
    try:
        return list_texts(await read_form(request))
    except ClientException:
        return []


def list_texts(sent: list[tuple[str, str | UploadFile]]) -> list[tuple[str, str]]:
    """Return the names and values of a form without its files."""
    return [(name, value) for name, value in sent if not isinstance(value, UploadFile)]


async def _read_body(request: AnyRequest) -> bytes:
    """Return the body. Raises RequestEntityTooLarge by its announced length, or when the limit is reached."""
    if (request.content_length or 0) > MOST_FORM_BYTES:
        raise RequestEntityTooLarge
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_FORM_BYTES:
            raise RequestEntityTooLarge
    return bytes(body)


async def _read_parts(request: AnyRequest) -> list[tuple[str, str | UploadFile]]:
    """Return the parts of a multipart form. Litestar limits their number, and their bytes by the page's limit."""
    try:
        return [*(await request.form()).multi_items()]
    except (UnicodeDecodeError, LookupError):
        raise ClientException("A text of the form is not in UTF-8.") from None
    except ClientException as error:
        if error.detail == RequestEntityTooLarge.detail:  # Litestar answers too many parts with 400
            raise RequestEntityTooLarge from None
        raise
