"""Rows from before each had a file of its own keep theirs."""

from pathlib import Path

import pytest

from meetdeck import migrations
from meetdeck.demo.firm import FJORD, NORDLYS, Firm
from meetdeck.platform.database import Connection

pytestmark = pytest.mark.own_database

STEP = Path(migrations.__file__).parent / "versions" / "0011_file_keys.sql"

_EARLIER_ROWS = """
insert into tenant (tenant_id, name) values (current_tenant(), 'Firm');
insert into template values (current_tenant(), gen_random_uuid(), 'Welcome', '', gen_random_uuid(), 1, now());
insert into template_revision
    (tenant_id, template_id, revision, digest, size_bytes, outline, findings, created_at, created_by)
    select tenant_id, template_id, 1, sha256('a'), 1, '{}', '[]', now(), owner_id from template;
insert into content
    (tenant_id, content_id, digest, file_name, content_type, size_bytes, created_at, expires_at, created_by)
    select current_tenant(), gen_random_uuid(), sha256('a'), 'a', 'b', 1, now(), now(), gen_random_uuid()
    from generate_series(1, 2);
"""


async def act_for(connection: Connection, firm: Firm) -> None:
    await connection.execute("select set_config('meetdeck.tenant', $1, false)", str(firm.tenant_id))


@pytest.mark.parametrize("table", ["template_revision", "content"])
async def test_rows_of_every_tenant_name_the_file_that_was_theirs(owner: Connection, table: str) -> None:
    await owner.execute("alter table template_revision drop file_key; alter table content drop file_key")
    for firm in (NORDLYS, FJORD):
        await act_for(owner, firm)
        await owner.execute(_EARLIER_ROWS)
    async with owner.transaction():
        await owner.execute(STEP.read_text(encoding="utf-8"))
    for firm in (NORDLYS, FJORD):
        await act_for(owner, firm)
        keys = {row["file_key"] for row in await owner.fetch(f"select file_key from {table}")}  # noqa: S608 - ours
        assert keys == {f"{firm.tenant_id}/ca/ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"}
    forced = await owner.fetchval("select relforcerowsecurity from pg_class where oid = $1::regclass", table)
    assert forced is True
