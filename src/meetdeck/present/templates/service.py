"""Templates: named in the database, their files in storage, compiled in memory and beside them."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import islice
from uuid import UUID

from msgspec.structs import replace

from meetdeck.labels.schemas import LabelledKind
from meetdeck.labels.service.uses import find_labelled, list_labels, replace_labels
from meetdeck.platform.database import Connection
from meetdeck.platform.process import LoadingCache
from meetdeck.platform.process.tracing import WorkKind, measured
from meetdeck.platform.storage import Storage, digest_of
from meetdeck.platform.work import JobQueue
from meetdeck.present.compiled import CompiledTemplates
from meetdeck.present.deck import (
    SHARING_CODES,
    DeckTooLarge,
    Reference,
    SharedTemplate,
    SlideReference,
    TagInfo,
    Template,
    TemplateError,
    TemplateFile,
    share_slides,
)
from meetdeck.present.errors import InvalidTemplate, RevisionNotFound, SlideNotFound, TemplateNotFound
from meetdeck.present.findings import as_result, refuse_template
from meetdeck.present.templates import store
from meetdeck.present.templates.schemas import (
    RevisionEntry,
    Section,
    StoredTemplate,
    Tag,
    TagPlace,
    TemplateData,
    TemplateEntry,
    TemplateOutline,
    TemplatesQuery,
)
from meetdeck.present.threads import TEMPLATES

_COMPILE = WorkKind("compile")
# Each is read, and parts of it are copied: one template must not make the service read a whole library.
_MOST_SOURCES = 40
_SHARED_BYTES = 256 * 1024 * 1024


async def list_templates(connection: Connection, wanted: TemplatesQuery) -> list[TemplateEntry]:
    """Return the tenant's templates by name that have the labels and the tag (docs/api/lists.md#label-filters)."""
    labelled = await find_labelled(connection, LabelledKind.TEMPLATE, wanted.labels, wanted.label_match)
    templates = await store.list_templates(connection, labelled, tag=wanted.tag)
    carried = await list_labels(connection, LabelledKind.TEMPLATE, [one.template_id for one in templates])
    return [replace(one, labels=carried[one.template_id]) for one in templates]


async def get_template(connection: Connection, name: str, *, for_update: bool = False) -> StoredTemplate:
    """Return a template with its labels, locked `for_update`. Raises TemplateNotFound with the nearest names."""
    template = await get_unlabelled_template(connection, name, for_update=for_update)
    carried = await list_labels(connection, LabelledKind.TEMPLATE, [template.template_id])
    return replace(template, labels=carried[template.template_id])


async def get_unlabelled_template(
    connection: Connection, name: str, *, for_update: bool = False, pointer: str | None = None
) -> StoredTemplate:
    """Return a template without its labels, for decks, PDFs and pictures, which show none. Raises TemplateNotFound.

    `pointer` is the member of a body with its name, if it was in a body.
    """
    found = await store.find_template(connection, name, for_update=for_update)
    if found is None:
        raise TemplateNotFound(name, await store.list_template_names(connection), pointer)
    sources = await find_sources(connection, found.outline.shared_from)
    return replace(found, sources=tuple(source for source in sources if source.name != found.name))


async def get_template_revision(connection: Connection, name: str, revision: int | None) -> StoredTemplate:
    """Return a template, without its labels, at a revision; None: the current one. Raises RevisionNotFound."""
    template = await get_unlabelled_template(connection, name)
    if revision is None or revision == template.revision:
        return template
    found = await store.find_template_revision(connection, template.template_id, revision)
    if found is None:
        raise RevisionNotFound(name, revision, template.revision)
    return found


async def list_template_revisions(connection: Connection, name: str) -> list[RevisionEntry]:
    """Return a template's current and former files, the newest first."""
    template = await get_unlabelled_template(connection, name)
    return await store.list_template_revisions(connection, template.template_id)


async def find_sources(connection: Connection, names: Sequence[str]) -> tuple[StoredTemplate, ...]:
    """Return the existing templates of these names, and those that their slides refer to: at most 40 names."""
    queue = list(dict.fromkeys(names))
    found: list[StoredTemplate] = []
    for name in islice(queue, _MOST_SOURCES):
        source = await store.find_template(connection, name)
        if source is not None:
            found.append(source)
            queue += [one for one in source.outline.shared_from if one not in queue]
    return tuple(found)


async def add_sources(connection: Connection, template: StoredTemplate, pointers: Mapping[str, str]) -> StoredTemplate:
    """Return a template with further sources. Raises TemplateNotFound; `pointers` are the names' places in a body.

    The template's own name is not a source.
    """
    known = {source.name for source in template.sources}
    sources = list(template.sources)
    for name, pointer in pointers.items():
        if name != template.name and name not in known:
            source = await get_unlabelled_template(connection, name, pointer=pointer)
            more = [one for one in (replace(source, sources=()), *source.sources) if one.name not in known]
            sources += more
            known |= {one.name for one in more}
    return replace(template, sources=tuple(sources))


async def get_template_by_id_or_name(
    connection: Connection, id_or_name: str, *, for_update: bool = False
) -> StoredTemplate:
    """Return a template, locked if it is to be changed (docs/api/templates.md). Raises TemplateNotFound."""
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


class TemplateFiles:
    """The slow half: reads and compiles templates' files. Called outside transactions."""

    def __init__(self, storage: Storage, background: JobQueue) -> None:
        self._storage = storage
        self._compiled = CompiledTemplates(storage, background)
        self._shared = LoadingCache[bytes, SharedTemplate](
            lambda shared: shared.template.cost_bytes, limit_bytes=_SHARED_BYTES
        )

    async def compile(self, template: StoredTemplate) -> Template:
        """Return the compiled template."""
        try:
            return await self._compiled.get(template.digest, lambda: self.read(template), tenant_id=template.tenant_id)
        except TemplateError as error:  # it was fine for the version that took it
            raise refuse_template(error) from None

    async def share(self, template: StoredTemplate, added: Sequence[SlideReference] = ()) -> SharedTemplate:
        """Return the compiled template with the slides of its sources that it refers to, and those `added`."""
        compiled = await self.compile(template)
        if not compiled.references and not added:
            return SharedTemplate(compiled, (), {}, {}, ())
        added = sorted(dict.fromkeys(added))
        pins = [(one.name, one.digest.hex()) for one in (template, *template.sources)]
        key = digest_of(repr((pins, added)).encode())
        return await self._shared.get(key, lambda: self._share(template, added))

    async def refresh(self, template: StoredTemplate) -> StoredTemplate:
        """Return a template with the tags, sections and findings of its sources' current slides."""
        if not template.outline.shared_from:
            return template
        shared = await self.share(template)
        own = [finding for finding in template.findings if finding.details.get("code") not in SHARING_CODES]
        return replace(
            template,
            outline=outline_of(shared.template, (await self.compile(template)).references),
            findings=[*own, *map(as_result, shared.findings)],
        )

    async def describe_data(self, template: StoredTemplate, slides: Sequence[str]) -> TemplateData:
        """Return the data that some slides need, or all slides without any. Raises SlideNotFound."""
        shared = (await self.share(template)).template
        names = [_require_slide(template, shared, name) for name in slides] or [one.name for one in shared.slides]
        fields = shared.fields.of_slides(names)
        tags = [_as_tag(tag) for tag in fields.tags if tag.occurrences]
        return TemplateData(names, tags, dict(fields.example), dict(fields.schema))

    async def _share(self, template: StoredTemplate, added: Sequence[SlideReference]) -> SharedTemplate:
        files = {
            one.name: TemplateFile(await self.read(one), await self.compile(one))
            for one in (template, *template.sources)
        }
        return await share(template.tenant_id, files[template.name], files, added)

    async def read(self, template: StoredTemplate) -> bytes:
        """Return the template's file."""
        return await self._storage.get(template.file_key)


async def share(
    tenant_id: UUID, main: TemplateFile, others: Mapping[str, TemplateFile], added: Sequence[SlideReference] = ()
) -> SharedTemplate:
    """Return a template with slides of others, made in a thread. Raises InvalidTemplate when it would be too large."""
    try:
        work = TEMPLATES.run(tenant_id, lambda _: share_slides(main, others, added))
        return await measured(work, "share slides", _COMPILE)
    except TemplateError as error:
        raise refuse_template(error) from None
    except DeckTooLarge as error:
        raise InvalidTemplate(str(error)) from None


def outline_of(template: Template, references: Iterable[Reference]) -> TemplateOutline:
    """Return a template's tags and sections. Slides in no section come first, in a section without a name.

    A template without sections would otherwise show no slide names at all. `references` are those of its own slides,
    which slides of others may replace in `template`.
    """
    sections = [Section(section.name, list(section.slides)) for section in template.sections]
    loose = [slide.name for slide in template.slides if slide.section is None]
    return TemplateOutline(
        tags=[_as_tag(tag) for tag in template.tags],
        sections=[Section("", loose), *sections] if loose else sections,
        example=dict(template.example),
        data_schema=dict(template.schema),
        shared_from=list(dict.fromkeys(reference.template for reference in references)),
    )


def _require_slide(template: StoredTemplate, compiled: Template, name: str) -> str:
    found = compiled.find_slide(name)
    if found is None:
        raise SlideNotFound(template.name, name, [one.name for one in compiled.slides], is_hidden=False)
    return found.name


def _as_tag(tag: TagInfo) -> Tag:
    places = [TagPlace(place.slide, place.shape, place.part, place.paragraph) for place in tag.occurrences]
    return Tag(tag.name, tag.description, tag.type, places)
