"""Checks about callers: who issues their tokens, where customers sign in, how both reach us."""

from typing import Final

from meetdeck.doctor.outcome import Finding, fault, ok, sum_up, warning
from meetdeck.platform.errors import Unavailable
from meetdeck.platform.identity import KeySource, UnusableIssuer
from meetdeck.platform.outgoing import is_loopback, is_private, make_fetch
from meetdeck.platform.process import clock
from meetdeck.platform.settings import ProviderSettings, Settings

_SIGN_IN_ADDRESSES: Final = ("authorization_endpoint", "token_endpoint")
_LARGEST_NETWORK: Final = 2**16


async def check_issuer(settings: Settings) -> Finding:
    """Check that tokens could be verified."""
    if settings.issuer is None:
        return ok("The built-in issuer issues tokens, in the test environment.")
    return await _query_issuer(settings.issuer, ())


async def check_provider(provider: ProviderSettings, settings: Settings) -> Finding:
    """Check that customers or staff can sign in at a provider."""
    if provider.issuer is None:
        effect = "the built-in issuer is used instead" if settings.environment == "test" else "this sign-in is off"
        return ok(f"No provider is set: {effect}.")
    return await _query_issuer(provider.issuer, _SIGN_IN_ADDRESSES)


async def _query_issuer(issuer: str, addresses: tuple[str, ...]) -> Finding:
    source, now = KeySource(issuer, make_fetch()), clock.now()
    try:
        keys = await source.get_keys(now)
        metadata = await source.get_metadata(now)
        for name in addresses:
            source.find_address(metadata, name)
    except (Unavailable, UnusableIssuer) as error:
        cause = error.__cause__ or error
        return fault(
            f"{issuer} cannot be used: {cause}.",
            "Check that it runs, that this machine reaches it, its certificate, and that the setting equals the "
            "`issuer` of its discovery document exactly.",
        )
    return ok(f"{issuer} publishes {len(keys.keys)} usable key{'s' if len(keys.keys) != 1 else ''}.")


async def check_public_address(settings: Settings) -> Finding:
    """Check that links in answers lead to us, by an encrypted connection."""
    address = settings.base_url
    if settings.environment == "production" and is_loopback(address):
        return warning(
            f"Links lead to {address}, which is each caller's own machine.",
            "Set MEETDECK_PUBLIC_URL to the address that callers use.",
        )
    if not is_private(address):
        return warning(f"Links lead to {address}, which is not encrypted.", "Put a proxy with TLS in front of it.")
    return ok(f"Links lead to {address}.")


async def check_proxies(settings: Settings) -> Finding:
    """Check that callers' addresses are distinguishable and cannot be forged."""
    if not settings.trusted_proxies:
        if settings.base_url.startswith("https://"):
            return warning(
                "Requests arrive through a proxy, but no proxy is trusted: all callers count as one network "
                "address, and share its limits of requests, mails and times held on portals "
                f"({settings.address_held_times or 'none'}).",
                "Name the proxy's address in MEETDECK_TRUSTED_PROXIES.",
            )
        return ok("None is trusted: callers' addresses are those of their connections.")
    problems = [
        warning(
            f"{network} is {network.num_addresses} addresses, and each can claim to be any caller.",
            "Name only the addresses of your proxies in MEETDECK_TRUSTED_PROXIES.",
        )
        for network in settings.trusted_proxies
        if network.num_addresses > _LARGEST_NETWORK and not network.is_private
    ]
    return sum_up(problems, f"Trusted: {', '.join(map(str, settings.trusted_proxies))}.")
