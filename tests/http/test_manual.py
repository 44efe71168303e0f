"""The manual at `/docs`: its own version's, whole without a script, with nothing from elsewhere, and small."""

import re
from pathlib import Path
from urllib.parse import urljoin

import pytest

import meetdeck
from meetdeck.pages.manual import made
from support.factories import Api

_FIRST_PAGE_BYTES = 60 * 1024


@pytest.mark.parametrize(
    "path", ["/docs", "/docs/", "/docs/booking", "/docs/templates/cards", "/docs/templates/cards/"]
)
async def test_links_and_files_of_a_page_are_there_below_any_path(api: Api, path: str) -> None:
    page = (await api.http.get(path)).text
    links = {link for link in re.findall(r'(?:href|src|data-manual)="([^"#?]+)', page) if "://" not in link}
    assert len(links) > 12
    addresses = {urljoin(f"http://host/firm{path}", link) for link in links}
    assert all(address.startswith("http://host/firm/") for address in addresses)
    answers = {each: await api.http.get(each.removeprefix("http://host/firm")) for each in sorted(addresses)}
    assert {address for address, answer in answers.items() if answer.status_code != 200} == set()


async def test_a_page_names_its_version_and_has_a_strict_policy(api: Api) -> None:
    answer = await api.http.get("/docs/booking")
    assert f"Meetdeck {meetdeck.__version__}" in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval';")
    assert "unsafe-inline" not in policy


async def test_a_page_that_is_known_is_not_sent_again(api: Api) -> None:
    for path in ("/docs/booking", "/docs/pagefind/pagefind.js", "/docs/images/template.png"):
        tag = (await api.http.get(path)).headers["ETag"]
        again = await api.http.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "name",
    ["nothing", "booking.html", "..%2f..%2fmade", "api/../../made", "images/..%2fdigest", "pagefind/nothing", "a%00b"],
)
async def test_other_addresses_are_refused(api: Api, name: str) -> None:
    answer = await api.http.get(f"/docs/{name}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_the_first_page_is_small(api: Api) -> None:
    """The page, its style sheets, script, icon and typeface, as a browser with an empty cache loads them."""
    page = (await api.http.get("/docs")).text
    files = set(re.findall(r'<(?:link|script|img) [^>]*(?:href|src)="([^"]+)"', page))
    (style,) = (file for file in files if re.fullmatch(r"pages/manual-\w+\.css", file))
    fonts = re.findall(r'url\("(inter-latin-(?!ext)[^"]*)"\)', (await api.http.get(f"/{style}")).text)
    sent = {"docs": 0} | dict.fromkeys((*files, *(f"pages/{font}" for font in fonts)), 0)
    assert len(sent) == 6
    for path in sent:
        async with api.http.stream("GET", f"/{path}", headers={"Accept-Encoding": "br"}) as answer:
            sent[path] = len(b"".join([piece async for piece in answer.aiter_raw()]))
    assert sum(sent.values()) <= _FIRST_PAGE_BYTES, sent


async def test_without_a_set_up_the_page_tells_what_to_do(
    api: Api, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(made, "MADE", tmp_path)
    answer = await api.http.get("/docs")
    assert answer.status_code == 503
    assert "scripts/setup.sh run" in answer.text
