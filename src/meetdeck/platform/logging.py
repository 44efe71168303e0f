"""Structured logs: one event a line, for people on a terminal or as JSON for machines."""

import logging
import sys
from typing import Literal

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import Processor

# Tracebacks without local variables: those hold tokens, keys and customers' data.
_TRACEBACKS = structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False))


def configure_logging(log_format: Literal["console", "json"]) -> None:
    """Send every log line, ours and the libraries', through structlog to stderr."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: Processor = (
        structlog.processors.JSONRenderer()
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler()
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *([_TRACEBACKS] if log_format == "json" else []),
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    for chatty in ("uvicorn", "uvicorn.access", "uvicorn.error", "httpx", "alembic"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
