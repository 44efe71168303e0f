"""The addresses of confirmation links in mails. Only POST acts: programs follow the links of mails."""

from http import HTTPStatus
from uuid import UUID

from litestar import Response, get, post
from litestar.params import FromPath

from meetdeck.pages.html import lead_to
from meetdeck.pages.portal.endpoints import SEE_OTHER, PageController, lead_to_meeting
from meetdeck.pages.portal.requests import CurrentForm, CurrentPage, Page
from meetdeck.pages.portal.service.managing import ManageLinkExpired
from meetdeck.pages.portal.views import describe_hold, show_time


class ConfirmationPages(PageController):
    """The page of a booking that waits for its customer's e-mail address, for people with the link of the mail."""

    path = "/p/{address:str}/c/{token:str}"

    @get()
    async def show_booking(self, page: CurrentPage, token: FromPath[str]) -> Response[bytes]:
        """Show the held time and the button that books it; once it is booked, the meeting."""
        unconfirmed = await page.portals.confirmations.get(page.visit, token)
        if unconfirmed.hold is None:
            return _lead_to_booked(page, unconfirmed.meeting_id)
        shown = describe_hold(page.visit, unconfirmed.hold)
        return page.show("confirm.html", token=token, unconfirmed=unconfirmed, **shown)

    @post(status_code=SEE_OTHER)
    async def confirm(self, form: CurrentForm, token: FromPath[str]) -> Response[bytes]:
        """Book the time, and redirect to the meeting's own page."""
        page = form.page
        meeting_id = await page.portals.confirmations.confirm(page.visit, token)
        return _lead_to_booked(page, meeting_id)


def _lead_to_booked(page: Page, meeting_id: UUID | None) -> Response[bytes]:
    if meeting_id is None:
        raise ManageLinkExpired
    link = page.portals.managing.make_link(page.visit, meeting_id)
    return lead_to_meeting(page.visit, f"../m/{link}", "booked")


class AddressChangePages(PageController):
    """The page of a new e-mail address, for people who read mails at the old one."""

    path = "/p/{address:str}/e/{token:str}"

    @get()
    async def show_change(self, page: CurrentPage, token: FromPath[str]) -> Response[bytes]:
        """Show the new address and the button that confirms it; afterwards, that it is confirmed."""
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
        """Confirm the new address, and redirect to the page that says so."""
        await form.page.portals.address_changes.confirm(form.page.visit, token)
        return lead_to(f"{token}{form.page.visit.choices.write(others=())}")
