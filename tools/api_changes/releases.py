"""The recorded surfaces of releases, and what has changed from each to the next."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tools.api_changes.comparing import Change, Json, compare
from tools.api_changes.surface import read_surface

from meetdeck.app import describe_api
from meetdeck.platform.values import Version

_RELEASED: Final = Path(__file__).with_name("released")


class Step(NamedTuple):
    """The changes of each version of the API since a release: until the next one, or until now."""

    since: str
    until: str | None
    changes: Mapping[str, list[Change]]


def list_releases(folder: Path = _RELEASED) -> list[str]:
    """Return the recorded releases, the oldest first."""
    return sorted((path.stem for path in folder.glob("*.json")), key=lambda name: [*map(int, name.split("."))])


def list_steps(present: Mapping[str, Json]) -> Iterator[Step]:
    """Yield the steps between recorded releases, the one that leads to the present surfaces first."""
    following: tuple[str | None, Mapping[str, Json]] = (None, present)
    for release in reversed(list_releases()):
        surfaces = read_release(release)
        changes = {name: compare(surfaces[name], following[1][name]) for name in surfaces}
        yield Step(release, following[0], changes)
        following = (release, surfaces)


def read_present() -> Mapping[str, Json]:
    """Return the present surfaces, by the version of the API."""
    return {str(version): read_surface(describe_api(version)) for version in Version}


def find_unrecorded(release: str, present: Mapping[str, Json]) -> str | None:
    """Return what is to be done before a release with the present surfaces can be built; None if they are recorded."""
    if release not in list_releases():
        return (
            f"The API of {release} is not recorded: `python -m tools.api_changes {release}`, and commit the file that "
            "it writes."
        )
    if read_release(release) != present:
        return (
            f"The API is not the one that is recorded for {release}; `python -m tools.api_changes` lists the changes. "
            "Set the next version in pyproject.toml, and record its API."
        )
    return None


def read_release(release: str) -> Mapping[str, Json]:
    """Return the surfaces of a release, by the version of the API."""
    return json.loads((_RELEASED / f"{release}.json").read_text(encoding="utf-8"))


def write_release(release: str, surfaces: Mapping[str, Json]) -> Path:
    """Record the surfaces of a release, with a line for each operation and type."""
    path = _RELEASED / f"{release}.json"
    path.write_text(_write({name: surfaces[name] for name in sorted(surfaces)}, 3) + "\n", encoding="utf-8")
    return path


def list_unnoted(changes: Mapping[str, list[Change]], changelog: str, since: str) -> list[str]:
    """Return the breaking changes whose subject the CHANGELOG does not name in backquotes above a release."""
    news = re.split(rf"^## \[{re.escape(since)}\]", changelog, maxsplit=1, flags=re.MULTILINE)[0]
    return [
        f"{version}: `{change.subject}`: {change.text}"
        for version, found in changes.items()
        for change in found
        if change.breaking and f"`{change.subject}`" not in news
    ]


def _write(value: object, depth: int) -> str:
    """Return JSON whose outer objects have a line for each member."""
    if not depth or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    lines = [f"{json.dumps(name)}:{_write(each, depth - 1)}" for name, each in value.items()]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - JSON
    return "{\n" + ",\n".join(lines) + "\n}"
