"""Records a page's console messages and requests in a browser."""

from playwright.sync_api import ConsoleMessage, Page, Response


class Watch:
    """The console messages of a page, and its requests with their hosts."""

    def __init__(self, page: Page) -> None:
        self.said: list[str] = []
        self.answers: list[Response] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._hear_error(str(error)))
        page.on("response", lambda answer: self.answers.append(answer))  # noqa: PLW0108 - Playwright wants a function of Python

    def _hear_error(self, text: str) -> None:
        if text != "Transition was skipped":  # the browser's own word when a page is left while it fades in
            self.said.append(text)

    def _hear(self, message: ConsoleMessage) -> None:
        is_of_status = message.text.startswith("Failed to load resource: the server responded with a status of 4")
        if not is_of_status:
            self.said.append(message.text)
