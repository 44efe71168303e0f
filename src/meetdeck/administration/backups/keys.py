"""The keys of an installation: those in its data folder, and the encryption key wherever it is."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from meetdeck.platform.errors import SetupError
from meetdeck.platform.identity import KEY_FILE as SIGNING_KEY
from meetdeck.platform.secrets import KEY_FILE as ENCRYPTION_KEY
from meetdeck.platform.secrets import read_encryption_keys, write_secret_file
from meetdeck.platform.settings import Settings

DEMO_CREDENTIALS: Final = "dev-credentials.json"
FOLDER: Final = "keys/"
KEY_FILES: Final = (ENCRYPTION_KEY, SIGNING_KEY, DEMO_CREDENTIALS)
"""The names of their files in a data folder."""


def read_keys(settings: Settings) -> dict[str, str]:
    """Return the installation's keys, by the names of their files in a data folder."""
    keys = {name: text for name in KEY_FILES if (text := _find(settings.data_dir / name)) is not None}
    if settings.encryption_key is not None:
        keys[ENCRYPTION_KEY] = settings.encryption_key.get_secret_value()
    return keys


def require_room_for_keys(settings: Settings, keys: Mapping[str, str]) -> None:
    """Raise SetupError if the settings or the data folder have other keys than a backup's."""
    setting = settings.encryption_key
    sealed_with = keys.get(ENCRYPTION_KEY)
    if setting is not None and sealed_with is not None:
        _require_all(setting.get_secret_value(), sealed_with)
    others = [
        name
        for name in keys
        if (found := _find(settings.data_dir / name)) is not None and not _is_same(found, keys[name])
    ]
    if others:
        raise SetupError(
            f"The data folder {settings.data_dir} has keys of its own ({', '.join(others)}), so it is not empty. "
            "Restore into another one (MEETDECK_DATA_DIR), or move these away if nothing needs them."
        )


def _require_all(setting: str, sealed_with: str) -> None:
    """Raise SetupError unless the setting has each key that a backup was made with, and perhaps newer ones."""
    needed, given = _read_encryption_keys(sealed_with), read_encryption_keys(setting)
    missing = [key for key in needed if key not in given]
    if len(missing) == len(needed):
        raise SetupError(
            "MEETDECK_ENCRYPTION_KEY is not the key that this backup was made with, so no `cpr` in it could be read. "
            "Set the key of the installation that was backed up, behind a newer one if you have rotated it, or leave "
            "it unset in test: it is in the backup."
        )
    if missing:
        raise SetupError(
            f"MEETDECK_ENCRYPTION_KEY lacks {len(missing)} of the {len(needed)} keys that this backup was made "
            "with, so part of it could not be read. Append the earlier keys, separated by commas: `meetdeck "
            "rekey` then encrypts all with the first one."
        )


def _read_encryption_keys(text: str) -> tuple[bytes, ...]:
    try:
        return read_encryption_keys(text)
    except ValueError as error:
        raise SetupError(f"The encryption key in this backup is invalid: {error}.") from None


def write_keys(settings: Settings, keys: Mapping[str, str]) -> None:
    """Write a backup's keys into the data folder, except an encryption key that the settings give."""
    for name in KEY_FILES:
        if name in keys and not (name == ENCRYPTION_KEY and settings.encryption_key is not None):
            write_secret_file(settings.data_dir / name, keys[name])


def _find(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SetupError(f"The key {path} cannot be read ({error.strerror}).") from error


def _is_same(one: str, other: str) -> bool:
    return one.strip().lower() == other.strip().lower()
