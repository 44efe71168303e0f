"""Many firms on a distributed PostgreSQL (Citus and its like): the tenant stands in whatever holds tables together."""

import pytest

from meetdeck.platform.database import Connection

# On Citus small tables that each node has, or that stay where they are (docs/operations/database.md).
WITHOUT_TENANT = {
    "alembic_version": "the schema's revision",
    "backup_success": "when the last backup succeeded: one row",
    "sending_hold": "whether the installation sends nothing out: one row",
    "rate_count": "numbers of requests by digests, some of addresses without credentials",
}
LOOKED_UP_FIRST = {
    "subscription_key_digest_key": "a key comes before its tenant is known",
    "scim_token_digest_key": "a directory's token comes before its tenant is known",
    "calendar_feed_digest_key": "the address of a calendar comes before its tenant is known",
    "oauth_client_client_id_key": "a client of the built-in issuer (test environment only) comes before its tenant",
    "oauth_user_user_name_key": "a person of the built-in issuer (test environment only) comes before the tenant",
    "portal_by_address": "the address of a page comes before its tenant, and leads to one page of the installation",
}
RUNS_AS_OWNER = {
    "take_jobs": "a worker takes what is due before it knows of which tenant: ids alone",
    "renew_jobs": "a worker keeps what it took, of several tenants: no row is answered",
    "finish_jobs": "a worker ends what it took, of several tenants: no row is answered",
    "list_moved_clocks": "the test environment's processes ask which firms have moved clocks: ids and lengths alone",
    "bring_jobs_forward": "jobs of firms with moved clocks are due: no row is answered; production never calls it",
    "measure_routing": "since when the first event of all tenants waits, for operators",
    "measure_jobs": "numbers of all tenants' jobs, for operators",
    "list_failing_webhooks": "webhooks of all tenants that fail, for operators: ids, numbers, the last problem",
    "measure_undelivered": "how many messages of all tenants could not be sent yet, for operators",
    "tenants_to_route": "as the next, for the previous release",
    "list_to_route": "a worker looks for what there is to do before it knows of which tenant: their ids alone",
    "identify_webhook": "operators name a webhook by its id alone",
    "identify_told_meeting": "an answer to an invitation comes by mail before its tenant is known",
    "list_kept_mails": "the mailbox of the test environment shows the mails of all firms; in production there are none",
    "list_tenants": "which tenants there are: their ids alone",
    "list_directory": "in which cell each tenant lives: ids and names of cells alone",
    "identify_key": "a key comes before its tenant is known",
    "identify_key_id": "operators name a key by its id alone",
    "list_connected_tenants": "searches of firms with a connection are noted: their ids alone",
    "identify_calendar_feed": "the address of a calendar comes before its tenant is known",
    "identify_scim_token": "a directory's token comes before its tenant is known",
    "identify_scim_token_id": "operators name a token by its id alone",
    "identify_oauth_client": "a client comes before its tenant is known",
    "identify_console_sessions": "the provider ends sessions before their tenants are known: ids and hashes alone",
    "identify_portal": "the address of a page comes before its tenant is known",
    "analyze_directory": "statistics of tables, for their owner to make; no row is answered",
    "analyze_calendar_entries": "the same",
    "erase_history": "the application may not change history; policies hold it to the current tenant",
    "forget_audit_entries": "the application may not delete entries; it names the current tenant",
}

_TABLES = """
select relname from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and not exists (
        select from pg_attribute
        where attrelid = pg_class.oid and attname = 'tenant_id' and attnotnull and atttypid = 'uuid'::regtype
    )
"""
# Primary keys and unique constraints are unique indexes, too; those of an exclusion constraint are not.
_UNIQUE = """
select index.relname
from pg_index
join pg_class as index on index.oid = indexrelid
join pg_class as of_table on of_table.oid = indrelid
where of_table.relnamespace = 'public'::regnamespace and (indisunique or indisexclusion)
    and not of_table.relname = any ($1)
    and not exists (
        select from unnest(indkey::int2[]) with ordinality as key (number, place)
        join pg_attribute on attrelid = indrelid and attnum = number
        where attname = 'tenant_id' and place = 1
    )
"""
_REFERENCES = """
select conname
from pg_constraint
where contype = 'f' and connamespace = 'public'::regnamespace
    and not exists (
        select from unnest(conkey, confkey) as pair (from_number, to_number)
        join pg_attribute as own on own.attrelid = conrelid and own.attnum = from_number
        join pg_attribute as other on other.attrelid = confrelid and other.attnum = to_number
        where own.attname = 'tenant_id' and other.attname = 'tenant_id'
    )
"""
# Equality of the tenant is what an exclusion constraint of a distributed table must ask for.
_EXCLUSIONS = """
select conname
from pg_constraint
where contype = 'x' and connamespace = 'public'::regnamespace
    and not exists (
        select from unnest(conkey, conexclop) as pair (number, operator)
        join pg_attribute on attrelid = conrelid and attnum = number
        join pg_operator on pg_operator.oid = operator
        where attname = 'tenant_id' and oprname = '='
    )
"""


async def list_names(owner: Connection, query: str, *parameters: object) -> set[str]:
    return {next(iter(row.values())) for row in await owner.fetch(query, *parameters)}


async def test_every_table_says_whose_its_rows_are(owner: Connection) -> None:
    assert await list_names(owner, _TABLES) <= {*WITHOUT_TENANT}


async def test_every_key_begins_with_the_tenant(owner: Connection) -> None:
    assert await list_names(owner, _UNIQUE, [*WITHOUT_TENANT]) == {*LOOKED_UP_FIRST}


async def test_every_reference_stays_with_the_tenant(owner: Connection) -> None:
    assert await list_names(owner, _REFERENCES) == set()


async def test_every_exclusion_is_among_rows_of_one_tenant(owner: Connection) -> None:
    assert await list_names(owner, _EXCLUSIONS) == set()


async def test_what_runs_as_the_owner_has_a_reason(owner: Connection) -> None:
    """Row-level security holds everything else to one tenant, and what runs as the owner as well, unless it says so."""
    functions = "select proname from pg_proc where pronamespace = 'public'::regnamespace and prosecdef"
    assert await list_names(owner, functions) == {*RUNS_AS_OWNER}


@pytest.mark.own_database
async def test_what_is_found_is_not_found_by_chance(owner: Connection) -> None:
    await owner.execute(
        "create table stray (id int primary key, room_id uuid, span tstzrange, exclude using gist (span with &&));"
        "create table held (tenant_id uuid not null, id int primary key, stray_id int references stray)"
    )
    assert "stray" in await list_names(owner, _TABLES)
    assert {"stray_pkey", "stray_span_excl"} <= await list_names(owner, _UNIQUE, [*WITHOUT_TENANT])
    assert await list_names(owner, _REFERENCES) == {"held_stray_id_fkey"}
    assert await list_names(owner, _EXCLUSIONS) == {"stray_span_excl"}
