"""The part of a build that puts the assets of the pages into wheels, and into the sources that wheels are made of."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent))  # hatchling loads this file alone

from fetch import are_here, ensure_here
from npm import AssetsMissing, find_npm, read_locked_node


class AssetsHook(BuildHookInterface[Any]):
    """Fetches the assets before a build, unless they are here."""

    def dependencies(self) -> list[str]:
        """Return what the build has to install for it: Node, where it is needed and the machine has none."""
        return [] if are_here() or find_npm() else [read_locked_node()]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling's names
        """Fetch the assets, or end the build in words. An editable installation serves what lies in its folder."""
        if version == "editable":
            return
        try:
            ensure_here()
        except (AssetsMissing, OSError) as problem:
            self.app.abort(f"Meetdeck is not built, since the assets of its pages are not here: {problem}")
