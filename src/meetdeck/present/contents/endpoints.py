"""Stored contents: files by id, kept for a while (docs/api/decks.md#contents); not part of the contract."""

from mimetypes import guess_type
from typing import Annotated, Any
from uuid import UUID

from litestar import Controller, Response, delete, get, post
from litestar.params import FromPath, PathParameter

from meetdeck.platform.changes import EventType, NewEvent, write_data, write_event
from meetdeck.platform.database import Connection, Database
from meetdeck.platform.http.answers import (
    AnyRequest,
    Conditions,
    answer_file_stream,
    answer_unchanged,
    entity_tag_of,
    read_range,
)
from meetdeck.platform.http.calls import Call, CurrentCall, SavedResource, Service, answers, get_services
from meetdeck.platform.http.requests import Body, Query, accepts
from meetdeck.platform.identity import require_enabled
from meetdeck.platform.secrets import LinkQuery
from meetdeck.present.contents.schemas import Content, MadeDeck, StoredContent, UploadContentForm
from meetdeck.present.contents.service import Contents, add_content, delete_content, get_content
from meetdeck.present.errors import LinkRefused

ContentId = Annotated[UUID, PathParameter(description="The `contentId` of a stored file.")]


class StoredContents(Controller):
    """Files by id, kept for a while; not part of the contract."""

    path = "/contents"
    tags = ("Contents",)

    @post(status_code=201, summary="Store a file", **accepts(form=UploadContentForm))
    async def upload_content(
        self, call: CurrentCall, payload: Body[UploadContentForm], contents: Service[Contents]
    ) -> Response[Content]:
        """Store a file for a while: a template, a presentation or a picture. Other calls name it by its `contentId`."""
        if answered := await call.find_answer(payload):
            return answered
        file = payload.file
        media_type = guess_type(file.file_name)[0] or "application/octet-stream"
        kept = await contents.store(
            call.principal.tenant_id, file, file_name=file.file_name, content_type=media_type, now=call.now
        )
        return await keep(call, contents, kept, payload=payload, is_new=True)

    @get(
        "/{content_id:uuid}",
        media_type="application/octet-stream",
        summary="Download a content",
        **answers(in_parts=True),
    )
    async def download_content(
        self, request: AnyRequest, call: CurrentCall, content_id: ContentId, contents: Service[Contents]
    ) -> Response[Any]:
        """Answer the file, or a part of it with `Range`, so that an interrupted download can continue.

        Its `Content-Type` is that of the stored file, such as `image/png`.
        """
        async with call.reading() as connection:
            content = await get_content(connection, content_id, call.now)
        return await _answer_content(request, contents, content)

    @delete("/{content_id:uuid}", status_code=204, summary="Delete a content")
    async def delete_content(self, call: CurrentCall, content_id: ContentId, contents: Service[Contents]) -> None:
        """Delete an uploaded or generated file before it expires; links to it stop working."""

        async def delete_row(connection: Connection) -> str:
            content = await get_content(connection, content_id, call.now)
            call.conditions.require_match(entity_tag_of(content.digest))
            return await delete_content(connection, content, call.now)

        await contents.discard(await call.run(delete_row))


class Downloads(Controller):
    """Signed addresses of files, which a browser can open without headers."""

    path = "/contents"

    @get("/{content_id:uuid}/download", include_in_schema=False, **accepts(query=LinkQuery))
    async def follow_link(
        self,
        request: AnyRequest,
        content_id: FromPath[UUID],
        params: Query[LinkQuery],
        contents: Service[Contents],
        database: Service[Database],
    ) -> Response[Any]:
        """Answer the file of a signed link, until the link expires."""
        now = get_services(request.scope).read_time(params.tenant)
        if not contents.links.is_good(params.tenant, content_id, params.expires, params.signature, now):
            raise LinkRefused
        async with database.transaction(params.tenant) as connection:
            await require_enabled(connection)
            content = await get_content(connection, content_id, now)
        return await _answer_content(request, contents, content)


async def _answer_content(request: AnyRequest, contents: Contents, content: StoredContent) -> Response[Any]:
    tag = entity_tag_of(content.digest)
    if Conditions(if_none_match=request.headers.get("If-None-Match")).is_known(tag):
        return answer_unchanged(tag)
    requested, if_range = request.headers.get("Range"), request.headers.get("If-Range")
    part = read_range(requested, if_range, size_bytes=content.size_bytes, tag=tag)
    stream = await contents.open_stream(content, part)
    return answer_file_stream(
        stream.chunks,
        size_bytes=content.size_bytes,
        part=part,
        media_type=content.content_type,
        file_name=content.file_name,
        tag=tag,
    )


async def keep(
    call: Call,
    contents: Contents,
    stored: StoredContent,
    *,
    payload: object,
    is_new: bool = False,
    deck: MadeDeck | None = None,
) -> Response[Content]:
    """Insert a stored file into the database, and answer the content response; `payload` is the request's body."""
    address = call.uri("present/contents", stored.content_id)
    described = contents.describe(stored, address=address, deck=deck)
    told = contents.describe(stored, address=call.in_v3.uri("present/contents", stored.content_id), deck=deck)

    async def add(connection: Connection) -> SavedResource:
        await add_content(connection, stored, call.principal.user_id, contents.quotas)
        subject = f"contents/{stored.content_id}"
        await write_event(
            connection, NewEvent(EventType.CONTENT_CREATED, subject, call.now, write_data(told), sequence=0)
        )
        return SavedResource(described, described.slide_location, is_new)

    async with contents.quotas.discarding(stored.file_key):
        return await call.save(payload, add)
