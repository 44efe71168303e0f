"""docs/portals.md, pasted into a shell as it stands, beside a running installation."""

import re
import subprocess
from pathlib import Path

from support.installation import Installation

ROOT = Path(__file__).parents[2]
ADDRESS = "http://127.0.0.1:8080"


def read_commands(page: str) -> list[str]:
    """Return the shell commands of a page, block by block."""
    return re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def test_every_command_works_as_pasted_and_makes_a_page(installation: Installation) -> None:
    address = installation.start()
    setup = next(block for block in read_commands("README.md") if "meetdeck()" in block)
    pasted = subprocess.run(
        ["/usr/bin/env", "bash", "-euo", "pipefail"],
        input=setup.replace(ADDRESS, address) + "".join(read_commands("docs/portals.md")),
        cwd=installation.data_dir.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert pasted.returncode == 0, pasted.stdout + pasted.stderr
    page = (installation.data_dir.parent / "portal.html").read_text(encoding="utf-8")
    assert "Nordlys Rådgivning" in page
    assert "What is it about?" in page
