"""The service for an operator and a newcomer: starting, calling, stopping, failing."""

import json
import re
import shutil
import signal
import socket
import stat
import subprocess
import time
from pathlib import Path
from uuid import UUID

import httpx
import psutil
import pytest

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.present.render.renderer import find_office
from support.installation import Installation
from support.servers import serve_beside


def read_credentials(installation: Installation) -> dict[str, object]:
    return json.loads((installation.data_dir / "dev-credentials.json").read_text(encoding="utf-8"))


def fails_with_one_line(ended: "subprocess.CompletedProcess[str]", *expected: str) -> bool:
    lines = ended.stderr.strip().splitlines()
    return ended.returncode == 1 and len(lines) == 1 and all(part in lines[0] for part in expected)


def test_the_printed_curl_line_works_as_pasted(running: Installation) -> None:
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    line = next(line for line in running.printed.splitlines() if line.startswith("curl "))
    ended = subprocess.run(f"{line} --silent", shell=True, capture_output=True, check=True)  # noqa: S602 - as a newcomer does
    assert "Annual review" in [template["name"] for template in json.loads(ended.stdout)]


def test_the_printed_line_for_the_elevated_role_fetches_a_token_that_has_it(running: Installation) -> None:
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    line = next(line for line in running.printed.splitlines() if line.startswith("curl ") and "/oauth/" in line)
    ended = subprocess.run(f"{line} --silent", shell=True, capture_output=True, check=True)  # noqa: S602 - as a newcomer does
    headers = dict(re.findall(r'-H "([\w-]+): ([^"]+)"', running.printed))
    headers["Authorization"] = f"Bearer {json.loads(ended.stdout)['access_token']}"
    assert httpx.get(f"{running.address}/api/v3/events/webhooks", headers=headers).status_code == 200


def test_the_credentials_file_lets_every_client_in_and_only_the_owner_read_it(running: Installation) -> None:
    file = running.data_dir / "dev-credentials.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    credentials = json.loads(file.read_text(encoding="utf-8"))
    assert [[client["roles"] for client in tenant["clients"]] for tenant in credentials["tenants"]] == [
        [[], ["Meetdeck.Elevated"]]
    ] * 2
    for tenant in credentials["tenants"]:
        for client in tenant["clients"]:
            form = {
                "grant_type": "client_credentials",
                "client_id": client["clientId"],
                "client_secret": client["clientSecret"],
            }
            token = httpx.post(credentials["tokenUrl"], data=form).json()["access_token"]
            headers = {"Authorization": f"Bearer {token}", "Ocp-Apim-Subscription-Key": tenant["subscriptionKey"]}
            answer = httpx.get(f"{credentials['baseUrl']}/api/v2/booking/employees", headers=headers)
            assert answer.status_code == 200
            assert answer.json()


def test_the_demo_walks_the_journey_and_leaves_its_files(running: Installation, tmp_path: Path) -> None:
    if find_office() is None:
        pytest.skip("needs LibreOffice: make setup installs it")
    output = tmp_path / "demo-output"
    ended = running.command("demo", "--output", str(output))
    assert ended.returncode == 0, ended.stderr
    starts = {"deck.pptx": b"PK", "deck.pdf": b"%PDF", "slide.png": b"\x89PNG", "meeting.ics": b"BEGIN:VCALENDAR"}
    assert {name: (output / name).read_bytes().startswith(start) for name, start in starts.items()} == dict.fromkeys(
        starts, True
    )
    assert json.loads((output / "meeting.json").read_bytes())["bookedBy"] == "Customer"


def test_a_signal_stops_everything_and_the_next_start_has_the_data_and_the_credentials(
    installation: Installation,
) -> None:
    installation.settings["MEETDECK_OFFICE_AT_START"] = "true"
    tenants: list[object] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        installation.start()
        tenants.append(read_credentials(installation)["tenants"])
        started = installation.descendants()
        assert "postgres" in started.values()
        assert installation.stop(number) == 0
        assert not psutil.wait_procs(started, timeout=60)[1]
    assert tenants[0] == tenants[1]


@pytest.mark.thorough
def test_nothing_committed_is_lost_when_the_server_is_killed(installation: Installation) -> None:
    installation.settings["MEETDECK_OFFICE_AT_START"] = "true"
    address = installation.start()
    meeting = book(installation, address)
    started = installation.descendants()
    assert installation.stop(signal.SIGKILL) == -signal.SIGKILL
    offices = [process for process, name in started.items() if name != "postgres"]
    assert not psutil.wait_procs(offices, timeout=60)[1]
    address = installation.start()
    answer = call(installation, address, "GET", f"booking/meetings/{meeting['id']}")
    assert answer.json() == meeting


def call(installation: Installation, address: str, method: str, path: str, body: object = None) -> httpx.Response:
    headers = dict(re.findall(r'-H "([\w-]+): ([^"]+)"', installation.printed))
    answer = httpx.request(method, f"{address}/api/v3/{path}", headers=headers, json=body)
    assert answer.is_success, answer.text
    return answer


def book(installation: Installation, address: str) -> dict[str, object]:
    slots = call(installation, address, "GET", "booking/time-slots/available?requireEmployeeParticipation=false").json()
    body = {key: slots[0][key] for key in ("startDate", "endDate", "employeeId")} | {"customerId": "C-1"}
    return call(installation, address, "POST", "booking/meetings", body).json()


def test_a_taken_port_is_one_line(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = installation.command("serve", "--port", str(port))
    assert fails_with_one_line(ended, f"Port {port}", "choose another")


def test_a_data_folder_that_cannot_be_written_is_one_line(installation: Installation) -> None:
    installation.data_dir.write_text("a file where the folder should be")
    ended = installation.command("serve", "--port", "0")
    assert fails_with_one_line(ended, str(installation.data_dir), "MEETDECK_DATA_DIR")


def test_an_empty_database_is_one_line_that_names_the_command(
    installation: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rooms.csv").write_text("name\nHavblik\n")
    ended = installation.command("import", "rooms.csv", "--tenant", str(UUID(int=1)))
    assert fails_with_one_line(ended, "is empty", "`meetdeck migrate`")


async def test_a_database_of_something_else_is_one_line(installation: Installation) -> None:
    with EmbeddedPostgres(installation.data_dir / "postgres") as endpoint:
        connection = await endpoint.owner.connect()
        await connection.execute("create table somebody_elses (id int)")
        await connection.close()
    assert fails_with_one_line(installation.command("serve", "--port", "0"), "not Meetdeck's")


@pytest.mark.thorough
def test_serving_without_migrating_works_once_somebody_migrated(installation: Installation) -> None:
    assert installation.command("migrate").stdout.startswith("The schema is at ")
    installation.start("--demo-data")


def test_a_demo_that_cannot_write_its_files_is_one_line(running: Installation, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert fails_with_one_line(running.command("demo", "--output", str(file)), str(file), "--output")


@pytest.mark.thorough
def test_with_another_issuer_the_demo_data_is_there_and_no_token_is_ours(installation: Installation) -> None:
    installation.settings["MEETDECK_ISSUER"] = "https://login.example"
    address = installation.start("--migrate", "--demo-data", until="Tokens come from the issuer")
    assert httpx.get(f"{address}/health/ready").status_code == 200
    assert read_credentials(installation)["tokenUrl"] is None
    assert fails_with_one_line(installation.command("demo"), "MEETDECK_ISSUER")
    assert "Traceback" not in installation.printed
    assert installation.stop() == 0


@pytest.mark.thorough
def test_demo_data_that_finds_no_place_is_one_line(installation: Installation) -> None:
    installation.settings["MEETDECK_QUOTA_BYTES"] = "10"
    ended = installation.command("serve", "--port", "0", "--migrate", "--demo-data")
    last = ended.stderr.splitlines()[-1]
    assert (ended.returncode, "Traceback" in ended.stderr) == (1, False)
    assert last.startswith("meetdeck: The demo data cannot be loaded: ")


@pytest.mark.thorough
def test_a_public_address_that_answers_nobody_yet_is_not_called(installation: Installation) -> None:
    installation.settings["MEETDECK_PUBLIC_URL"] = "https://meetdeck.invalid/firm"
    installation.start()
    assert "serves on https://meetdeck.invalid/firm" in installation.printed
    assert "Traceback" not in installation.printed


def kill_database(installation: Installation) -> None:
    pid = int((installation.data_dir / "postgres/pgdata/postmaster.pid").read_text().splitlines()[0])
    psutil.Process(pid).kill()


def wait_for(address: str, status: int) -> httpx.Response:
    for _ in range(600):
        answer = httpx.get(f"{address}/health/ready", timeout=30)
        if answer.status_code == status:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{address} is not {status}")


@pytest.mark.thorough
def test_an_embedded_database_that_is_killed_is_started_again_for_all_who_share_it(installation: Installation) -> None:
    address = installation.start()
    meeting = book(installation, address)
    with serve_beside(installation, address) as beside:
        for _ in range(2):
            kill_database(installation)
            refused = wait_for(address, 503)
            assert int(refused.headers["Retry-After"]) > 0
            for each in (address, beside):
                wait_for(each, 200)
                answer = call(installation, each, "GET", f"booking/meetings/{meeting['id']}")
                assert answer.json() == meeting
    started = installation.descendants()
    assert installation.stop() == 0
    assert not psutil.wait_procs(started, timeout=60)[1]
    log = (installation.data_dir.parent / "serve.log").read_text(encoding="utf-8")
    assert "the embedded PostgreSQL runs again" in log or "the embedded PostgreSQL runs again" in (
        installation.data_dir.parent / "second.log"
    ).read_text(encoding="utf-8")
    assert "Traceback" not in log
