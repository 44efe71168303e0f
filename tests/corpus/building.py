"""Build decks of one presentation in a process of its own, with bounds: `python building.py PRESENTATION FOLDER`.

Writes `all.pptx`, a deck of all slides, and `twice.pptx`, each slide twice from the last to the first, into the folder,
and prints what happened as JSON. Whatever ends this process otherwise is a crash.
"""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import msgspec

from meetdeck.present.deck import EmptyDeck, SlideRequest, TemplateError, build_deck, compile_template, whole_deck
from meetdeck.present.render.typefaces import installed_typefaces

ALL: Final = "all.pptx"
TWICE: Final = "twice.pptx"
_MIB: Final = 2**20
# Address space, so that a deck that runs wild does not take the machine along; what is asserted is the resident peak.
_MOST_ADDRESS_SPACE: Final = 2048 * _MIB
_MOST_SECONDS: Final = 60


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of one presentation: `refusals` are the codes of the Errors, empty for one that was read.

    `slides` and `hidden` count the template's, `tags` how many different ones it has; `findings` are the codes of
    Warnings and Infos. Peak memory is of the whole process, of which the interpreter and the engine's code take
    `base_mib`.
    """

    refusals: list[str]
    findings: list[str]
    slides: int
    hidden: int
    tags: int
    seconds: float
    peak_mib: float
    base_mib: float


def build_apart(presentation: Path, folder: Path) -> Outcome:
    """Run this module in a process of its own. Raises AssertionError when it crashes or takes too long."""
    command = [sys.executable, __file__, str(presentation), str(folder)]
    try:
        run = subprocess.run(  # noqa: S603 - this very file
            command, capture_output=True, text=True, timeout=_MOST_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as problem:
        raise AssertionError(f"it took more than {_MOST_SECONDS} seconds") from problem
    assert run.returncode == 0, f"it crashed ({run.returncode}):\n{run.stderr[-3000:]}"
    return msgspec.json.decode(run.stdout, type=Outcome)


def _build(presentation: Path, folder: Path) -> Outcome:
    typefaces = installed_typefaces()
    base = _peak_mib()
    data = presentation.read_bytes()
    started = time.perf_counter()
    try:
        template = compile_template(data)
    except TemplateError as refusal:
        errors = sorted({finding.code for finding in refusal.findings if finding.type == "Error"})
        assert errors, "a presentation was refused without an Error"
        return Outcome(errors, [], 0, 0, 0, time.perf_counter() - started, _peak_mib(), base)
    try:
        whole = whole_deck(template, {}, typefaces=typefaces).content
    except EmptyDeck:
        return Outcome(["no-slides"], [], 0, 0, 0, time.perf_counter() - started, _peak_mib(), base)
    requests = [SlideRequest(slide.name, {}) for slide in reversed(template.slides) for _ in range(2)]
    twice = build_deck(template, requests, typefaces=typefaces).content
    seconds = time.perf_counter() - started
    peak = _peak_mib()
    assert whole == whole_deck(compile_template(data), {}, typefaces=typefaces).content, (
        "the same input gave other bytes"
    )
    (folder / ALL).write_bytes(whole)
    (folder / TWICE).write_bytes(twice)
    hidden = sum(slide.hidden for slide in template.slides)
    codes = sorted({finding.code for finding in template.findings})
    return Outcome([], codes, len(template.slides), hidden, len(template.tags), seconds, peak, base)


def _peak_mib() -> float:
    """Return the most memory that this process has held."""
    status = Path("/proc/self/status")
    if status.exists():
        # Unlike getrusage, this forgets the process that started us.
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (_MIB if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_ADDRESS_SPACE, _MOST_ADDRESS_SPACE))
    sys.stdout.buffer.write(msgspec.json.encode(_build(Path(sys.argv[1]), Path(sys.argv[2]))))
