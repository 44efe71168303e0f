"""The names of tenants, keys and clients."""

from typing import Final

from meetdeck.platform.errors import Invalid

LONGEST_NAME: Final = 100


class InvalidName(Invalid):
    """A name that is empty, too long, or has characters that cannot be shown."""

    code = "invalid_name"


def read_name(name: str) -> str:
    """Return a name without surrounding blanks. Raises InvalidName."""
    trimmed = " ".join(name.split())
    if not 1 <= len(trimmed) <= LONGEST_NAME or not trimmed.isprintable():
        raise InvalidName(f"A name has 1 to {LONGEST_NAME} printable characters, not {name[:LONGEST_NAME]!r}.")
    return trimmed
