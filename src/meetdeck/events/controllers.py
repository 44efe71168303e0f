"""The addresses of events, below `/events`: only v3 has them."""

from litestar import Controller

from meetdeck.events.feed.endpoints import Feed
from meetdeck.events.webhooks.endpoints import Webhooks
from meetdeck.platform.http.versions import Version


def list_controllers(version: Version) -> list[type[Controller]]:
    """Return the addresses of one version."""
    return [Feed, Webhooks] if version is Version.V3 else []
