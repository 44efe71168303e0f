"""The pages about generating a client name the versions that the repository's locks have, and the Node they run on."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PAGES = ("docs/generating-a-client.md", "docs/generating-typescript.md")
PAGE = "".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
LOCK = json.loads((ROOT / "tests/clients/package-lock.json").read_text(encoding="utf-8"))["packages"]
INSTALLED = re.findall(
    r"(?<=\s)(@?[\w./-]+)@([\d.]+)(?=\s)", "\n".join(re.findall(r"^npm install.*\n", PAGE, re.MULTILINE))
)
TABLE = {
    "@hey-api/openapi-ts": r"hey-api/openapi-ts\]\S+ \| TypeScript \| ([\d.]+),",
    "orval": r"\[orval\]\S+ \| TypeScript \| ([\d.]+),",
    "openapi-typescript": r"with openapi-fetch\]\S+ \| TypeScript \| ([\d.]+) and",
    "openapi-fetch": r"with openapi-fetch\]\S+ \| TypeScript \| [\d.]+ and ([\d.]+),",
}


@pytest.mark.parametrize(("package", "version"), sorted(set(INSTALLED)))
def test_an_install_line_names_the_version_that_is_locked(package: str, version: str) -> None:
    locked = LOCK[f"node_modules/{package}"]["version"]
    assert f"{locked}.".startswith(f"{version}.")


@pytest.mark.parametrize("package", TABLE)
def test_the_table_names_the_version_that_is_locked(package: str) -> None:
    (told,) = re.findall(TABLE[package], PAGE)
    assert f"{LOCK[f'node_modules/{package}']['version']}.".startswith(f"{told}.")


def test_each_typescript_generator_installs_typescript_5_into_a_package_of_modules() -> None:
    blocks = re.findall(r"^```sh file=[\w-]+/install\.sh\n(npm .*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        assert "typescript@5 " in block
        assert "npm pkg set type=module\n" in block


def test_no_generator_needs_a_newer_node_than_the_page_says() -> None:
    (major, minor) = map(int, re.findall(r"need Node (\d+)\.(\d+) or later", " ".join(PAGE.split()))[0])
    for package in {name for name, _ in INSTALLED}:
        wanted = LOCK[f"node_modules/{package}"].get("engines", {}).get("node", ">=0")
        oldest = [tuple(map(int, each.split("."))) for each in re.findall(r">=\s*([\d.]+)", wanted)]
        assert min(oldest)[:2] <= (major, minor), f"{package} needs {wanted}"


def test_the_python_generator_is_the_locked_one() -> None:
    (version,) = re.findall(r"pip install openapi-python-client==([\d.]+)", PAGE)
    assert f"\nopenapi-python-client=={version} " in (ROOT / "requirements-dev.lock").read_text(encoding="utf-8")
