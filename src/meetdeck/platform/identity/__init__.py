"""Authentication, permissions and sign-in."""

from meetdeck.platform.identity.authentication import (
    Authenticator,
    DirectoryAuthenticator,
    Principal,
    RoleMissing,
    ScimToken,
    SubscriptionKey,
    TenantDisabled,
    TokenRules,
    hash_secret,
    read_roles,
)
from meetdeck.platform.identity.authorization import Authorization, Firm, RefusedToken
from meetdeck.platform.identity.authorization_people import User
from meetdeck.platform.identity.authorization_requests import (
    AuthorizationRequest,
    RefusedRequest,
    UntrustedRequest,
    UserKind,
)
from meetdeck.platform.identity.identities import (
    StoredUsers,
    TenantNotFound,
    find_client,
    find_key,
    list_tenants,
    read_rate_limit,
    require_enabled,
    require_tenant,
)
from meetdeck.platform.identity.issuer import KEY_FILE, TOKEN_LIFETIME, TokenIssuer, load_signing_key
from meetdeck.platform.identity.openid import NotSignedInAnew, SignInCancelled, SignInFailed
from meetdeck.platform.identity.openid_provider import ProviderUnavailable, Tokens
from meetdeck.platform.identity.openid_sessions import (
    LONGEST_LOGOUT_TOKEN,
    LogoutRefused,
    SessionEnded,
    read_logout_token,
    renew,
    renew_claims,
    write_logout,
)
from meetdeck.platform.identity.opening import Identity
from meetdeck.platform.identity.permissions import DATA_SERVICE, Access, find_access
from meetdeck.platform.identity.sign_ins import BuiltInProvider, Person, SignInKind, SignIns
from meetdeck.platform.identity.tokens import KeySource, UnusableIssuer, read_text_claim

__all__ = [
    "DATA_SERVICE",
    "KEY_FILE",
    "LONGEST_LOGOUT_TOKEN",
    "TOKEN_LIFETIME",
    "Access",
    "Authenticator",
    "Authorization",
    "AuthorizationRequest",
    "BuiltInProvider",
    "DirectoryAuthenticator",
    "Firm",
    "Identity",
    "KeySource",
    "LogoutRefused",
    "NotSignedInAnew",
    "Person",
    "Principal",
    "ProviderUnavailable",
    "RefusedRequest",
    "RefusedToken",
    "RoleMissing",
    "ScimToken",
    "SessionEnded",
    "SignInCancelled",
    "SignInFailed",
    "SignInKind",
    "SignIns",
    "StoredUsers",
    "SubscriptionKey",
    "TenantDisabled",
    "TenantNotFound",
    "TokenIssuer",
    "TokenRules",
    "Tokens",
    "UntrustedRequest",
    "UnusableIssuer",
    "User",
    "UserKind",
    "find_access",
    "find_client",
    "find_key",
    "hash_secret",
    "list_tenants",
    "load_signing_key",
    "read_logout_token",
    "read_rate_limit",
    "read_roles",
    "read_text_claim",
    "renew",
    "renew_claims",
    "require_enabled",
    "require_tenant",
    "write_logout",
]
