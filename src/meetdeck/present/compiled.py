"""Compiled templates: in memory, and in storage beside their files, so that no process compiles what another has.

In storage the key contains the template's content and everything else that compiling depends on. Nothing there is
needed: a missing or damaged file is made again, and a storage that cannot be used costs only time.
"""

import hashlib
import sys
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final
from uuid import UUID

import structlog
from prometheus_client import Counter

from meetdeck.platform.process import LoadingCache
from meetdeck.platform.process.threads import run_in_thread
from meetdeck.platform.process.tracing import WorkKind, measured
from meetdeck.platform.storage import Storage, StorageUnavailable, seal, unseal
from meetdeck.platform.work import JobQueue
from meetdeck.present import deck
from meetdeck.present.deck import (
    DamagedRecordsError,
    Template,
    UnwritableRecordsError,
    compile_template,
    read_template,
    write_template,
)
from meetdeck.present.threads import TEMPLATES

FOLDER: Final = "compiled"
"""Keys are `{tenant}/compiled/{version}/{digest in hex}/template`."""

_COMPILE: Final = WorkKind("compile")
_MEMORY_BYTES: Final = 512 * 1024 * 1024
_VERSION_DIGITS: Final = 16
LIBRARIES: Final = ("babel", "idna", "isal", "lxml", "markdown-it-py", "msgspec", "numpy", "pillow", "segno")
"""The distributions that the deck engine uses."""
_COMPILATIONS: Final = Counter("meetdeck_template_compilations", "Templates that were compiled.")
_READS: Final = Counter("meetdeck_template_reads", "Compiled templates that were read from storage.")
_USES: Final = Counter(
    "meetdeck_template_uses", "Compiled templates requested; those neither compiled nor read were in memory."
)

log = structlog.stdlib.get_logger()


@cache
def compiled_version() -> str:
    """Return a hash of what a compiled template depends on beside its file: the engine's code and its libraries."""
    digest = hashlib.sha256("\0".join((sys.version, *map(version, LIBRARIES))).encode())
    folder = Path(deck.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"\0{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:_VERSION_DIGITS]


class CompiledTemplates:
    """An LRU of compiled templates by content digest, shared by all requests of a process, and their files."""

    def __init__(self, storage: Storage, background: JobQueue, *, limit_bytes: int = _MEMORY_BYTES) -> None:
        self._storage = storage
        self._background = background
        self._cache = LoadingCache[bytes, Template](lambda template: template.cost_bytes, limit_bytes=limit_bytes)

    async def get(self, digest: bytes, load: Callable[[], Awaitable[bytes]], *, tenant_id: UUID) -> Template:
        """Return the compiled template; `load` returns the template's file when it has to be compiled.

        It is then read or compiled in the tenant's turn. Raises `TemplateError`.
        """
        _USES.inc()
        return await self._cache.get(digest, lambda: self._obtain(digest, load, tenant_id))

    async def _obtain(self, digest: bytes, load: Callable[[], Awaitable[bytes]], tenant_id: UUID) -> Template:
        key = f"{tenant_id}/{FOLDER}/{await run_in_thread(compiled_version)}/{digest.hex()}/template"
        if (found := await self._find(key, tenant_id)) is not None:
            _READS.inc()
            return found
        _COMPILATIONS.inc()
        content = await load()
        work = TEMPLATES.run(tenant_id, lambda _: compile_template(content))
        template = await measured(work, "compile template", _COMPILE)
        self._background.add("keeping of a compiled template", lambda: self._keep(key, template, tenant_id))
        return template

    async def _find(self, key: str, tenant_id: UUID) -> Template | None:
        try:
            kept = await self._storage.find(key)
        except StorageUnavailable:  # which the log has
            return None
        if kept is None:
            return None
        found = await TEMPLATES.run(tenant_id, lambda _: _read(kept))
        if found is None:
            log.warning("compiled template damaged", key=key)
        return found

    async def _keep(self, key: str, template: Template, tenant_id: UUID) -> None:
        try:
            written = await TEMPLATES.run(tenant_id, lambda _: seal(write_template(template)))
        except UnwritableRecordsError as error:
            log.warning("compiled template not kept", key=key, error=str(error))
        else:
            await self._storage.put(key, written)


def _read(kept: bytes) -> Template | None:
    """Return the template of a sealed file; None if it is damaged."""
    content = unseal(kept)
    try:
        return None if content is None else read_template(content)
    except DamagedRecordsError:
        return None
