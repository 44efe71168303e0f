"""Compiled templates in memory: once each, bounded, and never a failure that stays."""

import asyncio
from io import BytesIO
from zipfile import ZipFile

import pytest
from pptx import Presentation

from meetdeck.present.deck import TemplateError, compile_template
from meetdeck.present.templates.service import CompiledTemplates


def make_file() -> bytes:
    file = BytesIO()
    Presentation().save(file)
    return file.getvalue()


FILE = make_file()
COST = compile_template(FILE).cost_bytes


class Storage:
    """Counts how often the file is read."""

    def __init__(self, content: bytes = FILE) -> None:
        self.content = content
        self.reads = 0

    async def read(self) -> bytes:
        self.reads += 1
        await asyncio.sleep(0)
        return self.content


def test_a_template_costs_at_least_what_its_parts_take_in_the_file() -> None:
    with ZipFile(BytesIO(FILE)) as archive:
        parts = sum(entry.compress_size for entry in archive.infolist())
    assert parts <= COST < 3 * len(FILE)


async def test_a_template_is_compiled_once_however_many_ask_at_once() -> None:
    compiled, storage = CompiledTemplates(), Storage()
    templates = await asyncio.gather(*(compiled.get(b"a", storage.read) for _ in range(20)))
    assert storage.reads == 1
    assert len({id(template) for template in templates}) == 1


async def test_the_longest_unused_goes_when_the_bound_is_passed() -> None:
    compiled, storage = CompiledTemplates(limit_bytes=2 * COST), Storage()
    for digest in (b"a", b"b", b"a", b"c", b"a"):
        await compiled.get(digest, storage.read)
    assert storage.reads == 3
    await compiled.get(b"b", storage.read)
    assert storage.reads == 4


async def test_one_that_is_larger_than_the_bound_serves_all_the_same() -> None:
    compiled, storage = CompiledTemplates(limit_bytes=1), Storage()
    assert (await compiled.get(b"a", storage.read)).slides == ()


async def test_a_failure_is_tried_again() -> None:
    compiled, storage = CompiledTemplates(), Storage(b"no presentation")
    with pytest.raises(TemplateError):
        await compiled.get(b"a", storage.read)
    storage.content = FILE
    await compiled.get(b"a", storage.read)
    assert storage.reads == 2


async def test_a_caller_who_goes_away_takes_nothing_from_the_others() -> None:
    compiled, storage = CompiledTemplates(), Storage()
    leaving = asyncio.create_task(compiled.get(b"a", storage.read))
    staying = asyncio.create_task(compiled.get(b"a", storage.read))
    await asyncio.sleep(0)
    leaving.cancel()
    assert (await staying).slides == ()
    assert storage.reads == 1
