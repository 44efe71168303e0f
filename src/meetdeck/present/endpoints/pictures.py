"""Pictures of a template's slides."""

from litestar import Controller, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from meetdeck.platform.http.call import GivenCall
from meetdeck.platform.http.edge import unescape_step
from meetdeck.platform.http.problems import AnyRequest
from meetdeck.platform.http.requests import require_accepts, takes
from meetdeck.platform.http.responses import PNG, answer_file
from meetdeck.present.requests import PictureQuery
from meetdeck.present.service import pictures as service
from meetdeck.present.service.templates import get_template


class Pictures(Controller):
    """Slides as they look, with their tags as they stand."""

    path = "/templates/{name:str}/slides"

    @get("/{slide_name:str}", media_type=PNG, summary="Picture a slide", **takes(query=PictureQuery))
    async def picture_slide(
        self,
        call: GivenCall,
        name: FromPath[str],
        slide_name: FromPath[str],
        asked: NamedDependency[PictureQuery],
        request: AnyRequest,
        pictures: NamedDependency[service.Pictures],
    ) -> Response[bytes]:
        """Draw a slide of the template, with its tags as they stand."""
        require_accepts(request, PNG)
        async with call.transaction() as connection:
            template = await get_template(connection, unescape_step(name))
        picture = await pictures.picture_slide(template, unescape_step(slide_name), width=asked.width)
        return answer_file(picture, media_type=PNG, file_name=f"{unescape_step(slide_name)}.png")
