"""Archives encrypted to public keys by the program `age`: nothing in clear is on disk (0236)."""

import io
import os
import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from meetdeck.platform.errors import SetupError

if TYPE_CHECKING:
    from typing_extensions import Buffer

ReadableFile = IO[bytes] | io.RawIOBase
_HEADERS: Final = (b"age-encryption.org/v1\n", b"-----BEGIN AGE ENCRYPTED FILE-----")


@contextmanager
def sealed(target: IO[bytes], recipients: Sequence[str]) -> Generator[IO[bytes]]:
    """Yield a file whose bytes reach the target encrypted for the recipients; without any, the target itself.

    Raises SetupError if age refuses a recipient, or is not installed.
    """
    if not recipients:
        yield target
        return
    target.flush()
    arguments = [argument for recipient in recipients for argument in ("-r", recipient)]
    with _run_age(arguments, stdin=subprocess.PIPE, stdout=target) as process:
        assert process.stdin is not None  # noqa: S101 - for the type
        with suppress(BrokenPipeError):  # its status says why
            yield process.stdin
            process.stdin.close()
        _require_success(process, "The backup cannot be encrypted")


@contextmanager
def opened(path: Path, identity: Path | None) -> Generator[ReadableFile]:
    """Yield the content of an archive in clear, decrypted by the keys in the file `identity` if it is encrypted.

    Raises SetupError, also from reading, if it cannot be decrypted.
    """
    with path.open("rb") as file:
        if not _is_sealed(file):
            yield file
            return
        if identity is None:
            raise SetupError(f"{path} is encrypted: name the file with the private key, --identity FILE.")
        with _run_age(["-d", "-i", str(identity)], stdin=file, stdout=subprocess.PIPE) as process:
            yield _DecryptedFile(process, path)


def _is_sealed(file: IO[bytes]) -> bool:
    try:
        return os.pread(file.fileno(), 64, 0).startswith(_HEADERS)
    except OSError:  # a pipe, which is read once: age decrypts it before it comes here
        return False


class _DecryptedFile(io.RawIOBase):
    """The output of age, which is only good if age ends well."""

    def __init__(self, process: subprocess.Popen[bytes], path: Path) -> None:
        self._process, self._path = process, path
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "Buffer", /) -> int:
        """Fill the buffer; return how far. Raises SetupError at the end if age failed."""
        assert self._process.stdout is not None  # noqa: S101 - for the type
        view = memoryview(buffer)
        piece = self._process.stdout.read(len(view))
        view[: len(piece)] = piece
        self._count += len(piece)
        if not piece and view:
            _require_success(self._process, f"{self._path} cannot be decrypted")
        return len(piece)

    def tell(self) -> int:
        return self._count


@contextmanager
def _run_age(
    arguments: Sequence[str], *, stdin: IO[bytes] | int, stdout: IO[bytes] | int
) -> Generator[subprocess.Popen[bytes]]:
    """Yield the running program, which is ended with the block."""
    try:
        process = subprocess.Popen(  # noqa: S603 - its arguments are keys and a file of the operator's
            ["age", *arguments],  # noqa: S607 - wherever it is installed
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise SetupError(
            f"The program age cannot be run ({error.strerror}). Install it: `apt-get install age`."
        ) from None
    try:
        yield process
    finally:
        process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()
        process.wait()


def _require_success(process: subprocess.Popen[bytes], trouble: str) -> None:
    """Raise SetupError, in age's words, unless it ends well."""
    assert process.stderr is not None  # noqa: S101 - for the type
    errors: bytes = process.stderr.read()
    said = errors.decode(errors="replace").splitlines() if process.wait() else []
    if process.returncode:
        reasons = [
            line.removeprefix("age: ").removeprefix("error: ") for line in said if "report unexpected" not in line
        ]
        raise SetupError(f"{trouble}: {'; '.join(reasons) or f'age ended with status {process.returncode}'}.")
