"""The endpoint of a running server: its socket and roles."""

from dataclasses import dataclass
from pathlib import Path

from meetdeck.platform.database import Address

DATABASE = "meetdeck"
PORT = 5432
"""Names only the socket file: the folder around it is private, so the number can never be taken."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A running server: `owner` migrates (owns the database), `app` serves (owns nothing), `superuser` repairs."""

    socket_dir: Path
    port: int
    superuser: Address
    owner: Address
    app: Address
