"""A PostgreSQL server of our own, for installations that have none.

`EmbeddedPostgres(data_dir)` starts it, or joins the one that another process started; the last process to leave stops
it. It listens only on a private unix socket, and every role has a password.
"""

from meetdeck.embedded_postgres.endpoint import Endpoint
from meetdeck.embedded_postgres.launcher import EmbeddedPostgres

__all__ = ["EmbeddedPostgres", "Endpoint"]
