"""The candidates, how a process of each is started, and its input."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from deck_peers.features import FEATURES
from deck_peers.job import Job, Measured, SlideJob
from deck_peers.template import WriteTag, brace_tag, flat_name
from deck_peers.workload import PLAIN, Workload

HERE: Final = Path(__file__).parent
# Far above the time of the slowest: pptx-automizer sometimes does not end.
_LONGEST_SECONDS: Final = 300
_INSTALLED: Final = HERE / "node_modules"
# npm writes it last, so that an interrupted installation is begun anew.
_INSTALLED_LOCK: Final = _INSTALLED / ".package-lock.json"


class Candidate(NamedTuple):
    """A way to make decks.

    `module` is its file here, without the suffix; `copies`: it picks and repeats slides, so that its template has one
    of each kind; otherwise the template has as many slides as are asked for. `package` is None for Meetdeck itself.
    """

    name: str
    module: str
    package: str | None
    copies: bool
    is_warm: bool = False
    on_node: bool = False
    tag: WriteTag = brace_tag
    workload: Workload = PLAIN


def _docxtemplater_tag(slide: int, path: str) -> str:
    return f"{{{flat_name(slide, path)}}}"


def _carbone_tag(slide: int, path: str) -> str:
    return f"{{d.{flat_name(slide, path)}}}"


# No peer supports the second workload.
OURS: Final = tuple(
    Candidate("Meetdeck", "ours", None, copies=copies, is_warm=is_warm, workload=workload)
    for workload in (PLAIN, FEATURES)
    for is_warm in (True, False)
    for copies in (True, False)
)
PYTHON_PPTX: Final = tuple(
    Candidate("python-pptx", "clone_recipe", "python-pptx", copies=copies) for copies in (True, False)
)
NODE_PEERS: Final = (
    Candidate("pptx-automizer", "pptx-automizer", "pptx-automizer", copies=True, on_node=True),
    Candidate("docxtemplater", "docxtemplater", "docxtemplater", copies=False, on_node=True, tag=_docxtemplater_tag),
    Candidate("Carbone", "carbone", "carbone", copies=False, on_node=True, tag=_carbone_tag),
)


class PeersMissingError(Exception):
    """The npm peers cannot be measured here; the message says why."""


class CandidateError(Exception):
    """A candidate's process failed."""


def install_node_peers() -> None:
    """Install the packages of package-lock.json, once. Raises `PeersMissingError` without Node, npm or a registry."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise PeersMissingError(f"{program} is not installed")
    lock = HERE / "package-lock.json"
    if _INSTALLED_LOCK.exists() and _INSTALLED_LOCK.stat().st_mtime >= lock.stat().st_mtime:
        return
    print("installing the npm peers ...", file=sys.stderr)
    done = _run(["npm", "ci"], "")
    if done.returncode:
        raise PeersMissingError(f"npm ci failed:\n{done.stderr.strip()}\n")


def version_of(candidate: Candidate) -> str:
    """Return the installed version of a peer."""
    if candidate.package is None:
        return version("meetdeck")
    if candidate.on_node:
        return str(json.loads((_INSTALLED / candidate.package / "package.json").read_text())["version"])
    return version(candidate.package)


def find_node_version() -> str | None:
    """Return the version that Node reports; None without Node."""
    return f"Node {_run(['node', '--version'], '').stdout.strip()}" if shutil.which("node") else None


def measure(candidate: Candidate, slides: int, seconds: float, folder: Path) -> tuple[Measured, bytes, list[SlideJob]]:
    """Run a candidate in a process of its own; return its measurements, its deck and the expected texts.

    Raises `CandidateError` when its process fails, or takes minutes.
    """
    workload, requests = candidate.workload, candidate.workload.count_requests(slides)
    designs = len(workload.repeats) if candidate.copies else requests
    template, deck = folder / "template.pptx", folder / "deck.pptx"
    template.write_bytes(_template(workload, designs, candidate.tag))
    jobs = [workload.make_job(number, designs) for number in range(requests)]
    values = {flat_name(i, path): text for i, job in enumerate(jobs) for path, text in job.values.items()}
    job = Job(str(template), str(deck), seconds, jobs, values)
    try:
        done = _run(_command(candidate), msgspec.json.encode(job).decode(), _LONGEST_SECONDS)
    except subprocess.TimeoutExpired as problem:
        raise CandidateError(f"{candidate.name} was stopped after {_LONGEST_SECONDS} seconds") from problem
    if done.returncode:
        raise CandidateError(f"{candidate.name} failed:\n{done.stderr.strip()}")
    # The output of a peer comes first.
    measured = done.stdout.strip().rpartition("\n")[2]
    return msgspec.json.decode(measured, type=Measured), deck.read_bytes(), jobs


@cache
def _template(workload: Workload, designs: int, tag: WriteTag) -> bytes:
    return workload.make_template(designs, tag)


def _command(candidate: Candidate) -> list[str]:
    if candidate.on_node:
        return ["node", "rounds.mjs", candidate.module]
    return [sys.executable, "-m", "deck_peers.run", candidate.module, "warm" if candidate.is_warm else "cold"]


def _run(command: Sequence[str], text: str, most_seconds: float | None = None) -> subprocess.CompletedProcess[str]:
    # Python finds the package beside its folder, Node its modules inside.
    folder = HERE.parent if command[0] == sys.executable else HERE
    return subprocess.run(  # noqa: S603 - our own programs, by name, told a job of our own
        command, input=text, capture_output=True, text=True, check=False, cwd=folder, timeout=most_seconds
    )
