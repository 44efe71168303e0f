"""Pages in a browser, saved as pictures once they are whole."""

from pathlib import Path
from typing import Final

from playwright.sync_api import Page, Request

_MOST_BYTES: Final = 100_000
_A_MOMENT_MS: Final = 10
_IS_WHOLE: Final = """async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].filter(image => image.loading !== "lazy").map(image =>
        image.decode().catch(() => null)));
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


class Pictures:
    """A tab whose pages are drawn into a folder; `faults` lists their defects."""

    def __init__(self, page: Page, folder: Path, only: str) -> None:
        self.page = page
        self.faults: list[str] = []
        self.names: list[str] = []
        self._folder = folder
        self._only = only
        self._open = set[Request]()
        page.on("request", self._begin)
        page.on("requestfinished", self._end)
        page.on("requestfailed", self._end)
        folder.mkdir(parents=True, exist_ok=True)

    def _begin(self, request: Request) -> None:
        self._open.add(request)

    def _end(self, request: Request) -> None:
        self._open.discard(request)

    def wants(self, name: str) -> bool:
        """Return whether pages of this name are drawn."""
        return self._only in name

    def show(self, address: str) -> None:
        """Open a page; note it where its HTML is too large, or the server failed."""
        self._open.clear()
        answer = self.page.goto(address)
        if answer is None:
            return
        size = len(answer.body())
        if answer.status >= 500 or size > _MOST_BYTES:  # noqa: PLR2004 - HTTP's own
            self.faults.append(f"{address}: status {answer.status}, {size:,} bytes")

    def draw(self, name: str, *, is_whole: bool = True) -> None:
        """Save the shown page once nothing more is loaded."""
        self.page.evaluate(_IS_WHOLE)
        while self._open:
            self.page.wait_for_timeout(_A_MOMENT_MS)
        path = self._folder / f"{name}.png"
        self.page.screenshot(path=path, full_page=is_whole, animations="disabled")
        self.names.append(name)
