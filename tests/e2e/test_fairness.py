"""A firm floods the installation with each kind of work, and another is served nearly as before (ADR 0157, 0158)."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any, Final

import httpx
import pytest

from meetdeck.platform.process.threads import run_in_thread
from support.floods import ASKS
from support.installation import Installation
from support.meeting_documents import make_template

LONGER: Final = 3
"""So many times what it took before may a call take during a flood."""

ROUNDS: Final = 15
TESTS: Final = Path(__file__).parents[1]
ANYBODY: Final = {"requireEmployeeParticipation": "false"}


async def sign_in(installation: Installation, site: str, number: int) -> tuple[str, dict[str, str]]:
    """Return the address of a demo firm's portal, and the headers of its calls."""
    written = json.loads((installation.data_dir / "dev-credentials.json").read_text(encoding="utf-8"))
    tenant = written["tenants"][number]
    client = tenant["clients"][1]
    form = {
        "grant_type": "client_credentials",
        "client_id": client["clientId"],
        "client_secret": client["clientSecret"],
    }
    async with httpx.AsyncClient() as http:
        token = (await http.post(f"{site}/oauth/token", data=form)).json()["access_token"]
    portal = tenant["portals"][0]
    headers = {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": tenant["subscriptionKey"]}
    return f"{site}/p/{portal['address'] or portal['id']}", headers


@asynccontextmanager
async def flooding(kind: str, base: str, headers: dict[str, str]) -> AsyncGenerator[dict[str, int]]:
    """Flood by another process; afterwards the answers are there, counted by status."""
    answered: dict[str, int] = {}
    process = await run_in_thread(
        lambda: subprocess.Popen(
            [sys.executable, "-m", "support.floods"],
            env=os.environ | {"PYTHONPATH": str(TESTS)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"kind": kind, "base": base, "headers": headers}) + "\n")
        process.stdin.flush()
        assert await run_in_thread(process.stdout.readline) == "begun\n"
        await asyncio.sleep(2)
        yield answered
        process.stdin.close()
        answered |= json.loads(await run_in_thread(process.stdout.read))


async def measure(calls: Mapping[str, Callable[[], Awaitable[httpx.Response]]]) -> dict[str, float]:
    """Return the lower quartile of the seconds of each call: above it, the machine's other work is measured too."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            begun = perf_counter()
            answer = await call()
            seconds[name].append(perf_counter() - begun)
            assert answer.status_code == 200, answer.text
    return {name: quantiles(each)[0] for name, each in seconds.items()}


@pytest.mark.thorough
async def test_a_firm_that_floods_slows_no_other_firm_down(installation: Installation) -> None:
    """The time of other firms is compared with their time before, on the same machine."""
    if os.getloadavg()[0] > (os.cpu_count() or 1):
        pytest.skip("a ratio of times says nothing while the machine has more other work than it has cores")
    site = await run_in_thread(installation.start)
    base = f"{site}/api/v3/"
    _, loud = await sign_in(installation, site, 0)
    portal, quiet = await sign_in(installation, site, 1)
    deck: dict[str, Any] = {"template": "Simple", "data": {"name": "Freja"}}
    told: dict[str, Any] = {}
    async with httpx.AsyncClient(base_url=base, headers=quiet, timeout=300) as http:
        files = {"file": ("simple.pptx", make_template("Hello {{name}}"))}
        (await http.post("present/templates", files=files, data={"name": "Simple"})).raise_for_status()
        calls = {
            "employees": lambda: http.get("booking/employees"),
            "search": lambda: http.get("booking/time-slots/available", params=ANYBODY),
            "deck": lambda: http.post("present/slides/generate", json=deck),
            "portal": lambda: http.get(portal),
        }
        await measure(calls)
        for kind in ASKS:
            before = await measure(calls)
            async with flooding(kind, base, loud) as answered:
                during = await measure(calls)
            told[kind] = {call: round(during[call] / before[call], 2) for call in before} | {"answered": answered}
    print(json.dumps(told, indent=1))  # noqa: T201 - shown when it fails
    for kind, each in told.items():
        assert set(each.pop("answered")) <= {"200"}, kind
        assert max(each.values()) <= LONGER, kind
