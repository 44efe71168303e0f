"""Protecting files from deletion while a backup copies them, including those of rows deleted in the meantime.

The copier holds the files, and then begins the transaction whose rows it copies. Deleters check after the row is gone
for good: if nobody holds the files then, no copy that begins later has the row either.
"""

from meetdeck.platform.database import Connection, load_queries

queries = load_queries(__file__, "held_files.sql")


async def hold_files(connection: Connection) -> None:
    """Lock all files of the installation against deletion until the transaction ends; several may."""
    await queries.hold_files(connection)


async def are_files_held(connection: Connection) -> bool:
    """Return whether a backup copies the files: then they are left to the sweeper, which comes again."""
    return await queries.are_files_held(connection)
