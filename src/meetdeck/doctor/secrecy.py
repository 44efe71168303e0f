"""Checks of settings and secrets: misspelled names, secrets that can be guessed, files that others may read."""

import stat
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from meetdeck.doctor.outcome import Finding, fault, sum_up, warning
from meetdeck.doctor.running import run_blocking
from meetdeck.platform.identity import KEY_FILE as SIGNING_KEY
from meetdeck.platform.secrets import KEY_FILE as ENCRYPTION_KEY
from meetdeck.platform.settings import Settings, list_unknown_variables, list_variables
from meetdeck.platform.settings.server_addresses import read_database_url

_ALMOST: Final = 0.9  # of names that all begin the same way
_FEWEST_LETTERS: Final = 12
_EXAMPLES: Final = frozenset({"choose-one", "choose-another", "postgres", "password", "meetdeck", "changeme", "secret"})
_DEMO_FILE: Final = "dev-credentials.json"
_SECRET_FILES: Final = (ENCRYPTION_KEY, SIGNING_KEY, _DEMO_FILE, "postgres/credentials.json")


async def check_settings(settings: Settings) -> Finding:
    """Check for variables whose names are almost those of settings; wrong values are found earlier."""
    problems = [
        warning(f"{name} is not a setting, and has no effect.", f"Did you mean {likely[0]}?")
        for name in list_unknown_variables()
        if (likely := get_close_matches(name.upper(), list_variables(), n=1, cutoff=_ALMOST))
    ]
    served = ", ".join(sorted(settings.only))
    return sum_up(
        problems,
        f"They are valid: environment {settings.environment}, {settings.workers} "
        f"process{'es' if settings.workers > 1 else ''} serving {served} on {settings.listening_url}.",
    )


async def check_secrets(settings: Settings) -> Finding:
    """Check for secrets that can be guessed or read by others."""
    problems = [_check_secret(name, secret, settings) for name, secret in _list_secrets(settings) if _is_weak(secret)]
    problems += await run_blocking(lambda: _check_files(settings))
    return sum_up(problems, "None is short or from an example, and other accounts cannot read their files.")


def _list_secrets(settings: Settings) -> list[tuple[str, str]]:
    """Return each configured secret with its setting's name."""
    urls = {
        "MEETDECK_DATABASE_URL": settings.database_url,
        "MEETDECK_DATABASE_OWNER_URL": settings.database_owner_url,
        "MEETDECK_DATABASE_READ_URL": settings.database_read_url,
    }
    secrets = [(name, read_database_url(url, name).password) for name, url in urls.items() if url is not None]
    for called, provider in (
        ("PORTAL", settings.portal),
        ("NATIONAL_ID", settings.national_id),
        ("CONSOLE", settings.console),
    ):
        if provider.client_secret is not None:
            secrets.append((f"MEETDECK_{called}_CLIENT_SECRET", provider.client_secret.get_secret_value()))
    return [(name, secret) for name, secret in secrets if secret]  # none: the server identifies us in other ways


def _is_weak(secret: str) -> bool:
    return secret.lower() in _EXAMPLES or len(secret) < _FEWEST_LETTERS or len(set(secret)) < _FEWEST_LETTERS // 2


def _check_secret(name: str, secret: str, settings: Settings) -> Finding:
    is_example = secret.lower() in _EXAMPLES
    kind = fault if is_example and settings.environment == "production" else warning
    found = "is one of an example" if is_example else f"is shorter or plainer than {_FEWEST_LETTERS} random letters"
    return kind(f"The secret in {name} {found}.", "Change it wherever it is used: `openssl rand -hex 24` makes one.")


def _check_files(settings: Settings) -> list[Finding]:
    problems = [
        fault(f"Other accounts of this machine may read {path}.", f"chmod 600 '{path}'")
        for path in (settings.data_dir.absolute() / name for name in _SECRET_FILES)
        if _is_open(path)
    ]
    if settings.environment == "production" and (settings.data_dir / _DEMO_FILE).exists():
        problems.append(
            warning(
                f"The data folder has credentials of the demo firms, in {_DEMO_FILE}.",
                "Give production a data folder and a database of its own.",
            )
        )
    return problems


def _is_open(path: Path) -> bool:
    try:
        return bool(path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:  # it does not exist, or we may not read it
        return False
