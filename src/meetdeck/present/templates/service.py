"""Templates: named in the database, their files in storage, compiled in memory."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from msgspec.structs import replace
from prometheus_client import Counter

from meetdeck.labels.schemas import LabelledKind, LabelMatch
from meetdeck.labels.service.uses import find_labelled, list_labels, replace_labels
from meetdeck.platform.cache import LoadingCache
from meetdeck.platform.db import Connection
from meetdeck.platform.storage import Storage
from meetdeck.platform.threads import run_in_thread
from meetdeck.platform.tracing import Kind, measured
from meetdeck.present.deck import Template, TemplateError, compile_template
from meetdeck.present.errors import TemplateNotFound
from meetdeck.present.findings import refuse_template
from meetdeck.present.templates import store
from meetdeck.present.templates.schemas import StoredTemplate, TemplateEntry

_COMPILE = Kind("compile")
_COMPILATIONS = Counter("meetdeck_template_compilations", "Templates that were compiled.")
_USES = Counter("meetdeck_template_uses", "Compiled templates asked for; those that were not compiled were in memory.")


async def list_templates(
    connection: Connection, labels: Sequence[str] = (), match: LabelMatch = LabelMatch.ALL
) -> list[TemplateEntry]:
    """Return the tenant's templates by name: all, or those with the labels (docs/api.md#label-filters)."""
    labelled = await find_labelled(connection, LabelledKind.TEMPLATE, labels, match)
    templates = await store.list_templates(connection, labelled)
    carried = await list_labels(connection, LabelledKind.TEMPLATE, [one.template_id for one in templates])
    return [replace(one, labels=carried[one.template_id]) for one in templates]


async def get_template(
    connection: Connection, name: str, *, for_update: bool = False, pointer: str | None = None
) -> StoredTemplate:
    """Return a template, locked `for_update`. Raises TemplateNotFound with the nearest names.

    `pointer` is the member of a body with its name, if it was in a body.
    """
    found = await store.find_template(connection, name, for_update=for_update)
    if found is None:
        raise TemplateNotFound(name, await store.list_template_names(connection), pointer)
    carried = await list_labels(connection, LabelledKind.TEMPLATE, [found.template_id])
    return replace(found, labels=carried[found.template_id])


async def get_template_by_id_or_name(
    connection: Connection, id_or_name: str, *, for_update: bool = False
) -> StoredTemplate:
    """Return a template, locked if it is to be changed (docs/api.md#templates). Raises TemplateNotFound."""
    template_id = _read_id(id_or_name)
    name = await store.find_template_name(connection, template_id) if template_id else None
    return await get_template(connection, name or id_or_name, for_update=for_update)


async def replace_template_labels(
    connection: Connection, template: StoredTemplate, labels: Sequence[str], now: datetime
) -> StoredTemplate:
    """Set the labels of a locked template to exactly these. Raises InvalidLabel."""
    carried = await replace_labels(connection, LabelledKind.TEMPLATE, template.template_id, labels, now)
    return replace(template, labels=carried)


async def delete_template(connection: Connection, template: StoredTemplate) -> None:
    """Delete a template with its revisions."""
    await store.delete_template(connection, template.template_id)


def _read_id(id_or_name: str) -> UUID | None:
    with suppress(ValueError):
        return UUID(id_or_name)
    return None


class CompiledTemplates:
    """An LRU of compiled templates by content digest, shared by all requests of a process."""

    def __init__(self, *, limit_bytes: int = 512 * 1024 * 1024) -> None:
        self._cache = LoadingCache[bytes, Template](lambda template: template.cost_bytes, limit_bytes=limit_bytes)

    async def get(self, digest: bytes, load: Callable[[], Awaitable[bytes]]) -> Template:
        """Return the compiled template; `load` returns the file when it is not in memory."""

        async def compile_loaded() -> Template:
            _COMPILATIONS.inc()
            return await measured(run_in_thread(compile_template, await load()), "compile template", _COMPILE)

        _USES.inc()
        return await self._cache.get(digest, compile_loaded)


class TemplateFiles:
    """The slow half: reads and compiles templates' files. Called outside transactions."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._compiled = CompiledTemplates()

    async def compile(self, template: StoredTemplate) -> Template:
        """Return the compiled template."""
        try:
            return await self._compiled.get(template.digest, lambda: self.read(template))
        except TemplateError as error:  # it was fine for the version that took it
            raise refuse_template(error) from None

    async def read(self, template: StoredTemplate) -> bytes:
        """Return the template's file."""
        return await self._storage.get(template.file_key)
