"""Rate limits, and the callers that they apply to."""

from meetdeck.platform.http.limits.callers import find_caller_address, name_network
from meetdeck.platform.http.limits.rate_limiting import (
    AddressChangesLimited,
    MailsLimited,
    limit_address,
    limit_address_changes,
    limit_addresses,
    limit_caller,
    limit_directory,
    limit_holds,
    limit_key,
    limit_mails,
    list_rate_limits,
)

__all__ = [
    "AddressChangesLimited",
    "MailsLimited",
    "find_caller_address",
    "limit_address",
    "limit_address_changes",
    "limit_addresses",
    "limit_caller",
    "limit_directory",
    "limit_holds",
    "limit_key",
    "limit_mails",
    "list_rate_limits",
    "name_network",
]
