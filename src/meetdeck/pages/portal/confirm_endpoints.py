"""The addresses of links that confirm something by mail. Only POST acts: programs follow the links of mails."""

from http import HTTPStatus

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.html import lead_to
from meetdeck.pages.portal.endpoints import SEE_OTHER, PageController
from meetdeck.pages.portal.requests import CurrentForm, CurrentPage
from meetdeck.pages.portal.views import show_time


class AddressChangePages(PageController):
    """The page of a new e-mail address, for whoever reads mails at the old one."""

    path = "/p/{address:str}/e/{token:str}"

    @get()
    async def show_change(self, page: CurrentPage, token: FromPath[str]) -> Response[bytes]:
        """Show the new address and the button that confirms it; after that, that it is confirmed."""
        asked = await page.portals.address_changes.get(page.visit, token)
        meeting, change = asked.meeting, asked.change
        return page.show(
            "address-confirmed.html" if change.confirmed_at is not None else "address-confirm.html",
            HTTPStatus.OK,
            token=token,
            change=change,
            time_shown=show_time(page.visit, meeting.start_date, meeting.end_date),
        )

    @post(status_code=SEE_OTHER)
    async def confirm(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Confirm the new address, and lead to the page that says so."""
        await form.page.portals.address_changes.confirm(form.page.visit, token)
        return lead_to(f"{token}{form.page.visit.choices.write(others=())}")
