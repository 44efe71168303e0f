"""`meetdeck tenant …` as an operator types it."""

import json
import shlex

import pytest

from meetdeck.platform.database import Database
from meetdeck.platform.identity import StoredUsers, UserKind
from support.terminals import Terminal

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")


async def make_tenant(terminal: Terminal) -> str:
    status, out, _ = await terminal.run("tenant", "create", "Ny Bank", "--json")
    assert status == 0
    return json.loads(out)["tenantId"]


async def test_the_commands_that_a_new_tenant_is_told_let_somebody_in(terminal: Terminal) -> None:
    _, out, _ = await terminal.run("tenant", "create", "Ny Bank")
    told = [shlex.split(line)[1:] for line in out.splitlines() if line.startswith("  meetdeck ")]
    assert [words[:2] for words in told] == [["user", "create"], ["key", "create"], ["serve"]]
    for words in told[:2]:
        status, _, err = await terminal.run(*words)
        assert (status, err) == (0, "")
    status, _, err = await terminal.run(*told[0])
    assert status == 1
    assert "already signs in as anna@bank.example" in err


async def test_somebody_who_is_added_is_somebody_to_choose(terminal: Terminal, database: Database) -> None:
    tenant_id = await make_tenant(terminal)
    person = ("--tenant", tenant_id, "--name", "Bo Lind", "--email", "Bo@bank.example")
    status, out, _ = await terminal.run("user", "create", *person, "--role", "manager", "--json")
    assert status == 0
    assert json.loads(out)["roles"] == ["Meetdeck.Manager"]
    (found,) = await StoredUsers(database).list_users(UserKind.STAFF)
    assert (found.name, found.user_name, found.roles) == ("Bo Lind", "bo@bank.example", ("Meetdeck.Manager",))
    for email, role, told in (("bo", "admin", "e-mail address"), ("eva@bank.example", "chief", "no role 'chief'")):
        wrong = ("--tenant", tenant_id, "--name", "Eva", "--email", email, "--role", role)
        status, _, err = await terminal.run("user", "create", *wrong)
        assert status == 1
        assert told in err


async def test_how_long_personal_data_is_kept_is_set_and_shown(terminal: Terminal) -> None:
    tenant_id = await make_tenant(terminal)
    _, out, _ = await terminal.run("tenant", "show", tenant_id)
    assert "erased 365 days (as the installation has it) after a meeting's end" in out
    assert "erased 30 days (as the installation has it) after a meeting's end" in out
    own = ("--retention-days", "730", "--cpr-retention-days", "7", "--keep-meetings")
    status, out, err = await terminal.run("tenant", "set", tenant_id, *own)
    assert (status, err) == (0, "")
    assert "kept, of meetings that took place; cancelled ones are deleted 730 days after their end" in out
    assert "erased 7 days after a meeting's end" in out
    again = ("--retention-days", "20", "--cpr-retention-days", "default", "--erase-meetings")
    _, out, _ = await terminal.run("tenant", "set", tenant_id, *again)
    assert "erased 20 days after a meeting's end" in out
    assert "erased 20 days after a meeting's end, as the rest is" in out
    _, out, _ = await terminal.run("tenant", "show", tenant_id, "--json")
    shown = json.loads(out)
    assert (shown["retentionDays"], shown["cprRetentionDays"], shown["erasesMeetings"]) == (20, None, True)


@pytest.mark.parametrize(
    ("given", "told", "expected"),
    [
        (("--retention-days", "40000"), "--retention-days must be a number from 0 to 36500, not 40000.", 1),
        (("--cpr-retention-days", "long"), "--cpr-retention-days must be a whole number, 0 for at once, or default", 2),
        (
            ("--retention-days", "9", "--cpr-retention-days", "10"),
            "longer than the 9 days for which other data is kept",
            1,
        ),
        ((), "Name an option to change", 2),
    ],
)
async def test_what_cannot_be_set_is_said_in_one_line(
    terminal: Terminal, given: tuple[str, ...], told: str, expected: int
) -> None:
    status, out, err = await terminal.run("tenant", "set", await make_tenant(terminal), *given)
    assert (status, out) == (expected, "")
    assert told in err
    assert err.count("\n") == 1
