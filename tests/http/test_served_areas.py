"""Processes that serve a part: the rest is 404 and says so, and the documents list what is served."""

from contextlib import aclosing
from pathlib import Path

import pytest

from meetdeck.platform.database import Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.settings import Area, read_settings
from meetdeck.present.render.renderer import MissingRenderer
from support.factories import Api, make_services
from support.fakes import HandClock

SERVED = {"present": "v3/present/templates", "booking": "v3/booking/employees"}


@pytest.mark.parametrize("area", SERVED)
async def test_a_process_serves_what_it_is_told_to(
    area: str, database: Database, clock: HandClock, tmp_path: Path
) -> None:
    parts = make_services(database, clock, tmp_path, MissingRenderer(), only=f"{area}, worker")
    async with aclosing(parts) as services, Api.open(services) as api:
        for one, path in SERVED.items():
            answer = await api.get(path)
            assert answer.status_code == (200 if one == area else 404)
            if one != area:
                assert answer.headers["Content-Type"] == "application/problem+json"
                assert answer.json()["code"] == "not_served"
                assert one in answer.json()["detail"]
                assert answer.json()["requestId"] == answer.headers["X-Request-Id"]
        document = (await api.get("v3/openapi.json")).json()
        assert {path.split("/")[3] for path in document["paths"]} == {
            area,
            "administration",
            "audit-log",
            "events",
            "test",
        }
        for path in ("/", "/docs", "/health/ready", "/metrics"):
            assert (await api.http.get(path)).status_code == 200, path
        start = (await api.http.get("/")).text
        assert "/p/nordlys" not in start
        assert 'href="console"' not in start
        assert (await api.http.get("/p/nordlys")).json()["code"] == "not_served"
        assert (await api.http.get("/nowhere")).json()["code"] == "not_found"


def test_an_area_that_there_is_none_of_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETDECK_ONLY", "present,pages")
    assert read_settings().only == {Area.PRESENT, Area.PAGES}
    with pytest.raises(SetupError, match=r"MEETDECK_ONLY.*'present', 'booking', 'pages' or 'worker'"):
        read_settings(only="deck")
