"""The defaults of an organization that has set nothing yet."""

from uuid import uuid4

from meetdeck.booking.configuration.organization_settings.service import get_setting
from meetdeck.booking.scheduling.rules import OrganizationRules, get_rules
from meetdeck.platform.database import Database


async def test_the_columns_defaults_are_those_that_hold_without_a_row(database: Database) -> None:
    tenant_id = uuid4()
    async with database.transaction(tenant_id) as connection:
        await connection.execute("insert into tenant (tenant_id, name) values ($1, 'New')", tenant_id)
        assert await get_rules(connection) == OrganizationRules()
        await get_setting(connection)
        assert await get_rules(connection) == OrganizationRules()
