"""The data folder of a real installation: other accounts see nothing of it, and the database works all the same."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from support.installation import Installation


def open_to_others(folder: Path) -> list[str]:
    """Name what others may do anything with, PostgreSQL's own files too."""
    paths = [folder, *folder.rglob("*")]
    return [str(path) for path in paths if not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077]


@pytest.mark.thorough
def test_nobody_else_reads_what_tenants_store(installation: Installation) -> None:
    """Its first start migrates the embedded database by itself."""
    earlier = installation.data_dir / "storage" / "tenant" / "files" / "slides.pdf"
    earlier.parent.mkdir(parents=True)
    earlier.write_bytes(b"%PDF from a version that left it open")
    earlier.chmod(0o644)
    installation.start("--demo-data")
    stored = [path for path in (installation.data_dir / "storage").rglob("*") if path.is_file()]
    assert len(stored) > 2  # the earlier one, the marker, the demo's template
    assert open_to_others(installation.data_dir) == []
    if os.geteuid() == 0:
        database = (installation.data_dir / "postgres" / "pgdata").stat().st_uid
        assert database != 0
        for account in (database, 12345):
            for path in (*stored, installation.data_dir / "encryption-key"):
                refused = subprocess.run(  # noqa: S603 - the command is ours
                    ["/bin/cat", path], capture_output=True, check=False, extra_groups=(), group=account, user=account
                )
                assert refused.returncode
                assert not refused.stdout
