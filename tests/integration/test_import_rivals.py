"""An import beside other changes of the same things: all of it or nothing, and nothing of theirs is lost."""

import asyncio

import pytest

from support.importing import ImportingFirm, counts_of, id_of


@pytest.mark.thorough
async def test_others_see_all_of_an_import_or_nothing(firm: ImportingFirm) -> None:
    rows = "".join(f"Advisor {number},a{number}@x.dk,Private\n" for number in range(2_500))  # two chunks
    running = asyncio.create_task(firm.add({"employees.csv": f"name,email,customerTypes\n{rows}"}))
    seen: set[tuple[int, int]] = set()
    while not running.done():
        async with firm.database.transaction(firm.tenant_id) as connection:
            counted = await connection.fetchrow(
                "select (select count(*) from employee) as people, (select count(*) from employee_schedule) as weeks"
            )
        assert counted is not None
        seen.add((counted["people"], counted["weeks"]))
        await asyncio.sleep(0.02)
    await running
    assert seen <= {(8, 8), (2_508, 2_508)}
    assert (8, 8) in seen


@pytest.mark.parametrize("kind", ["employees", "rooms"])
async def test_what_somebody_else_changes_meanwhile_is_not_lost(firm: ImportingFirm, kind: str) -> None:
    name, file = {
        "employees": ("Anna Holm", {"employees.csv": f"id,title\n{id_of('employee', 'Anna Holm')},Partner\n"}),
        "rooms": ("Havblik", {"rooms.csv": "name,location,capacity\nHavblik,Aarhus,99\n"}),
    }[kind]
    before = await firm.find(kind, name)
    changed = "update employee set phone = '112'" if kind == "employees" else "update room set available = false"
    async with firm.database.transaction(firm.tenant_id) as connection:
        await connection.execute(changed)
        running = asyncio.create_task(firm.add(file))
        await asyncio.sleep(0.3)
        assert not running.done()
    await running
    both = {"phone": "112", "title": "Partner"} if kind == "employees" else {"available": False, "capacity": 99}
    assert await firm.find(kind, name) == before | both


async def test_a_change_of_a_schedule_meanwhile_is_not_lost(firm: ImportingFirm) -> None:
    before = await firm.find_schedule("Anna Holm")
    async with firm.database.transaction(firm.tenant_id) as connection:
        await connection.execute("update employee_schedule set can_be_booked = false")
        running = asyncio.create_task(firm.add({"schedules.csv": "employee,maxMeetingTimePerDay\nAnna Holm,02:00\n"}))
        await asyncio.sleep(0.3)
    await running
    both = {"canBeBooked": False, "maxMeetingTimePerDay": "02:00:00"}
    assert await firm.find_schedule("Anna Holm") == before | both


async def test_two_imports_of_the_same_file_add_everything_once(firm: ImportingFirm) -> None:
    file = {"employees.csv": "name,email\n" + "".join(f"A,a{number}@x.dk\n" for number in range(200))}
    outcomes = await asyncio.gather(firm.add(file), firm.add(file))
    assert sorted(counts_of(outcome)["employees"] for outcome in outcomes) == [(0, 0, 200), (200, 0, 0)]
