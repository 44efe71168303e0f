"""`meetdeck erase` and `meetdeck erasures` as an operator types them."""

import json
from pathlib import Path
from typing import Any

import pytest

from meetdeck.demo.firm import NORDLYS
from support.factories import Api
from support.meetings import TIMES
from support.terminals import Terminal

pytestmark = pytest.mark.filterwarnings("ignore:Cyclopts application invoked without tokens")

CUSTOMER = "C-1001"
TENANT = str(NORDLYS.tenant_id)
ONE = ("--tenant", TENANT, "--customer", CUSTOMER)


async def book(api: Api, **members: Any) -> str:
    advisor = api.id_of("employee", "Anna Holm")
    answer = await api.book(employeeId=advisor, type="Online", customerId=CUSTOMER, **TIMES | members)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


async def test_erasing_asks_cancels_when_told_and_prints_a_receipt_once(
    api: Api, terminal: Terminal, tmp_path: Path
) -> None:
    meeting_id = await book(api, startDate="2999-03-05T09:00:00Z", endDate="2999-03-05T10:00:00Z")
    status, out, err = await terminal.run("erase", *ONE, "--yes")
    assert (status, out) == (1, "")
    assert meeting_id in err
    assert "--cancel" in err
    assert err.count("\n") == 1

    status, _, err = await terminal.run("erase", *ONE, "--cancel")
    assert status == 1
    assert "1 of them are cancelled" in err
    assert "add --yes" in err
    assert (await api.get(f"v3/booking/meetings/{meeting_id}")).status_code == 200

    status, out, err = await terminal.run("erase", *ONE, "--cancel", "--yes", "--json")
    assert (status, err) == (0, "")
    receipt = json.loads(out)["receipt"]
    assert (receipt["tenantId"], receipt["meetings"], receipt["cancelled"]) == (TENANT, 1, 1)
    assert CUSTOMER not in out

    status, out, _ = await terminal.run("erase", *ONE)
    assert status == 0
    assert out.startswith("No personal data is left of this customer. Erased earlier: receipt " + receipt["erasureId"])

    status, out, _ = await terminal.run("erasures", "--tenant", TENANT)
    assert status == 0
    assert receipt["erasureId"] in out
    status, out, _ = await terminal.run("erasures", "--tenant", TENANT, "--json")
    assert json.loads(out) == [receipt]

    _, log, _ = await terminal.run("audit-log", "--tenant", TENANT, "--json")
    (entry,) = [one for one in json.loads(log)["items"] if one["command"] == "erase"]
    assert (entry["action"], entry["kind"], entry["resourceId"]) == ("created", "erasures", receipt["erasureId"])
    assert CUSTOMER not in log

    (tmp_path / "receipts.json").write_text(out, encoding="utf-8")
    again = ("erase", "--again", str(tmp_path / "receipts.json"), "--yes", "--cancel")
    assert await terminal.run(*again) == (0, "No personal data is left of the customers in the receipts.\n", "")
    await book(api)  # as after a restore
    status, out, err = await terminal.run(*again)
    assert (status, err) == (0, "")
    assert "Receipt" in out
    assert (await api.get(f"v3/booking/meetings?customerId={CUSTOMER}")).json() == []


async def test_what_is_wrong_is_one_line(api: Api, terminal: Terminal, tmp_path: Path) -> None:
    assert api
    unknown = "00000000-0000-4000-8000-000000000000"
    (tmp_path / "wrong.json").write_text("{}", encoding="utf-8")
    for words, told, expected in (
        (("erase", "--tenant", unknown, "--customer", "x"), f"There is no tenant {unknown}", 1),
        (("erase", "--customer", "x"), "--tenant is missing", 2),
        (("erase", "--tenant", TENANT), "--customer is missing", 2),
        (("erase", "--again", str(tmp_path / "none.json")), "cannot be read", 1),
        (("erase", "--again", str(tmp_path / "wrong.json")), "is not the output of `meetdeck erasures --json`", 1),
        (("erase", *ONE, "--again", "x.json"), "leave out --tenant and --customer", 2),
        (("erasures", "--tenant", unknown), f"There is no tenant {unknown}", 1),
        (("erase", "--tenant", "firm"), "`meetdeck erase --help`", 2),
    ):
        status, out, err = await terminal.run(*words)
        assert (status, out) == (expected, ""), words
        assert told in err, words
        assert err.count("\n") == 1, words
