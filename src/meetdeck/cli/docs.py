"""The manual: `meetdeck docs export`."""

from pathlib import Path

from cyclopts import App

from meetdeck.cli.parameters import Flag

docs_app = App(name="docs", help="The manual of this version.")


@docs_app.command
def export(folder: Path, *, force: Flag = False) -> None:
    """Write the manual as files that a browser opens without a server.

    Parameters
    ----------
    folder
        The folder to write; open its `index.html`.
    force
        Write into a folder that is not empty.
    """
    from meetdeck.pages.manual.export import export_manual

    count = export_manual(folder, overwrite=force)
    print(f"{count} pages written. Open {folder / 'index.html'}")
