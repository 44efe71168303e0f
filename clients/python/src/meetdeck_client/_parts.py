"""Parts of the API with calls that are more than one request."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from meetdeck_client._calls import Download
from meetdeck_client._generated.api import contents, decks, events
from meetdeck_client.models import BuildDeck, FeedPage, GenerateDeck, GenerateDeckData, Missing, ShownEvent
from meetdeck_client.types import UNSET, Unset

_WAIT = 25
_PAGE = 100


class Decks(decks.Decks):
    """Decks."""

    def build(
        self,
        body: BuildDeck | str,
        data: Mapping[str, Any] | None = None,
        /,
        *,
        missing: Missing | Unset = UNSET,
    ) -> Download:
        """Return a deck: a whole template filled with data, or of a `BuildDeck` the slides that it lists."""
        if isinstance(body, BuildDeck):
            return super().build(body, missing=missing)
        made = self.generate(_fill(body, data), missing=missing)
        return contents.Contents(self._client).download(made.content_id)


class AsyncDecks(decks.AsyncDecks):
    """Decks, awaited."""

    async def build(
        self,
        body: BuildDeck | str,
        data: Mapping[str, Any] | None = None,
        /,
        *,
        missing: Missing | Unset = UNSET,
    ) -> Download:
        """Return a deck: a whole template filled with data, or of a `BuildDeck` the slides that it lists."""
        if isinstance(body, BuildDeck):
            return await super().build(body, missing=missing)
        made = await self.generate(_fill(body, data), missing=missing)
        return await contents.AsyncContents(self._client).download(made.content_id)


class Followed(NamedTuple):
    """An event, and the cursor that continues right after it: store both in one go."""

    event: ShownEvent
    cursor: str


class Events(events.Events):
    """Events."""

    def follow(self, cursor: str = "latest", *, types: Sequence[str] = ()) -> Iterator[Followed]:
        """Yield events without an end, as they happen. Needs the elevated role.

        Args:
            cursor: Of the event that was handled last; `latest`: from now on; empty: all that is kept.
            types: Only these: `meeting.created`, `meeting.*`.
        """
        place = _Place(cursor)
        while True:
            page = self.read(after=place.after, types=[*types] or UNSET, limit=_PAGE, wait=_WAIT)
            yield from place.pass_over(page)


class AsyncEvents(events.AsyncEvents):
    """Events, awaited."""

    async def follow(self, cursor: str = "latest", *, types: Sequence[str] = ()) -> AsyncIterator[Followed]:
        """Yield events without an end, as they happen, as `Events.follow` does."""
        place = _Place(cursor)
        while True:
            page = await self.read(after=place.after, types=[*types] or UNSET, limit=_PAGE, wait=_WAIT)
            for followed in place.pass_over(page):
                yield followed


class _Place:
    """A place in the feed: a page's beginning, and the last event of that page that was handled.

    The service's own cursors stand between pages. `after~id` also names an event in one: its page is read again, and
    what comes before is skipped.
    """

    def __init__(self, cursor: str) -> None:
        self._after, _, self._handled = cursor.partition("~")

    @property
    def after(self) -> str | Unset:
        """Return where the page begins."""
        return self._after or UNSET

    def pass_over(self, page: FeedPage) -> Iterator[Followed]:
        """Yield what was not handled yet, each with its own cursor, and step to the next page."""
        ids = [str(event.id) for event in page.items]
        start = ids.index(self._handled) + 1 if self._handled in ids else 0
        for number, event in enumerate(page.items[start:], start + 1):
            yield Followed(event, page.next_ if number == len(ids) else f"{self._after}~{event.id}")
        self._after, self._handled = page.next_, ""


def _fill(template: str, data: Mapping[str, Any] | None) -> GenerateDeck:
    body = GenerateDeck(template=template)
    if data is not None:
        body.data = GenerateDeckData.from_dict(data)
    return body
