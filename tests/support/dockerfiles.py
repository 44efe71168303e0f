"""A Dockerfile as steps: the part of the language that ours use, read as Docker reads it, and nothing guessed."""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


class Step(NamedTuple):
    """An instruction, its options (`--from=build`), and the rest of its line."""

    name: str
    options: dict[str, str]
    rest: str

    @property
    def words(self) -> list[str]:
        """Return the rest as a list: JSON, or words of a shell."""
        return json.loads(self.rest) if self.rest.startswith("[") else shlex.split(self.rest)


class Stage(NamedTuple):
    """A stage: a `FROM` and the lines that follow it."""

    name: str
    base: str
    steps: list[Step]


def read_stages(file: Path) -> list[Stage]:
    """Return the stages of a Dockerfile."""
    stages: list[Stage] = []
    given: dict[str, str] = {}
    for step in _read_steps(file.read_text(encoding="utf-8")):
        if step.name == "FROM":
            base, _, name = step.words
            stages.append(Stage(name, substitute(base, given), []))
        elif stages:
            stages[-1].steps.append(step)
        else:
            name, _, default = step.rest.partition("=")
            given[name] = default
    return stages


def substitute(text: str, values: Mapping[str, str]) -> str:
    """Replace `$name` and `${name}`; unknown ones become empty."""
    return _VARIABLE.sub(lambda found: values.get(found[1] or found[2], ""), text)


def _read_steps(text: str) -> Iterator[Step]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in re.sub(r"\\\n", " ", "\n".join(lines)).splitlines():
        if not line.strip():
            continue
        name, rest = line.split(None, 1)
        options: dict[str, str] = {}
        while found := re.match(r"--([\w-]+)=(\S+)\s+", rest):
            options[found[1]], rest = found[2], rest[found.end() :]
        yield Step(name.upper(), options, rest.strip())
