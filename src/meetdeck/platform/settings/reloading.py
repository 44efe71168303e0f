"""Settings that are read anew while serving: new workers get them, and wrong ones are left out."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final

import structlog

from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings.environment import Settings
from meetdeck.platform.settings.reading import read_settings
from meetdeck.platform.settings.secret_sources import list_sourced_secrets
from meetdeck.platform.settings.settings_file import load_settings_file

_AT_START: Final = (
    *("environment", "host", "port", "workers", "worker_process", "only", "data_dir", "pg_bin"),
    *("drain_seconds", "log_format"),
)
"""The settings that the supervisor itself uses, or that all its workers must share."""

log = structlog.stdlib.get_logger()


class ReloadableSettings:
    """The settings of new workers: the environment, which they inherit, and the secrets of files and commands."""

    def __init__(self, settings: Settings) -> None:
        self.secrets: dict[str, Any] = list_sourced_secrets(settings)
        self._settings = read_settings(secrets=self.secrets)
        self._before = (dict(os.environ), self.secrets, self._settings)

    def reload(self) -> bool:
        """Read settings file, files and commands anew; return False, and change nothing, if anything is wrong."""
        self._before = (dict(os.environ), self.secrets, self._settings)
        try:
            load_settings_file()
            new = read_settings()
        except SetupError as error:
            self.revert()
            log.error("new settings are wrong: the old ones stay", error=str(error))  # noqa: TRY400 - the message says it all
            return False
        changed = [name for name in Settings.model_fields if getattr(new, name) != getattr(self._settings, name)]
        kept = [name for name in changed if name in _AT_START or self._changes_the_server(name, new)]
        _set_variables(map(_name, kept), self._before[0])
        self.secrets = list_sourced_secrets(new)
        self._settings = new.model_copy(update={name: getattr(self._settings, name) for name in kept})
        if kept:
            log.warning("settings need a restart: the old ones stay", settings=[_name(name) for name in kept])
        log.info("settings are read anew", changed=[_name(name) for name in changed if name not in kept])
        return True

    def revert(self) -> None:
        """Return to what was before the last reload, since no worker starts with the new settings."""
        environment, self.secrets, self._settings = self._before
        _set_variables({*os.environ, *environment}, environment)

    def _changes_the_server(self, name: str, new: Settings) -> bool:
        """Return whether the embedded database would be replaced by another, or the reverse."""
        return name == "database_url" and (new.database_url is None) != (self._settings.database_url is None)


def _set_variables(names: Iterable[str], values: Mapping[str, str]) -> None:
    for name in names:
        if name in values:
            os.environ[name] = values[name]
        else:
            os.environ.pop(name, None)


def _name(member: str) -> str:
    return f"MEETDECK_{member.upper()}"
