"""Compiled templates: in memory once each, in storage for other processes, and never a failure that stays."""

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from importlib.metadata import packages_distributions
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import UUID
from zipfile import ZipFile

import pytest
import pytest_asyncio
from pptx import Presentation

from meetdeck.platform.storage import Storage, StorageUnavailable, seal
from meetdeck.platform.work import JobQueue
from meetdeck.present import compiled as compiled_templates
from meetdeck.present import deck
from meetdeck.present.compiled import LIBRARIES, CompiledTemplates
from meetdeck.present.deck import Template, TemplateError, compile_template, whole_deck

NORDLYS, FJORD = UUID(int=1), UUID(int=2)


def make_file() -> bytes:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Hello {{customer.name}}{{#if new}}, welcome{{/if new}}"
    file = BytesIO()
    presentation.save(file)
    return file.getvalue()


FILE = make_file()
COST = compile_template(FILE).cost_bytes


class Source:
    """Counts how often the file is read."""

    def __init__(self, content: bytes = FILE) -> None:
        self.content = content
        self.reads = 0

    async def read(self) -> bytes:
        self.reads += 1
        await asyncio.sleep(0)
        return self.content


class Process:
    """A process among several with the same storage: nothing is in its memory yet."""

    def __init__(self, storage: Storage, limit_bytes: int = 10**9) -> None:
        self.background = JobQueue()
        self.templates = CompiledTemplates(storage, self.background, limit_bytes=limit_bytes)

    async def get(self, digest: bytes, source: Source, tenant_id: UUID = NORDLYS) -> Template:
        template = await self.templates.get(digest, source.read, tenant_id=tenant_id)
        await self.background.wait()
        return template


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage.open(url=None, folder=tmp_path)


@pytest_asyncio.fixture
async def start(storage: Storage) -> AsyncGenerator[Callable[..., Process]]:
    started: list[Process] = []

    def start_one(**options: int) -> Process:
        started.append(Process(storage, **options))
        return started[-1]

    yield start_one
    for process in started:
        await process.background.close()


async def refuse(key: str, content: bytes) -> None:
    raise StorageUnavailable(f"{key}: {len(content)} bytes")


def kept_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_template_costs_at_least_what_its_parts_take_in_the_file() -> None:
    with ZipFile(BytesIO(FILE)) as archive:
        parts = sum(entry.compress_size for entry in archive.infolist())
    assert parts <= COST < 3 * len(FILE)


async def test_a_template_is_compiled_once_however_many_ask_at_once(start: Callable[..., Process]) -> None:
    process, source = start(), Source()
    templates = await asyncio.gather(*(process.get(b"a", source) for _ in range(20)))
    assert source.reads == 1
    assert len({id(template) for template in templates}) == 1


async def test_after_a_start_nothing_is_compiled_again_and_decks_are_the_same(start: Callable[..., Process]) -> None:
    source, data = Source(), {"customer": {"name": "Åse"}, "new": True}
    first = await start().get(b"a", source)
    again = await start().get(b"a", source)
    assert source.reads == 1
    assert again is not first
    assert again == first
    assert whole_deck(again, data).content == whole_deck(first, data).content


async def test_a_firm_never_reads_what_another_firm_kept(start: Callable[..., Process], tmp_path: Path) -> None:
    source = Source()
    await start().get(b"a", source, NORDLYS)
    await start().get(b"a", source, FJORD)
    assert source.reads == 2
    assert {path.relative_to(tmp_path).parts[0] for path in kept_in(tmp_path)} == {str(NORDLYS), str(FJORD)}


async def test_another_version_of_the_program_compiles_anew(
    start: Callable[..., Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Source()
    await start().get(b"a", source)
    monkeypatch.setattr(compiled_templates, "compiled_version", lambda: "another")
    await start().get(b"a", source)
    assert source.reads == 2


def _cut(kept: bytes) -> bytes:
    return kept[: len(kept) // 2]


def _turn_a_bit(kept: bytes) -> bytes:
    return kept[:100] + bytes([kept[100] ^ 1]) + kept[101:]


def _empty(kept: bytes) -> bytes:
    return kept[:0]


def _cut_and_seal(kept: bytes) -> bytes:
    return seal(kept[:-40])


@pytest.mark.parametrize("damage", [_cut, _turn_a_bit, _empty, _cut_and_seal])
async def test_a_damaged_file_is_compiled_and_written_anew(
    start: Callable[..., Process], tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    source = Source()
    first = await start().get(b"a", source)
    (path,) = kept_in(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert await start().get(b"a", source) == first
    assert source.reads == 2
    assert path.read_bytes() == whole


async def test_a_storage_that_cannot_be_written_costs_time_alone(
    start: Callable[..., Process], storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Source()
    monkeypatch.setattr(storage, "put", refuse)
    for _ in range(2):
        assert len((await start().get(b"a", source)).slides) == 1
    assert source.reads == 2


async def test_the_longest_unused_goes_when_the_bound_is_passed(
    start: Callable[..., Process], storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "put", refuse)
    process, source = start(limit_bytes=2 * COST), Source()
    for digest in (b"a", b"b", b"a", b"c", b"a"):
        await process.templates.get(digest, source.read, tenant_id=NORDLYS)
    assert source.reads == 3
    await process.templates.get(b"b", source.read, tenant_id=NORDLYS)
    assert source.reads == 4


async def test_one_that_is_larger_than_the_bound_serves_all_the_same(start: Callable[..., Process]) -> None:
    assert len((await start(limit_bytes=1).get(b"a", Source())).slides) == 1


async def test_a_failure_is_tried_again(start: Callable[..., Process]) -> None:
    process, source = start(), Source(b"no presentation")
    with pytest.raises(TemplateError):
        await process.templates.get(b"a", source.read, tenant_id=NORDLYS)
    source.content = FILE
    await process.get(b"a", source)
    assert source.reads == 2


async def test_a_caller_who_goes_away_takes_nothing_from_the_others(start: Callable[..., Process]) -> None:
    process, source = start(), Source()
    leaving = asyncio.create_task(process.get(b"a", source))
    staying = asyncio.create_task(process.get(b"a", source))
    await asyncio.sleep(0)
    leaving.cancel()
    assert len((await staying).slides) == 1
    assert source.reads == 1


def test_the_version_counts_each_library_that_the_engine_uses() -> None:
    sources = (path.read_text() for path in Path(deck.__file__).parent.rglob("*.py"))
    imported = {name for text in sources for name in re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE)}
    distributions = packages_distributions()
    used = {distributions[name][0].lower() for name in imported if name in distributions}
    assert used - {"meetdeck"} == set(LIBRARIES)
