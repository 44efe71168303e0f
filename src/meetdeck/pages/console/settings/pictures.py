"""The picture of an employee: uploaded, seen and removed below the employee's form."""

from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.forms import Faults, forms
from meetdeck.pages.console.kit import ApiRefusal, ConsoleController, CurrentForm, CurrentPage, SentForm
from meetdeck.pages.console.settings.endpoints import EditedResource, open_subject, show_form
from meetdeck.pages.console.slide_templates.contents import store_file
from meetdeck.platform.errors import NotFound

_MOST_BYTES: Final = 12_000_000
"""The API accepts 10 MB of a picture, and says so."""
_EMPLOYEES: Final = "employees"
_MEMBER: Final = "pictureContentId"
_FIELD: Final = "picture"


class PicturesOfEmployees(ConsoleController):
    """The picture of one employee."""

    path = "/console/settings/{slug:str}/{key:str}/picture"
    request_max_body_size = _MOST_BYTES

    @get()
    async def send_picture(self, page: CurrentPage, slug: FromPath[str], key: FromPath[str]) -> Response[bytes]:
        """Answer the picture; its address on pages changes with it."""
        _require_employee(slug)
        picture = await page.api.send("GET", f"booking/employees/{quote(key, safe='')}/picture")
        headers = {"Cache-Control": "private, max-age=86400"}
        return Response(picture.content, media_type="image/webp", headers=headers)

    @post(status_code=HTTPStatus.SEE_OTHER)
    async def change(self, form: CurrentForm, slug: FromPath[str], key: FromPath[str]) -> Response[bytes]:
        """Replace or remove the picture, and show the employee again."""
        _require_employee(slug)
        page = form.page
        subject = await open_subject(page, slug)
        address = quote(key, safe="")
        opened = await forms.open_resource(page.api, subject, address)
        try:
            body = opened.resource | {_MEMBER: await _store_picture(form)}
            headers = {"If-Match": opened.tag}
            saved = await page.api.send("PUT", f"{subject.path}/{address}", body, headers=headers)
        except ApiRefusal as refused:
            faults = Faults({_FIELD: next((one.detail for one in refused.faults), refused.detail)}, [])
            values = forms.write_values(subject, opened.resource)
            return await show_form(page, subject, values, EditedResource(key, opened), faults)
        return page.lead_to(f"settings/employees/{address}?saved={quote(saved.read(dict[str, Any])['name'])}")


def _require_employee(slug: str) -> None:
    """Raise NotFound for the address of anything else: nothing else has a picture."""
    if slug != _EMPLOYEES:
        raise NotFound("This page does not exist.")


async def _store_picture(form: SentForm) -> str | None:
    """Return the id of the stored picture, None if it is to be removed. Raises ApiRefusal."""
    if form.get("remove"):
        return None
    files = form.list_files(_FIELD)
    if not files:
        raise ApiRefusal(HTTPStatus.BAD_REQUEST, "", form.page.texts.translate("Choose a picture."))
    return str((await store_file(form.page.api, files[0].filename, await files[0].read())).content_id)
