"""Opening the services that authenticate callers and sign people in, as the settings say."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Final, NamedTuple, Self

from meetdeck.platform.database import Database
from meetdeck.platform.identity.authentication import (
    Authenticator,
    DirectoryAuthenticator,
    KeyRing,
    TokenRules,
    TokenVerifier,
)
from meetdeck.platform.identity.authorization import Authorization
from meetdeck.platform.identity.identities import StoredUsers, find_client, find_key, find_scim_token
from meetdeck.platform.identity.issuer import KEY_FILE, TokenIssuer, load_signing_key
from meetdeck.platform.identity.sign_ins import BuiltInProvider, SignIns
from meetdeck.platform.identity.tokens import KeySource
from meetdeck.platform.outgoing import make_fetch
from meetdeck.platform.secrets import Sealer
from meetdeck.platform.settings import Settings

_BUILT_IN_AUDIENCE: Final = "meetdeck"


class Identity(NamedTuple):
    """The services that authenticate callers and sign people in; the last two are None with another token issuer."""

    authenticator: Authenticator
    directories: DirectoryAuthenticator
    sign_ins: SignIns
    issuer: TokenIssuer | None
    authorization: Authorization | None

    @classmethod
    def open(cls, settings: Settings, database: Database, sealer: Sealer, clock: Callable[[], datetime]) -> Self:
        """Return the services; without an issuer in the settings, the built-in one issues tokens."""
        rules = _token_rules(settings)
        issuer = _open_issuer(settings, database, rules) if settings.issuer is None else None
        authorization = _open_authorization(settings, database, issuer, sealer) if issuer else None
        provider = _make_provider(issuer, authorization, clock) if issuer and authorization else None
        authenticator = _make_authenticator(database, rules, issuer)
        directories = DirectoryAuthenticator(KeyRing(partial(find_scim_token, database)))
        return cls(authenticator, directories, SignIns.open(settings, sealer, provider), issuer, authorization)


def _token_rules(settings: Settings) -> TokenRules:
    return TokenRules(
        issuer=settings.issuer or settings.base_url,
        audience=settings.audience or _BUILT_IN_AUDIENCE,
        tenant_claim=settings.claim_tenant,
        user_claim=settings.claim_user,
        roles_claim=settings.claim_roles,
        roles=settings.role_names,
    )


def _make_authenticator(database: Database, rules: TokenRules, issuer: TokenIssuer | None) -> Authenticator:
    tokens = TokenVerifier(rules, KeySource(rules.issuer, issuer.fetch if issuer else make_fetch()))
    return Authenticator(tokens, KeyRing(partial(find_key, database)))


def _open_issuer(settings: Settings, database: Database, rules: TokenRules) -> TokenIssuer:
    key = load_signing_key(settings.data_dir / KEY_FILE)
    return TokenIssuer(key, rules, lambda client_id: find_client(database, client_id))


def _open_authorization(settings: Settings, database: Database, issuer: TokenIssuer, sealer: Sealer) -> Authorization:
    bases = (settings.base_url, settings.listening_url)
    return Authorization(issuer, sealer, StoredUsers(database), bases)


def _make_provider(issuer: TokenIssuer, authorization: Authorization, clock: Callable[[], datetime]) -> BuiltInProvider:
    """Return the built-in issuer as the provider at which customers of portals and staff sign in."""
    return BuiltInProvider(issuer.rules.issuer, issuer.fetch, authorization.make_send(clock))
