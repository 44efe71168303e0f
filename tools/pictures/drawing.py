"""Pages in a browser, saved as pictures once they are whole."""

from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from support.whole_pages import WholePages

_MOST_BYTES: Final = 100_000


class Pictures:
    """A tab whose pages are drawn into a folder; `faults` lists their defects."""

    def __init__(self, page: Page, folder: Path, only: str) -> None:
        self.page = page
        self.faults: list[str] = []
        self.names: list[str] = []
        self._pages = WholePages(page)
        self._folder = folder
        self._only = only
        folder.mkdir(parents=True, exist_ok=True)

    def wants(self, name: str) -> bool:
        """Return whether pages of this name are drawn."""
        return self._only in name

    def show(self, address: str) -> None:
        """Open a page; note it where its HTML is too large, or the server failed."""
        answer = self._pages.open(address)
        if answer is None:
            return
        size = len(answer.body())
        if answer.status >= 500 or size > _MOST_BYTES:  # noqa: PLR2004 - HTTP's own
            self.faults.append(f"{address}: status {answer.status}, {size:,} bytes")

    def draw(self, name: str, *, is_whole: bool = True) -> None:
        """Save the shown page once nothing more is loaded."""
        self._pages.wait_until_drawn()
        path = self._folder / f"{name}.png"
        self.page.screenshot(path=path, full_page=is_whole, animations="disabled")
        self.names.append(name)
