"""The errors of administration."""

from uuid import UUID

from meetdeck.platform.errors import Conflict, Invalid, NotFound
from meetdeck.platform.phrases import phrase


class TenantExists(Conflict):
    """A tenant has this id."""

    code = "tenant_exists"


class FilesHeld(Conflict):
    """Files that cannot be deleted just now, since a backup that runs may need them."""

    code = "files_held"

    def __init__(self) -> None:
        super().__init__(
            "A backup or export runs, and may need the tenant's files. Repeat the command when it has ended."
        )


class InvalidTenant(Invalid):
    """A name, locale or quota that no tenant can have."""

    code = "invalid_tenant"


class KeyNotFound(NotFound):
    """No subscription key has this id."""

    code = "key_not_found"


class KeyRefused(Conflict):
    """A key that cannot be made or rotated: there are two live ones of its name, or it was revoked."""

    code = "key_refused"


class KeyInUse(Conflict):
    """The call tries to revoke the key that it uses."""

    code = "key_in_use"

    def __init__(self, key_id: UUID) -> None:
        super().__init__(
            phrase("This call comes with the key {key_id} itself: revoke it by a call with another key.", key_id=key_id)
        )


class ClientNotFound(NotFound):
    """No client has this id."""

    code = "client_not_found"


class IssuerElsewhere(Conflict):
    """Another issuer gives the tokens, and has the clients."""

    code = "issuer_elsewhere"

    def __init__(self, issuer: str) -> None:
        super().__init__(
            phrase("Clients are made at the token issuer, {issuer}; the built-in one is not used here.", issuer=issuer)
        )


class ClientRefused(Invalid):
    """A client that cannot be made: another issuer gives the tokens, or a role is none of ours."""

    code = "client_refused"


class InvalidUser(Invalid):
    """Somebody who cannot sign in by this address."""

    code = "invalid_user"


class UserExists(Conflict):
    """Somebody of the tenant signs in by this address."""

    code = "user_exists"
