"""The errors that calls raise. Every refusal of the service is a `Problem`; each `code` has a class of its own."""

from meetdeck_client._generated.codes import *  # noqa: F403 - a class for each code
from meetdeck_client._problems import (
    BadRequest,
    Conflict,
    ConnectionFailed,
    Fault,
    Forbidden,
    Gone,
    InvalidSignature,
    MeetdeckError,
    NotFound,
    PreconditionFailed,
    Problem,
    RateLimited,
    ServerError,
    Stale,
    Unauthenticated,
    Unavailable,
)

__all__ = [
    "BadRequest",
    "Conflict",
    "ConnectionFailed",
    "Fault",
    "Forbidden",
    "Gone",
    "InvalidSignature",
    "MeetdeckError",
    "NotFound",
    "PreconditionFailed",
    "Problem",
    "RateLimited",
    "ServerError",
    "Stale",
    "Unauthenticated",
    "Unavailable",
]
