"""What the tests use of vobject: a second reader of calendar files."""

from typing import Any

def readOne(stream: str) -> Any: ...
