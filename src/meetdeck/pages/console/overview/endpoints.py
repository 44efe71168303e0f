"""The first page of the console."""

from litestar import Response, get

from meetdeck.pages.console.controller import ConsoleController
from meetdeck.pages.console.overview.day import read_today
from meetdeck.pages.console.requests import CurrentPage
from meetdeck.pages.console.roles import Role


class Overview(ConsoleController):
    """The first page."""

    path = "/console"

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show what there is today: their own meetings to advisors, everybody's to others, or as `?whose=` says."""
        whose = page.request.query_params.get("whose", "all" if page.may(Role.MANAGER) else "own")
        return page.show("overview.html", today=await read_today(page, only_own=whose != "all"))
