"""Addresses for operators and developers."""

from meetdeck.platform.http.operations.health import Operations
from meetdeck.platform.http.operations.oauth import OAuth
from meetdeck.platform.http.operations.readiness import Readiness

__all__ = [
    "OAuth",
    "Operations",
    "Readiness",
]
