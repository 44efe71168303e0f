"""Where a running server is reached, and as whom."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict
from urllib.parse import quote, urlencode

DATABASE = "meetdeck"
PORT = 5432
"""Names the socket file only: the folder around it is private, so the number can never be taken."""


class ConnectArguments(TypedDict):
    """The keyword arguments of `asyncpg.connect` and `asyncpg.create_pool`."""

    host: str
    port: int
    user: str
    password: str
    database: str


@dataclass(frozen=True, slots=True)
class Login:
    """One role and how it connects; the password stays out of `repr`."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    database: str = DATABASE

    @property
    def arguments(self) -> ConnectArguments:
        """Return the arguments for `asyncpg.connect(**login.arguments)`."""
        return ConnectArguments(
            host=self.host, port=self.port, user=self.user, password=self.password, database=self.database
        )

    @property
    def dsn(self) -> str:
        """Return the same as a `postgresql://` address, for libraries that take nothing else."""
        query = urlencode({"host": self.host, "port": self.port})
        return f"postgresql://{quote(self.user)}:{quote(self.password, safe='')}@/{quote(self.database)}?{query}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A running server: `owner` migrates (owns the database), `app` serves (owns nothing), `superuser` repairs."""

    socket_dir: Path
    port: int
    superuser: Login
    owner: Login
    app: Login
