"""`meetdeck session list` and `end` as an operator types them."""

import json

import pytest

from meetdeck.demo.firm import NORDLYS
from meetdeck.platform.process import clock as real_clock
from support.console import ANNA, EVA, THOMAS, Browser
from support.factories import Api
from support.fakes import HandClock
from support.terminals import Terminal

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")

TENANT = str(NORDLYS.tenant_id)
UNKNOWN = "00000000-0000-4000-8000-000000000000"
IDA = "ida@fjord.example"


async def is_in(browser: Browser) -> bool:
    """Return whether the person is still signed in."""
    return (await browser.get()).url.path == "/console"


async def test_sessions_are_listed_and_ended_by_command(api: Api, clock: HandClock, terminal: Terminal) -> None:
    clock.moment = real_clock.now()
    annas, eva, thomas, ida = (
        [await Browser.open(api, ANNA) for _ in range(3)],
        await Browser.open(api, EVA),
        await Browser.open(api, THOMAS),
        await Browser.open(api, IDA),
    )
    status, out, err = await terminal.run("session", "list", "--tenant", TENANT, "--json")
    assert (status, err) == (0, "")
    listed = json.loads(out)
    assert [one["email"] for one in listed] == [ANNA] * 3 + [EVA, THOMAS]
    assert (listed[0]["name"], listed[0]["roles"]) == ("Anna Holm", ["Meetdeck.Employee"])
    assert listed[0]["createdAt"] < listed[0]["endsAt"]
    _, table, _ = await terminal.run("session", "list")
    for secret in [browser.http.cookies["meetdeck_session"].partition(".")[2] for browser in annas]:
        assert secret not in out + table
    assert IDA in table

    one = listed[0]["sessionId"]
    status, out, err = await terminal.run("session", "end", one)
    assert (status, out, err.count("\n"), "--yes" in err) == (1, "", 1, True)
    status, out, err = await terminal.run("session", "end", one, "--yes", "--json")
    assert (status, [each["sessionId"] for each in json.loads(out)], err) == (0, [one], "")
    assert [await is_in(browser) for browser in annas].count(False) == 1

    _, out, _ = await terminal.run("session", "end", "--user", ANNA.upper(), "--yes")
    assert out == "2 sessions ended.\n"
    assert [await is_in(browser) for browser in [*annas, eva]] == [False] * 3 + [True]
    _, out, _ = await terminal.run("session", "end", "--user", listed[-1]["userId"], "--tenant", TENANT, "--yes")
    assert (out, await is_in(thomas)) == ("1 session ended.\n", False)
    _, out, _ = await terminal.run("session", "end", "--tenant", TENANT, "--yes")
    assert (out, await is_in(eva), await is_in(ida)) == ("1 session ended.\n", False, True)
    _, out, _ = await terminal.run("session", "end", "--tenant", TENANT, "--yes")
    assert out == "0 sessions ended.\n"

    elevated = await api.of(NORDLYS, elevated=True)
    log = (await elevated.get("v3/audit-log", params={"kind": "sessions"})).json()["items"]
    assert [entry["resourceName"] for entry in log] == [EVA, THOMAS, ANNA, ANNA, ANNA]
    assert {(entry["action"], entry["command"]) for entry in log} == {("deleted", "session end")}


@pytest.mark.parametrize(
    ("words", "told", "expected"),
    [
        (("end", "--yes"), "Give a session, --user or --tenant", 2),
        (("end", UNKNOWN, "--yes"), f"There is no session {UNKNOWN}", 1),
        (("end", "--tenant", UNKNOWN, "--yes"), f"There is no tenant {UNKNOWN}", 1),
        (("list", "--tenant", UNKNOWN), f"There is no tenant {UNKNOWN}", 1),
        (("end", "anna", "--yes"), "`meetdeck session end --help`", 2),
    ],
)
async def test_a_wrong_command_ends_in_one_line(
    terminal: Terminal, words: tuple[str, ...], told: str, expected: int
) -> None:
    status, out, err = await terminal.run("session", *words)
    assert (status, out, err.count("\n"), told in err) == (expected, "", 1, True)
