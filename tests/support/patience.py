"""The longest times for which tests wait for a state of a page or an answer, long enough for a busy machine."""

from typing import Any, Final

import httpx

LONGEST_SECONDS: Final = 120


def be_patient_with_answers() -> None:
    """Raise httpx's default timeout of five seconds for requests without a limit of their own."""
    limits: Any = (httpx.Client.__init__.__kwdefaults__ or {})["timeout"]  # one object, which all of httpx shares
    limits.connect = limits.read = limits.write = limits.pool = LONGEST_SECONDS
