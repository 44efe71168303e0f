"""Rotating the encryption key: `meetdeck rekey`."""

from typing import TYPE_CHECKING

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import print_json, print_table
from meetdeck.cli.parameters import Flag
from meetdeck.platform.database import Database
from meetdeck.platform.errors import SetupError
from meetdeck.platform.process.progress import show_progress
from meetdeck.platform.settings import Settings

if TYPE_CHECKING:
    from meetdeck.administration.rekeying.schemas import RekeyingReport


def rekey(*, json: Flag = False) -> None:
    """Re-encrypt all values with the first key of MEETDECK_ENCRYPTION_KEY; safe while the server runs.

    `MEETDECK_ENCRYPTION_KEY=NEW,OLD meetdeck rekey`

    If it is interrupted, run it again: it continues. The exit status is 1 while values are left.

    Parameters
    ----------
    json
        Print the report as JSON: {kinds: [{kind, values, rewritten, left, unreadable}], values, rewritten, left,
        unreadable}.
    """
    from meetdeck.administration.rekeying.service import rekey as rewrite
    from meetdeck.platform.secrets import find_encryption_keys

    with show_progress(lines=True) as progress:

        async def run(database: Database, settings: Settings) -> tuple["RekeyingReport", int]:
            keys = find_encryption_keys(settings.encryption_key, settings.data_dir)
            return await rewrite(database, keys, progress), len(keys)

        report, keys = run_on_database(run, undone="Not everything was re-encrypted; run the command again.")
    if json:
        print_json(report)
    else:
        _print_kinds(report)
    _require_none_left(report)
    if not json:
        print(_conclude(report, keys))


def _print_kinds(report: "RekeyingReport") -> None:
    print_table(
        ("Kind", "Values", "Rewritten", "Left", "Unreadable"),
        [
            (kind.kind, f"{kind.values:,}", f"{kind.rewritten:,}", f"{kind.left:,}", f"{kind.unreadable:,}")
            for kind in report.kinds
        ],
        empty="",
    )


def _require_none_left(report: "RekeyingReport") -> None:
    if report.unreadable:
        raise SetupError(
            f"{report.unreadable:,} values cannot be read with any key of MEETDECK_ENCRYPTION_KEY. Append the key "
            "that they were encrypted with, after a comma, and run the command again."
        )
    if report.left:
        raise SetupError(
            f"{report.left:,} values are encrypted with an earlier key: a process still uses it. Restart all "
            "processes with the new MEETDECK_ENCRYPTION_KEY, and run the command again."
        )


def _conclude(report: "RekeyingReport", keys: int) -> str:
    if keys == 1:
        return (
            f"There is only one key, and it reads all {report.values:,} values. To rotate it, put a new one in front."
        )
    return "No value is left under an earlier key: MEETDECK_ENCRYPTION_KEY can be the first key alone."
