"""Fetch the assets: the files that pages are made of and others wrote. They lie in npm's packages, exactly as locked.

python assets/fetch.py           fetches them, unless they are here as they should be
python assets/fetch.py --check   only says by its status whether they are
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from npm import AssetsMissing, provide_npm

_HERE: Final = Path(__file__).resolve().parent
_MANIFEST: Final = _HERE / "package.json"
_LOCK: Final = _HERE / "package-lock.json"
_SERVED: Final = _HERE.parent / "src/meetdeck/web/assets"
_FETCHED: Final = _HERE / "fetched.json"
"""What was fetched last, and by which lock: it is written last, so that what was interrupted is begun anew."""

_LICENCE: Final = re.compile(r"licen[cs]e|notice|copying", re.IGNORECASE)


def are_here() -> bool:
    """Whether the assets of the lock are here, every file as it was fetched, and no other."""
    return _FETCHED.is_file() and _FETCHED.read_text(encoding="utf-8") == _describe()


def ensure_here() -> None:
    """Fetch the assets unless they are here. Raises AssetsMissing."""
    if not are_here():
        _require_hashes()
        with tempfile.TemporaryDirectory(prefix="meetdeck-assets-") as folder:
            _install_packages(Path(folder))
            _take_served(Path(folder, "node_modules"))
        _FETCHED.write_text(_describe(), encoding="utf-8")


def _describe() -> str:
    """Return what decides which assets are wanted, and what is here of them, as hashes."""
    wanted = {path.name: _hash(path) for path in (_MANIFEST, _LOCK)}
    here = {path.relative_to(_SERVED).as_posix(): _hash(path) for path in _SERVED.rglob("*") if path.is_file()}
    return json.dumps({"wanted": wanted, "here": dict(sorted(here.items()))}, indent=2) + "\n"


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _require_hashes() -> None:
    """Raise AssetsMissing when the lock has a package without a hash: npm would take whatever comes by that name."""
    packages: dict[str, dict[str, Any]] = json.loads(_LOCK.read_text(encoding="utf-8"))["packages"]
    unsafe = [name for name, facts in packages.items() if name and "integrity" not in facts]
    if unsafe:
        raise AssetsMissing(f"{_LOCK.name} has no hash of {', '.join(unsafe)}. Write it anew: make lock")


def _install_packages(folder: Path) -> None:
    """Have npm put the locked packages into `folder/node_modules`; it compares each with its hash."""
    for name in (_MANIFEST.name, _LOCK.name, ".npmrc"):
        shutil.copy(_HERE / name, folder)
    environment = dict(os.environ)
    if not os.access(Path.home(), os.W_OK):
        environment["npm_config_cache"] = str(folder / "cache")
    with provide_npm() as npm:
        installed = subprocess.run([*npm, "ci", "--ignore-scripts"], cwd=folder, env=environment, check=False)  # noqa: S603 - npm
    if installed.returncode:
        raise AssetsMissing(
            "npm could not fetch them.\nIs there a way to npm's registry? "
            "Behind a mirror or a proxy: npm_config_registry, NODE_EXTRA_CA_CERTS, HTTPS_PROXY."
        )


def _take_served(modules: Path) -> None:
    """Copy the files that are served, and their licences beside them, to where pages find them."""
    if _SERVED.exists():
        shutil.rmtree(_SERVED)
    served: dict[str, dict[str, Any]] = json.loads(_MANIFEST.read_text(encoding="utf-8"))["served"]
    for folder, asked in served.items():
        package = modules / asked["package"]
        (_SERVED / folder).mkdir(parents=True)
        for path in (*(package / name for name in asked["files"]), *_find_licences(package, asked)):
            if not path.is_file():
                raise AssetsMissing(f"{path.relative_to(modules)}, named in {_MANIFEST.name}, is not in its package.")
            shutil.copyfile(path, _SERVED / folder / path.name)


def _find_licences(package: Path, asked: dict[str, Any]) -> list[Path]:
    """Return the licences and notices of a package, and of what is bundled in its files. Raises AssetsMissing.

    A package without a licence's file has the file that names it, `licence` in the manifest.
    """
    licences = sorted(path for path in package.iterdir() if _LICENCE.match(path.name))
    licences += [package / asked["licence"]] if "licence" in asked else []
    if not licences:
        raise AssetsMissing(f"the package {package.name} has no licence that could be passed on with its files.")
    bundled = (package / f"{name}.LICENSE.txt" for name in asked["files"])
    return [*licences, *(path for path in bundled if path.is_file())]


def _main() -> None:
    if sys.argv[1:] == ["--check"]:
        sys.exit(not are_here())
    try:
        ensure_here()
    except (AssetsMissing, OSError) as problem:
        sys.exit(f"The assets of the pages are not here: {problem}")


if __name__ == "__main__":
    _main()
