"""The content of the page of a watched template: the state, which pages wait for, and the pictures."""

import asyncio
import hashlib
from collections.abc import Iterable

from msgspec.structs import replace

from meetdeck.present.watching.schemas import WatchedTemplate

_DIGITS = 24


class Board:
    """The state of one template, changed in one place and read by any number of pages, in one event loop."""

    def __init__(self, file: str) -> None:
        self._state = WatchedTemplate(version=1, status="checking", file=file)
        self._changed = asyncio.Condition()
        self._pictures: dict[str, bytes] = {}

    @property
    def state(self) -> WatchedTemplate:
        """The current state."""
        return self._state

    async def show(self, state: WatchedTemplate) -> None:
        """Show another state under the next version. Pictures that it does not show are dropped."""
        async with self._changed:
            shown = {slide.picture.name for slide in state.slides if slide.picture}
            self._pictures = {name: picture for name, picture in self._pictures.items() if name in shown}
            self._state = replace(state, version=self._state.version + 1)
            self._changed.notify_all()

    async def wait(self, version: int, seconds: float) -> WatchedTemplate:
        """Return the state as soon as it differs from `version`, after `timeout` at the latest."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self._state.version != version)
        except TimeoutError:
            pass
        return self._state

    def add(self, pictures: Iterable[bytes]) -> list[str]:
        """Keep pictures, to be shown next, and return their names: the same picture has the same name."""
        names: list[str] = []
        for picture in pictures:
            name = hashlib.sha256(picture).hexdigest()[:_DIGITS]
            self._pictures[name] = picture
            names.append(name)
        return names

    def find(self, name: str) -> bytes | None:
        """Return a picture that is shown."""
        return self._pictures.get(name)
