"""Checks of the database: reachable, safe, ours; its standby; its connections; and the key that decrypts it."""

from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from asyncpg import InterfaceError, Record

from meetdeck.administration.backups.success import find_last_success
from meetdeck.administration.rekeying.service import count_values
from meetdeck.doctor.outcome import Finding, fault, ok, sum_up, warning
from meetdeck.events.backlog.service import Backlog, measure_backlog
from meetdeck.installation import read_owner_address, read_standby_address
from meetdeck.migrations import known_revisions, require_schema
from meetdeck.platform.database import (
    IDENTITY,
    LAG,
    POSITION,
    Address,
    Cell,
    Connection,
    load_queries,
    require_isolation,
)
from meetdeck.platform.outgoing import names_this_machine
from meetdeck.platform.process import clock
from meetdeck.platform.secrets import ENCRYPTED_COLUMNS, KEY_FILE, EncryptedColumn, Encryption, find_encryption_keys
from meetdeck.platform.settings import Settings
from meetdeck.platform.settings.sending_hold import describe_hold, find_hold
from meetdeck.platform.work import has_worker

queries = load_queries(__file__, "database.sql")

_OLDEST: Final = 15
_CHECKED_BY_TLS: Final = frozenset({"verify-ca", "verify-full"})
_MOST_VALUES: Final = 20  # of each kind
_MOST_COUNTED: Final = 100_000
_FAR_BEHIND_SECONDS: Final = 60.0
_LATE_SECONDS: Final = 60.0
_OLDEST_BACKUP: Final = timedelta(hours=26)  # one a night, which may take two hours
_MEND_LAG: Final = (
    "Check that a worker runs: `meetdeck worker`, or `meetdeck serve` without --only or with `worker` in it. If one "
    "runs, its log says why; if it cannot keep up, start more."
)

_MEND_BACKUP: Final = (
    "Run `meetdeck backup FILE` each night, as meetdeck-backup.timer does; `journalctl -u meetdeck-backup` says why "
    "the last run failed."
)


@asynccontextmanager
async def connect(address: Address) -> AsyncGenerator[Connection]:
    """Lend a connection in a read-only transaction, through a pooler if any, of one server. Raises SetupError."""
    connection = await address.connect()
    try:
        await connection.execute("begin read only")
        yield connection
    finally:
        with suppress(TimeoutError, OSError, InterfaceError):  # do not wait for a server that hangs
            await connection.close(timeout=1)


async def check_database(settings: Settings, address: Address) -> Finding:
    """Check that the server is suitable and that the application's role separates tenants."""
    async with connect(address) as connection:
        await require_isolation(connection, owner_may_serve=settings.environment == "test")
        server: Record = await queries.describe_server(connection)
    secure = _describe_line(address, is_encrypted=server["is_encrypted"])
    return sum_up(
        [*_check_server(server), *_check_line(settings, address, is_encrypted=server["is_encrypted"])],
        f"{address} answers: PostgreSQL {server['version']}, {secure}; the role {address.user} sees one tenant at a "
        "time.",
    )


def _check_server(server: Record) -> list[Finding]:
    problems: list[Finding] = []
    if server["version_number"] < _OLDEST * 10_000:
        problems.append(fault(f"The server is PostgreSQL {server['version']}.", f"Upgrade it to {_OLDEST} or later."))
    if server["encoding"] != "UTF8":
        problems.append(
            fault(
                f"The database's encoding is {server['encoding']}: it cannot store every letter.",
                "Create a database with encoding 'UTF8' (docs/operations/database.md), and restore a dump into it.",
            )
        )
    if "utf" not in server["ctype"].lower():
        problems.append(
            warning(
                f"The database's lc_ctype is {server['ctype']}: searches recognize only the letters a to z.",
                "Create a database with lc_ctype 'C.UTF-8', and restore a dump into it.",
            )
        )
    if server["missing_extensions"]:
        problems.append(
            fault(
                f"The server lacks the extensions {' and '.join(server['missing_extensions'])}.",
                "Install postgresql-contrib on it.",
            )
        )
    return problems


def _describe_line(address: Address, *, is_encrypted: bool) -> str:
    if is_encrypted:
        return f"encrypted (sslmode={address.sslmode or 'prefer'})"
    return "on this machine" if _is_local(address) else "not encrypted"


def _check_line(settings: Settings, address: Address, *, is_encrypted: bool) -> list[Finding]:
    if settings.environment == "test" or _is_local(address) or (is_encrypted and address.sslmode in _CHECKED_BY_TLS):
        return []
    found = "the server's certificate is not checked" if is_encrypted else "the connection is not encrypted"
    return [
        warning(
            f"The connection to {address} is not safe: {found}, so others could read everything.",
            "Append ?sslmode=verify-full to MEETDECK_DATABASE_URL.",
        )
    ]


def _is_local(address: Address) -> bool:
    return all(names_this_machine(server.host) for server in address.servers)


async def check_owner(settings: Settings) -> Finding:
    """Check that migrations could reach the database."""
    address = read_owner_address(settings)
    if address is None:
        return ok("No owner is named; serving does not need one.")
    async with connect(address):
        return ok(f"{address.user} reaches {address}.")


async def check_schema(address: Address) -> Finding:
    """Check that the schema is this version's."""
    await require_schema(address)
    return ok(f"The schema is at {known_revisions()[-1]}, as this version needs.")


async def check_connections(settings: Settings, address: Address) -> Finding:
    """Check that the server has as many connections as all workers may use."""
    async with connect(address) as connection:
        counts: Record = await queries.count_connections(connection)
        is_pooled = counts["process_id"] != connection.get_server_pid()
    processes, most, others = settings.processes, counts["most"], counts["others"]
    wanted = processes * settings.database_connections
    asked = f"{processes} process{'es' if processes > 1 else ''} may take {wanted} connections"
    if is_pooled:
        return ok(f"{asked}; a pooler is in front of the server, whose own limits apply.")
    if wanted > most:
        return fault(
            f"{asked}, and the server lets the application have {most}.",
            "Lower MEETDECK_DATABASE_CONNECTIONS or MEETDECK_WORKERS, or raise max_connections.",
        )
    if wanted > most - others:
        return warning(
            f"{asked}; others now use {others} of the server's {most}.",
            "Lower MEETDECK_DATABASE_CONNECTIONS, raise max_connections, or put PgBouncer in between.",
        )
    return ok(f"{asked}; the server has {most - others} for them.")


async def check_standby(settings: Settings, cell: Cell | None, address: Address) -> Finding:
    """Check that the standby, the first database's or a cell's, follows this primary, and how far it is behind."""
    standby, setting = (
        (read_standby_address(settings), "MEETDECK_DATABASE_READ_URL")
        if cell is None
        else (cell.standby, "MEETDECK_CELLS_READ")
    )
    if standby is None:
        return ok("None is named: searches ask the primary.")
    async with connect(address) as primary, connect(standby) as follower:
        if await follower.fetchval(IDENTITY) != await primary.fetchval(IDENTITY) or not await queries.follows(follower):
            return fault(
                f"{standby} is not a standby of {address}: searches go to the primary.",
                f"Name a hot standby of it in {setting}, or none.",
            )
        await require_isolation(follower, owner_may_serve=settings.environment == "test")
        lag: float | None = await follower.fetchval(LAG, await primary.fetchval(POSITION))
    if lag is None or lag > max(_FAR_BEHIND_SECONDS, settings.database_read_lag):
        behind = "does not report how far it is behind" if lag is None else f"is {lag:.0f} seconds behind"
        return warning(f"{standby} {behind}: searches go to the primary.", "Check why it does not replay the log.")
    return ok(f"{standby} follows, {lag:.1f} seconds behind.")


async def check_worker(settings: Settings, address: Address) -> Finding:
    """Check that a process runs background work, that it keeps up, and whether jobs fail."""
    now = clock.now()
    async with connect(address) as connection:
        backlog = await measure_backlog(connection, now)
        is_worked_at = await has_worker(connection)
    problems: list[Finding] = []
    if is_worked_at is False and settings.environment == "production":
        problems.append(warning("No process runs background jobs at the moment.", _MEND_LAG))
    if behind := _describe_lag(backlog, now):
        problems.append(warning(" ".join(behind), _MEND_LAG))
    failing = [f"{one.failing} of {one.queue}" for one in backlog.queues if one.failing]
    if failing:
        problems.append(
            warning(f"Jobs failed and are tried again: {', '.join(failing)}.", 'See "job failed" in the log.')
        )
    due = sum(one.due for one in backlog.queues)
    return sum_up(problems, f"Events reach their subscribers, and {due or 'no'} job{'' if due == 1 else 's'} wait.")


def _describe_lag(backlog: Backlog, now: datetime) -> list[str]:
    since = [(f"The first of {one.due} jobs of {one.queue}", one.first_due_at) for one in backlog.queues]
    since.append(("The first event that was not routed", backlog.first_event_at))
    lags = [(what, (now - at).total_seconds()) for what, at in since if at is not None]
    return [f"{what} has waited for {lag:.0f} seconds." for what, lag in lags if lag > _LATE_SECONDS]


async def check_backup(settings: Settings, address: Address) -> Finding:
    """Check that the last backup is from today or last night."""
    async with connect(address) as connection:
        succeeded_at = await find_last_success(connection)
    if succeeded_at is None and settings.environment == "test":
        return ok("There is no backup yet; a test environment needs none.")
    if succeeded_at is None:
        return warning("No backup was made with `meetdeck backup` yet.", _MEND_BACKUP)
    found = f"The last backup succeeded on {succeeded_at:%Y-%m-%d at %H:%M} UTC."
    if clock.now() - succeeded_at > _OLDEST_BACKUP:
        return warning(f"{found} That is more than {_OLDEST_BACKUP // timedelta(hours=1)} hours ago.", _MEND_BACKUP)
    return ok(found)


async def check_hold(address: Address) -> Finding:
    """Check whether the installation is held and sends nothing out."""
    async with connect(address) as connection:
        held_since = await find_hold(connection)
    if held_since is None:
        return ok("Nothing is held back.")
    return warning(
        describe_hold(held_since),
        "If it is to serve in the original's place: `meetdeck release`. If it is a copy, leave it held.",
    )


async def check_encryption_key(settings: Settings, address: Address) -> Finding:
    """Check that the installation's key decrypts the database's encrypted values."""
    async with connect(address) as connection:
        values = [value async for value in _list_encrypted(connection)]
    key_file = settings.data_dir / KEY_FILE
    if settings.encryption_key is None and not key_file.exists():
        found = "The data folder has no encryption key."
        lost = fault(found, f"Restore {key_file} from a backup: encrypted values cannot be read without it.")
        return lost if values else ok(f"{found} `meetdeck serve` creates one, and nothing is encrypted yet.")
    keys = find_encryption_keys(settings.encryption_key, settings.data_dir)
    encryption = Encryption(*keys)
    unreadable = Counter(value.words for value in values if not _can_read(encryption, value))
    if unreadable:
        counted = ", ".join(f"{count} of {words}" for words, count in unreadable.items())
        return fault(
            f"Of {len(values)} encrypted values that were tried, the key cannot read {unreadable.total()}: {counted}.",
            "Add the key with which they were encrypted to MEETDECK_ENCRYPTION_KEY, which can have several.",
        )
    if len(keys) > 1:
        return await _count_older(address, keys)
    if not values:
        return ok("Nothing is encrypted.")
    return ok(
        f"The key can read the encrypted values: {len(values)} value{'' if len(values) == 1 else 's'} tried, of "
        f"{', '.join(dict.fromkeys(value.words for value in values))}."
    )


async def _count_older(address: Address, keys: Sequence[bytes]) -> Finding:
    """Count how much is still encrypted with an earlier one of several keys."""
    async with connect(address) as connection:
        counted, is_all = await count_values(connection, keys, _MOST_COUNTED)
    if counted.unreadable:
        return fault(
            f"Of {counted.values:,} encrypted values, none of the {len(keys)} keys reads {counted.unreadable:,}.",
            "Add the key with which they were encrypted to MEETDECK_ENCRYPTION_KEY, which can have several.",
        )
    if counted.left:
        kinds = ", ".join(f"{kind.left:,} of {kind.kind}" for kind in counted.kinds if kind.left)
        return warning(
            f"{'' if is_all else 'At least '}{counted.left:,} of {counted.values:,} encrypted values are still under "
            f"an earlier key: {kinds}.",
            "Run `meetdeck rekey`. Keep the earlier keys in MEETDECK_ENCRYPTION_KEY until it says that none is left.",
        )
    if not is_all:
        return ok(f"The first key reads the {counted.values:,} values that were tried; `meetdeck rekey` tries all.")
    return warning(
        f"There are {len(keys)} keys, and the first one reads all {counted.values:,} encrypted values.",
        "Remove the earlier keys from MEETDECK_ENCRYPTION_KEY once links in mails that they signed may stop working.",
    )


class _EncryptedValue(NamedTuple):
    tenant_id: UUID
    words: str
    sealed: bytes


async def list_tenant_ids(connection: Connection) -> list[UUID]:
    """Return the ids of all tenants."""
    return [row["tenant_id"] async for row in queries.list_tenants(connection)]


async def _list_encrypted(connection: Connection) -> AsyncGenerator[_EncryptedValue]:
    """Yield one value of each kind of some tenants; no kind is left out because others have many values."""
    kinds = list(ENCRYPTED_COLUMNS)
    found = Counter[str]()
    for tenant_id in await list_tenant_ids(connection):
        await connection.execute("select set_config('meetdeck.tenant', $1, true)", str(tenant_id))
        for row in await connection.fetch(" union all ".join(_select_one(kind) for kind in kinds)):
            yield _EncryptedValue(tenant_id, row["words"], row["sealed"])
            found[row["words"]] += 1
        kinds = [kind for kind in kinds if found[kind.words] < _MOST_VALUES]
        if not kinds:
            return


def _select_one(kind: EncryptedColumn) -> str:
    return (
        f"(select {_quote(kind.words)} as words, {kind.column} as sealed from {kind.table}"  # noqa: S608 - of our own list
        f" where {kind.column} is not null and {kind.condition} limit 1)"
    )


def _quote(words: str) -> str:
    return "'" + words.replace("'", "''") + "'"


def _can_read(encryption: Encryption, value: _EncryptedValue) -> bool:
    try:
        encryption.decrypt(value.tenant_id, value.sealed)
    except ValueError:
        return False
    return True
