"""The pages of the waiting list."""

from http import HTTPStatus
from typing import Final
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.console.forms import Faults, forms
from meetdeck.pages.console.kit import (
    ApiRefusal,
    ConsoleController,
    ConsolePage,
    CurrentForm,
    CurrentPage,
    SentForm,
    read_zone,
)
from meetdeck.pages.console.wishes.form import WISH, fill_in, make_body
from meetdeck.pages.console.wishes.rows import Wish, describe, has

_PAGE_SIZE: Final = 50
_OPEN: Final = ("Waiting", "Offered")


class Wishes(ConsoleController):
    """The waiting list."""

    path = "/console/wishes"

    @get()
    async def show_list(self, page: CurrentPage) -> Response[bytes]:
        """Show the waiting customers, the longest waiting first, or with `?status=all` everybody; fifty on a page."""
        query = page.request.query_params
        wanted, shows_all = query.get("q", "").strip(), query.get("status") == "all"
        statuses = {} if shows_all else {"status": _OPEN}
        wishes = (await page.api.send("GET", "booking/wishes", query=statuses)).read(list[Wish])
        found = [one for one in wishes if has(one, wanted)]
        pages = max(-(-len(found) // _PAGE_SIZE), 1)
        asked = query.get("page", "1")
        number = min(max(int(asked), 1), pages) if asked.isdecimal() and len(asked) < 6 else 1  # noqa: PLR2004 - digits
        return page.show(
            "wishes.html",
            rows=await describe(page, found[(number - 1) * _PAGE_SIZE : number * _PAGE_SIZE]),
            shows_all=shows_all,
            wanted=wanted,
            number=number,
            pages=pages,
            told=next((name for name in ("saved", "removed") if name in query), ""),
        )

    @get("/new")
    async def show_new(self, page: CurrentPage) -> Response[bytes]:
        """Show the form, filled in from a search."""
        today = page.now.astimezone(await read_zone(page.api)).date()
        return await _show_form(page, fill_in(page.request.query_params, today), Faults({}, []))

    @post("/new", status_code=HTTPStatus.SEE_OTHER)
    async def create(self, form: CurrentForm) -> Response[bytes]:
        """Put a customer on the waiting list, and redirect to it."""
        values, faults = forms.read_values(WISH, form)
        if not form.get("look") and not faults.summary:
            try:
                await form.page.api.send("POST", WISH.path, make_body(values))
            except ApiRefusal as refused:
                faults = forms.find_faults(WISH, refused, form.page.texts)
            else:
                return form.page.lead_to("wishes?saved=1")
        return await _show_form(form.page, forms.keep_values(WISH, form), faults, form)

    @post("/{wish_id:uuid}/remove", status_code=HTTPStatus.SEE_OTHER)
    async def remove(self, form: CurrentForm, wish_id: FromPath[UUID]) -> Response[bytes]:
        """Remove a customer from the list; a time held for them is offered to the next."""
        await form.page.api.send("DELETE", f"{WISH.path}/{wish_id}")
        return form.page.lead_to("wishes?removed=1")


async def _show_form(
    page: ConsolePage, values: dict[str, list[str]], faults: Faults, form: SentForm | None = None
) -> Response[bytes]:
    return page.show(
        "wish.html",
        HTTPStatus.UNPROCESSABLE_ENTITY if faults.summary else HTTPStatus.OK,
        fields=await forms.show_fields(page, WISH, values, faults, form),
        errors=faults.summary,
    )
