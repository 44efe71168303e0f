"""An installation knows that a process does its background work, and says so when none does."""

import pytest
from prometheus_client import REGISTRY

from meetdeck.demo.firm import NORDLYS, add_firm
from meetdeck.platform.database import Address, Database
from meetdeck.platform.work import WorkerPresence, workers


def read_number() -> float | None:
    return REGISTRY.get_sample_value("meetdeck_workers_present")


async def test_every_process_sees_whether_one_of_them_does_the_background_work(
    database: Database,
    addresses: tuple[Address, Address],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(workers, "_PATIENCE_SECONDS", 0)
    async with Database(addresses[1], connections=1) as elsewhere:
        serving = WorkerPresence(elsewhere, is_worker=False, complains=True)
        await serving.refresh()
        assert "no worker" not in "".join(capsys.readouterr()), "there is no firm yet, and nothing to do"
        async with database.transaction(NORDLYS.tenant_id) as connection:
            await add_firm(connection, NORDLYS)
        for _ in range(3):
            await serving.refresh()
        assert read_number() == 0
        assert "".join(capsys.readouterr()).count("no worker") == 1
        working, second = (WorkerPresence(database, is_worker=True, complains=True) for _ in range(2))
        for presence in (working, second, serving):
            await presence.refresh()
        assert read_number() == 1
        await working.leave()
        await second.refresh()
        await serving.refresh()
        assert read_number() == 1, "another took over"
        await second.leave()
        await serving.refresh()
        assert read_number() == 0
        assert "".join(capsys.readouterr()).count("no worker") == 1
