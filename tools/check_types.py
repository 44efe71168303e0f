"""Checks the types of what a change reaches: the files that differ from `main`, and those that import them.

    python tools/check_types.py          what differs from main, or from origin/main
    python tools/check_types.py --all    everything, as CI does

A file that imports a changed one is checked against its new types; what that file itself hands on is annotated, so that
nothing further can be told of it. `make check TYPES=all`, `make thorough` and CI check everything.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
_FOLDERS: Final = ("src", "tests", "benchmarks", "tools", "assets", "clients")
# As pyproject.toml has them.
_LEFT_OUT: Final = ("clients/python/", "tests/clients/walks/", "benchmarks/http_peers/fastapi_app.py")
_BASES: Final = ("main", "origin/main")
_OF_EVERYTHING: Final = ("pyproject.toml", "requirements-dev.lock", "typings/")
_MOST_FILES: Final = 400
_IMPORT: Final = re.compile(
    r"^\s*(?:from (?P<package>[\w.]+) import (?P<names>\([^)]*\)|[^\n]*)|import (?P<module>[\w., ]+))", re.MULTILINE
)
_NAME: Final = re.compile(r"\w+")


def name_module(file: str) -> str:
    """Return the name by which a file is imported: `src/meetdeck/app.py` is `meetdeck.app`."""
    path = Path(file).with_suffix("")
    roots = {("src",): 1, ("tests",): 1, ("tools", "graph_fake"): 2}
    parts = path.parts[next((depth for root, depth in roots.items() if path.parts[: len(root)] == root), 0) :]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def list_imports(text: str) -> set[str]:
    """Return the modules that a file may import: of `from a import b`, both `a` and `a.b`."""
    modules = set[str]()
    for found in _IMPORT.finditer(text):
        if package := found["package"]:
            modules |= {package, *(f"{package}.{name}" for name in _NAME.findall(found["names"]))}
        else:
            modules |= {each.split(" as ")[0].strip() for each in found["module"].split(",")}
    return modules


def find_reached(changed: Iterable[str], texts: Mapping[str, str]) -> set[str]:
    """Return the files that changed and those that import them; `texts` has every file by its path."""
    modules = {name_module(file) for file in changed if file.endswith(".py")}
    importing = {file for file, text in texts.items() if not modules.isdisjoint(list_imports(text))}
    return (importing | {*changed}) & texts.keys()


def _run_git(*arguments: str) -> str | None:
    git = shutil.which("git")
    if git is None:
        return None
    ended = subprocess.run([git, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - git
    return ended.stdout if ended.returncode == 0 else None


def _list_changed() -> list[str] | None:
    """Return the files that differ from main, committed or not; None when git cannot compare them."""
    bases = (_run_git("merge-base", "HEAD", base) for base in _BASES)
    base = next((base.strip() for base in bases if base is not None), None)
    if base is None:
        return None
    differing, new = _run_git("diff", "--name-only", base), _run_git("ls-files", "--others", "--exclude-standard")
    return None if differing is None or new is None else [*differing.splitlines(), *new.splitlines()]


def _read_texts() -> dict[str, str]:
    files = (file for folder in _FOLDERS for file in (ROOT / folder).rglob("*.py") if "node_modules" not in file.parts)
    texts = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}
    return {file: text for file, text in texts.items() if not file.startswith(_LEFT_OUT)}


def _choose() -> list[str]:
    """Return the files to check, none for all; print the choice."""
    changed = None if "--all" in sys.argv else _list_changed()
    if changed is None or any(file.startswith(_OF_EVERYTHING) for file in changed):
        print("types of everything")
        return []
    reached = find_reached(changed, _read_texts())
    if len(reached) > _MOST_FILES:
        print(f"types of everything: the change reaches {len(reached)} files")
        return []
    print(f"types of the {len(reached)} files that the change reaches; of everything: make check TYPES=all")
    return sorted(reached) or [Path(__file__).relative_to(ROOT).as_posix()]


def main() -> int:
    """Check, and return basedpyright's status."""
    files = _choose()
    how = files or ["--threads", "2"]
    program = Path(sys.executable).with_name("basedpyright")
    return subprocess.run([program, *how], cwd=ROOT, check=False).returncode  # noqa: S603 - our own


if __name__ == "__main__":
    sys.exit(main())
