"""Uses `/mcp` with the client of the `mcp` package, in an environment of its own; run by tests.

Arguments: the address, the mode of negotiation, and the headers as JSON. Writes one line of JSON.
"""

import asyncio
import json
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

_TUESDAY = {"from": "2026-03-03T08:00:00+01:00", "to": "2026-03-03T17:00:00+01:00", "time_zone": "Europe/Copenhagen"}


async def main(address: str, mode: str, headers: dict[str, str]) -> None:
    """Book a free time as an assistant does, and fail once."""
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(address, http_client=http), mode=mode) as client,
    ):
        tools = (await client.list_tools()).tools
        found = (await client.call_tool("find_times", _TUESDAY)).structured_content
        first = found["times"][0]
        asked = {name: first[name]["local"] for name in ("start", "end")} | {"employee_id": first["employee_id"]}
        held = (await client.call_tool("hold_time", asked)).structured_content
        order = {"hold_id": held["hold_id"], "customer_id": "C-1", "title": "Pension"}
        booked = (await client.call_tool("book_meeting", order)).structured_content
        again = await client.call_tool("hold_time", asked)
        told = {
            "version": client.protocol_version,
            "tools": sorted(tool.name for tool in tools),
            "booked": booked["start"] == first["start"],
            "refused": again.is_error and again.content[0].text,
        }
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))
