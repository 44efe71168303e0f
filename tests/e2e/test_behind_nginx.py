"""Behind nginx with the very block of docs/operations/proxy.md: TLS, a path in front, buffering, callers' addresses."""

import asyncio
import json
import re
import ssl
from collections.abc import Callable, Generator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from meetdeck.demo.seed import TEMPLATE_FILE
from meetdeck.present.render.renderer import INSTALL_HINT, find_office
from support.certificates import make_certificate
from support.installation import Installation
from support.nginx import MISSING, find_nginx, run_nginx
from support.portal_forms import FormVisitor, reach_times
from support.servers import find_free_port, serve_beside
from support.web_walks import walk

NGINX = find_nginx()
PAGE = Path(__file__).parents[2] / "docs/operations/proxy.md"
VISITS_A_MINUTE = 40
URI = r'"uri":"([^"]+)"'
CLOSED = ("/metrics", "/health/ready", "/health/live")
FILE = {"file": (TEMPLATE_FILE.name, TEMPLATE_FILE.read_bytes())}
SEARCH = {"requireEmployeeParticipation": "false", "lookForwardTime": "90.00:00:00"}

pytestmark = pytest.mark.skipif(NGINX is None, reason=MISSING)


class Site:
    """An installation as it is reached through nginx; `direct` is where nginx reaches it."""

    def __init__(self, way: "Way", base: str, direct: str, trust: ssl.SSLContext, credentials: dict[str, Any]) -> None:
        self.way = way
        self.base = base
        self.direct = direct
        self.browsed: list[str] = []
        """Every address that was asked for by `browse`."""
        self._trust = trust
        self._tenant = credentials["tenants"][0]

    def visit(self, host: str = "127.0.0.1") -> httpx.Client:
        """Return a client without credentials, which calls from an address of this machine."""
        return httpx.Client(transport=httpx.HTTPTransport(verify=self._trust, local_address=host), timeout=60)

    def browse(self) -> httpx.AsyncClient:
        """Return such a client for a customer, which notes where it was led."""

        async def take_note(request: httpx.Request) -> None:
            self.browsed.append(str(request.url))

        transport = httpx.AsyncHTTPTransport(verify=self._trust, local_address=self.way.addresses[2])
        hooks = {"request": [take_note]}
        return httpx.AsyncClient(transport=transport, base_url=self.base, timeout=60, event_hooks=hooks)

    def call(self) -> httpx.Client:
        """Return a client of the first demo firm, which may do all, with a token that was asked for through nginx."""
        client = self._tenant["clients"][1]
        form = {
            "grant_type": "client_credentials",
            "client_id": client["clientId"],
            "client_secret": client["clientSecret"],
        }
        with self.visit() as http:
            token = http.post(f"{self.base}/oauth/token", data=form).raise_for_status().json()["access_token"]
        http = self.visit()
        key = self._tenant["subscriptionKey"]
        http.headers.update({"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": key})
        http.base_url = f"{self.base}/api/v3/"
        return http


class Way(NamedTuple):
    """An nginx in front of an installation."""

    number: int
    path: str
    takes_path_away: bool
    buffering: str

    @property
    def addresses(self) -> list[str]:
        """Return addresses of this machine that nobody else calls from."""
        return [f"127.0.{self.number}.{last}" for last in range(1, 6)]


def read_blocks() -> list[str]:
    """Return nginx's blocks of the page: the site, and the locations of a path in front."""
    return re.findall(r"```nginx\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def replace(text: str, **changes: str) -> str:
    """Replace what differs from the page; each of them stands there."""
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


def write_site(way: Way, port: int, direct: str, folder: Path) -> str:
    """Return the page's site as it stands, but for addresses, certificate and buffering."""
    site, below = read_blocks()
    if way.path:
        locations = re.findall(r"^    location .*\n", site, re.MULTILINE)
        site = site.replace("".join(locations), replace(below, **{"/firm": way.path}))
        assert len(locations) == 2
    if way.takes_path_away:
        site = replace(site, **{"proxy_pass http://meetdeck;": "proxy_pass http://meetdeck/;"})
    return replace(
        site,
        **{
            "127.0.0.1:8080": urlsplit(direct).netloc,
            "listen 443": f"listen 127.0.0.1:{port}",
            "meetdeck.example.com": "localhost",
            "/etc/ssl/certs/meetdeck.pem": str(folder / "certificate.pem"),
            "/etc/ssl/private/meetdeck.key": str(folder / "key.pem"),
            "proxy_buffering off": f"proxy_buffering {way.buffering}",
        },
    )


@pytest.fixture(scope="module")
def ports() -> tuple[int, int]:
    """Return where nginx is to listen: for the host alone, and for a path in front."""
    return find_free_port(), find_free_port()


@pytest.fixture(scope="module")
def serve(shared_installation: Installation, ports: tuple[int, int]) -> Generator[Callable[[str], str]]:
    """Lend a function that returns where a server with a path in its public address listens, and starts it if need be.

    The second is another server of the same installation.
    """
    settings = {"MEETDECK_TRUSTED_PROXIES": "127.0.0.1", "MEETDECK_ADDRESS_RATE_LIMIT": str(VISITS_A_MINUTE)}
    shared_installation.settings |= settings
    with ExitStack() as stack:

        @cache
        def serve(path: str) -> str:
            public_url = f"https://localhost:{ports[bool(path)]}{path}"
            if shared_installation.process is not None:
                return stack.enter_context(serve_beside(shared_installation, public_url, **settings))
            shared_installation.settings["MEETDECK_PUBLIC_URL"] = public_url
            port = find_free_port()
            shared_installation.start(port=port)  # whose public address answers nobody yet
            assert "Traceback" not in shared_installation.printed
            return f"http://127.0.0.1:{port}"

        yield serve


WAYS = {
    "host": Way(1, "", takes_path_away=False, buffering="off"),
    "path taken away, buffered": Way(2, "/firm", takes_path_away=True, buffering="on"),
    "path left": Way(3, "/firm", takes_path_away=False, buffering="off"),
}


# Each costs half a minute of processor time.
_PARAMETERS = [pytest.param(way, id=name, marks=pytest.mark.thorough) for name, way in WAYS.items()]


@pytest.fixture(scope="module", params=_PARAMETERS)
def site(
    request: pytest.FixtureRequest,
    shared_installation: Installation,
    serve: Callable[[str], str],
    ports: tuple[int, int],
    tmp_path_factory: pytest.TempPathFactory,
) -> Generator[Site]:
    """Lend the installation behind nginx, in each way that the page describes."""
    assert NGINX is not None
    way: Way = request.param
    folder = tmp_path_factory.mktemp("nginx")
    trust = make_certificate(folder)
    port, direct = ports[bool(way.path)], serve(way.path)
    block = write_site(way, port, direct, folder)
    written = (shared_installation.data_dir / "dev-credentials.json").read_text(encoding="utf-8")
    with run_nginx(NGINX, folder, block, port):
        yield Site(way, f"https://localhost:{port}{way.path}", direct, trust, json.loads(written))


def test_every_link_of_every_page_leads_on_below_the_public_address(site: Site) -> None:
    with site.visit(site.way.addresses[3]) as http:
        seen = walk(
            http, site.base, ["/", "/docs", "/p/nordlys", "/p/nordlys?lang=da", "/p/fjord-pension"], CLOSED, most=25
        )
        start = http.get(site.base, follow_redirects=True)
        document = http.get(f"{site.base}/api/v3/openapi.json").json()
        discovery = http.get(f"{site.base}/.well-known/openid-configuration").json()
    assert len(seen) == 25
    assert (str(start.url).rstrip("/"), start.status_code) == (site.base, 200)
    assert str(start.url).endswith("/") or not site.way.path  # where its relative links would lead elsewhere
    addresses = [address for name, address in discovery.items() if name.endswith("_endpoint") or name == "jwks_uri"]
    flow = document["components"]["securitySchemes"]["client"]["flows"]["clientCredentials"]
    for address in [*addresses, flow["tokenUrl"], document["servers"][0]["url"]]:
        assert address.startswith(site.base)


def test_what_is_for_operators_stays_inside(site: Site) -> None:
    with site.visit() as http:
        assert [http.get(f"{site.base}{path}").status_code for path in CLOSED] == [404] * 3


def test_browsers_are_told_to_come_by_https_alone(site: Site) -> None:
    with site.visit() as http:
        answers = [http.get(f"{site.base}{path}") for path in ("/p/nordlys", "/api/v3/booking/employees", CLOSED[0])]
    told = [(answer.status_code, answer.headers.get_list("Strict-Transport-Security")) for answer in answers]
    assert told == [(status, ["max-age=31536000"]) for status in (200, 401, 404)]


async def test_a_customer_books_and_signs_in_without_leaving_the_public_address(site: Site) -> None:
    async with site.browse() as http:
        visitor = await reach_times(FormVisitor(http))
        await visitor.choose_time()
        await asyncio.sleep(1.1)  # whoever fills in a form faster is asked again
        await visitor.press("Continue", name="Freja Holm", email="freja@example.com")
        await visitor.press("Book")
        assert visitor.heading == "Your meeting is booked", visitor.text
        assert str(visitor.answer.url).startswith(f"{site.base}/p/nordlys/m/")
        other = await FormVisitor(http, "fjord-pension").open()
        await other.follow("Online")
        await other.choose_time()
        await other.press("Continue")
        assert parse_qs(urlsplit(str(other.answer.url)).query)["redirect_uri"] == [f"{site.base}/p/signed-in"]
        assert all(address.startswith(f"{site.base}/") for address in site.browsed), site.browsed


def test_whatever_is_made_is_reached_by_the_addresses_it_is_answered_with(site: Site) -> None:
    name = f"{site.way.number} 2026 æøå" if site.way.takes_path_away else f"{site.way.number}/2026 æøå"
    with site.call() as http:
        uploaded = http.post("present/templates", files=FILE, data={"name": name})
        assert uploaded.status_code == 201, uploaded.text
        location = uploaded.headers["Location"]
        assert location.startswith(f"{site.base}/api/v3/present/templates/")
        assert http.get(location).json()["name"] == name
        portal = http.post("booking/config/portals", json={"name": "Book us"})
        assert portal.status_code == 201, portal.text
        assert portal.headers["Location"].startswith(site.base)
        assert http.get(portal.headers["Location"]).json() == portal.json()
        listed = http.get("present/templates", params={"pageSize": "1"})
    addresses = [address for answer in (uploaded, portal, listed) for address in re.findall(URI, answer.text)]
    assert addresses
    assert all(address.startswith(f"{site.base}/") for address in addresses)


def test_a_download_goes_on_where_it_broke_off(site: Site) -> None:
    with site.call() as http, site.visit() as browser:
        address = http.post("present/contents", files=FILE).json()["downloadUrl"]
        assert address.startswith(site.base)
        whole, head = browser.get(address), browser.head(address)
        part = browser.get(address, headers={"Range": "bytes=100-199"})
    assert whole.content == TEMPLATE_FILE.read_bytes()
    assert (part.status_code, part.content) == (206, whole.content[100:200])
    assert part.headers["Content-Range"] == f"bytes 100-199/{len(whole.content)}"
    assert (head.status_code, head.content, head.headers["Content-Length"]) == (200, b"", str(len(whole.content)))


@pytest.mark.thorough  # other files and long answers come through in the tests around this one
@pytest.mark.parametrize("site", [WAYS["path taken away, buffered"]], indirect=True)
def test_pdfs_and_pictures_come_through(site: Site) -> None:
    if find_office() is None:
        pytest.skip(f"no LibreOffice here. {INSTALL_HINT}")
    with site.call() as http, site.visit() as browser:
        http.post("present/templates", files=FILE, data={"name": "Pictured"}).raise_for_status()
        listed = http.get("present/templates/Pictured/slides").raise_for_status().json()
        pictures = [slide["imageUrl"] for slide in listed["slides"]]
        assert all(address.startswith(site.base) for address in pictures)
        assert browser.get(pictures[0]).content.startswith(b"\x89PNG")
        made = http.post("present/slides/pdf", files=FILE)
        kept = http.post("present/slides/pdf", files=FILE, headers={"Accept": "application/json"}).json()
        assert browser.get(kept["downloadUrl"]).content == made.content
    assert made.content.startswith(b"%PDF")


def test_a_long_list_comes_through_whole(site: Site) -> None:
    with site.call() as http:
        listed = http.get("booking/time-slots/available", params=SEARCH)
        token, key = http.headers["Authorization"], http.headers["Ocp-Apim-Subscription-Key"]
        headers = {"Authorization": token, "Ocp-Apim-Subscription-Key": key}
        direct = httpx.get(f"{site.direct}/api/v3/booking/time-slots/available", params=SEARCH, headers=headers)
    assert listed.headers["Transfer-Encoding"] == "chunked"
    assert len(listed.content) > 2**20
    assert listed.content == direct.content


def test_one_connection_serves_refusals_and_answers_by_turns(site: Site) -> None:
    with site.call() as http:
        for _ in range(10):
            assert http.get("booking/meetings/none").status_code == 404
            assert http.post("booking/meetings", content=b"{").status_code == 400
            assert http.get("booking/config/portals").status_code == 200


def test_visitors_are_told_apart_by_their_addresses_whatever_they_say(site: Site) -> None:
    forged = [{"X-Forwarded-For": "198.51.100.1"}, {"Forwarded": "for=198.51.100.2"}, {"X-Real-IP": "198.51.100.3"}]
    first, second = site.way.addresses[:2]
    with site.visit(first) as http:
        statuses = [http.get(f"{site.base}/p/nordlys").status_code for _ in range(VISITS_A_MINUTE + 1)]
        assert statuses.count(200) == VISITS_A_MINUTE
        assert statuses[-1] == 429
        assert [http.get(f"{site.base}/p/nordlys", headers=each).status_code for each in forged] == [429] * 3
    with site.visit(second) as http:
        assert http.get(f"{site.base}/p/nordlys").status_code == 200


def test_nothing_that_a_caller_says_changes_an_address(site: Site) -> None:
    said = {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-Prefix": "/evil",
        "X-Original-URL": "/evil",
        "Forwarded": "for=198.51.100.1;host=evil.example;proto=http",
    }
    with site.call() as http, site.visit() as browser:
        kept = http.post("present/contents", files=FILE, headers=said).json()
        page = browser.get(f"{site.base}/p/nordlys", headers=said | {"Host": "evil.example"})
        document = browser.get(f"{site.base}/api/v3/openapi.json", headers=said)
    assert kept["downloadUrl"].startswith(site.base)
    assert "evil.example" not in page.text + document.text
