"""The costliest requests hold up other callers no longer than ordinary ones do.

Each parser gets its worst input of 4 MB, or as much as it takes. The tests measure how long the event loop is held at
once.
"""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from meetdeck.platform.http.rate_limits import RateLimits
from support.factories import Api
from support.held_loops import measuring_the_loop

BYTES = 4_000_000
HEAD_BYTES = 60_000
TIMES = 14
"""The limit, as a multiple of what `/health/ready` itself holds the loop at once. With its waits for the database that
request takes seven times as long, and it may take three times as long again."""

FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=X"
PATCH = "application/json-patch+json"
MEETINGS = "/api/v3/booking/meetings"
SETTINGS = "/api/v3/booking/config/organization-settings/00000000-0000-4000-8000-000000000000"


class Sent(NamedTuple):
    method: str
    path: str
    body: str = ""
    kind: str = "application/json"
    headers: Mapping[str, str] = {}


def repeat(piece: str, size: int = BYTES) -> str:
    return piece * (size // len(piece))


def array(item: str, size: int = BYTES) -> str:
    return f"[{repeat(f'{item},', size)}{item}]"


def members(size: int = BYTES) -> str:
    return "{" + ",".join(f'"a{number:06d}":1' for number in range(size // 12)) + "}"


def encode(text: str) -> str:
    """Return a text as a part of a token."""
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def guests(item: str) -> str:
    return f'{{"externalAttendees":{array(item, 1_000_000)}}}'


PART = '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
OPENED = '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n'

WORST: dict[str, Sent] = {
    "a form of many fields": Sent("POST", "/p/nordlys/times", repeat("a=&"), FORM),
    "a form of as many fields as are taken": Sent("POST", "/p/nordlys/times", repeat("%61=%62&", 8_000), FORM),
    "a form of one long name": Sent("POST", "/p/nordlys/times", repeat("%41", 250_000), FORM),
    "a form of a session that is over": Sent("POST", "/console/book", repeat("%41%3d&", 250_000), FORM),
    "a form for a token": Sent("POST", "/oauth/token", repeat("a=&"), FORM),
    "many parts": Sent("POST", "/p/nordlys/times", repeat(PART) + "--X--\r\n", PARTS),
    "many small parts": Sent("POST", "/p/nordlys/hold", repeat(PART, 250_000) + "--X--\r\n", PARTS),
    "a part of line ends": Sent("POST", "/p/nordlys/hold", OPENED + repeat("\r\n--", 250_000), PARTS),
    "a sealed form": Sent("POST", "/p/nordlys/hold", "ticket=" + repeat("AA%3d", 250_000), FORM),
    "unknown members": Sent("POST", MEETINGS, members()),
    "unknown members within the limit": Sent("POST", MEETINGS, members(1_000_000)),
    "an array of nothing": Sent("POST", MEETINGS, array("{}", 1_000_000)),
    "guests without anything": Sent("POST", MEETINGS, guests("{}")),
    "guests": Sent("POST", MEETINGS, guests('{"name":"a","email":"a@b.c"}')),
    "guests in v2": Sent("POST", MEETINGS.replace("v3", "v2"), guests('{"name":"a","email":"a@b.c"}')),
    "deep JSON": Sent("POST", MEETINGS, repeat("[", 900_000)),
    "a long time": Sent("POST", MEETINGS, f'{{"startDate":"{repeat("2026-", 900_000)}"}}'),
    "half characters": Sent("POST", MEETINGS, f'{{"title":"{repeat(chr(92) + "ud800", 900_000)}"}}'),
    "slides of a rule": Sent(
        "POST", "/api/v3/booking/config/document-rules", f'{{"template":"x","slides":{array(chr(34) * 2, 900_000)}}}'
    ),
    "many operations": Sent("PATCH", SETTINGS, array('{"op":"test","path":"/name","value":1}'), PATCH),
    "operations within the limit": Sent(
        "PATCH", SETTINGS, array('{"op":"add","path":"/name","value":1}', 1_000_000), PATCH
    ),
    "a long pointer": Sent("PATCH", SETTINGS, f'[{{"op":"test","path":"{repeat("/~0", 900_000)}","value":1}}]', PATCH),
    "a logout token": Sent(
        "POST", "/console/backchannel-logout", f"logout_token={encode(members(40_000))}.e30.AA", FORM
    ),
    "a token's head": Sent(
        "GET", "/api/v3/booking/employees", headers={"Authorization": f"Bearer {encode(members(40_000))}.e30.AA"}
    ),
    "data of a deck": Sent("POST", "/api/v3/present/slides/generate", f'{{"template":"x","data":{members()}}}'),
    "a query": Sent("GET", f"/api/v3/booking/employees?{repeat('%61%3d%26', 18_000)}"),
    "a query of many values": Sent(
        "GET", f"/api/v3/booking/time-slots/available?employeeTypes={repeat('Local,', HEAD_BYTES)}"
    ),
    "a portal's address": Sent("GET", f"/p/nordlys?{repeat('a=%41&', 5_900)}"),
    "media types": Sent(
        "GET", "/api/v3/present/templates/Annual%20review/slides", headers={"Accept": repeat("a/b,", HEAD_BYTES)}
    ),
    "a quoted string without an end": Sent(
        "GET",
        "/api/v3/present/templates/Annual%20review/slides/Cover",
        headers={"Accept": repeat('"' + "\\", HEAD_BYTES)},
    ),
    "languages": Sent("GET", "/p/nordlys", headers={"Accept-Language": repeat("a-b;q=0.1,", HEAD_BYTES)}),
    "cookies": Sent("GET", "/console", headers={"Cookie": repeat("a=b; ", HEAD_BYTES)}),
    "entity tags": Sent("GET", "/api/v3/booking/employees", headers={"If-None-Match": repeat('"a",', HEAD_BYTES)}),
}


async def hold_loop(api: Api, sent: Sent) -> float:
    """Send a request; return the longest time for which it held the loop at once, in seconds."""
    headers = {"Content-Type": sent.kind, **(api.headers if sent.path.startswith("/api") else {}), **sent.headers}
    # The client's own reading of a long address takes as long as ours: it is over before the loop is measured.
    request = api.http.build_request(sent.method, sent.path, content=sent.body.encode(), headers=headers)
    async with measuring_the_loop() as held:
        answer = await api.http.send(request)
    assert answer.status_code < 500
    assert len(answer.content) < 300_000
    return held.longest


@pytest.mark.thorough
async def test_the_worst_that_is_sent_holds_up_nobody(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    async def count_nothing(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr(RateLimits, "count", count_nothing)
    elevated = await api.of(api.firm, elevated=True)
    for sent in WORST.values():
        await hold_loop(elevated, sent._replace(body=sent.body[:1000]))  # what is made once
    usual = max([await hold_loop(elevated, Sent("GET", "/health/ready")) for _ in range(5)])
    held = {name: await hold_loop(elevated, sent) / usual for name, sent in WORST.items()}
    for _ in range(2):  # again, what something else may have held up
        for name in [name for name, times in held.items() if times > TIMES]:
            held[name] = min(held[name], await hold_loop(elevated, WORST[name]) / usual)
    assert {name: round(times, 1) for name, times in held.items() if times > TIMES} == {}
