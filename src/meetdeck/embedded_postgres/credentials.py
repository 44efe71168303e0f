"""The passwords of the server's roles, in a file that only the account that runs Meetdeck can read."""

import os
import secrets
from pathlib import Path

import msgspec

from meetdeck.embedded_postgres.endpoint import DATABASE, PORT, Endpoint
from meetdeck.platform.database import Address
from meetdeck.platform.errors import SetupError

SUPERUSER, OWNER, APP = "postgres", "meetdeck_owner", "meetdeck_app"


class Credentials(msgspec.Struct, frozen=True):
    """A password for each role, in base64url's characters, so that SQL needs no quoting."""

    superuser: str = msgspec.field(name=SUPERUSER)
    owner: str = msgspec.field(name=OWNER)
    app: str = msgspec.field(name=APP)

    def endpoint(self, socket_dir: Path) -> Endpoint:
        """Return the endpoint of the server whose socket is in `socket_dir`."""
        host = str(socket_dir)
        return Endpoint(
            socket_dir=socket_dir,
            port=PORT,
            superuser=Address(host, PORT, SUPERUSER, self.superuser, DATABASE),
            owner=Address(host, PORT, OWNER, self.owner, DATABASE),
            app=Address(host, PORT, APP, self.app, DATABASE),
        )


def find_credentials(path: Path) -> Credentials | None:
    """Return the passwords; None without a file. Raises `SetupError` for a file of another kind."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Credentials)
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise SetupError(f"{path} is damaged ({error}): restore it from a backup.") from error


def create_credentials(path: Path) -> Credentials:
    """Write new passwords atomically, and return them."""
    credentials = Credentials(*(secrets.token_urlsafe(24) for _ in range(3)))
    unfinished = path.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(msgspec.json.encode(credentials))
        file.flush()
        os.fsync(file.fileno())
    unfinished.rename(path)
    return credentials
