"""The kinds of employees that a search distinguishes (docs/api/advisors.md)."""

from meetdeck.platform.values import AnyCase


class EmployeeType(AnyCase):
    """A reason for which a search considers employees; several are combined."""

    EXPLICIT = "Explicit"
    LOCAL = "Local"
    SERVICE_GROUP = "ServiceGroup"
