"""The part of a build that puts the pages' assets and the manual into wheels, and into the sources of wheels."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parents[1]))  # hatchling loads this file alone
sys.path.insert(0, str(Path(__file__).parent))

from fetch import are_here, ensure_here
from npm import AssetsMissing, find_npm, read_locked_node
from tools.manual.sources import ROOT, is_up_to_date


class AssetsHook(BuildHookInterface[Any]):
    """Fetches the assets and makes the manual before a build, unless they are here."""

    def dependencies(self) -> list[str]:
        """Return what the build has to install for it: Node, where it is missing, and what makes the manual."""
        node = [] if are_here() or find_npm() else [read_locked_node()]
        return [*node, *([] if is_up_to_date() else _list_packages())]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's names
        """Fetch and make them, or end the build in words. An editable installation serves what lies in its folder."""
        if version == "editable":
            return
        try:
            ensure_here()
        except (AssetsMissing, OSError) as problem:
            self.app.abort(f"Meetdeck is not built, since the assets of its pages are not here: {problem}")
        if not is_up_to_date() and (fault := _make_manual()):
            self.app.abort(f"Meetdeck is not built, since its manual could not be made: {fault}")


def _list_packages() -> list[str]:
    """Return the packages that make the manual: Meetdeck's own, since it describes them, and those of a build."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [*project["project"]["dependencies"], *project["dependency-groups"]["build"]]


def _make_manual() -> str:
    """Make the manual; return the last line of what went wrong, empty if nothing did."""
    paths = [str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "tools.manual"]
    made = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    return (made.stderr.strip().splitlines() or ["no reason was given"])[-1] if made.returncode else ""
