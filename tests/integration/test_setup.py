"""The set-up's decisions, made by the real scripts in a clone of their files; nothing here needs the network."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
BASH = shutil.which("bash") or "/bin/bash"
NEEDED = ("Makefile", "pyproject.toml", "requirements.lock", "requirements-dev.lock", "requirements-bootstrap.lock")
SOURCES = ". scripts/setup/steps.sh; . scripts/setup/system.sh; . scripts/setup/venv.sh"

NOT_INHERITED = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON", "MEETDECK_DATA_DIR"}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "a clone's folder"
    folder.mkdir()
    for name in NEEDED:
        shutil.copy(PROJECT / name, folder)
    shutil.copytree(PROJECT / "scripts", folder / "scripts")
    return folder


def run_bash(script: str, *, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    environment = inherited | {"SYSTEM_PACKAGES": "no"} | variables
    return subprocess.run([BASH, "-c", script], cwd=cwd, env=environment, capture_output=True, text=True, check=False)  # noqa: S603 - the scripts are ours


def make_ready(clone: Path, kind: str = "run") -> None:
    made = run_bash(f"'{sys.executable}' -m venv --without-pip .venv && {SOURCES} && mark_ready {kind}", cwd=clone)
    assert made.returncode == 0, made.stderr


def is_ready(clone: Path, kind: str = "run", **variables: str) -> bool:
    return run_bash(f"set -eu; {SOURCES}; venv_is_ready {kind}", cwd=clone, **variables).returncode == 0


def test_make_help_explains_every_target() -> None:
    shown = run_bash("make help", cwd=PROJECT).stdout
    targets = re.findall(r"^\.PHONY: (\S+)", (PROJECT / "Makefile").read_text(), re.MULTILINE)
    assert targets
    assert [target for target in targets if not re.search(rf"^make {target} +\S", shown, re.MULTILINE)] == []


def test_the_gate_can_be_executed_as_it_is_cloned() -> None:
    assert os.access(PROJECT / ".ci/run", os.X_OK)
    assert os.access(PROJECT / "scripts/setup.sh", os.X_OK)


def test_a_set_up_clone_is_ready(clone: Path) -> None:
    make_ready(clone)
    assert is_ready(clone)


def test_a_developers_venv_serves_the_product_too(clone: Path) -> None:
    make_ready(clone, "dev")
    done = run_bash(f"set -eu; {SOURCES}; ensure_venv run; sed -n 2p .venv/meetdeck-stamp", cwd=clone)
    assert (done.returncode, done.stdout) == (0, "dev\n"), done.stderr


def test_a_linters_setting_changes_nothing_that_is_installed(clone: Path) -> None:
    make_ready(clone)
    with (clone / "pyproject.toml").open("a") as pyproject:
        pyproject.write("[tool.ruff.lint.isort]\ncombine-as-imports = true\n")
    assert is_ready(clone)


def add_a_command(clone: Path) -> Path:
    pyproject = clone / "pyproject.toml"
    pyproject.write_text(
        pyproject.read_text().replace("[project.scripts]", '[project.scripts]\nmd = "meetdeck.cli:main"')
    )
    return clone


def change_a_lock(clone: Path) -> Path:
    with (clone / "requirements.lock").open("a") as lock:
        lock.write("# changed\n")
    return clone


def move(clone: Path) -> Path:
    return clone.rename(clone.with_name("moved"))


def lose_python(clone: Path) -> Path:
    for name in (clone / ".venv/bin").glob("python*"):
        name.unlink()
    return clone


def interrupt_an_install(clone: Path) -> Path:
    run_bash(f"{SOURCES}; mark_incomplete run", cwd=clone)
    return clone


@pytest.mark.parametrize("disturb", [add_a_command, change_a_lock, move, lose_python, interrupt_an_install])
def test_a_clone_is_not_ready_any_more_after(disturb: Callable[[Path], Path], clone: Path) -> None:
    make_ready(clone)
    assert not is_ready(disturb(clone))


def test_another_python_asked_for_makes_a_clone_not_ready(clone: Path) -> None:
    make_ready(clone)
    assert is_ready(clone, PYTHON=sys.executable)
    assert not is_ready(clone, PYTHON="/bin/false")


def test_a_python_that_is_none_is_refused_and_nothing_is_lost(clone: Path) -> None:
    make_ready(clone)
    refused = run_bash("scripts/setup.sh run", cwd=clone, PYTHON="/bin/false")
    assert refused.returncode == 1
    assert "PYTHON=/bin/false is not Python 3.11 or newer" in refused.stderr
    assert is_ready(clone)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give .venv to another user")
def test_another_users_venv_is_left_alone(clone: Path) -> None:
    make_ready(clone)
    os.chown(clone / ".venv", 65534, 65534)
    refused = run_bash("scripts/setup.sh check", cwd=clone)
    assert refused.returncode == 1
    assert ".venv belongs to another user" in refused.stderr


def test_a_step_that_fails_shows_what_it_said_and_what_to_do(clone: Path) -> None:
    script = (
        f"{SOURCES}; step 'brew tea' sh -c 'echo no kettle; exit 3' || stop_after_step 'there is no tea' 'Buy one.'"
    )
    failed = run_bash(script, cwd=clone)
    assert failed.returncode == 1
    assert re.search(r"brew tea +failed", failed.stdout)
    assert "    no kettle\n" in failed.stderr
    assert "Meetdeck is not set up: there is no tea.\nBuy one.\n" in failed.stderr


def test_assets_that_cannot_be_fetched_end_no_set_up(clone: Path) -> None:
    make_ready(clone)
    shutil.copytree(PROJECT / "assets", clone / "assets", ignore=shutil.ignore_patterns("fetched.json"))
    nowhere = {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_cache": str(clone / "cache")}
    done = run_bash(f"set -eu; {SOURCES}; . scripts/setup/assets.sh; ensure_assets; echo on", cwd=clone, **nowhere)
    assert done.returncode == 0
    assert re.search(r"Assets of the pages, as locked +failed\n", done.stdout)
    assert "    The assets of the pages are not here: " in done.stdout
    assert "Missing: Swagger UI, which the API page is made of." in done.stdout
    assert done.stdout.endswith("scripts/setup.sh run\n\non\n")


def test_a_missing_package_comes_with_the_one_command_to_type(clone: Path) -> None:
    advice = run_bash(f"{SOURCES}; advise 'LibreOffice' \"$(apt_command 'one two')\"", cwd=clone).stdout
    assert "apt-get install -y --no-install-recommends one two" in advice


def test_a_browser_that_is_named_is_taken_and_one_that_is_not_there_is_advised_on(clone: Path) -> None:
    make_ready(clone, "dev")
    (clone / "tests/support").mkdir(parents=True)
    shutil.copy(PROJECT / "tests/support/chromium.py", clone / "tests/support")
    script = f"{SOURCES}; . scripts/setup/npm.sh; . scripts/setup/browser.sh; ensure_browser"
    named = run_bash(script, cwd=clone, MEETDECK_CHROMIUM=sys.executable)
    assert (named.returncode, named.stdout, named.stderr) == (0, "", "")
    lost = run_bash(script, cwd=clone, MEETDECK_CHROMIUM="/nowhere/chromium")
    assert lost.returncode == 0
    assert "Missing: Chromium, which the pages are tested in." in lost.stdout
    assert "MEETDECK_CHROMIUM=/path/to/chromium (there is none at /nowhere/chromium)" in lost.stdout


def test_what_apt_could_not_install_is_not_tried_again_beside_anything_else(clone: Path) -> None:
    make_ready(clone)
    script = (
        f'{SOURCES}; apt_install_known() {{ echo "tried $*" >>tried; }}; may_install() {{ true; }};'
        "list_one() { echo chromium; }; list_two() { printf 'a\\nb\\n'; };"
        "for _ in 1 2; do ensure_by_apt One list_one; ensure_by_apt Two list_two; done"
    )
    shown = run_bash(script, cwd=clone)
    assert (clone / "tried").read_text() == "tried chromium\ntried a b\n", shown.stderr
    assert shown.stdout.count("apt-get install -y --no-install-recommends a b") == 2
