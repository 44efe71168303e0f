"""A server that is to end: it says so first, and serves on for a while."""

import asyncio
import time
from contextlib import suppress
from threading import Event

import httpx

from meetdeck.platform.http.server import Drain
from meetdeck.platform.process.threads import run_in_thread
from support.connections import LEFT, running, running_server
from support.patience import LONGEST_SECONDS

DRAIN_SECONDS = 3.0


async def until_nobody_answers(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(LONGEST_SECONDS):
        with suppress(httpx.TransportError):
            while True:
                await http.get("/")
                await asyncio.sleep(0.05)


async def test_after_sigterm_a_server_serves_on_and_says_of_each_answer_that_it_is_the_last() -> None:
    begun = Event()
    async with running_server(drain=Drain(DRAIN_SECONDS, begun.set)) as (port, terminate):
        address = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=address) as http, httpx.AsyncClient(base_url=address) as later:
            assert "Connection" not in (await http.get("/")).headers
            told_at = time.monotonic()
            terminate()
            assert await run_in_thread(begun.wait, LONGEST_SECONDS), "whoever asks is told at once"
            # One connection was open already; the others are new.
            for client in (http, http, later):
                answer = await client.get("/")
                assert (answer.status_code, answer.headers["Connection"]) == (200, "close")
            await until_nobody_answers(later)
            assert time.monotonic() - told_at >= DRAIN_SECONDS


async def test_a_second_signal_ends_the_drain() -> None:
    async with running_server(drain=Drain(10 * LONGEST_SECONDS, lambda: None)) as (port, terminate):
        terminate()
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
            assert (await http.get("/")).status_code == 200
            terminate()
            await until_nobody_answers(http)


async def test_a_request_knows_when_its_caller_has_left() -> None:
    LEFT.clear()
    async with running() as port:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /until-left HTTP/1.1\r\nHost: a\r\n\r\n")
        await writer.drain()
        assert not await run_in_thread(LEFT.wait, 0.3)
        writer.close()
        assert await run_in_thread(LEFT.wait, LONGEST_SECONDS)
