"""Requests that proxies pass on: who is believed about the caller's address, and how a path in front is taken off."""

from typing import Any, cast

import pytest
from litestar.types import Receive, Scope, Send
from structlog.testing import capture_logs

from meetdeck.platform.http.around import ForwardingMiddleware, Proxies
from meetdeck.platform.settings import read_networks

PROXY, CALLER, FORGED = "10.0.0.7", "203.0.113.9", "198.51.100.66"
PROXIES = Proxies(read_networks("10.0.0.0/8, ::1, 2001:db8:1::/48"))


def find(*lines: str, peer: str = PROXY, proxies: Proxies = PROXIES) -> str:
    """Return whom headers, given as lines, make the caller."""
    headers = [line.partition(": ") for line in lines]
    return proxies.find_caller(peer, [(name.lower().encode(), value.encode("latin-1")) for name, _, value in headers])


# ---------------------------------------------------------------------------------------------------- the caller


@pytest.mark.parametrize(
    "line",
    [
        f"X-Forwarded-For: {CALLER}",
        f"X-Forwarded-For: {CALLER}:4711",
        f"X-Forwarded-For:  {CALLER} , 10.9.9.9,10.1.1.1",
        f"X-Forwarded-For: [::ffff:{CALLER}]:4711",
        f"Forwarded: for={CALLER}",
        f'Forwarded: For="{CALLER}:4711";proto=https;host=meetdeck.example',
        f"Forwarded: proto=https;by=10.0.0.1;for={CALLER}",
        f'Forwarded: for={CALLER}, for="[::1]", FOR=10.0.0.3',
        f'Forwarded: for="[::ffff:{CALLER}]:_port";;',
    ],
)
def test_a_trusted_proxy_is_believed(line: str) -> None:
    assert find(line) == CALLER


@pytest.mark.parametrize("written", ["2001:DB8::9", "[2001:db8:0::9]", "[2001:db8::9]:4711"])
def test_addresses_of_version_6_are_written_in_one_way(written: str) -> None:
    assert find(f"X-Forwarded-For: {written}") == "2001:db8::9"
    if written.startswith("["):
        assert find(f'Forwarded: for="{written}"') == "2001:db8::9"


@pytest.mark.parametrize("line", [f"X-Forwarded-For: {FORGED}", f"Forwarded: for={FORGED}"])
def test_anybody_else_is_not_believed(line: str) -> None:
    assert find(line, peer=CALLER) == CALLER
    assert find(line, proxies=Proxies(())) == PROXY
    assert find(line, peer="::1") == FORGED  # a proxy by version 6


@pytest.mark.parametrize(
    "lines",
    [
        [f"X-Forwarded-For: {FORGED}, {CALLER}"],
        [f"X-Forwarded-For: {FORGED}", f"X-Forwarded-For: {CALLER}"],
        [f"X-Forwarded-For: 10.0.0.1, {FORGED}, {CALLER}, 10.0.0.2"],
        [f"X-Forwarded-For: for=1;, {CALLER}"],
        [f"Forwarded: for={FORGED}, for={CALLER}"],
        [f'Forwarded: for="{FORGED}, for={CALLER}'],
        [f'Forwarded: for="\\, for={CALLER}'],
        [f"X-Forwarded-For: {FORGED}, {CALLER}", f"Forwarded: for={CALLER}"],
    ],
)
def test_what_a_caller_wrote_before_the_proxy_did_counts_for_nothing(lines: list[str]) -> None:
    assert find(*lines) == CALLER


@pytest.mark.parametrize(
    "lines",
    [
        [f"X-Forwarded-For: {CALLER}", f"Forwarded: for={FORGED}"],
        [f"Forwarded: for={CALLER}", f"X-Forwarded-For: {FORGED}"],
        [f"X-Forwarded-For: {CALLER}", "Forwarded: for"],
    ],
)
def test_two_headers_that_differ_are_both_ignored(lines: list[str]) -> None:
    """Two headers cannot be told apart: one is the proxy's, the other may be the caller's."""
    assert find(*lines) == PROXY


@pytest.mark.parametrize(
    "line",
    [
        "X-Forwarded-For: ",
        "X-Forwarded-For: unknown",
        "X-Forwarded-For: 999.1.1.1",
        "X-Forwarded-For: ::::",
        f"X-Forwarded-For: {CALLER}:port",
        f"X-Forwarded-For: [{CALLER}",
        f"X-Forwarded-For: {CALLER},",
        "X-Forwarded-For: \xff",
        "Forwarded: ",
        "Forwarded: proto=https",
        "Forwarded: for=unknown",
        "Forwarded: for=_hidden",
        f"Forwarded: for={CALLER};for={FORGED}",
        f"Forwarded: for = {CALLER}",
        "Forwarded: for=2001:db8::9",
        f'Forwarded: for="{CALLER}',
        f'Forwarded: for={CALLER};ext="a,b"',
        "Forwarded: " + ";" * 60_000 + "x",
    ],
)
def test_a_header_that_names_no_address_is_ignored(line: str) -> None:
    assert find(line) == PROXY


def test_the_nearest_address_that_is_known_is_the_caller_when_a_hop_is_hidden() -> None:
    assert find("Forwarded: for=_hidden, for=10.0.0.3") == "10.0.0.3"
    assert find(f"X-Forwarded-For: {FORGED}, unknown, 10.0.0.3") == "10.0.0.3"


def test_a_proxy_may_call_for_itself() -> None:
    assert find() == PROXY
    assert find("X-Forwarded-For: 10.0.0.3, 10.0.0.4") == "10.0.0.3"


# ------------------------------------------------------------------------------------------------ what is passed on


async def forward(path: str, *lines: str, prefix: str = "", peer: str = PROXY) -> tuple[str, str]:
    """Return the caller and path of a request as the application gets them."""
    passed: list[Scope] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        passed.append(scope)

    headers = [tuple(part.encode() for part in line.lower().split(": ")) for line in lines]
    request: Any = {"type": "http", "client": (peer, 4711), "raw_path": path.encode(), "headers": headers}
    await ForwardingMiddleware(app, PROXIES, prefix, {"api", "p"})(request, cast("Any", None), cast("Any", None))
    scope: Any = passed[0]
    assert request["client"] == (peer, 4711)
    return scope["client"][0], scope["raw_path"].decode()


@pytest.mark.parametrize(
    ("prefix", "path", "passed"),
    [
        ("", "/firm/docs", "/firm/docs"),
        ("/firm", "/docs", "/docs"),
        ("/firm", "/firm/docs", "/docs"),
        ("/firm", "/firm", ""),
        ("/firm", "/firmament", "/firmament"),
        ("/firm/a", "/firm/a/docs", "/docs"),
        ("/firm/a", "/firm/docs", "/firm/docs"),
        ("/firm", "/firm/firm/docs", "/firm/docs"),
        ("/api", "/api/v3", "/api/v3"),
    ],
)
async def test_the_path_in_front_is_taken_off_where_the_proxy_left_it(prefix: str, path: str, passed: str) -> None:
    assert (await forward(path, prefix=prefix))[1] == passed


async def test_the_application_sees_the_caller_in_place_of_the_proxy() -> None:
    assert (await forward("/", f"X-Forwarded-For: {CALLER}"))[0] == CALLER
    assert (await forward("/", f"X-Forwarded-For: {FORGED}", peer=CALLER))[0] == CALLER


async def test_the_log_tells_once_of_a_proxy_that_may_be_missing_in_the_settings() -> None:
    async def app(_scope: Scope, _receive: Receive, _send: Send) -> None:
        pass

    forwarding = ForwardingMiddleware(app, Proxies(()), "", ())
    with capture_logs() as logs:
        for value in (b"203.0.113.1", b"203.0.113.2"):
            request: Any = {"type": "http", "client": (PROXY, 1), "raw_path": b"/"}
            request["headers"] = [(b"x-forwarded-for", value)]
            await forwarding(request, cast("Any", None), cast("Any", None))
    (line,) = logs
    assert "MEETDECK_TRUSTED_PROXIES" in line["why"]
    assert "203.0.113" not in str(line)
