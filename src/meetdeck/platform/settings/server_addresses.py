"""Reads the settings that are addresses of databases and of Gotenberg, with their passwords."""

import re
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic import SecretStr

from meetdeck.platform.database import Address, DatabaseServer
from meetdeck.platform.errors import SetupError
from meetdeck.platform.outgoing import names_this_machine
from meetdeck.platform.settings.clear_text import may_be_unencrypted

_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")  # libpq's
_SESSIONS = ("any", "read-write", "read-only", "primary", "standby", "prefer-standby")  # libpq's, too

_BETWEEN_CELLS: Final = re.compile(r"\s*,\s*(?=[^,=/@:]*=)")
"""The commas between cells: an address may have several hosts, separated by commas, too."""
_SERVERS: Final = re.compile(r"^([a-z]+://[^/?#]*@)([^@/?#]+)", re.IGNORECASE)
"""The user and password of an address, then its servers."""
_NAME_OF_CELL: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def read_database_url(url: SecretStr, name: str, *, default_sslmode: str | None = None) -> Address:
    """Return the address in `postgresql://user:password@host:port/database`. Raises SetupError, without the password.

    There may be several `host:port`, separated by commas. Of the parameters that PostgreSQL's own clients accept after
    `?`, `sslmode` and `target_session_attrs` are known; any other is an error. Without the first, `default_sslmode` is
    that of a server on another machine.
    """
    try:
        text = url.get_secret_value()
        named = _SERVERS.match(text)
        servers = _read_servers(named[2]) if named is not None else []
        parts = urlsplit(_SERVERS.sub(r"\1servers", text))  # which knows of no list, from Python 3.14 on
        parameters = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        parts, servers, parameters = urlsplit(""), [], dict[str, str]()
    if parts.scheme not in {"postgresql", "postgres"} or not servers or not parts.username or parts.fragment:
        raise SetupError(
            f"{name} must look like postgresql://user:password@host:5432/database, with several hosts as "
            "…@db1:5432,db2:5432/database?target_session_attrs=read-write"
        )
    sslmode = parameters.pop("sslmode", None)
    session = parameters.pop("target_session_attrs", None)
    if parameters or sslmode not in {None, *_SSL_MODES} or session not in {None, *_SESSIONS}:
        raise SetupError(
            f"{name} has a parameter that Meetdeck does not know: allowed behind its `?` are "
            f"sslmode={', '.join(_SSL_MODES[:-1])} or {_SSL_MODES[-1]}, and "
            f"target_session_attrs={', '.join(_SESSIONS[:-1])} or {_SESSIONS[-1]}"
        )
    if sslmode is None and not all(names_this_machine(server.host) for server in servers):
        sslmode = default_sslmode
    return Address(
        database=parts.path.lstrip("/") or "meetdeck",
        user=unquote(parts.username),
        password=unquote(parts.password or ""),
        host=servers[0].host,
        port=servers[0].port,
        others=tuple(servers[1:]),
        sslmode=sslmode,
        session=session,
    )


def read_cell_urls(urls: SecretStr | None, setting: str, *, needs_tls: bool) -> dict[str, SecretStr]:
    """Return the addresses in `name=postgresql://…,name=postgresql://…` by name. Raises SetupError, without passwords.

    `needs_tls`: connections to other machines must be encrypted.
    """
    found: dict[str, SecretStr] = {}
    for one in _BETWEEN_CELLS.split(urls.get_secret_value().strip(" \t\r\n,")) if urls is not None else ():
        name, equals, url = one.partition("=")
        if not equals or _NAME_OF_CELL.fullmatch(name) is None:
            raise SetupError(
                f"{setting} must look like a=postgresql://…,b=postgresql://…: each cell has a name of at most 40 "
                "letters a to z, digits and hyphens"
            )
        if name in found:
            raise SetupError(f"{setting} names the cell {name} twice: give each database a name of its own.")
        if needs_tls and may_be_unencrypted(url):
            raise SetupError(f"In production {setting} must ask for TLS ({name}): sslmode=require or more.")
        found[name] = SecretStr(url)
    return found


def _read_servers(text: str) -> list[DatabaseServer]:
    """Return the servers in a list of `host:port`. Raises ValueError."""
    servers: list[DatabaseServer] = []
    for one in text.split(","):
        parts = urlsplit(f"//{one}")
        if not parts.hostname or parts.port == 0:
            raise ValueError(one)
        servers.append(DatabaseServer(parts.hostname, parts.port or 5432))
    return servers


def read_gotenberg_url(url: SecretStr) -> str:
    """Return a valid address of Gotenberg. Raises SetupError, without the password."""
    import httpx  # noqa: PLC0415 - 0.1 s that every command would take longer

    try:
        address = httpx.URL(url.get_secret_value())
    except httpx.InvalidURL:
        address = httpx.URL()
    if address.scheme not in {"http", "https"} or not address.host or address.query or address.fragment:
        raise SetupError("MEETDECK_GOTENBERG_URL must look like http://gotenberg:3000 or https://user:password@host")
    return url.get_secret_value()
