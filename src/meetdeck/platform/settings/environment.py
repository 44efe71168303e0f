"""The settings that the environment may hold: every one is `MEETDECK_…`; docs/operations/settings.md lists them."""

from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from meetdeck.platform.outgoing import is_private
from meetdeck.platform.settings.areas import EVERYTHING, Area, AssistantAccess
from meetdeck.platform.settings.clear_text import calls_in_clear, mails_in_clear, may_be_unencrypted, sends_in_clear
from meetdeck.platform.settings.providers import ProviderSettings
from meetdeck.platform.settings.roles import RoleNames, name_roles
from meetdeck.platform.settings.types import (
    LISTED,
    EncryptionKey,
    Hosts,
    ImapUrl,
    NamedHosts,
    Names,
    Networks,
    Origins,
    Patience,
    PerHour,
    PerMinute,
    ProxyUrl,
    Sender,
    SmtpUrl,
    WebAddress,
    leave_out_blanks,
)
from meetdeck.platform.values import Duration

_CLAIMS_OF_THE_TOKEN = ("iss", "aud", "exp", "nbf", "iat", "jti")  # RFC 7519, section 4.1, but for `sub`


class Settings(BaseSettings):
    """The settings that an operator can choose. Times are in seconds, sizes in bytes, unless the name says otherwise.

    An empty or blank value counts as missing: the default applies, and production reports what it needs.
    """

    model_config = SettingsConfigDict(
        env_prefix="MEETDECK_",
        extra="ignore",
        str_strip_whitespace=True,
        env_ignore_empty=True,
        env_nested_delimiter="_",  # MEETDECK_PORTAL_CLIENT_ID is client_id of portal
        env_nested_max_split=1,
        populate_by_name=True,  # by our own name where a setting has a standard one too
    )
    without_blanks = model_validator(mode="before")(leave_out_blanks)

    environment: Literal["test", "production"] = "test"
    """`test` brings its own database, issuer and keys; `production` refuses to start unsafely."""
    drain_seconds: Annotated[float | None, Field(ge=0, le=120)] = None
    """The time for which requests are still answered after SIGTERM; default: 5 in production, 0 in test."""
    host: str = "127.0.0.1"
    """The address to listen on."""
    port: Annotated[int, Field(ge=0, le=65535)] = 8080
    """The port to listen on; 0: any free one."""
    workers: Annotated[int, Field(ge=1, le=256)] = 1
    """The number of processes that serve on the port; 1: this one."""
    worker_process: bool = True
    """True if a separate process runs the background work, instead of the serving processes."""
    only: Annotated[frozenset[Area], NoDecode, LISTED, Field(min_length=1)] = EVERYTHING
    """The parts that this process serves; other processes serve the others."""
    public_url: WebAddress | None = None
    """The address that clients use, without a trailing slash; default: the host and port we listen on."""
    trusted_proxies: Networks = ()
    """Networks of the proxies that are trusted about their callers' addresses."""
    data_dir: Path = Path("var")
    """The folder of local files, generated keys and the embedded database."""
    log_format: Literal["console", "json"] | None = None
    """The form of log lines; default: `console` on a terminal, else `json`."""
    metrics: bool = True
    """True if `/metrics` is served."""
    compression: bool = True
    """True if answers are compressed for callers that accept it; a proxy may do that instead."""
    server_timing: bool = True
    """True if answers have their timing (`Server-Timing`); never in production."""
    otlp_endpoint: Annotated[WebAddress | None, Field(validation_alias="OTEL_EXPORTER_OTLP_ENDPOINT")] = None
    """The address to which traces are sent by OTLP over HTTP: MEETDECK_OTLP_ENDPOINT or the standard's own name."""
    otlp_allow_http: bool = False
    """True if production may send traces to another machine by plain `http://`."""

    # Database: an address of each role, or none for the embedded PostgreSQL in the data folder.
    database_url: SecretStr | None = None
    """The address of PostgreSQL for the application's role; default: the embedded PostgreSQL."""
    database_owner_url: SecretStr | None = None
    """The same for the role that owns the tables, which only migrations use; default: `MEETDECK_DATABASE_URL`."""
    database_read_url: SecretStr | None = None
    """The address of a hot standby, which is used for searches; by default, the primary is."""
    database_read_lag: Annotated[float, Field(ge=0, le=3600)] = 0
    """The maximum age of a search's data in seconds; 0: it includes everything written before."""
    cells: SecretStr | None = None
    """Further databases of firms, as `name=postgresql://…`, separated by commas; default: one database has all."""
    cells_owner: SecretStr | None = None
    """The same for the role that owns their tables; default: the addresses of `MEETDECK_CELLS`."""
    cells_read: SecretStr | None = None
    """The same for hot standbys of some of them, which are used for searches; default: none has one."""
    database_allow_plain: bool = False
    """True if connections to a database on another machine may be without TLS, in production."""
    database_connections: Annotated[int, Field(ge=1, le=1000)] = 10
    """The maximum number of connections of each process."""
    database_deadline: Patience = Duration(seconds=10)
    """The time that the database may take for one request."""
    pg_bin: Path | None = None
    """The folder of the embedded PostgreSQL's programs; default: those of the wheel, else the system's newest."""

    # Files: a folder of the data folder, or any obstore URL such as s3://bucket/prefix.
    storage_url: str | None = None
    """The place of files: a folder, or an object store such as s3://bucket/prefix; default: the data folder."""
    storage_allow_http: bool = False
    """True if the storage's own address (`AWS_ENDPOINT`) may be plain `http://`."""
    max_upload_bytes: Annotated[int, Field(ge=1)] = 100 * 1024 * 1024
    """The largest upload."""
    content_lifetime_hours: Annotated[int, Field(ge=1, le=24 * 365)] = 24
    """The time for which stored contents, and the links to them, are kept."""

    backup_recipients: Names = ()
    """The public keys that `meetdeck backup` encrypts to, by the program age."""

    quota_bytes: Annotated[int, Field(ge=0)] = 10 * 1024**3
    """The bytes that each tenant may store, unless the tenant has its own quota; 0: no limit."""
    quota_templates: Annotated[int, Field(ge=0)] = 1_000
    """The number of templates that each tenant may have, unless it has its own quota; 0: no limit."""

    search_most_slots: Annotated[int, Field(ge=1)] = 2_500_000
    """The number of free slots that one search may return; each takes about 150 bytes."""
    search_memory_mb: Annotated[int, Field(ge=0, le=65_536)] = 64
    """The MiB of data that each process caches for searches, to read only changes the next time; 0: none."""

    # Requests a minute, sliding; 0: no limit.
    rate_limit: PerMinute = 0
    """The number of requests that each subscription key may make, unless its tenant has its own limit."""
    address_rate_limit: PerMinute = 600
    """The number of requests that one network address may make without valid credentials, including portal pages."""
    address_hold_limit: PerMinute = 60
    """The number of holds that one network address may make on portals."""
    hold_limit: PerMinute = 300
    """The number of holds that may be made on one portal."""

    address_held_times: Annotated[int, Field(ge=0, le=1_000_000)] = 5
    """The number of times that one network address may hold at once on a firm's portals; 0: no limit."""
    held_share: Annotated[float, Field(gt=0, le=1)] = 0.5
    """The share of a day's times that visitors of portals may hold at once; 1: all."""

    # Mails an hour to unconfirmed addresses that visitors typed on portals; 0: no limit.
    address_mail_limit: PerHour = 20
    """The number of mails that one network address may request."""
    portal_mail_limit: PerHour = 300
    """The number of mails that all visitors of one portal may request."""
    firm_mail_limit: PerHour = 1_000
    """The number of mails that all visitors of one tenant's portals may request."""

    cors_origins: Origins = ()
    """The origins of pages that browsers let call us; a single `*`: all."""
    outgoing_allow: Hosts = ()
    """Hosts, perhaps with a port, that may be called for webhooks and the like though they are private or plain."""
    outgoing_hosts: NamedHosts = None
    """The hosts that firms may name for webhooks and the like, unless a firm has a list of its own; None: any."""
    outgoing_proxy: ProxyUrl | None = None
    """The proxy through which they are called, http://user:password@host:port; hosts of `outgoing_allow` are not."""

    retention_days: Annotated[int, Field(ge=0, le=36_500)] = 365
    """The time after a meeting's end for which its customer's data and cancelled meetings are kept."""
    cpr_retention_days: Annotated[int, Field(ge=0, le=36_500)] = 30
    """The time after a meeting's end for which its `cpr` is kept; never longer than the rest."""

    audit_days: Annotated[int, Field(ge=30, le=36_500)] = 730
    """The time for which the audit log keeps its entries."""
    event_days: Annotated[int, Field(ge=7, le=3_650)] = 30
    """The time for which the feed keeps its events."""

    # Callers. Without an issuer, `test` runs one of its own.
    issuer: WebAddress | None = None
    """The issuer of callers' tokens (OpenID Connect)."""
    audience: str | None = None
    """The audience (`aud`) that tokens must have."""
    claim_tenant: str = "tid"
    """The claim with the tenant's id."""
    claim_user: str = "oid"
    """The claim with the user's id."""
    claim_roles: str = "roles"
    """The claim with the roles."""
    elevated_role: str = RoleNames.elevated
    """The role of programs that may call elevated operations."""
    role_employee: str = RoleNames.employee
    """The role of employees, who see and change their own calendar."""
    role_manager: str = RoleNames.manager
    """The role of managers, who book for everyone and see reports."""
    role_configurator: str = RoleNames.configurator
    """The role of those who set up booking and templates."""
    role_admin: str = RoleNames.admin
    """The role of administrators, who manage keys and clients."""
    encryption_key: EncryptionKey | None = None
    """32 random bytes as 64 hexadecimal digits; encrypts `cpr` and secrets. `test` keeps one in the data folder.

    The first of several, separated by commas, encrypts and each decrypts.
    """

    # The providers with which customers of portals and staff sign in. Without an issuer, `test` replaces all of them.
    portal: ProviderSettings = Field(default_factory=ProviderSettings)
    """The identity provider with which customers sign in on portals."""
    national_id: ProviderSettings = Field(default_factory=ProviderSettings)
    """The identity provider with which customers sign in on portals by a national identity, such as MitID."""
    console: ProviderSettings = Field(default_factory=ProviderSettings)
    """The identity provider with which staff sign in to the console."""

    mcp: AssistantAccess = AssistantAccess.OFF
    """The tools that assistants have at `/mcp`: none, those that only read, or all."""

    # Mail to attendees of meetings. Without a server, `test` keeps messages, and production sends none.
    smtp_url: SmtpUrl | None = None
    """The server that accepts mails: smtp+starttls://user:password@host, smtps:// or smtp://."""
    smtp_allow_plain: bool = False
    """True if production may send mails to a server on another machine over plain `smtp://`."""
    mail_from: Sender | None = None
    """The sender's address of mails, to which answers are sent, perhaps with a name before it."""
    imap_url: ImapUrl | None = None
    """The mailbox of that address, imaps://user:password@host, where answers to invitations are read."""
    messages_url: SecretStr | None = None
    """The gateway for text messages, in apprise's notation; `{phone}` in it is replaced by the customer's number."""

    # Rendering: on this machine, or by Gotenberg.
    gotenberg_url: SecretStr | None = None
    """Address of Gotenberg, such as http://gotenberg:3000; it may contain a user and password."""
    gotenberg_allow_http: bool = False
    """True if production may send presentations to Gotenberg on another machine by plain `http://`."""
    office_path: Path | None = None
    """LibreOffice's program `soffice`; default: the one that is found."""
    office_python: Path | None = None
    """The Python that has LibreOffice's module `uno`; default: the one that is found."""
    office_processes: Annotated[int, Field(ge=1, le=64)] | None = None
    """The number of presentations rendered at once; default: one for each processor, with Gotenberg 4."""
    office_at_start: bool = True
    """True if LibreOffice starts with the service; otherwise it starts with the first presentation that it renders."""
    office_unconfined: bool | None = None
    """True if LibreOffice may run where the system has no jail for it; default: only in `test`."""

    @model_validator(mode="after")
    def _refuse_unsafe_production(self) -> Self:
        if self.environment != "production":
            return self
        if missing := [
            f"MEETDECK_{name.upper()}"
            for name in ("issuer", "audience", "encryption_key", "database_url", "public_url")
            if getattr(self, name) is None
        ]:
            raise ValueError(
                f"production needs {', '.join(missing)}: the built-in token issuer, generated keys and the embedded "
                "database are for the test environment"
            )
        if fault := self.role_names.find_fault():
            raise ValueError(fault)
        addresses = {
            "MEETDECK_ISSUER": self.issuer,
            "MEETDECK_PUBLIC_URL": self.public_url,
            "MEETDECK_PORTAL_ISSUER": self.portal.issuer,
            "MEETDECK_NATIONAL_ID_ISSUER": self.national_id.issuer,
            "MEETDECK_CONSOLE_ISSUER": self.console.issuer,
        }
        if open_to_others := [
            name for name, address in addresses.items() if address is not None and not is_private(address)
        ]:
            raise ValueError(
                f"in production {' and '.join(open_to_others)} must begin with https://, unless it is this machine "
                "(http://localhost…): tokens, keys and customers' data go over it"
            )
        self._refuse_clear_text()
        return self

    def _refuse_clear_text(self) -> None:
        """Raise ValueError for a setting by which customers' data would leave this machine in clear text."""
        databases = {
            "MEETDECK_DATABASE_URL": self.database_url,
            "MEETDECK_DATABASE_OWNER_URL": self.database_owner_url,
            "MEETDECK_DATABASE_READ_URL": self.database_read_url,
        }
        if in_clear := [
            name
            for name, url in databases.items()
            if url is not None and may_be_unencrypted(url.get_secret_value()) and not self.database_allow_plain
        ]:
            raise ValueError(
                f"in production {' and '.join(in_clear)} must ask for TLS (sslmode=require or more), unless the "
                "database is on this machine; where nobody can listen on the way to it, set "
                "MEETDECK_DATABASE_ALLOW_PLAIN=true"
            )
        if self.messages_url is not None and sends_in_clear(self.messages_url.get_secret_value()):
            raise ValueError(
                "in production MEETDECK_MESSAGES_URL must name a gateway by TLS whose certificate is checked, such as "
                "jsons:// and not json://, unless it is this machine: telephone numbers and appointments go over it"
            )
        self._refuse_plain_http()

    def _refuse_plain_http(self) -> None:
        """Raise ValueError for a service on another machine that is called by `http://` without permission."""
        gotenberg = None if self.gotenberg_url is None else self.gotenberg_url.get_secret_value()
        services = {
            "OTLP": ("MEETDECK_OTLP_ENDPOINT", self.otlp_endpoint, self.otlp_allow_http),
            "GOTENBERG": ("MEETDECK_GOTENBERG_URL", gotenberg, self.gotenberg_allow_http),
        }
        for service, (name, url, is_allowed) in services.items():
            if url is not None and calls_in_clear(url) and not is_allowed:
                raise ValueError(
                    f"in production {name} must begin with https://, unless it is this machine (http://localhost…); "
                    f"where nobody can listen on the way to it, set MEETDECK_{service}_ALLOW_HTTP=true"
                )

    @model_validator(mode="after")
    def _refuse_unsafe_mail(self) -> Self:
        """Refuse mails without a sender, and to another machine without TLS, in production."""
        if self.smtp_url is None or self.environment != "production":
            return self
        if self.mail_from is None:
            raise ValueError("MEETDECK_SMTP_URL needs MEETDECK_MAIL_FROM, the address that mails come from")
        if mails_in_clear(self.smtp_url.get_secret_value()) and not self.smtp_allow_plain:
            raise ValueError(
                "in production MEETDECK_SMTP_URL must begin with smtp+starttls:// or smtps://, unless it is this "
                "machine: names and appointments go over it; where nobody can listen on the way, set "
                "MEETDECK_SMTP_ALLOW_PLAIN=true"
            )
        return self

    @model_validator(mode="after")
    def _refuse_claims_of_the_token(self) -> Self:
        """Refuse claims that cannot hold user, tenant or roles, since no caller could be authenticated."""
        claims = {name: getattr(self, name) for name in ("claim_tenant", "claim_user", "claim_roles")}
        taken = [f"MEETDECK_{name.upper()}" for name, claim in claims.items() if claim in _CLAIMS_OF_THE_TOKEN]
        if taken:
            raise ValueError(
                f"{' and '.join(taken)} must not be {', '.join(_CLAIMS_OF_THE_TOKEN)}, which describe the token"
            )
        if len({*claims.values()}) < len(claims):
            raise ValueError(f"{', '.join(f'MEETDECK_{name.upper()}' for name in claims)} must be different claims")
        return self

    @property
    def default_sslmode(self) -> str | None:
        """Return the `sslmode` for a database on another machine whose address has none."""
        return "require" if self.environment == "production" and not self.database_allow_plain else None

    @property
    def has_background_process(self) -> bool:
        """Return whether a separate process runs the background work, beside those that serve."""
        return self.worker_process and self.only > {Area.WORKER}

    @property
    def processes(self) -> int:
        """Return how many processes have connections to the database."""
        return self.workers + self.has_background_process

    @property
    def seconds_to_drain(self) -> float:
        """Return how long requests are still answered after SIGTERM."""
        if self.drain_seconds is not None:
            return self.drain_seconds
        return 5.0 if self.environment == "production" else 0.0

    @property
    def jail_optional(self) -> bool:
        """Return whether LibreOffice may run unconfined."""
        return self.environment == "test" if self.office_unconfined is None else self.office_unconfined

    @property
    def keeps_messages(self) -> bool:
        """Return whether messages are kept and shown instead of sent."""
        return self.environment == "test" and self.smtp_url is None

    @property
    def base_url(self) -> str:
        """Return the address that clients use."""
        return (self.public_url or self.listening_url).rstrip("/")

    @property
    def public_path(self) -> str:
        """Return the path below which clients reach us, such as `/firm`; empty for none."""
        return urlsplit(self.base_url).path

    @property
    def listening_url(self) -> str:
        """Return the address that we listen on; the loopback address when we listen on all."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - nobody connects to these
        host = f"[{host}]" if ":" in host else host  # IPv6 (RFC 3986, section 3.2.2)
        return f"http://{host}:{self.port}"

    @property
    def role_names(self) -> RoleNames:
        """Return the claim's value for each role."""
        return name_roles(
            self.role_employee, self.role_manager, self.role_configurator, self.role_admin, self.elevated_role
        )
