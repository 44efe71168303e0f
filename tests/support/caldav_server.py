"""A CalDAV server for tests: its people are listed, or found by a search alone, and each has one calendar."""

import asyncio
import re
from base64 import b64encode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import unquote
from xml.sax.saxutils import escape

from support.receivers import answer

ACCOUNT: Final = "meetdeck"
PASSWORD: Final = "the account's password"
_PROOF: Final = "Basic " + b64encode(f"{ACCOUNT}:{PASSWORD}".encode()).decode()
_NAMES: Final = 'xmlns="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/"'
_START: Final = (
    "<current-user-principal><href>/people/meetdeck/</href></current-user-principal>"
    "<principal-collection-set><href>/people/</href></principal-collection-set>"
)


class CalDavServer:
    """People by their addresses, the busy times of each, and what was asked for."""

    def __init__(self) -> None:
        self.host = ""
        self.people: dict[str, list[tuple[datetime, str]]] = {}
        """Of each the begins of its hours, each with its kind (FBTYPE)."""
        self.lists_people = True
        self.home_host = ""
        """Written before the paths of homes: a server may name another host, or none."""
        self.statuses: dict[str, int] = {}
        """Statuses that are answered below paths."""
        self.asked: list[str] = []

    @property
    def address(self) -> str:
        return f"http://{self.host}/"

    def write_connection(self, **members: Any) -> dict[str, Any]:
        """Return the body of a connection to this server."""
        account = {"userName": ACCOUNT, "password": PASSWORD}
        return {"name": "Our server", "kind": "CalDav", "address": self.address, **account, **members}

    def count(self, method: str) -> int:
        """Return how often something was asked for."""
        return sum(one.startswith(f"{method} ") for one in self.asked)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            line, *rest = head.strip().split("\r\n")
            headers = {name.lower(): value for name, value in (each.split(": ", 1) for each in rest)}
            body = (await reader.readexactly(int(headers.get("content-length", "0")))).decode()
            method, path, _ = line.split(" ")
            self.asked.append(f"{method} {path}")
            status = next((told for below, told in self.statuses.items() if path.startswith(below)), 207)
            if headers.get("authorization") != _PROOF:
                status = 401
            if status == 207 and "free-busy-query" in body:
                writer.write(answer(200, self._write_times(path)))
            elif status == 301:
                writer.write(answer(301, Location="/"))
            else:
                writer.write(answer(status, self._describe(unquote(path), headers.get("depth", "0"), body)))
            await writer.drain()
        writer.close()

    def _describe(self, path: str, depth: str, body: str) -> bytes:
        told = list[str]()
        if path == "/":
            told = [_respond("/", _START)]
        elif path == "/people/" and "principal-property-search" in body:
            wanted = re.findall("<match>(.*?)</match>", body)[0]
            told = [self._describe_person(email) for email in self.people if wanted in email]
        elif path == "/people/" and depth == "1" and self.lists_people:
            told = [self._describe_person(email) for email in self.people]
        elif path.startswith("/people/"):
            told = [self._describe_person(email) for email in self.people if path == f"/people/{_name(email)}/"]
        elif (email := self._find(path)) is not None:
            kind = "<resourcetype><collection/><c:calendar/></resourcetype>"
            tag = f"<s:getctag>{hash(tuple(self.people[email]))}</s:getctag>"
            told = [_respond(path, ""), _respond(f"{path}work/", kind + tag)]
        return f"<multistatus {_NAMES}>{''.join(told)}</multistatus>".encode()

    def _describe_person(self, email: str) -> str:
        home = f"{self.home_host}/homes/{_name(email)}/"
        return _respond(
            f"/people/{_name(email)}/",
            "<resourcetype><principal/></resourcetype>"
            f"<c:calendar-home-set><href>{escape(home)}</href></c:calendar-home-set>"
            f"<c:calendar-user-address-set><href>mailto:{escape(email)}</href></c:calendar-user-address-set>",
        )

    def _write_times(self, path: str) -> bytes:
        email = self._find(path)
        assert email is not None
        lines = [
            f"FREEBUSY;FBTYPE={kind}:{begin:%Y%m%dT%H%M%SZ}/{begin + timedelta(hours=1):%Y%m%dT%H%M%SZ}"
            for begin, kind in self.people[email]
        ]
        return "\r\n".join(
            ["BEGIN:VCALENDAR", "BEGIN:VFREEBUSY", *lines, "END:VFREEBUSY", "END:VCALENDAR", ""]
        ).encode()

    def _find(self, path: str) -> str | None:
        return next((email for email in self.people if path.startswith(f"/homes/{_name(email)}/")), None)


def _name(email: str) -> str:
    return email.partition("@")[0]


def _respond(path: str, properties: str) -> str:
    told = f"<propstat><prop>{properties}</prop><status>HTTP/1.1 200 OK</status></propstat>"
    return f"<response><href>{escape(path)}</href>{told}</response>"


@asynccontextmanager
async def open_caldav_server() -> AsyncGenerator[CalDavServer]:
    """Serve on a port of its own until the block ends."""
    made = CalDavServer()
    async with await asyncio.start_server(made.handle, "127.0.0.1", 0) as server:
        made.host = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        yield made
