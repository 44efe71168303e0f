"""Reads the settings that are addresses of the database and of Gotenberg, with their passwords."""

from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic import SecretStr

from meetdeck.platform.addresses import names_this_machine
from meetdeck.platform.connections import Address
from meetdeck.platform.errors import SetupError

_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")  # libpq's


def read_database_url(url: SecretStr, name: str, *, default_sslmode: str | None = None) -> Address:
    """Return the address in `postgresql://user:password@host:port/database`. Raises SetupError, without the password.

    Of the parameters that PostgreSQL's own clients take behind `?`, `sslmode` is known; any other is an error. Without
    it, `default_sslmode` is that of a server on another machine.
    """
    try:
        parts = urlsplit(url.get_secret_value())
        host, port = parts.hostname, parts.port
        parameters = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        parts, host, port, parameters = urlsplit(""), None, None, dict[str, str]()
    if parts.scheme not in {"postgresql", "postgres"} or not host or not parts.username or port == 0 or parts.fragment:
        raise SetupError(f"{name} must look like postgresql://user:password@host:5432/database")
    sslmode = parameters.pop("sslmode", None)
    if parameters or sslmode not in {None, *_SSL_MODES}:
        raise SetupError(
            f"{name} has a parameter that Meetdeck does not know: behind its `?` may stand "
            f"sslmode={', '.join(_SSL_MODES[:-1])} or {_SSL_MODES[-1]}"
        )
    if sslmode is None and not names_this_machine(host):
        sslmode = default_sslmode
    return Address(
        database=parts.path.lstrip("/") or "meetdeck",
        user=unquote(parts.username),
        password=unquote(parts.password or ""),
        host=host,
        port=port or 5432,
        sslmode=sslmode,
    )


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
