"""Callers who follow `/health/ready` notice nothing of an installation that is ended under load."""

import asyncio
import time
from collections import Counter
from contextlib import suppress
from signal import SIGTERM

import httpx
import pytest

from meetdeck.platform.process.threads import run_in_thread
from support.installation import install

REQUESTS = 1000
A_SECOND = 50
LOOKS_A_SECOND = 4
DRAIN_SECONDS = 4


class Balancer:
    """Spreads requests over servers that are ready, on connections that it keeps, as a proxy does."""

    def __init__(self, addresses: list[str]) -> None:
        self._http = {address: httpx.AsyncClient(base_url=address) for address in addresses}
        self._ready = [*addresses]
        self.answers: Counter[str] = Counter()

    async def look(self) -> None:
        """Ask each server whether it is ready, some times a second."""
        while True:
            for address, http in self._http.items():
                is_ready = False
                with suppress(httpx.TransportError):
                    is_ready = (await http.get("/health/ready")).status_code == 200
                if not is_ready and address in self._ready:
                    self._ready.remove(address)
            await asyncio.sleep(1 / LOOKS_A_SECOND)

    async def call(self, number: int) -> None:
        address = self._ready[number % len(self._ready)]
        try:
            answer = await self._http[address].get("/oauth/jwks" if number % 2 else "/docs")
            self.answers[str(answer.status_code)] += 1
        except httpx.TransportError as error:
            self.answers[repr(error)] += 1

    async def run(self) -> None:
        looking = asyncio.create_task(self.look())
        begun = time.monotonic()
        calls: list[asyncio.Task[None]] = []
        for number in range(REQUESTS):
            await asyncio.sleep(begun + number / A_SECOND - time.monotonic())
            calls.append(asyncio.create_task(self.call(number)))
        await asyncio.gather(*calls)
        looking.cancel()
        for http in self._http.values():
            await http.aclose()


@pytest.mark.thorough
@pytest.mark.parametrize("workers", [1, 2])
async def test_none_of_a_thousand_requests_is_lost_when_a_server_is_ended(workers: int) -> None:
    with install() as ended, install() as other:
        for installation in (ended, other):
            installation.settings["MEETDECK_DRAIN_SECONDS"] = str(DRAIN_SECONDS)
            installation.fill()
        addresses = [
            await run_in_thread(installation.start, "--workers", str(workers), "--demo-data")
            for installation in (ended, other)
        ]
        balancer = Balancer(addresses)
        running = asyncio.create_task(balancer.run())
        await asyncio.sleep(REQUESTS / A_SECOND / 3)
        before = balancer.answers.total()
        assert await run_in_thread(ended.stop, SIGTERM) == 0
        assert balancer.answers.total() > before + DRAIN_SECONDS * A_SECOND / 2, "it served on"
        await running
        assert balancer.answers == {"200": REQUESTS}
