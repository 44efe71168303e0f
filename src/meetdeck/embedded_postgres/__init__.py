"""A PostgreSQL server of our own, for installations that bring none.

`EmbeddedPostgres(data_dir)` starts it, or joins the one another process started, and the last process to leave
stops it. It listens on a private unix socket only, and every role has a password.
"""

from meetdeck.embedded_postgres.endpoint import Endpoint
from meetdeck.embedded_postgres.launcher import EmbeddedPostgres

__all__ = ["EmbeddedPostgres", "Endpoint"]
