"""The credentials for servers of calendars."""

from base64 import b64encode
from typing import NamedTuple


class Login(NamedTuple):
    """The name and password for a calendar's server."""

    user_name: str | None
    password: str | None

    def make_headers(self) -> dict[str, str]:
        """Return the header of basic authentication; none without a name."""
        if self.user_name is None:
            return {}
        told = f"{self.user_name}:{self.password or ''}".encode()
        return {"Authorization": f"Basic {b64encode(told).decode('ascii')}"}
