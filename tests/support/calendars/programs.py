"""Radicale and Xandikos: CalDAV servers as firms run them, with one calendar of Anna's."""

import asyncio
import subprocess
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import httpx

from support.calendars.random_files import write_file

_SERIES: Final = [
    "UID:series",
    "DTSTAMP:20260101T000000Z",
    "DTSTART:20260105T100000Z",
    "DTEND:20260105T110000Z",
    "RRULE:FREQ=WEEKLY;BYDAY=MO",
    "EXDATE:20261116T100000Z",
    "SUMMARY:Knee operation",
]
_RIGHTS: Final = """
[account]
user: meetdeck
collection: .*
permissions: Rr
[own]
user: .+
collection: {user}(/.*)?
permissions: RrWw
"""
_ADDRESS: Final = (
    '<propertyupdate xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><set><prop><c:calendar-user-address-set>'
    "<href>mailto:Anna@firm.test</href></c:calendar-user-address-set></prop></set></propertyupdate>"
)
_FREE: Final = [
    "UID:free",
    "DTSTAMP:20260101T000000Z",
    "DTSTART:20261104T100000Z",
    "DTEND:20261104T110000Z",
    "TRANSP:TRANSPARENT",
    "SUMMARY:Lunch",
]


def list_command(name: str, python: Path, folder: Path, port: int) -> list[str | Path]:
    if name == "radicale":
        users = folder / "users"
        users.write_text("anna@firm.test:secret\nmeetdeck:secret\n")
        rights = folder / "rights"
        rights.write_text(_RIGHTS)
        return [
            *(python, "-m", "radicale", "--server-hosts", f"127.0.0.1:{port}", "--auth-type", "htpasswd"),
            *("--auth-htpasswd-filename", users, "--auth-htpasswd-encryption", "plain"),
            *("--rights-type", "from_file", "--rights-file", rights),
            *("--storage-filesystem-folder", folder / "kept"),
        ]
    return [
        *(python.with_name("xandikos"), "serve", "-d", folder / "kept", "--defaults", "--autocreate"),
        *("-l", "127.0.0.1", "-p", str(port), "--current-user-principal", "/anna/"),
    ]


@asynccontextmanager
async def serve_calendar(name: str, python: Path, folder: Path, port: int) -> AsyncGenerator[str]:
    """Run a server, and lend the address of a calendar in it."""
    process = subprocess.Popen(  # noqa: ASYNC220, S603 - of the lock
        list_command(name, python, folder, port), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    path = "/anna@firm.test/work/" if name == "radicale" else "/anna/calendars/work/"
    try:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", auth=("anna@firm.test", "secret")) as client:
            for _ in range(600):
                try:
                    await client.get("/")
                    break
                except httpx.TransportError:
                    await asyncio.sleep(0.1)
            (await client.request("MKCALENDAR", path)).raise_for_status()
            if name == "xandikos":
                headers = {"Content-Type": "application/xml"}
                told = await client.request("PROPPATCH", "/anna/", content=_ADDRESS, headers=headers)
                told.raise_for_status()
            for uid, lines in (("series", _SERIES), ("free", _FREE)):
                headers = {"Content-Type": "text/calendar"}
                put = await client.put(f"{path}{uid}.ics", content=write_file(lines), headers=headers)
                put.raise_for_status()
        yield f"http://127.0.0.1:{port}{path}"
    finally:
        process.kill()
        process.wait()
