"""Pictures of a template's slides: their addresses for callers, and the pictures for browsers."""

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

from litestar import Controller, Response, get
from litestar.openapi.spec import Example
from litestar.params import FromPath, PathParameter

from meetdeck.platform.database import Database
from meetdeck.platform.http.answers import (
    ASK_AGAIN,
    JSON,
    PNG,
    TEXT,
    WEBP,
    AnyRequest,
    Conditions,
    answer_file,
    choose_media_type,
    entity_tag,
)
from meetdeck.platform.http.around import unescape_step
from meetdeck.platform.http.calls import Call, CurrentCall, Service, answers, get_services
from meetdeck.platform.http.requests import Query, accepts, read_accept, require_accepts
from meetdeck.platform.identity import require_enabled
from meetdeck.platform.values import Version
from meetdeck.present.errors import LinkRefused
from meetdeck.present.pictures.schemas import (
    PictureLinkQuery,
    SlideImage,
    SlideImageEntry,
    SlideImagesResponse,
    TemplatePictureQuery,
)
from meetdeck.present.pictures.service import PicturedSlide, PictureKey, Pictures, get_pictured
from meetdeck.present.render.pages import PictureFormat
from meetdeck.present.templates.endpoints import TemplateName
from meetdeck.present.templates.schemas import StoredTemplate
from meetdeck.present.templates.service import get_template_revision

SlideName = Annotated[
    str,
    PathParameter(
        description="The slide's name, or `Slide 1`, `Slide 2` … by its position.", examples=[Example(value="Cover")]
    ),
]

_FORMATS: Mapping[str, PictureFormat] = {PNG: "png", WEBP: "webp"}
_BY_ACCEPT = {"Vary": "Accept"}


class SlideImages(Controller):
    """Pictures of slides, with their tags unfilled."""

    path = "/templates/{name:str}/slides"
    tags = ("Templates",)

    @get(summary="List a template's pictures", **accepts(query=TemplatePictureQuery))
    async def list_slide_images(
        self,
        call: CurrentCall,
        name: TemplateName,
        params: Query[TemplatePictureQuery],
        pictures: Service[Pictures],
    ) -> Response[SlideImagesResponse]:
        """Return the visible slides of a template, each with the address of its picture.

        A browser can open the addresses for at least half a day. Hidden slides have no picture.
        """
        async with call.reading() as connection:
            template = await get_template_revision(connection, unescape_step(name), _revision_of(params, call))
        slides = await pictures.list_slides(template, width=params.width)
        entries = [_as_entry(one, _address_of(one.picture, template, pictures, call)) for one in slides]
        return call.answer(SlideImagesResponse(template.name, entries))

    @get(
        "/{slide_name:str}",
        summary="Picture a slide",
        **accepts(query=TemplatePictureQuery),
        **answers(files=[TEXT, PNG, WEBP]),
    )
    async def get_slide_image(
        self,
        call: CurrentCall,
        name: TemplateName,
        slide_name: SlideName,
        params: Query[TemplatePictureQuery],
        request: AnyRequest,
        pictures: Service[Pictures],
    ) -> Response[SlideImage] | Response[str] | Response[bytes]:
        """Return the address of a slide's picture: in an object, or bare with `Accept: text/plain`.

        With `Accept: image/png` or `image/webp` the picture itself is the answer.
        """
        media_type = require_accepts(request, JSON, TEXT, PNG, WEBP)
        async with call.reading() as connection:
            template = await get_template_revision(connection, unescape_step(name), _revision_of(params, call))
        pictured = await pictures.get_slide(template, unescape_step(slide_name), width=params.width)
        if media_type in _FORMATS:
            headers = await _headers_of(pictures, pictured.picture, media_type, ASK_AGAIN["Cache-Control"])
            if call.conditions.is_known(headers["ETag"]):
                return _answer_known(headers)
            return await _answer_picture(pictures, template, pictured.picture, media_type, headers)
        address = _address_of(pictured.picture, template, pictures, call)
        if media_type == TEXT:
            return Response(address, media_type=TEXT, headers={**ASK_AGAIN, **_BY_ACCEPT})
        picture = pictured.picture
        answer = call.answer(SlideImage(pictured.slide.name, address, picture.width, picture.height))
        answer.headers.update(_BY_ACCEPT)
        return answer


class SignedPictures(Controller):
    """Signed addresses of pictures (`imageUrl`), which a browser can open without headers."""

    path = "/pictures"

    @get("/{template_id:uuid}", include_in_schema=False, **accepts(query=PictureLinkQuery))
    async def follow_link(
        self,
        template_id: FromPath[UUID],
        params: Query[PictureLinkQuery],
        request: AnyRequest,
        pictures: Service[Pictures],
        database: Service[Database],
    ) -> Response[Any]:
        """Answer the picture until the link expires, as WebP to callers that accept it by name."""
        now = get_services(request.scope).read_time(params.tenant)
        picture = PictureKey(template_id, params.revision, params.page, params.width, params.height)
        if not pictures.links.is_good(params.tenant, picture.resource, params.expires, params.signature, now):
            raise LinkRefused
        media_type = choose_media_type(read_accept(request), (PNG, WEBP)) or PNG
        seconds_left = params.expires - int(now.timestamp())
        headers = await _headers_of(pictures, picture, media_type, f"private, max-age={seconds_left}, immutable")
        if Conditions(if_none_match=request.headers.get("If-None-Match")).is_known(headers["ETag"]):
            return _answer_known(headers)
        async with database.transaction(params.tenant) as connection:
            await require_enabled(connection)
            template = await get_pictured(connection, picture)
        return await _answer_picture(pictures, template, picture, media_type, headers)


def _revision_of(params: TemplatePictureQuery, call: Call) -> int | None:
    """Return the requested revision; v2 ignores it."""
    return params.revision if call.version is Version.V3 else None


def _address_of(picture: PictureKey, template: StoredTemplate, pictures: Pictures, call: Call) -> str:
    address = call.uri("present/pictures", template.template_id)
    return pictures.sign_address(address, template.tenant_id, picture, call.now)


def _as_entry(pictured: PicturedSlide, address: str) -> SlideImageEntry:
    slide, picture = pictured.slide, pictured.picture
    return SlideImageEntry(slide.name, slide.index, slide.section or "", address, picture.width, picture.height)


async def _headers_of(pictures: Pictures, picture: PictureKey, media_type: str, caching: str) -> dict[str, str]:
    """Return the headers of a picture, whether it is sent or known to the caller."""
    drawing = await pictures.describe_drawing(picture, _FORMATS[media_type])
    return {"ETag": entity_tag(drawing), "Cache-Control": caching, **_BY_ACCEPT}


def _answer_known(headers: Mapping[str, str]) -> Response[Any]:
    return Response(None, status_code=304, headers=headers)


async def _answer_picture(
    pictures: Pictures, template: StoredTemplate, picture: PictureKey, media_type: str, headers: Mapping[str, str]
) -> Response[bytes]:
    drawn = await pictures.draw(template, picture, _FORMATS[media_type])
    file_name = f"{template.name} {picture.page}.{_FORMATS[media_type]}"
    return answer_file(drawn, media_type=media_type, file_name=file_name, headers=headers, inline=True)
