"""docs/booking.md, pasted into a shell as it stands, beside a running installation."""

import json
import re
import subprocess
from pathlib import Path
from typing import cast

from icalendar import Calendar

from support.installation import Installation

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"```sh\n(.*?)```\n(?:\n```json\n(.*?)```)?", re.DOTALL)
ADDRESS = "http://127.0.0.1:8080"


def read_blocks(page: str) -> list[tuple[str, str]]:
    """Return the commands of a page, block by block, each with the answer shown below it, if one is."""
    return BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))


def test_every_command_works_as_pasted_and_answers_what_is_shown(installation: Installation) -> None:
    address = installation.start()
    folder = installation.data_dir.parent
    setup = next(commands for commands, _ in read_blocks("README.md") if "meetdeck()" in commands)
    blocks = read_blocks("docs/booking.md")
    assert ADDRESS in setup
    pasted = subprocess.run(
        ["/usr/bin/env", "bash", "-euo", "pipefail"],
        input=setup.replace(ADDRESS, address) + "".join(commands for commands, _ in blocks),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert pasted.returncode == 0, pasted.stdout + pasted.stderr

    for commands, shown in blocks:
        if shown:
            answer = re.findall(r"-o (\S+\.json)", commands)[-1]
            check_shown(json.loads(shown), json.loads((folder / answer).read_text(encoding="utf-8")), answer)
    history = json.loads((folder / "history.json").read_text(encoding="utf-8"))
    assert [entry["action"] for entry in history] == ["Created", "Changed", "Changed"]
    (changed, *_) = json.loads((folder / "changed.json").read_text(encoding="utf-8"))
    assert changed["cancelledAt"]
    events = [
        Calendar.from_ical((folder / name).read_bytes()).walk("VEVENT")[0] for name in ("meeting.ics", "cancelled.ics")
    ]
    assert [event["STATUS"] for event in events] == ["CONFIRMED", "CANCELLED"]
    assert events[0]["UID"] == events[1]["UID"]


def check_shown(shown: object, answered: object, where: str) -> None:
    """Check that an answer has the members that the page shows, each of the type shown."""
    assert type(shown) is type(answered) or shown is None or answered is None, f"{where}: {shown} is shown"
    if isinstance(shown, list) and isinstance(answered, list):
        pairs = zip(cast("list[object]", shown), cast("list[object]", answered), strict=False)
        for number, (item, other) in enumerate(pairs):
            check_shown(item, other, f"{where}/{number}")
    elif isinstance(shown, dict) and isinstance(answered, dict):
        members = cast("dict[str, object]", answered)
        for name, member in cast("dict[str, object]", shown).items():
            assert name in members, f"{where}: {name} is shown, and not answered"
            check_shown(member, members[name], f"{where}/{name}")
