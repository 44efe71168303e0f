"""Forms of the pages: the sender is known before a form is read, and none costs more than a form of ours."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest

from meetdeck.pages.forms import MOST_FIELDS, MOST_FORM_BYTES, MOST_STAFF_FIELDS
from support.console import ANNA, Browser, read_heading
from support.factories import Api

URL_ENCODED = {"Content-Type": "application/x-www-form-urlencoded"}
NAMES = "&".join(f"{number:x}=" for number in range(560_000)).encode()
PIECE = 16 * 1024
SMALL = 20_000
"""More than the bytes of a page that gives nothing back."""


class Body:
    """A form without a Content-Length, which counts the bytes that the server has taken."""

    def __init__(self, content: bytes) -> None:
        self.taken = 0
        self._content = content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the form piece by piece."""
        for start in range(0, len(self._content), PIECE):
            piece = self._content[start : start + PIECE]
            self.taken += len(piece)
            yield piece


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of fields of each form that is parsed, by us or by the framework."""
    sizes: list[int] = []

    def count(*given: Any, **options: Any) -> list[tuple[str, str]]:
        pairs = parse_qsl(*given, **options)
        sizes.extend([len(pairs)] if pairs else [])
        return pairs

    monkeypatch.setattr("meetdeck.pages.forms.parse_qsl", count)
    monkeypatch.setattr("litestar._parsers._parse_qsl", count)
    return sizes


async def send(http: httpx.AsyncClient, path: str, content: bytes | Body, **headers: str) -> httpx.Response:
    """Send a form, in pieces if it is a Body."""
    return await http.post(path, content=content, headers=URL_ENCODED | headers)


@pytest.mark.parametrize(
    ("path", "status", "heading"),
    [
        ("/p/nordlys/times", 413, "This form is too large"),
        ("/p/no-such-portal/times", 404, "There is nothing here"),
        ("/console/book", 401, "You have been signed out"),
    ],
)
@pytest.mark.parametrize("is_chunked", [False, True])
async def test_half_a_million_names_are_refused_by_a_small_page_and_never_parsed(
    api: Api, parsed: list[int], path: str, status: int, heading: str, *, is_chunked: bool
) -> None:
    body = Body(NAMES)
    answer = await send(api.http, path, body if is_chunked else NAMES)
    assert (answer.status_code, read_heading(answer), parsed) == (status, heading, [])
    assert answer.headers["Content-Type"].startswith("text/html")
    assert len(answer.content) < SMALL
    assert body.taken <= MOST_FORM_BYTES + PIECE


@pytest.mark.parametrize(("fields", "status"), [(MOST_FIELDS, 200), (MOST_FIELDS + 1, 413)])
async def test_fields_are_counted_before_they_are_parsed(api: Api, parsed: list[int], fields: int, status: int) -> None:
    answer = await send(api.http, "/p/nordlys/times", b"&".join([b"a="] * fields))
    assert (answer.status_code, parsed) == (status, [fields] if status == 200 else [])


@pytest.mark.parametrize("is_chunked", [False, True])
@pytest.mark.parametrize(("size", "status"), [(MOST_FORM_BYTES, 200), (MOST_FORM_BYTES + 1, 413)])
async def test_bytes_are_counted_while_they_are_read(api: Api, size: int, status: int, *, is_chunked: bool) -> None:
    content = b"a=".ljust(size, b"x")
    answer = await send(api.http, "/p/nordlys/times", Body(content) if is_chunked else content)
    assert answer.status_code == status


async def test_what_is_too_large_is_said_in_the_language_of_the_page(api: Api) -> None:
    for language, heading in (("en", "This form is too large"), ("da", "Formularen er for stor")):
        answer = await send(api.http, "/p/nordlys/times", NAMES, **{"Accept-Language": language})
        assert (answer.status_code, read_heading(answer)) == (413, heading)


async def test_a_console_form_that_is_too_large_is_a_page(api: Api, parsed: list[int]) -> None:
    browser = await Browser.open(api, ANNA)
    parsed.clear()
    answer = await send(browser.http, "/console/book", NAMES)
    assert (answer.status_code, read_heading(answer), parsed) == (413, "This form is too large", [])


@pytest.mark.parametrize(("fields", "status"), [(MOST_STAFF_FIELDS, 303), (MOST_STAFF_FIELDS + 1, 413)])
async def test_staff_may_send_the_largest_form_of_the_console(api: Api, fields: int, status: int) -> None:
    browser = await Browser.open(api, ANNA)
    content = b"&".join([b"a="] * fields)
    answer = await browser.http.post("/console/language", content=content, headers=URL_ENCODED, follow_redirects=False)
    assert answer.status_code == status


@pytest.mark.parametrize("path", ["/p/nordlys/times", "/console/decks/data"])
async def test_too_many_parts_are_too_large_where_a_form_may_be_multipart(api: Api, path: str) -> None:
    browser = await Browser.open(api, ANNA)
    answer = await browser.http.post(path, files=[("a", (None, "x"))] * (MOST_FIELDS + 1))
    assert (answer.status_code, read_heading(answer)) == (413, "This form is too large")


async def test_an_upload_without_a_session_is_not_read(api: Api) -> None:
    upload = {"files": ("large.pptx", b"x" * (MOST_FORM_BYTES + 1))}
    answer = await api.http.post("/console/templates/upload/check", files=upload, data={"name": "Typed"})
    assert answer.status_code == 401
    assert "Typed" not in answer.text


async def test_the_texts_of_a_multipart_form_are_given_back_to_be_sent_again(api: Api) -> None:
    files = {"files": ("small.pptx", b"x")}
    answer = await api.http.post("/console/templates/upload/check", files=files, data={"name": "Typed"})
    assert answer.status_code == 401
    assert 'name="name" value="Typed"' in answer.text


# -------------------------------------------------------------------------------------------------- where one is led


@pytest.mark.parametrize("wanted", ["x\r\nX-Evil: 1", "calendar?day=1\r\nX-Evil: 1", "a\0b", "calendar\x7f", "//evil"])
async def test_a_page_to_go_back_to_that_is_none_leads_to_the_first(api: Api, wanted: str) -> None:
    browser = await Browser.open(api, ANNA)
    answer = await browser.http.post(
        "/console/language", data={"language": "en", "here": wanted}, follow_redirects=False
    )
    assert answer.status_code == 303
    assert answer.headers["Location"].endswith("/console")
    assert "X-Evil" not in answer.headers


async def test_a_page_to_go_back_to_keeps_its_letters(api: Api) -> None:
    browser = await Browser.open(api, ANNA)
    form = {"language": "en", "here": "settings/labels?saved=漢 ø&page=2"}
    answer = await browser.http.post("/console/language", data=form, follow_redirects=False)
    assert answer.headers["Location"].endswith("/console/settings/labels?saved=%E6%BC%A2%20%C3%B8&page=2")


async def test_a_line_end_in_the_address_of_a_portals_page_begins_no_header(api: Api) -> None:
    answer = await api.http.get("/p/nordlys/w/a%0D%0AX-Evil:%201/withdraw")
    assert (answer.status_code, answer.headers["Location"]) == (303, "../a%0D%0AX-Evil:%201")
    assert "X-Evil" not in answer.headers


# ----------------------------------------------------------------------------------------------------------- cookies


@pytest.mark.parametrize("odd", ['a"=b', '{"a"}=1', "word", "=", '"', "a=b=c", "é=1", "[a]=;;"])
async def test_an_odd_cookie_of_a_sister_site_signs_nobody_out(api: Api, odd: str) -> None:
    browser = await Browser.open(api, ANNA)
    ours = "; ".join(f"{name}={value}" for name, value in browser.http.cookies.items())
    for cookies in (f"{odd}; {ours}", f"{ours}; {odd}"):
        answer = await api.http.get("/console", headers={b"Cookie": cookies.encode()})
        assert answer.status_code == 200
