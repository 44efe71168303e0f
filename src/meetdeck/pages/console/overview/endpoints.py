"""The first page of the console."""

from litestar import Response, get

from meetdeck.pages.console.controller import ConsoleController
from meetdeck.pages.console.requests import CurrentPage


class Overview(ConsoleController):
    """The first page."""

    path = "/console"

    @get()
    async def show(self, page: CurrentPage) -> Response[bytes]:
        """Show what there is today."""
        return page.show("overview.html")
