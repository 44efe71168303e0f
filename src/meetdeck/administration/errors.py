"""The errors of administration."""

from datetime import datetime
from uuid import UUID

from meetdeck.platform.errors import Conflict, Invalid, NotFound
from meetdeck.platform.phrases import phrase


class TenantExists(Conflict):
    """A tenant with this id exists."""

    code = "tenant_exists"


class FilesHeld(Conflict):
    """Files cannot be deleted now, because a running backup may need them."""

    code = "files_held"

    def __init__(self) -> None:
        super().__init__(
            "A backup or export is running, and may need the tenant's files. Repeat the command when it has ended."
        )


class InvalidTenant(Invalid):
    """A name, locale or quota that is not allowed for a tenant."""

    code = "invalid_tenant"


class KeyNotFound(NotFound):
    """No subscription key has this id."""

    code = "key_not_found"


class KeyRefused(Conflict):
    """A key cannot be created or rotated: there are two live ones with its name, or it was revoked."""

    code = "key_refused"


class KeyInUse(Conflict):
    """The call tries to revoke the key that it uses."""

    code = "key_in_use"

    def __init__(self, key_id: UUID) -> None:
        super().__init__(
            phrase(
                "This call was made with the key {key_id} itself: revoke it by a call with another key.", key_id=key_id
            )
        )


class ClockMovedBack(Conflict):
    """A firm's clock is to show an earlier time."""

    code = "clock_moved_back"

    def __init__(self, now: datetime) -> None:
        super().__init__(
            phrase(
                "The firm's time is {now}: it cannot be moved back, because what was sent and what has expired stays "
                "so. Send `reset`: true to return to the real time.",
                now=f"{now:%Y-%m-%dT%H:%M:%SZ}",
            )
        )


class ScimTokenNotFound(NotFound):
    """No SCIM token has this id."""

    code = "scim_token_not_found"


class ScimTokenRefused(Conflict):
    """A SCIM token cannot be created: there are two live ones with its name."""

    code = "scim_token_refused"

    def __init__(self, name: str, count: int, oldest: UUID) -> None:
        super().__init__(
            phrase(
                "'{name}' has {count} live tokens already. Revoke the one that is no longer used "
                "(the older is {oldest}), or choose another name.",
                name=name,
                count=count,
                oldest=oldest,
            )
        )


class ClientNotFound(NotFound):
    """No client has this id."""

    code = "client_not_found"


class IssuerElsewhere(Conflict):
    """Another issuer issues the tokens, and has the clients."""

    code = "issuer_elsewhere"

    def __init__(self, issuer: str) -> None:
        super().__init__(
            phrase("Create clients at the token issuer, {issuer}; the built-in one is not used here.", issuer=issuer)
        )


class ClientRefused(Invalid):
    """A client cannot be created: another issuer issues the tokens, or a role is unknown."""

    code = "client_refused"


class InvalidUser(Invalid):
    """A user who cannot sign in with this address."""

    code = "invalid_user"


class UserExists(Conflict):
    """A user of the tenant already signs in with this address."""

    code = "user_exists"
