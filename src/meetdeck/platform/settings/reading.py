"""Reading the settings from the environment, and naming each that is wrong or unknown."""

import os
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from meetdeck.platform.errors import SetupError
from meetdeck.platform.outgoing import Proxy, read_proxy
from meetdeck.platform.settings.environment import Settings
from meetdeck.platform.settings.providers import ProviderSettings
from meetdeck.platform.settings.secret_sources import list_secrets, read_secrets
from meetdeck.platform.settings.settings_file import SETTINGS_FILE
from meetdeck.platform.settings.types import WebAddress

_Kind = TypeVar("_Kind", bound=BaseSettings)


class ServiceAccess(BaseSettings):
    """The access to a running service: its address, the subscription key, and a token or a client's credentials.

    `token_url` is where tokens come from, by default the built-in issuer's; `token_scope` goes along.
    """

    model_config = SettingsConfigDict(
        env_prefix="MEETDECK_", extra="ignore", str_strip_whitespace=True, env_ignore_empty=True
    )

    url: WebAddress = "http://127.0.0.1:8080"
    key: SecretStr | None = None
    token: SecretStr | None = None
    client_id: str | None = None
    client_secret: SecretStr | None = None
    token_url: WebAddress | None = None
    token_scope: str = ""


def read_settings(*, secrets: Mapping[str, Any] | None = None, **overrides: object) -> Settings:
    """Return the settings of the environment; `overrides`, from the command line, take precedence.

    `secrets`: those of files and commands, if they have been read already. Raises SetupError that names each wrong one.
    """
    return _read(Settings, overrides, secrets)


def read_service_access(**overrides: object) -> ServiceAccess:
    """Return the access to a running service from the environment; `overrides` take precedence.

    Raises SetupError that names each fault.
    """
    return _read(ServiceAccess, overrides, None)


def limits_outgoing_calls() -> bool:
    """Return whether MEETDECK_OUTGOING_ALLOW is set, even to an empty text, which lists no host."""
    return any(name.upper() == "MEETDECK_OUTGOING_ALLOW" for name in os.environ)


def find_outgoing_proxy(settings: Settings) -> Proxy | None:
    """Return the proxy of MEETDECK_OUTGOING_PROXY; None: servers are connected to directly."""
    url = settings.outgoing_proxy
    return read_proxy(url.get_secret_value()) if url is not None else None


def list_variables() -> list[str]:
    """Return the names of all variables that are settings."""
    providers = [name for name, field in Settings.model_fields.items() if field.annotation is ProviderSettings]
    names = [*Settings.model_fields, *ServiceAccess.model_fields]
    names += [f"{name}_{part}" for name in providers for part in ProviderSettings.model_fields]
    variables = [f"MEETDECK_{name.upper()}" for name in names if name not in providers]
    secrets = [*list_secrets(Settings), *list_secrets(ServiceAccess)]
    return [SETTINGS_FILE, *variables, *(f"{name}_{source}" for name in secrets for source in ("FILE", "COMMAND"))]


def list_unknown_variables() -> list[str]:
    """Return the variables of the environment that look like settings and are none, such as misspelled ones."""
    known = set(list_variables())
    return sorted(name for name in os.environ if name.upper().startswith("MEETDECK_") and name.upper() not in known)


def _read(kind: type[_Kind], overrides: Mapping[str, object], secrets: Mapping[str, Any] | None) -> _Kind:
    values = dict(read_secrets(kind) if secrets is None else secrets)
    values |= {name: value for name, value in overrides.items() if value is not None}
    try:
        return kind.model_validate(values)  # the environment is read for what is not given
    except ValidationError as error:
        wrong = "; ".join(
            f"{_name_variable(fault['loc'])}{fault['msg'].removeprefix('Value error, ')}" for fault in error.errors()
        )
        raise SetupError(f"Invalid settings: {wrong}") from None
    except SettingsError as error:  # of a name that begins others, as MEETDECK_PORTAL does
        raise SetupError(f"Invalid settings: {error}") from None


def _name_variable(location: tuple[int | str, ...]) -> str:
    """Return the name of a setting's variable before its fault; empty for a fault of several settings."""
    steps = [str(step).upper() for step in location]
    return "_".join(steps if steps[0].startswith("OTEL_") else ["MEETDECK", *steps]) + ": " if steps else ""
