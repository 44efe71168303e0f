"""Examples of answers, recorded from the running product by `tests/http/test_openapi_answers.py`."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from meetdeck.platform.values import Version

_RECORDED = Path(__file__).with_name("answers.json")


@cache
def read_answers() -> Mapping[Version, Mapping[str, Any]]:
    """Return an example of each Struct that a version answers, by the Struct's name."""
    return msgspec.json.decode(_RECORDED.read_bytes(), type=dict[Version, dict[str, Any]])
