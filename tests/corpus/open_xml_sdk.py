"""The validator of Microsoft's Open XML SDK: every element, attribute and reference by the schemas of Office."""

import json
import re
import subprocess
from pathlib import Path
from typing import Final, TypedDict, cast

_VERSION: Final = "Microsoft365"
_NUMBER: Final = re.compile(r"-?[0-9]+")


class _Problem(TypedDict):
    description: str
    path: str | None
    xPath: str | None
    id: str | None


class _Report(TypedDict):
    errors: list[_Problem]


def find_problems(validator: Path, pptx: Path) -> dict[str, str]:
    """Return what the validator says about a file: the place by the description, numbers left out of the latter."""
    command = [validator, pptx, _VERSION]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)  # noqa: S603 - the validator
    report = cast("_Report", json.loads(run.stdout))
    return {
        f"{problem['id']}: {_NUMBER.sub('#', problem['description'])}": f"{problem['path']} {problem['xPath']}"
        for problem in report["errors"]
    }
