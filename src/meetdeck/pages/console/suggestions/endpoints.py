"""The suggestions of fields: employees, rooms, teams and locations that match the typed text."""

from litestar import Response, get
from litestar.params import FromPath

from meetdeck.pages.console.kit import SOURCES, ConsoleController, CurrentPage, read_search, suggest
from meetdeck.platform.errors import NotFound


class Suggestions(ConsoleController):
    """Suggestions."""

    path = "/console/suggestions"

    @get("/{source:str}")
    async def suggest(self, page: CurrentPage, source: FromPath[str]) -> Response[bytes]:
        """Answer a listbox for the field `?for=`, with matches of the text in the parameter that `text` names."""
        if source not in SOURCES:
            raise NotFound("There is no such list.")
        query = page.request.query_params
        wanted = read_search(query.get(query.get("text", "")))
        return page.show("suggestions.html", name=query.get("for", ""), options=await suggest(page, source, wanted))
