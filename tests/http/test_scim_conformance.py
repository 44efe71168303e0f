"""scim2-tester judges our SCIM: what it discovers, and each attribute created, read, replaced, patched and filtered."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from meetdeck.platform.database import Database
from meetdeck.platform.process.threads import run_in_thread
from support.directories import Directory
from support.factories import BASE_URL, Api


def bridge(directory: Directory, loop: asyncio.AbstractEventLoop) -> Callable[..., Iterable[bytes]]:
    """Return our application as WSGI, for a judge in another thread: requests run in the tests' loop."""

    def serve(environ: dict[str, Any], start_response: Callable[..., object]) -> Iterable[bytes]:
        path = environ["PATH_INFO"].removeprefix("/scim/v2")
        headers = {key[5:].replace("_", "-"): value for key, value in environ.items() if key.startswith("HTTP_")}
        headers |= {"Content-Type": environ["CONTENT_TYPE"]} if environ.get("CONTENT_TYPE") else {}
        query = f"?{environ['QUERY_STRING']}" if environ["QUERY_STRING"] else ""
        body = environ["wsgi.input"].read()
        sending = directory.send(environ["REQUEST_METHOD"], f"{path}{query}", content=body, headers=headers)
        answer = asyncio.run_coroutine_threadsafe(sending, loop).result()
        start_response(f"{answer.status_code} {answer.reason_phrase}", list(answer.headers.items()))
        return [answer.content]

    return serve


@pytest.mark.thorough
async def test_the_judge_finds_nothing_wrong(api: Api, database: Database) -> None:
    # They take seconds to import, which no other test should wait for.
    from scim2_client.engines.wsgi import WSGISCIMClient  # noqa: PLC0415 - as above
    from scim2_tester import Status, check_server  # noqa: PLC0415 - as above

    directory = await Directory.open(api, database)
    client = WSGISCIMClient(bridge(directory, asyncio.get_running_loop()), base_url=f"{BASE_URL}/scim/v2")
    results = await run_in_thread(check_server, client)
    wrong = [
        f"{one.status.name} {one.title}: {one.reason}"
        for one in results
        if one.status not in {Status.SUCCESS, Status.SKIPPED, Status.COMPLIANT, Status.ACCEPTABLE}
    ]
    assert not wrong, "\n".join(wrong)
    assert len(results) > 70
