"""`meetdeck import-tenant` of an export that somebody forged: refused with table, row and member; nothing stays."""

import json
import re
from collections.abc import AsyncGenerator, Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import pytest
import pytest_asyncio

from meetdeck.administration.exports.checks.subjects import list_checks
from meetdeck.administration.exports.export import export_tenant
from meetdeck.administration.exports.importing import import_tenant, read_export
from meetdeck.demo.firm import NORDLYS
from meetdeck.embedded_postgres import Endpoint
from meetdeck.messages.import_checks import MESSAGE_TEXTS
from meetdeck.platform.database import Address
from meetdeck.platform.errors import SetupError
from meetdeck.platform.outgoing import AllowedHosts, OutgoingClient
from meetdeck.platform.outgoing.destinations import IpAddress
from meetdeck.platform.process.progress import NoProgress
from meetdeck.platform.secrets import Encryption
from meetdeck.platform.storage import Storage
from meetdeck.services import Services
from support.archives import dump_rows, hash_files
from support.databases import copy_database
from support.factories import Api
from support.fakes import MONDAY_MORNING
from support.filled_firms import fill
from support.hostile_archives import Json, Part, change_rows, read_parts, write_archive

OTHER_KEY = Encryption(bytes(range(7, 39)))
OTHER_FIRM = str(UUID(int=77))


async def resolve(host: str, _: int) -> list[IpAddress]:
    """Return the addresses of a name: one of them leads inside."""
    return [ip_address("10.0.0.7" if host.startswith("inside.") else "93.184.216.34")]


CLIENT = OutgoingClient(AllowedHosts(), named=["*.example"], resolve=resolve)
CHECKS = [
    *list_checks(NORDLYS.tenant_id, CLIENT, MONDAY_MORNING, logo_by_https=False),
    MESSAGE_TEXTS,
]
TENANT = str(NORDLYS.tenant_id)


class Forge(NamedTuple):
    """An export of a firm with rows in every table, a place to import it into, and where forged ones are written."""

    parts: list[Part]
    manifest: Json
    owner: Address
    folder: Path

    async def import_forged(self, parts: list[Part], **manifest: Any) -> None:
        """Import what somebody made of the export."""
        path = write_archive(self.folder / f"{uuid4()}.tar.gz", parts, self.manifest | manifest)
        storage = Storage.open(url=None, folder=self.folder / "there")
        checked = read_export(path, NoProgress())
        await import_tenant(self.owner, storage, OTHER_KEY, path, checked, NoProgress(), checks=CHECKS)

    async def find_refusal(self, parts: list[Part]) -> str:
        """Return why an export is refused; nothing when it is not."""
        try:
            await self.import_forged(parts)
        except SetupError as error:
            return str(error)
        return ""

    async def read_sequences(self) -> dict[str, int | None]:
        """Return the last number of each sequence but that of events, of which rows that are tried take some."""
        connection = await self.owner.connect()
        rows = await connection.fetch("select sequencename as name, last_value as last from pg_sequences")
        await connection.close()
        return {row["name"]: row["last"] for row in rows if row["name"] != "event_written_seq"}

    async def require_nothing(self) -> None:
        """Fail unless neither rows nor files nor the installation's own are there."""
        assert not any((await dump_rows(self.owner, [NORDLYS.tenant_id, UUID(OTHER_FIRM)])).values())
        assert hash_files(self.folder / "there") == {}
        connection = await self.owner.connect()
        assert await connection.fetchval("select count(*) from backup_success") == 0
        assert await connection.fetchval("select count(*) from sending_hold") == 0
        await connection.close()


@pytest_asyncio.fixture
async def forge(
    api: Api, services: Services, addresses: tuple[Address, Address], postgres: Endpoint, migrated: str, tmp_path: Path
) -> AsyncGenerator[Forge]:
    """Lend an export, and an empty installation: what is refused leaves it as it is, so that all cases share it."""
    await fill(api, NORDLYS, services.database)
    path = tmp_path / "e.tar.gz"
    await export_tenant(addresses[1], services.storage, NORDLYS.tenant_id, services.encryption, path, NoProgress())
    async with copy_database(postgres, migrated) as (owner, _):
        yield Forge(*read_parts(path), owner, tmp_path)


def setting(column: str, value: object) -> Callable[[Json], None]:
    """Return a change that sets a column of the first row."""
    left = [value]

    def change(row: Json) -> None:
        assert column in row, f"{column} is none of {', '.join(row)}"
        if left:
            row[column] = left.pop()

    return change


def add_resource(parts: list[Part], number: int) -> list[Part]:
    """Return the members with a further resource of that number."""
    name = f"rows/{TENANT}/resource.jsonl"
    row = json.dumps({"tenant_id": TENANT, "resource_id": str(UUID(int=9)), "resource_key": number}).encode() + b"\n"
    return [part._replace(content=part.content + row) if part.name == name else part for part in parts]


VALUES: list[tuple[str, str, object, str]] = [
    ("portal", "embed_hosts", ["*; script-src * 'unsafe-inline'"], "embedHosts/0"),
    ("portal", "embed_hosts", ["https://a.example/x"], "embedHosts/0"),
    ("portal", "logo_url", "javascript:alert(1)", "logoUrl"),
    ("portal", "logo_url", "data:image/svg+xml,x", "logoUrl"),
    ("portal", "styling", "@import url(https://evil.example/x.css);", "styling"),
    ("portal", "styling", "a { background: url(https://evil.example/x) }", "styling"),
    ("portal", "brand_color", "red;}", "brandColor"),
    ("portal", "address", "../console", "address"),
    ("portal", "name", "two\nlines", "name"),
    ("portal", "name", "", "name"),
    ("portal", "languages", ["xx"], "languages"),
    ("portal_field", "pattern", "(a+)+$(", "pattern"),
    ("document_rule", "data_url", "http://169.254.169.254/latest/meta-data", "dataUrl"),
    ("document_rule", "data_url", "file:///etc/passwd", "dataUrl"),
    ("document_rule", "data_url", "https://elsewhere.test/data", "dataUrl"),
    ("document_rule", "data_url", "https://inside.nordlys.example/data", "dataUrl"),
    ("employee", "name", "Anna\r\nBcc: everybody@example.com", "name"),
    ("employee", "name", "Anna \u001b[2J", "name"),
    ("employee", "email", "no address", "email"),
    ("employee", "time_zone", "Mars/Olympus", "time zone"),
    ("room", "name", "Room\u2028here", "name"),
    ("room", "name", "Room\u202eereh", "name"),
    ("subscription_key", "name", "key\u2066x", "name"),
    ("room", "capacity", -4, "capacity"),
    ("location", "location", "", "location"),
    ("meeting_topic", "name", "Loan\u0007", "name"),
    ("meeting_topic", "duration_minutes", 10**6, "duration"),
    ("customer_type", "name", "x" * 5000, "name"),
    ("organization_setting", "buffer_between_meetings", "P400D", "bufferBetweenMeetings"),
    ("organization_setting", "time_zone", "Mars/Olympus", "time zone"),
    ("service_group", "name", "\u0085", "name"),
    ("competence_group", "name", "a\tb", "name"),
    ("label", "color", "red", "color"),
    ("recipe", "name", "", "name"),
    ("template", "name", "a\nb", "name"),
    ("meeting", "title", "Loan\r\nX-Header: 1", "title"),
    ("meeting", "external_attendees", [{"name": "A\nB", "email": "a@example.com"}], "externalAttendees/0/name"),
    ("meeting", "external_attendees", [{"name": "A", "email": "a@example.com, b@example.com\n"}], "email"),
    ("meeting", "external_attendees", "everybody", "externalAttendees"),
    ("meeting", "video_link", "x" * 100_000, "videoLink"),
    ("meeting", "description", "\u0001", "description"),
    ("wish", "email", "a\nb@example.com", "email"),
    ("wish", "phone", "\u009b", "phone"),
    ("message_text", "kind", "Unheard", "Unheard"),
    ("content", "file_key", f"{OTHER_FIRM}/files/{UUID(int=5)}", "file_key"),
    ("content", "file_key", f"{TENANT}/../{OTHER_FIRM}/files/{UUID(int=5)}", "file_key"),
    ("template_revision", "file_key", f"{OTHER_FIRM}/files/{UUID(int=5)}", "file_key"),
    ("content", "content_type", "text/html\r\nSet-Cookie: a=b", "content_type"),
    ("subscription_key", "name", "key\u001b]0;x\u0007", "name"),
    ("tenant", "name", "Firm\u001b[31m", "name"),
    ("tenant", "locale", "no locale", "locale"),
    ("tenant", "event_days", 1, "event_days"),
]


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.thorough)], ids=["some", "all"])
async def test_every_value_is_one_that_the_api_takes(forge: Forge, every: int) -> None:
    before = await forge.read_sequences()
    taken: list[str] = []
    for table, column, value, member in VALUES[::every]:
        words = await forge.find_refusal(change_rows(forge.parts, table, setting(column, value)))
        plain = words.lower().replace("_", "")
        is_named = table.split("_")[0] in words and member.lower().replace("_", "") in plain
        is_one_line = len(words.splitlines()) == 1 and words.isprintable() and len(words) < 700
        if not (is_named and is_one_line):
            taken.append(f"{table}.{column} = {value!r:.60}: {words}")
    assert taken == [], "\n".join(taken)
    await forge.require_nothing()
    assert await forge.read_sequences() == before


@pytest.mark.thorough
async def test_forged_archives_change_nothing(forge: Forge) -> None:
    before = await forge.read_sequences()
    rows, manifest = f"rows/{TENANT}", forge.manifest
    room = next(part for part in forge.parts if part.name == f"{rows}/room.jsonl")
    without_tenant = [part for part in forge.parts if part.name != f"{rows}/tenant.jsonl"]
    cases: dict[str, tuple[list[Part], Json, str]] = {
        "numbers that the manifest invents": ([], {"sequences": {"resource.resource_key": 2**31 - 1}}, "not a row of"),
        "a number near the end": (add_resource(forge.parts, 2**31 - 1), {}, "end at"),
        "a number far ahead": (add_resource(forge.parts, 10**9), {}, "far ahead"),
        "another firm's rows": (change_rows(forge.parts, "room", setting("tenant_id", OTHER_FIRM)), {}, "another firm"),
        "a folder of another firm": (
            [*forge.parts, room._replace(name=f"rows/{OTHER_FIRM}/room.jsonl")],
            {},
            "no firm or table",
        ),
        "an installation's table": (
            [
                *forge.parts,
                Part(f"{rows}/sending_hold.jsonl", b'{"is_only":true,"held_since":"2026-01-01T00:00:00Z"}\n'),
            ],
            {},
            "no firm or table",
        ),
        "a table that is left out": ([*forge.parts, Part(f"{rows}/webhook.jsonl", b"{}\n")], {}, "no firm or table"),
        "a table that is none": ([*forge.parts, Part(f"{rows}/pg_authid.jsonl", b"{}\n")], {}, "no firm or table"),
        "SQL in a column": (
            change_rows(forge.parts, "room", lambda row: row.update({'name") select 1; --': 1})),
            {},
            "room has no column",
        ),
        "no tenant": (without_tenant, {}, "refuses rows|no row for the firm"),
        "two tenants": (forge.parts, {"tenants": manifest["tenants"] | {OTHER_FIRM: "Two"}}, "2 firms"),
        "no tenant in the manifest": (forge.parts, {"tenants": {}}, "0 firms"),
        "a topic below itself": (
            change_rows(forge.parts, "meeting_topic", lambda row: row.update(parent_id=row["topic_id"])),
            {},
            "meeting_topic .*parent",
        ),
        "a file of another firm": (
            [*forge.parts, Part("files/x", b"x", f"{OTHER_FIRM}/files/{UUID(int=5)}")],
            {},
            "no firm",
        ),
        "a schema that is none": (
            [part._replace(content=b"[[") if part.name == "schemas/room.json" else part for part in forge.parts],
            {},
            "room is another",
        ),
        "a line that is not a row": (
            [part._replace(content=b"[1]\n") if part is room else part for part in forge.parts],
            {},
            "line that is not a row",
        ),
        "half a line": (
            [part._replace(content=room.content[:-1]) if part is room else part for part in forge.parts],
            {},
            "within a row",
        ),
    }
    kept: list[str] = []
    for name, (parts, changed, why) in cases.items():
        try:
            await forge.import_forged(parts, **changed)
        except SetupError as error:
            if not str(error).isprintable() or re.search(why, str(error)) is None:
                kept.append(f"{name}: {error}")
        else:
            kept.append(f"{name}: taken")
    assert kept == [], "\n".join(kept)
    await forge.require_nothing()
    assert await forge.read_sequences() == before


async def test_an_honest_export_comes_in_and_tells_nothing_of_the_installation(forge: Forge) -> None:
    assert forge.manifest["sequences"] == {}
    of_before = {"event.written": 2**62, "kept_mail.number": 17, "resource.resource_key": 10**9}
    await forge.import_forged(forge.parts, sequences=of_before)
    after = await forge.read_sequences()
    assert (after["resource_resource_key_seq"] or 0) < 10_000, (
        "what an older export says of its installation is not asked"
    )
    assert (await dump_rows(forge.owner, [NORDLYS.tenant_id]))["meeting"]
