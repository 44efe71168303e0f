"""Time zones as resources: their ids follow from their IANA names, so every installation agrees on them."""

from uuid import NAMESPACE_URL, UUID, uuid5

_NAMESPACE = uuid5(NAMESPACE_URL, "urn:meetdeck:timezone")


def timezone_id(identifier: str) -> UUID:
    """Return the id of an IANA time zone."""
    return uuid5(_NAMESPACE, identifier)
