"""What handlers answer with, beside plain Structs: files, and where a new resource is."""

from collections.abc import Iterator, Mapping
from typing import TypeVar
from urllib.parse import quote

import msgspec
from litestar import Response
from litestar.response import Stream

PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
PDF = "application/pdf"
JSON = "application/json"
PNG = "image/png"
CALENDAR = "text/calendar"

T = TypeVar("T", bound=msgspec.Struct)


def answer_file(
    content: bytes, *, media_type: str, file_name: str, headers: Mapping[str, str] | None = None
) -> Response[bytes]:
    """Answer a file for download, with a name that every browser understands (RFC 6266, RFC 8187)."""
    plain = "".join(sign if sign.isascii() and sign.isprintable() and sign not in '"\\/' else "_" for sign in file_name)
    disposition = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file_name, safe='', errors='replace')}"
    return Response(
        content, status_code=200, media_type=media_type, headers={"Content-Disposition": disposition, **(headers or {})}
    )


def answer_saved(resource: T, *, uri: str, is_new: bool = True) -> Response[T]:
    """Answer a resource that was created (201 with its Location) or replaced (200)."""
    return Response(resource, status_code=201 if is_new else 200, headers={"Location": uri})


def answer_json_stream(pieces: Iterator[bytes]) -> Stream:
    """Answer JSON that is rendered piece by piece, so that memory stays flat for any size."""
    return Stream(pieces, media_type="application/json")
