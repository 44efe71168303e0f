"""The types of settings: how a text is checked and converted before it is a setting's value."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, cast

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr
from pydantic_settings import NoDecode

from meetdeck.platform.outgoing import (
    check_address,
    read_imap_url,
    read_listed,
    read_named,
    read_proxy,
    read_sender,
    read_smtp_url,
)
from meetdeck.platform.settings.callers import ANY_ORIGIN, Network, check_origin, read_networks
from meetdeck.platform.values import Duration


def _check_encryption_key(key: SecretStr) -> SecretStr:
    from meetdeck.platform.secrets import read_encryption_keys  # noqa: PLC0415 - 0.2 s that only a key is worth

    read_encryption_keys(key.get_secret_value())
    return key


def _check_smtp_url(url: SecretStr) -> SecretStr:
    read_smtp_url(url.get_secret_value())
    return url


def _check_imap_url(url: SecretStr) -> SecretStr:
    read_imap_url(url.get_secret_value())
    return url


def _check_proxy_url(url: SecretStr) -> SecretStr:
    read_proxy(url.get_secret_value())
    return url


def _check_sender(text: str) -> str:
    read_sender(text)
    return text


def _read_networks(given: object) -> object:
    return read_networks(given) if isinstance(given, str) else given


def _read_duration(given: object) -> object:
    return Duration.parse(given) if isinstance(given, str) else given


def _split(listed: object) -> object:
    return [item.strip() for item in listed.split(",") if item.strip()] if isinstance(listed, str) else listed


def _check_origins(origins: tuple[str, ...]) -> tuple[str, ...]:
    return origins if origins == (ANY_ORIGIN,) else tuple(map(check_origin, origins))


def _check_hosts(hosts: tuple[str, ...]) -> tuple[str, ...]:
    for host in hosts:
        read_listed(host)
    return hosts


def _check_named_hosts(hosts: tuple[str, ...] | None) -> tuple[str, ...] | None:
    for host in hosts or ():
        read_named(host)
    return hosts


def leave_out_blanks(given: object) -> object:
    """Return settings without those that are blank texts."""
    if not isinstance(given, Mapping):
        return given
    values = cast("Mapping[str, object]", given)
    return {name: value for name, value in values.items() if not (isinstance(value, str) and not value.strip())}


LISTED = BeforeValidator(_split)
"""Splits a text at its commas."""
PerMinute = Annotated[int, Field(ge=0, le=1_000_000_000)]
PerHour = PerMinute
Patience = Annotated[timedelta, BeforeValidator(_read_duration), Field(ge=timedelta(seconds=1), le=timedelta(hours=1))]
"""The time to wait for something."""
WebAddress = Annotated[str, AfterValidator(check_address)]
Networks = Annotated[tuple[Network, ...], NoDecode, BeforeValidator(_read_networks)]
Names = Annotated[tuple[str, ...], NoDecode, LISTED]
Origins = Annotated[tuple[str, ...], NoDecode, LISTED, AfterValidator(_check_origins)]
Hosts = Annotated[tuple[str, ...], NoDecode, LISTED, AfterValidator(_check_hosts)]
NamedHosts = Annotated[tuple[str, ...] | None, NoDecode, LISTED, AfterValidator(_check_named_hosts)]
EncryptionKey = Annotated[SecretStr, AfterValidator(_check_encryption_key)]
SmtpUrl = Annotated[SecretStr, AfterValidator(_check_smtp_url)]
ImapUrl = Annotated[SecretStr, AfterValidator(_check_imap_url)]
ProxyUrl = Annotated[SecretStr, AfterValidator(_check_proxy_url)]
Sender = Annotated[str, AfterValidator(_check_sender)]
