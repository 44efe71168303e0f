"""Structured logs: one event a line, for people on a terminal or as JSON for machines."""

import json
import logging
import re
import sys
from contextlib import suppress
from typing import Literal

import msgspec
import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, Processor

from meetdeck.platform.process.log_facts import merge_log_facts

_SIGNED_LINK = re.compile(r"(/p/[^/]+/[cemwo]/|/calendars/(?=[^/]+$))[^/]+")

_SIGNED = ("/p/", "/calendars/")  # in each of them: most paths are of no link

# Tracebacks without local variables, which contain tokens, keys and customers' data.
_TRACEBACKS = structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False))


def writes_json(log_format: Literal["console", "json"] | None) -> bool:
    """Return whether log lines are JSON: by default, a terminal gets lines for people, and anything else JSON."""
    return log_format == "json" or (log_format is None and not sys.stderr.isatty())


def configure_logging(log_format: Literal["console", "json"] | None, level: int = logging.INFO) -> None:
    """Send every log line of a level or above to stderr: ours directly, the libraries' through `logging`."""
    is_json = writes_json(log_format)
    shared: list[Processor] = [
        merge_log_facts,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    rendering: list[Processor] = (
        [_TRACEBACKS, structlog.processors.JSONRenderer(serializer=_write_json)]
        if is_json
        else [
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback)
        ]
    )
    structlog.configure(
        processors=[*shared, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda: _LineWriter(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for chatty in ("uvicorn", "uvicorn.access", "uvicorn.error", "httpx"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


class _LineWriter(structlog.WriteLogger):
    """Writes lines to stderr; a line that cannot be written is lost, as with `logging`."""

    def msg(self, message: str) -> None:
        with suppress(OSError):
            super().msg(message)

    debug = info = warning = error = critical = msg


def _write_json(event: EventDict, **_: object) -> str:
    try:
        return msgspec.json.encode(event, enc_hook=repr).decode()
    except UnicodeEncodeError:  # half a surrogate pair is not UTF-8, only an escape
        return json.dumps(event, default=repr)


def hide_secrets(path: str) -> str:
    """Return a request's path for logs: without the token of a signed link, which works for anyone who has it."""
    return _SIGNED_LINK.sub(r"\1…", path) if any(one in path for one in _SIGNED) else path
