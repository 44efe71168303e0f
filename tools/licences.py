"""Checks that docs/operations/licences.md names each package that Meetdeck's lock files have, with its licence.

    python tools/licences.py     ends with 1 and says what to do about each package that is missing, gone or not allowed

It needs no network: what a package says of its licence is read from its metadata, where it is installed, and from npm's
locks.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs/operations/licences.md"

# What may be passed on with Meetdeck, under Apache-2.0. MPL-2.0 asks for the sources of its own files alone.
ALLOWED: Final = frozenset({
    "0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0",
    "OFL-1.1", "PSF-2.0", "Unlicense", "Zlib",
})  # fmt: skip
# What tools may have besides: Meetdeck neither imports them nor is passed on with them. CCL is Carbone's own.
ALLOWED_IN_TOOLS: Final = ALLOWED | {
    "BlueOak-1.0.0", "CCL", "GPL-2.0-only", "GPL-3.0-only", "GPL-3.0-or-later", "LGPL-3.0-or-later", "Python-2.0",
}  # fmt: skip

# What metadata says where it has no expression, in lower case.
_WORDS: Final = {
    "0bsd": "0BSD",
    "bsd-0-clause": "0BSD",
    "3-clause bsd license": "BSD-3-Clause",
    "apache": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache license": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd": "BSD",
    "bsd 2-clause license": "BSD-2-Clause",
    "bsd license": "BSD",
    "bsd-3-clause, apache-2.0, dependency licenses": "BSD-3-Clause AND Apache-2.0",
    "gnu general public license (gpl)": "GPL",
    "gnu general public license v2 (gplv2)": "GPL-2.0-only",
    "gnu gpl v3": "GPL-3.0-only",
    "gnu gplv3 or later": "GPL-3.0-or-later",
    "gpl-3.0": "GPL-3.0-only",
    "gplv2": "GPL-2.0-only",
    "isc license": "ISC",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "## the mit license (mit)": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "psfl": "PSF-2.0",
    "python software foundation license": "PSF-2.0",
    "the unlicense (unlicense)": "Unlicense",
    "unknown": "",
}
_LOCKED: Final = re.compile(r"^([A-Za-z0-9][A-Za-z0-9._-]*)==", re.MULTILINE)
_ROW: Final = re.compile(r"^\| ([A-Za-z0-9. -]+) \| (`[^|]+`) \|$", re.MULTILINE)
_SECTION: Final = re.compile(r"^## (.+?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def read_page(text: str) -> dict[str, dict[str, str]]:
    """Return the licence of each package in each section of the page that has a table of them."""
    listed = {
        title: {name: licence for licence, names in _ROW.findall(section) for name in re.findall("`([^`]+)`", names)}
        for title, section in _SECTION.findall(text)
    }
    return {title: packages for title, packages in listed.items() if packages}


def read_lock(text: str) -> set[str]:
    """Return the names of the packages in a lock file of Python."""
    return {_normalize(name) for name in _LOCKED.findall(text)}


def read_npm_lock(text: str) -> dict[str, str]:
    """Return the licence of each package in a lock file of npm, empty where the lock does not know it."""
    packages: Mapping[str, Mapping[str, str]] = json.loads(text)["packages"]
    named = ((path.rpartition("node_modules/")[2], each) for path, each in packages.items() if path)
    return {name: name_licence(each.get("license", "").strip("()")) for name, each in named}


def name_licence(words: str) -> str:
    """Return the SPDX expression of what metadata says; `BSD` and `GPL` are families of which it does not say more."""
    return _WORDS.get(words.lower(), words)


def is_allowed(expression: str, allowed: Iterable[str]) -> bool:
    """Return whether one of the alternatives of an SPDX expression is allowed in all its parts."""
    return any({*alternative.split(" AND ")} <= {*allowed} for alternative in expression.split(" OR "))


def find_stated(name: str) -> str:
    """Return what the metadata of a package says of its licence; empty without a word, or where it is not installed."""
    try:
        said: Any = metadata(name)  # its type has no methods of messages
    except PackageNotFoundError:
        return ""
    if expression := said.get("License-Expression"):
        return expression
    lines = str(said.get("License") or "").splitlines()
    classifiers: list[str] = [
        one.rpartition("::")[2].strip() for one in said.get_all("Classifier", []) if one.startswith("License")
    ]
    named = [name_licence(words) for words in [*lines[:1], *classifiers]]
    return next(filter(None, named), "")


def list_faults(
    listed: Mapping[str, str], locked: Mapping[str, str], allowed: Iterable[str], where: str
) -> Iterator[str]:
    """Yield what differs between the packages of a section of the page, and the locked ones with what they state."""
    for name in sorted({*listed} | {*locked}):
        stated = locked.get(name, "")
        if name not in locked:
            yield f"{name}: no lock has it any more. Remove it from “{where}”."
        elif name not in listed:
            yield f"{name}: “{where}” does not list it. Its metadata says {stated or 'nothing'}: check it, and add it."
        elif stated and listed[name] != stated and not listed[name].startswith(f"{stated}-"):
            yield f"{name}: “{where}” says {listed[name]}, its metadata {stated}. Find out which is true."
        elif not is_allowed(listed[name], allowed):
            yield f"{name}: {listed[name]} is not allowed in “{where}” (tools/licences.py). Use another package."


def check() -> list[str]:
    """Return the faults of the page."""
    page = read_page(PAGE.read_text(encoding="utf-8"))
    shipped = read_lock((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    locks = [*ROOT.glob("requirements-*.lock"), *ROOT.glob("benchmarks/*/requirements.lock")]
    tools = set[str]().union(*(read_lock(lock.read_text(encoding="utf-8")) for lock in locks)) - shipped
    npm_locks = [*ROOT.glob("tests/*/package-lock.json"), *ROOT.glob("benchmarks/*/package-lock.json")]
    of_tools = {name: said for lock in npm_locks for name, said in read_npm_lock(lock.read_text("utf-8")).items()}
    by_hand = {name: said for name, said in of_tools.items() if not said or not is_allowed(said, ALLOWED_IN_TOOLS)}
    assets = read_npm_lock((ROOT / "assets/package-lock.json").read_text(encoding="utf-8"))
    expected = {
        "Installed with Meetdeck": ({name: find_stated(name) for name in shipped}, ALLOWED),
        "In the pages": (assets, ALLOWED),
        "Tools of development": ({name: find_stated(name) for name in tools}, ALLOWED_IN_TOOLS),
        "Tools by npm": (dict.fromkeys(by_hand, ""), ALLOWED_IN_TOOLS),
    }
    return [
        fault
        for where, (locked, allowed) in expected.items()
        for fault in list_faults(page.get(where, {}), locked, allowed, where)
    ]


def main() -> None:
    """Print the faults of the page, and end with 1 if there are some."""
    if faults := check():
        print("docs/operations/licences.md differs from the lock files:", *faults, sep="\n  ")
        raise SystemExit(1)


def _normalize(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main()
