"""The administration's addresses."""

from litestar import Controller

from meetdeck.administration.audit_log.endpoints import AuditLog
from meetdeck.administration.clients.endpoints import Clients
from meetdeck.administration.firm_clock.endpoints import TestClock
from meetdeck.administration.keys.endpoints import Keys
from meetdeck.administration.recent_requests.endpoints import RecentRequestLog
from meetdeck.administration.scim_tokens.endpoints import ScimTokens
from meetdeck.platform.values import Version


def list_controllers(version: Version, *, in_test: bool) -> list[type[Controller]]:
    """Return the addresses of one version, with those that the test environment alone has."""
    if version is not Version.V3:
        return []
    return [AuditLog, Keys, Clients, ScimTokens, RecentRequestLog, *([TestClock] if in_test else [])]
