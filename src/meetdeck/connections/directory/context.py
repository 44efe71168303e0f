"""A request of a directory, as services see it."""

from datetime import datetime
from typing import NamedTuple

from meetdeck.platform.changes import Actor
from meetdeck.platform.database import Connection


class Work(NamedTuple):
    """The transaction of a request, its time and actor, and the base address of resources."""

    connection: Connection
    now: datetime
    actor: Actor
    base_url: str
    is_writing: bool
    """True if the request changes something, so that what it reads is locked."""
