"""Middleware that every request passes before its handler."""

from meetdeck.platform.http.around.areas import ServedAreas
from meetdeck.platform.http.around.codings import CODINGS, choose_coding, compress_for_good
from meetdeck.platform.http.around.compression import Compression
from meetdeck.platform.http.around.forwarding import ForwardingMiddleware, Proxies, list_first_steps
from meetdeck.platform.http.around.middleware import (
    RequestMiddleware,
    complete_headers,
    read_path,
    read_request_id,
    record_answer,
    unescape_step,
)
from meetdeck.platform.http.around.recording import RecordingMiddleware

__all__ = [
    "CODINGS",
    "Compression",
    "ForwardingMiddleware",
    "Proxies",
    "RecordingMiddleware",
    "RequestMiddleware",
    "ServedAreas",
    "choose_coding",
    "complete_headers",
    "compress_for_good",
    "list_first_steps",
    "read_path",
    "read_request_id",
    "record_answer",
    "unescape_step",
]
