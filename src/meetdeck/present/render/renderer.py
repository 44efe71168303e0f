"""The rendering port: one presentation in, one PDF of its visible slides out.

`MissingRenderer` replaces it on a machine without LibreOffice, so that everything else works and the caller reads what
to install.
"""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Protocol
from uuid import UUID

from meetdeck.platform.errors import Invalid, SetupError, TooManyRequests, Unavailable

INSTALL_HINT = (
    "Debian and Ubuntu: `apt-get install --no-install-recommends libreoffice-impress-nogui python3-uno "
    "fonts-liberation fonts-crosextra-carlito fonts-crosextra-caladea fonts-dejavu-core fonts-wqy-microhei "
    "fonts-symbola`; macOS: `brew install --cask libreoffice`. Then start Meetdeck again."
)

_INSTALL_DIRS = (
    Path("/usr/lib/libreoffice"),
    Path("/usr/lib64/libreoffice"),
    Path("/usr/local/lib/libreoffice"),
    Path("/Applications/LibreOffice.app/Contents"),
)
_PROBE_SECONDS = 30


class RendererUnavailable(Unavailable):
    """The machine has no renderer, or the renderer does not start."""

    code = "renderer_unavailable"


class RendererBusy(Unavailable):
    """The queue is full; retrying after `retry_after_seconds` is likely to succeed."""

    code = "renderer_busy"


class RendererShareFull(TooManyRequests):
    """The tenant's share of the queue is full; retrying after `retry_after_seconds` is likely to succeed."""

    code = "renderer_share_full"


class RenderingFailed(Invalid):
    """The file cannot be rendered; the message says why."""

    code = "rendering_failed"


class RenderingGivenUp(RenderingFailed):
    """The file used up all its time, or ended the renderer; it would do so again."""


class Renderer(Protocol):
    """Renders presentations as PDF (docs/decisions/0013)."""

    async def to_pdf(self, pptx: bytes, *, tenant_id: UUID | None = None) -> bytes:
        """Return a PDF of the visible slides of a PPTX, one page each, once the tenant is admitted.

        Raises RenderingFailed (the file), RendererBusy (full queue), RendererShareFull (the tenant's share of it is
        full), RendererUnavailable (this installation).
        """
        ...

    async def get_version(self) -> str:
        """Return the engine's name and version: another one may draw the same presentation differently.

        Raises RendererUnavailable.
        """
        ...

    async def close(self) -> None:
        """Stop everything that belongs to the renderer; waiting callers get RendererUnavailable."""
        ...


class MissingRenderer:
    """The renderer of a machine without LibreOffice: refuses, and says what to install."""

    async def to_pdf(self, pptx: bytes, *, tenant_id: UUID | None = None) -> NoReturn:
        """Raise RendererUnavailable."""
        del pptx, tenant_id
        await self.get_version()

    async def get_version(self) -> NoReturn:
        """Raise RendererUnavailable."""
        raise RendererUnavailable(f"PDF and pictures need LibreOffice, which was not found here. {INSTALL_HINT}")

    async def close(self) -> None:
        """Do nothing."""


@dataclass(frozen=True, slots=True)
class Office:
    """A LibreOffice on this machine: its executable, and a Python that can `import uno`."""

    soffice: Path
    python: Path


def find_office(*, soffice: Path | None = None, python: Path | None = None) -> Office | None:
    """Return LibreOffice and a Python with its `uno` module; either may be given.

    Raises SetupError when a given path does not work: a wrong setting should be seen, not silently replaced.
    """
    executable = _require_executable(soffice) if soffice else next(_executables(), None)
    if executable is None:
        return None
    if python is not None and not _has_uno(python):
        raise SetupError(f"{python} cannot `import uno`; name the Python of LibreOffice or one that has python3-uno.")
    interpreter = python or next((path for path in _interpreters(executable) if _has_uno(path)), None)
    return Office(executable, interpreter) if interpreter else None


def read_version(office: Office) -> str:
    """Return LibreOffice's version, which takes a fraction of a second. Raises RendererUnavailable."""
    try:
        version = subprocess.run(  # noqa: S603 - the command is ours
            [office.soffice, "--version"], capture_output=True, check=True, timeout=_PROBE_SECONDS, text=True
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError) as error:
        raise RendererUnavailable(f"LibreOffice ({office.soffice}) does not report its version.") from error
    return version


def _require_executable(path: Path) -> Path:
    """Return the binary beside `soffice`, a shell script whose process is not the office."""
    beside = path.resolve().with_name("soffice.bin")
    executable = beside if beside.is_file() else path
    if not executable.is_file():
        raise SetupError(f"{path} does not exist; set LibreOffice's soffice.bin (macOS: LibreOffice.app/…/soffice).")
    return executable


def _executables() -> Iterator[Path]:
    roots = [*_INSTALL_DIRS, *sorted(Path("/opt").glob("libreoffice*"), reverse=True)]
    for root in roots:
        for name in ("program/soffice.bin", "MacOS/soffice"):
            if (path := root / name).is_file():
                yield path
    if on_path := shutil.which("soffice"):
        beside = Path(on_path).resolve().with_name("soffice.bin")
        if beside.is_file():
            yield beside


def _interpreters(executable: Path) -> Iterator[Path]:
    """Return LibreOffice's own Python if it has one, else the system's."""
    yield executable.with_name("python")
    yield executable.parent.parent / "Resources" / "python"
    yield Path("/usr/bin/python3")
    yield Path("/usr/local/bin/python3")


def _has_uno(python: Path) -> bool:
    if not python.is_file():
        return False
    probe = [python, "-I", "-c", "import uno"]
    try:
        ended = subprocess.run(  # noqa: S603 - the command is ours
            probe, capture_output=True, check=False, timeout=_PROBE_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0
