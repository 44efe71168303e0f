"""The first page of the console."""

from http import HTTPStatus

from litestar import Response, get, post

from meetdeck.pages.console.kit import ConsoleController, ConsolePage, CurrentForm, CurrentPage
from meetdeck.pages.console.overview.day import read_today
from meetdeck.pages.console.overview.example import add_example, has_example, remove_example
from meetdeck.pages.console.overview.first_steps import read_first_steps
from meetdeck.pages.console.overview.leavers import list_leavers
from meetdeck.pages.console.reports.outlook import DAYS, read_figures, read_scarcest


class Overview(ConsoleController):
    """The first page."""

    path = "/console"

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show today: to advisors their own meetings, to others all, or as `?whose=` says.

        `?outlook=` answers a part that is fetched once the page is shown, because it may take longer than the page.
        """
        query, has_outlook = page.request.query_params, page.may_open("reports/forecast")
        if has_outlook and page.is_part and "outlook" in query:
            return await _show_part(page, query["outlook"])
        today = await read_today(page, only_own=query.get("whose", "all" if has_outlook else "own") != "all")
        return page.show(
            "overview.html",
            today=today,
            leavers=await list_leavers(page),
            has_outlook=has_outlook,
            days=DAYS,
            sees_failures=page.may_open("settings/webhooks"),
            steps=await read_first_steps(page),
            has_example=await has_example(page),
        )

    @post("/example", status_code=HTTPStatus.SEE_OTHER)
    async def load_example(self, form: CurrentForm) -> Response[bytes]:
        """Add the example, and redirect to the overview."""
        await add_example(form.page)
        return form.page.lead_to("")

    @post("/example/remove", status_code=HTTPStatus.SEE_OTHER)
    async def drop_example(self, form: CurrentForm) -> Response[bytes]:
        """Remove the example, and redirect to the overview."""
        await remove_example(form.page)
        return form.page.lead_to("")


async def _show_part(page: ConsolePage, part: str) -> Response[bytes]:
    """Answer the figures of the last days, or the forecast of the next ones."""
    if part == "forecast":
        return page.show("overview-forecast.html", ahead=await read_scarcest(page))
    return page.show("overview-figures.html", past=await read_figures(page))
