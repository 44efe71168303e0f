"""`make bundle`: what it collects installs and serves where there is no network."""

import os
import subprocess
from pathlib import Path
from typing import Final

import pytest
from tools.bundle import build_bundle, list_debian_packages

_EPOCH: Final = "1764374400"
_VISIT: Final = Path(__file__).parents[1] / "support/visit_alone.py"
_ALONE: Final = ("unshare", "--net", "--map-root-user") if os.geteuid() else ("unshare", "--net")
_INSTALL_AND_VISIT: Final = """
set -e
ip link set lo up
test -z "$(ip route)"
"$1/install.sh" "$2/meetdeck"
python3 "$3" "$2/meetdeck/bin/meetdeck" "$2/data"
"""


@pytest.mark.thorough
def test_a_bundle_serves_everything_without_a_network(tmp_path: Path) -> None:
    tried = subprocess.run([*_ALONE, "ip", "link"], capture_output=True, check=False)  # noqa: S603 - the system's
    if tried.returncode:
        pytest.skip("no network namespaces here: they need root, or the packages `util-linux` and `iproute2`")
    bundle, place = tmp_path / "bundle", tmp_path / "place"
    bundle.mkdir()
    build_bundle(bundle, _EPOCH)
    done = subprocess.run(  # noqa: S603 - ours
        [*_ALONE, "sh", "-c", _INSTALL_AND_VISIT, "sh", bundle, place, _VISIT],
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    said = dict(
        line.split(" ", 1) for line in done.stdout.splitlines() if line.startswith(("/", "portal", "deck", "ended"))
    )
    assert said["deck"] == "b'PK'"
    assert said["ended"] == "0"
    for path in ("/", "/console/", "portal", "/docs", "/docs/api"):
        assert said[path].startswith("200 "), path
        assert said[path].endswith(" True"), path
    assert said["/health/ready"].startswith("200 ")


def test_the_packages_of_the_images_are_those_of_a_machine() -> None:
    recipe = "RUN apt-get update \\\n && apt-get install -y --no-install-recommends b a \\\n      c \\\n && rm -rf /x\n"
    assert list_debian_packages(recipe) == ["a", "b", "c"]
