"""A portal's page in a browser: its requests, storage, cookies and scripts."""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlencode

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page

from support.page_watch import Watch
from support.portal_sites import FIELDS, Site
from support.portal_visits import EMAIL, Visitor

MOST_BYTES: Final = 40 * 1024
MARKUP: Final = "<img src=x onerror=\"document.title='run'\"><b class=fed>{name}</b>&amp;{{{{7*7}}}}"


@pytest.fixture
def watch(page: Page) -> Watch:
    return Watch(page)


def test_the_first_page_comes_in_forty_kilobytes_with_all_that_it_needs(site: Site, context: BrowserContext) -> None:
    portal = site.make_portal("light", fields=FIELDS, styling="h1 { letter-spacing: 0; }")
    page = context.new_page()
    network = context.new_cdp_session(page)
    sizes: list[float] = []
    fonts: set[str] = set()  # kept for ever by their addresses

    def note(event: dict[str, Any]) -> None:
        if event["type"] == "Font":
            fonts.add(event["requestId"])

    def count(event: dict[str, Any]) -> None:
        if event["requestId"] not in fonts:
            sizes.append(event["encodedDataLength"])

    network.send("Network.enable")  # pyright: ignore[reportUnknownMemberType] - Playwright's types are partial
    network.on("Network.responseReceived", note)
    network.on("Network.loadingFinished", count)
    with page.expect_event("requestfinished", lambda request: request.url.endswith(".woff2")):  # the last of all
        page.goto(portal)
    network.send("Network.disable")  # pyright: ignore[reportUnknownMemberType] - the same; what came before its answer is told
    assert len(fonts) == 1
    assert len(sizes) >= 4
    assert sum(sizes) <= MOST_BYTES, sizes


def mark(name: str) -> str:
    """Return markup that a page must show as it is."""
    return MARKUP.format(name=name)


def feed_firm(api: httpx.Client) -> None:
    """Put markup into every text of a firm that pages show."""
    for topic in api.get("config/meeting-topics").json():
        patch(api, f"config/meeting-topics/{topic['id']}", name=mark("topic"), description=mark("description"))
    for location in api.get("config/locations").json():
        patch(api, f"config/locations/{location['id']}", displayName=mark("place"))
    setting = api.get("config/organization-settings").json()
    labels = [label | {"label": mark(label["name"])} for label in setting["meetingTypeLabels"]]
    patch(api, f"config/organization-settings/{setting['id']}", meetingTypeLabels=labels)
    for kind in ("employees", "rooms"):
        for each in api.get(f"config/{kind}").json():
            named = each | {"name": mark(kind), "title": mark("title")}
            api.put(f"config/{kind}/{each['id']}", json=named).raise_for_status()


def patch(api: httpx.Client, path: str, **members: object) -> None:
    operations = [{"op": "add", "path": f"/{name}", "value": value} for name, value in members.items()]
    answer = api.patch(path, json=operations)
    assert answer.is_success, answer.text


def make_fed_portal(site: Site) -> str:
    """Make a portal whose own texts are markup."""
    fields = [
        {"name": "one", "label": mark("label"), "description": mark("below"), "placeholder": mark("in")},
        {"name": "two", "type": "Dropdown", "label": mark("choice"), "options": [mark("option")]},
        {"name": mark("hidden"), "hidden": True, "defaultValue": mark("default")},
    ]
    return site.make_portal("fed", api=site.other, name=mark("portal"), fields=fields)


@pytest.mark.thorough
def test_markup_in_every_text_of_the_firm_and_of_the_form_is_text(site: Site, page: Page, watch: Watch) -> None:
    feed_firm(site.other)
    visitor = Visitor(page, make_fed_portal(site))
    shown = ""
    for _ in walk_fed(visitor):
        assert page.locator(".fed, img[src=x]").count() == 0
        assert "run" not in page.title().replace(mark("portal"), "")
        shown += page.locator("body").inner_text() + " ".join(page.locator("option, summary").all_text_contents())
    names = ["portal", "topic", "description", "place", "Physical", "employees", "label", "below", "choice", "option"]
    assert [name for name in [*names, "typed name", "typed answer"] if mark(name) not in shown] == []
    assert watch.said == []


def walk_fed(visitor: Visitor) -> Iterator[None]:
    """Book, move and cancel at a portal whose every text is markup."""
    place = visitor.place
    visitor.open(f"?{urlencode({'campaign': mark('address'), 'place': mark('address')})}")
    yield
    place.get_by_role("link", name=mark("topic"), exact=True).first.click()
    visitor.expect("How do you want to meet?")
    yield
    place.get_by_role("link", name=mark("Physical")).first.click()
    visitor.expect("Choose a time")
    yield
    visitor.choose_time()
    yield
    place.locator("#name").fill(mark("typed name"))
    place.locator("#email").fill(mark("nobody"))
    place.get_by_label(mark("label")).fill(mark("typed answer"))
    place.get_by_label(mark("choice")).select_option(index=1)
    visitor.read()
    visitor.press("Continue", "Your details")
    yield
    place.locator("#email").fill(EMAIL)
    visitor.read()
    visitor.press("Continue", "Check and book")
    yield
    visitor.press("Book", "Your meeting is booked")
    yield
    visitor.press("Change your details", "Change your details")
    yield
    visitor.press("Continue", "Your meeting")
    visitor.press("Move", "Choose a new time")
    yield
    visitor.choose_time(1, then="Move the meeting?")
    yield
    visitor.press("Move", "Your meeting")
    visitor.press("Cancel the meeting", "Do you want to cancel the meeting?")
    yield
    visitor.press("Cancel the meeting", "Your meeting is cancelled")
    yield
