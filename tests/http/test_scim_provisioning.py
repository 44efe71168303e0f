"""A whole firm is provisioned in little time, and a second cycle changes nothing."""

import os
from time import process_time

import pytest
import structlog

from meetdeck.platform.database import Database
from support.directories import Directory
from support.factories import Api
from support.provisioning import Cycle
from support.statements import logged_statements

PEOPLE = int(os.environ.get("MEETDECK_SCIM_PEOPLE", "500"))
GROUPS = max(PEOPLE // 50, 1)
MOST_MILLISECONDS = 60
"""Of processor time for a person, both sides: 10,000 in ten minutes."""


@pytest.mark.thorough
async def test_a_firm_is_provisioned_twice_over(api: Api, database: Database) -> None:
    directory = await Directory.open(api, database)
    first, second = Cycle(directory, PEOPLE, GROUPS), Cycle(directory, PEOPLE, GROUPS)
    started = process_time()
    await first.run()
    seconds = process_time() - started
    assert first.written >= PEOPLE + 2 * GROUPS
    await second.run()
    again = process_time() - started - seconds
    figures = {"people": PEOPLE, "requests": first.requests, "seconds": round(seconds, 1), "again": round(again, 1)}
    structlog.stdlib.get_logger().info("provisioned", **figures)
    assert second.written == 0
    assert seconds * 1000 / PEOPLE < MOST_MILLISECONDS
    assert (await directory.get("/Users", count=0)).json()["totalResults"] >= PEOPLE


async def test_a_request_takes_few_statements(api: Api, database: Database) -> None:
    directory = await Directory.open(api, database)
    made = await directory.create_user("warm@nordlys.example")
    group = await directory.create_group("Warm", made["id"])
    counts: dict[str, int] = {}
    with logged_statements(database) as statements:
        for name, sending in (
            ("find", directory.find("new@nordlys.example")),
            ("create", directory.create_user("new@nordlys.example", displayName="New")),
            ("patch", directory.patch(f"/Users/{made['id']}", {"op": "replace", "path": "title", "value": "A"})),
            ("member", directory.patch(f"/Groups/{group['id']}", {"op": "remove", "path": "members"})),
        ):
            before = len(statements)
            await sending
            counts[name] = len(statements) - before
    assert counts["find"] <= 4, counts
    assert counts["create"] <= 16, counts
    assert counts["patch"] <= 12, counts
    assert counts["member"] <= 24, counts
