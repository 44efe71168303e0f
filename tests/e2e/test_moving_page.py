"""docs/moving.md: its checklist, pasted into a shell as it stands, for a demo firm beside a running installation."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from support.installation import Installation

ROOT = Path(__file__).parents[2]
SHOWN = re.compile(r"`([\w-]+\.csv)`[^`\n]*\n\n```csv\n(.*?)```", re.DOTALL)
ADDRESS = "http://127.0.0.1:8080"
TEMPLATE = ROOT / "src/meetdeck/demo/annual-review.pptx"


def read_blocks(page: str) -> list[str]:
    return re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def write_files(folder: Path) -> None:
    """Write a firm's files: the examples of the page on importing, and a template."""
    for name, content in SHOWN.findall((ROOT / "docs/importing.md").read_text(encoding="utf-8")):
        (folder / name).write_text(content, encoding="utf-8")
    (folder / "templates").mkdir()
    shutil.copy(TEMPLATE, folder / "templates/Moved review.pptx")


def test_the_checklist_works_as_pasted_and_the_same_service_offers_the_same(installation: Installation) -> None:
    """With itself as the hosted service, the last step finds no difference; with a slot more in the list, it does."""
    address = installation.start()
    folder = installation.data_dir.parent
    write_files(folder)
    credentials = json.loads((installation.data_dir / "dev-credentials.json").read_text(encoding="utf-8"))
    call_it = next(block for block in read_blocks("README.md") if "meetdeck()" in block).replace(ADDRESS, address)
    beside = 'HOSTED=$API HOSTED_TOKEN=$TOKEN HOSTED_KEY=$KEY\nmeetdeck() { "$PYTHON" -m meetdeck "$@"; }\n'
    again = (
        "python3 -c 'import json\n"
        'found = json.load(open("known-slots.json"))\n'
        'found.append(found[-1] | {"employeeId": "Somebody Else"})\n'
        'json.dump(found, open("known-slots.json", "w"))\'\n'
        'compare() { meetdeck slots compare known-slots.json --tenant $TENANT --at $AT --query "$SEARCH" --json; }\n'
        "ours $API/present/templates -o stored.json\n"
        "if compare > found.json; then exit 7; fi\n"
    )
    pasted = subprocess.run(
        ["/usr/bin/env", "bash", "-euo", "pipefail"],
        input=call_it + beside + "".join(read_blocks("docs/moving.md")) + again,
        cwd=folder,
        env=os.environ
        | {
            "MEETDECK_DATA_DIR": str(installation.data_dir),
            "TENANT": credentials["tenants"][0]["tenantId"],
            "PYTHON": sys.executable,
        },
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert pasted.returncode == 0, pasted.stdout + pasted.stderr
    assert "Equal: every known slot is offered here, and no other." in pasted.stdout
    assert json.loads((folder / "settings.json").read_text(encoding="utf-8"))["minimumBookingNotice"] == "02:00:00"
    stored = json.loads((folder / "stored.json").read_text(encoding="utf-8"))
    assert "Moved review" in {each["name"] for each in stored}
    found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    assert [each["rule"] for each in found["missing"]] == ["UnknownEmployee"]
    assert found["known"] == found["offered"] + 1
