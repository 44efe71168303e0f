"""A visitor of a portal over ASGI, without a browser: follows links and sends forms by their texts."""

from collections.abc import Mapping
from typing import Any, Self
from urllib.parse import urljoin

import httpx
from lxml import html

from meetdeck.pages.texts import get_texts
from support.factories import Api


class FormVisitor:
    """A customer whose browser runs no script: the last page, and the possible actions on it."""

    def __init__(self, http: httpx.AsyncClient, portal: str = "nordlys", language: str = "en") -> None:
        self._http = http
        self.portal = portal
        self.translate = get_texts(language).translate
        self.headers = {"Accept-Language": language}
        self.answer = httpx.Response(200)

    @property
    def page(self) -> Any:
        """Return the page as a tree."""
        return html.fromstring(self.answer.text)

    @property
    def status(self) -> int:
        """Return the status of the page."""
        return self.answer.status_code

    @property
    def heading(self) -> str:
        """Return the page's heading."""
        return str(self.page.findtext(".//h1")).strip()

    @property
    def text(self) -> str:
        """Return the readable text."""
        return " ".join(self.page.find(".//main").text_content().split())

    async def open(self, path: str = "", **params: str) -> Self:
        """Open an address below the portal's own."""
        address = f"/p/{self.portal}{path}"
        return await self._take(await self._http.get(address, params=params or None, headers=self.headers))

    async def follow(self, words: str) -> Self:
        """Follow the first link with these words."""
        link = next(each for each in self.page.iter("a") if words in each.text_content())
        return await self._take(await self._http.get(self._to(link.get("href")), headers=self.headers))

    async def press(self, name: str, /, **typed: str) -> Self:
        """Press the button of a name, with values typed into the fields of its form by their names or labels."""
        named = [each for each in self.page.iter("button") if self.translate(name) == each.text_content().strip()]
        assert named, f"no button {name!r} on the page, which says: {self.text}"
        return await self.send(named[0], typed)

    async def choose_time(self, number: int = 0, *, sentence: str = "") -> Self:
        """Press the button of a time, by its number or by its text."""
        return await self.send([each for each in self.times if sentence in each.get("aria-label")][number], {})

    @property
    def times(self) -> list[Any]:
        """Return the buttons with times."""
        return self.page.xpath("//button[@name='time']")

    async def send(self, button: Any, typed: Mapping[str, str]) -> Self:
        """Send the form of a button."""
        form = next(each for each in button.iterancestors("form"))
        empty = {each.get("name"): "" for each in form.iter("input") if each.get("type") in {"text", "email", "tel"}}
        values = empty | dict(form.form_values()) | self._name_fields(typed)
        if button.get("name"):
            values[button.get("name")] = button.get("value", "")
        address = self._to(button.get("formaction") or form.get("action") or "")
        if (button.get("formmethod") or form.get("method", "get")) == "get":
            return await self._take(await self._http.get(address, params=values, headers=self.headers))
        return await self._take(await self._http.post(address, data=values, headers=self.headers))

    def _name_fields(self, typed: Mapping[str, str]) -> dict[str, str]:
        labels = {label.text_content().strip(): label.get("for") for label in self.page.iter("label")}
        found = {words: name for name in typed for words in labels if words.startswith(name)}
        by_label = {name: labels[words] for words, name in found.items()}
        return {by_label.get(name, name): value for name, value in typed.items()}

    async def _take(self, answer: httpx.Response) -> Self:
        while answer.is_redirect:
            answer = await self._http.get(urljoin(str(answer.url), answer.headers["location"]), headers=self.headers)
        self.answer = answer
        return self

    def _to(self, address: str) -> str:
        return urljoin(str(self.answer.url), address)

    def inputs(self, name: str) -> list[str]:
        """Return the values of the inputs of a name."""
        return [each.get("value", "") for each in self.page.iter("input") if each.get("name") == name]


async def reach_times(visitor: FormVisitor, way: str = "Online") -> FormVisitor:
    """Walk to the times of the demo's annual review."""
    await visitor.open()
    await visitor.follow("Annual review")
    return await visitor.follow(way)


async def reach_check(visitor: FormVisitor, clock: Any, **typed: str) -> FormVisitor:
    """Walk to the page before booking; the clock advances by the time that people take to type."""
    await visitor.choose_time()
    clock.advance(seconds=10)
    details = {"name": "Freja Holm", "email": "freja@example.com"} | typed
    return await visitor.press("Continue", **details)


async def book(visitor: FormVisitor, clock: Any) -> FormVisitor:
    """Book the first time that is offered for the first topic."""
    await reach_times(visitor)
    await reach_check(visitor, clock, Telephone="+45 70 10 20 30")
    return await visitor.press("Book")


async def list_meetings(api: Api) -> list[dict[str, Any]]:
    """Return the firm's meetings."""
    return (await api.get("v3/booking/meetings")).json()
