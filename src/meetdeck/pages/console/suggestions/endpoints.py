"""The suggestions of fields: employees, rooms, teams and locations that have what is typed."""

from litestar import Response, get
from litestar.params import FromPath

from meetdeck.pages.console.kit import SOURCES, ConsoleController, CurrentPage, read_search, suggest
from meetdeck.platform.errors import NotFound


class Suggestions(ConsoleController):
    """Suggestions."""

    path = "/console/suggestions"

    @get("/{source:str}")
    async def suggest(self, page: CurrentPage, source: FromPath[str]) -> Response[bytes]:
        """Answer a listbox for the field `?for=`, of what has the text that the parameter named by `text` has."""
        if source not in SOURCES:
            raise NotFound("There is no such list.")
        query = page.request.query_params
        wanted = read_search(query.get(query.get("text", "")))
        return page.show("suggestions.html", name=query.get("for", ""), options=await suggest(page, source, wanted))
