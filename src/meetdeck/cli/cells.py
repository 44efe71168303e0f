"""Cells: `meetdeck cell list`."""

from cyclopts import App

from meetdeck.cli.installation import run_on_database
from meetdeck.cli.output import print_json, print_table, show_bytes
from meetdeck.cli.parameters import Flag, show_examples

cell_app = App(name="cell", help="Cells: the databases in which tenants live (MEETDECK_CELLS).")


@cell_app.command(name="list", help_epilogue=show_examples("meetdeck cell list", "meetdeck cell list --json"))
def list_(*, json: Flag = False) -> None:
    """List the cells with the number of their tenants and their size.

    Parameters
    ----------
    json
        Print an array of {name, tenants, bytes, ok} as JSON; bytes is null and ok false where a cell does not answer.
    """
    from meetdeck.administration.tenants.service import cells

    found = run_on_database(lambda database, _: cells.list_cells(database))
    if json:
        print_json(found)
        return
    print_table(
        ("Name", "Tenants", "Size", "Answers"),
        [
            (each.name, each.tenants, "-" if each.bytes is None else show_bytes(each.bytes), "yes" if each.ok else "no")
            for each in found
        ],
        empty="",
    )
