"""Secrets that the environment does not hold itself: `MEETDECK_X_FILE` names a file, `MEETDECK_X_COMMAND` a command."""

import os
import shlex
import subprocess
from collections.abc import Mapping
from functools import reduce
from pathlib import Path
from typing import Any, Final, cast, get_args

from pydantic import BaseModel, SecretStr

from meetdeck.platform.errors import SetupError

_COMMAND_SECONDS: Final = 10.0
_LARGEST_BYTES: Final = 65_536


def list_secrets(kind: type[BaseModel], prefix: str = "MEETDECK") -> dict[str, tuple[str, ...]]:
    """Return the members that are secrets, each as the path to it, by the name of its variable."""
    found: dict[str, tuple[str, ...]] = {}
    for name, member in kind.model_fields.items():
        variable = f"{prefix}_{name.upper()}"
        annotation: Any = member.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            found |= {each: (name, *path) for each, path in list_secrets(annotation, variable).items()}
        elif _holds_a_secret(cast("object", annotation)):
            found[variable] = (name,)
    return found


def read_secrets(kind: type[BaseModel]) -> dict[str, Any]:
    """Return the secrets that files and commands hold, nested as the members are. Raises SetupError for each fault."""
    environment = {name.upper(): value for name, value in os.environ.items() if value.strip()}
    secrets: dict[str, Any] = {}
    faults: list[str] = []
    for variable, path in list_secrets(kind).items():
        given = [name for name in (variable, f"{variable}_FILE", f"{variable}_COMMAND") if name in environment]
        if len(given) > 1:
            faults.append(f"{' and '.join(given)} are set: keep one of them")
        elif given and given != [variable]:
            try:
                _place(secrets, path, _read(given[0], environment))
            except ValueError as error:
                faults.append(f"{given[0]}: {error}")
    if faults:
        raise SetupError(f"Invalid settings: {'; '.join(faults)}")
    return secrets


def list_sourced_secrets(settings: BaseModel) -> dict[str, Any]:
    """Return the secrets of settings that a file or a command holds, nested as the members are."""
    names = {name.upper() for name, value in os.environ.items() if value.strip()}
    secrets: dict[str, Any] = {}
    for variable, path in list_secrets(type(settings)).items():
        value = reduce(getattr, path, settings)
        if isinstance(value, SecretStr) and not names.isdisjoint({f"{variable}_FILE", f"{variable}_COMMAND"}):
            _place(secrets, path, value.get_secret_value())
    return secrets


def _holds_a_secret(annotation: object) -> bool:
    return annotation is SecretStr or any(map(_holds_a_secret, get_args(annotation)))


def _place(secrets: dict[str, Any], path: tuple[str, ...], value: str) -> None:
    for step in path[:-1]:
        secrets = secrets.setdefault(step, {})
    secrets[path[-1]] = value


def _read(name: str, environment: Mapping[str, str]) -> str:
    """Return the secret without its last line break. Raises ValueError, without what was read."""
    source = environment[name].strip()
    if name.endswith("_FILE"):
        label, content = source, _read_file(Path(source))
    else:
        label, content = source.split(maxsplit=1)[0], _run(shlex.split(source))
    if len(content) > _LARGEST_BYTES:
        raise ValueError(f"{label} holds more than {_LARGEST_BYTES // 1024} KiB, which is not a secret")
    try:
        secret = content.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        raise ValueError(f"{label} holds something other than text") from None
    if not secret.strip():
        raise ValueError(f"{label} holds nothing")
    return secret


def _read_file(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_BYTES + 1)
    except OSError as error:
        raise ValueError(f"{path} cannot be read ({error.strerror})") from None


def _run(command: list[str]) -> bytes:
    """Return the output of a command, which no shell reads; its errors appear among the log lines."""
    try:
        done = subprocess.run(  # noqa: S603 - the operator's own command
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=_COMMAND_SECONDS, check=False
        )
    except OSError as error:
        raise ValueError(f"{command[0]} cannot be run ({error.strerror})") from None
    except subprocess.TimeoutExpired:
        raise ValueError(f"{command[0]} took longer than {_COMMAND_SECONDS:.0f} seconds") from None
    if done.returncode:
        raise ValueError(f"{command[0]} failed with status {done.returncode}")
    return done.stdout
