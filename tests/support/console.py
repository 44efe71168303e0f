"""Staff at the console, over HTTP with the application in the process."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Self

import httpx
from lxml import html

from support.factories import UNCOMPRESSED, Api
from support.signing_in import read_form

ANNA, EVA, SIGNE, THOMAS = (f"{name}@nordlys.example" for name in ("anna", "eva", "signe", "thomas"))
"""An employee, a manager, a configurator and an admin of the first demo firm."""


class Browser:
    """A browser that keeps cookies, follows links, and sends forms."""

    def __init__(self, api: Api) -> None:
        transport = api.http._transport  # noqa: SLF001  # pyright: ignore[reportPrivateUsage] - the application in the process, with cookies of its own
        self.http = httpx.AsyncClient(
            transport=transport, base_url=api.http.base_url, headers=UNCOMPRESSED, follow_redirects=True
        )

    async def sign_in(self, user: str, path: str = "") -> httpx.Response:
        """Sign in on the way to a path of the console, and return the page there."""
        page = await self.http.get(f"/console{path}")
        return await self.http.post("/oauth/authorize", data=read_form(page.text) | {"user": user})

    @classmethod
    async def open(cls, api: Api, user: str) -> Self:
        """Return a browser in which somebody has signed in."""
        browser = cls(api)
        (await browser.sign_in(user)).raise_for_status()
        return browser

    async def get(self, path: str = "") -> httpx.Response:
        """Return a page of the console."""
        return await self.http.get(f"/console{path}")

    async def post(self, path: str, form: Mapping[str, str | list[str]], **headers: str) -> httpx.Response:
        """Send a form to a page of the console, and return the page that follows."""
        return await self.http.post(f"/console{path}", data=form, headers=headers)


def read_heading(answer: httpx.Response) -> str:
    """Return the heading of a page."""
    (found,) = re.findall(r"<h1[^>]*>(.*?)</h1>", answer.text, re.DOTALL)
    return unescape(found).strip()


def list_links(answer: httpx.Response) -> list[str]:
    """Return the addresses of a page's links."""
    return [unescape(address) for address in re.findall(r'<a [^>]*href="([^"]*)"', answer.text)]


def read_undo(answer: httpx.Response) -> list[str]:
    """Return the undo buttons in a page's notice."""
    return html.fromstring(answer.text).xpath("//form[contains(@action, '/undo')]//button/text()")
