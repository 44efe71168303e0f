"""A browser's tab that knows when a page is whole: everything that it asked for has come, and it is drawn."""

from typing import Final

from playwright.sync_api import Page, Request, Response

_A_MOMENT_MS: Final = 10
_IS_DRAWN: Final = """async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].filter(image => image.loading !== "lazy").map(image =>
        image.decode().catch(() => null)));
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


class WholePages:
    """A tab, and the requests of its page that have no answer yet."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._open = set[Request]()
        page.on("request", self._begin)
        page.on("requestfinished", self._end)
        page.on("requestfailed", self._end)

    def open(self, address: str) -> Response | None:
        """Go to an address, and wait until its page is whole; return its answer, None for a part of the same page."""
        self._open.clear()
        answer = self.page.goto(address)
        self.wait_until_drawn()
        return answer

    def wait_until_drawn(self) -> None:
        """Wait until nothing more is loaded, and the page is drawn."""
        self.page.evaluate(_IS_DRAWN)
        while self._open:
            self.page.wait_for_timeout(_A_MOMENT_MS)
            self.page.evaluate(_IS_DRAWN)

    def _begin(self, request: Request) -> None:
        self._open.add(request)

    def _end(self, request: Request) -> None:
        self._open.discard(request)
